#include "codegen/llvm/inspect_assembly.h"

#include <gtest/gtest.h>

namespace hone::codegen {
namespace {

TEST(InspectAssembly, FindsInnermostLoopsOnly) {
  const auto loops = innermost_loops(R"(
	.text
	.globl	kernel
kernel:                                 # @kernel
	movq	%rsp, %rbp
	movq	(%rsi), %rax
.LBB0_1:                                # outer
	xorl	%ecx, %ecx
.LBB0_2:
	vmovups	(%rdi,%rcx,4), %ymm0
	vfmadd231ps	32(%rsp), %ymm0, %ymm1  # 32-byte Folded Reload
	vmovups	%ymm1, (%rdx,%rcx,4)
	leaq	(%rcx,%rcx), %r8
	cmpq	8(%rbp), %rcx
	jl	.LBB0_2
	decq	%rax
	jne	.LBB0_1
	jmp	.LBB0_3
.LBB0_3:
	retq
)");
  ASSERT_EQ(loops.size(), 1u);
  const AssemblyLoop& loop = loops[0];
  EXPECT_EQ(loop.function, "kernel");
  EXPECT_EQ(loop.label, ".LBB0_2");
  EXPECT_EQ(loop.instructions, 6);
  EXPECT_EQ(loop.loads, 3);
  EXPECT_EQ(loop.stores, 1);
  EXPECT_EQ(loop.fmas, 1);
  EXPECT_EQ(loop.stack_accesses, 2);
}

TEST(InspectAssembly, CountsTwoWaysBackAsOneLoop) {
  const auto loops = innermost_loops(".L1:\n\taddq $1, %rax\n\tjne .L1\n\taddq $2, %rax\n\tjl .L1\n\tret\n");
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(loops[0].instructions, 4);
}

// A rotated outer loop: its latch stands before the inner loop, whose own way back is no jump at all.
TEST(InspectAssembly, FollowsTheFlowAndNotTheLayout) {
  const auto loops = innermost_loops(R"(
kernel:
	jmp	.L3
.L2:
	movq	8(%rsp), %rax
	incq	%rdi
	cmpq	%rdi, %rsi
	jge	.L9
.L3:
	xorl	%ecx, %ecx
	jmp	.L5
.L4:
	vfmadd231ps	%ymm0, %ymm1, %ymm2
	cmpq	$2, %rcx
	jae	.L2
.L5:
	incq	%rcx
	jmp	.L4
.L9:
	retq
)");
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(loops[0].label, ".L5");
  EXPECT_EQ(loops[0].instructions, 5);
  EXPECT_EQ(loops[0].fmas, 1);
  EXPECT_EQ(loops[0].stack_accesses, 0);
}

}  // namespace
}  // namespace hone::codegen
