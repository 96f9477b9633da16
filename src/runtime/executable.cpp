// The stored form: a magic number, the format's version, then every field in the order of executable.h.
#include "runtime/executable.h"

#include "runtime/bytes.h"

namespace hone::runtime {

namespace {

constexpr uint64_t magic = 0x00455845454e4f48ull;  // the letters HONEEXE
constexpr uint64_t format_version = 4;
constexpr int deepest_nesting = 32;
constexpr size_t word = 8;

// One list of fields serves both directions: `Archive` is a Writer or a Reader.
struct Writer {
  ByteWriter out;

  void field(const std::string& value) { out.text(value); }
  void field(const int64_t& value) { out.number(static_cast<uint64_t>(value)); }
  void field(const uint64_t& value) { out.number(value); }
  void field(const int& value) { field(int64_t{value}); }
  template <typename Kind>
  void kind(const Kind& value, Kind) {
    field(static_cast<int64_t>(value));
  }
  template <typename T, typename Each>
  void list(const std::vector<T>& values, Each each) {
    out.number(values.size());
    for (const T& value : values) each(*this, value);
  }
};

struct Reader {
  ByteReader in;

  void field(std::string& value) { value = in.text(); }
  void field(int64_t& value) { value = static_cast<int64_t>(in.number()); }
  void field(uint64_t& value) { value = in.number(); }
  void field(int& value) {
    int64_t wide = static_cast<int64_t>(in.number());
    value = static_cast<int>(wide);
    if (value != wide) in.fail();
  }
  template <typename Kind>
  void kind(Kind& value, Kind last) {
    uint64_t number = in.number();
    if (number > static_cast<uint64_t>(last)) number = in.fail();
    value = static_cast<Kind>(number);
  }
  template <typename T, typename Each>
  void list(std::vector<T>& values, Each each) {
    size_t count = in.count(word);
    // Grows with what is really there: memory stays in proportion to the bytes given.
    for (size_t i = 0; i < count && !in.failed(); ++i) each(*this, values.emplace_back());
  }
};

constexpr auto plain = [](auto& archive, auto& value) { archive.field(value); };
constexpr auto formula = [](auto& archive, auto& value) { archive.list(value.code, plain); };

constexpr auto port = [](auto& archive, auto& value) {
  archive.field(value.name);
  archive.field(value.dtype);
  archive.list(value.shape, formula);
  archive.list(value.shape_text, plain);
  archive.list(value.binds, plain);
};

constexpr auto buffer = [](auto& archive, auto& value) {
  archive.kind(value.kind, BufferSpec::Kind::Alias);
  archive.field(value.name);
  archive.field(value.number);
  formula(archive, value.bytes);
  archive.field(value.element_size);
};

constexpr auto constant = [](auto& archive, auto& value) {
  archive.field(value.offset);
  archive.field(value.bytes);
};

constexpr auto size_check = [](auto& archive, auto& value) {
  formula(archive, value.left);
  formula(archive, value.right);
  archive.field(value.what);
};

template <typename Archive, typename Steps>
void steps(Archive& archive, Steps& values, int depth) {
  archive.list(values, [depth](auto& inner, auto& value) {
    inner.kind(value.kind, StepSpec::Kind::Check);
    inner.field(value.label);
    inner.field(value.function);
    inner.field(value.library);
    inner.list(value.buffers, plain);
    inner.field(value.carried);
    inner.list(value.sizes, formula);
    formula(inner, value.tasks);
    formula(inner, value.scratch);
    formula(inner, value.flops);
    formula(inner, value.bytes);
    if constexpr (requires { inner.in; })
      if (depth == deepest_nesting) inner.in.fail();
    inner.list(value.bodies, [depth](auto& deeper, auto& body) { steps(deeper, body, depth + 1); });
  });
}

Error damaged() {
  return error("the compiled model is damaged: it ends too early or holds a number out of range");
}

template <typename Archive, typename Whole>
void whole(Archive& archive, Whole& value) {
  archive.field(value.name);
  archive.field(value.isa);
  archive.field(value.build);
  archive.list(value.symbols, plain);
  archive.list(value.inputs, port);
  archive.list(value.outputs, port);
  archive.list(value.buffers, buffer);
  archive.list(value.constants, constant);
  archive.list(value.functions, plain);
  steps(archive, value.steps, 0);
  archive.list(value.checks, size_check);
  archive.field(value.weight_bytes);
}

}  // namespace

std::vector<std::byte> serialize(const Executable& executable) {
  Writer writer;
  writer.field(magic);
  writer.field(format_version);
  whole(writer, executable);
  return writer.out.take();
}

Status check_format(const std::byte* data, size_t bytes) {
  ByteReader in(data, bytes);
  if (in.number() != magic) return error("this is not a compiled Hone model: its first bytes are others");
  uint64_t version = in.number();
  if (in.failed()) return damaged();
  if (version != format_version)
    return error("the compiled model has format {}, this runtime reads format {}: compile it again with this version",
                 version, format_version);
  return Done{};
}

Result<Executable> deserialize(const std::byte* data, size_t bytes) {
  HONE_PASS(check_format(data, bytes));
  constexpr size_t head = sizeof(magic) + sizeof(format_version);
  Reader reader{ByteReader(data + head, bytes - head)};
  Executable executable;
  whole(reader, executable);
  if (reader.in.failed()) return damaged();
  if (reader.in.left() != 0) return error("the compiled model is damaged: {} bytes follow its end", reader.in.left());
  HONE_PASS(validate(executable));
  return executable;
}

}  // namespace hone::runtime
