/* Hone's public interface: plain C, versioned, for every language.
 *
 * Two libraries implement it. libhone_runtime loads and runs compiled models; libhone, which links it, also compiles.
 * Functions that need libhone say so.
 *
 * Every function that can fail returns a hone_status*: NULL on success, else a description that the caller frees. There is
 * no global error. Handles may be used from any thread; a session may run any number of calls at once. Pointers that a
 * handle gives out stay valid until that handle is freed. Freeing NULL does nothing.
 *
 *   hone_session* session = NULL;
 *   hone_status* problem = hone_session_open("model.onnx", NULL, &session);
 *   if (problem) { fprintf(stderr, "%s\n", hone_status_message(problem)); hone_status_free(problem); return 1; }
 */
#ifndef HONE_HONE_H
#define HONE_HONE_H

#include <stddef.h>
#include <stdint.h>

/* Functions and fields are only added. A library serves every program that was built with the same or a smaller number. */
#define HONE_ABI_VERSION 1

#if defined(__GNUC__)
#define HONE_API __attribute__((visibility("default")))
#else
#define HONE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

HONE_API uint32_t hone_abi_version(void); /* of the library that is loaded */
HONE_API const char* hone_version(void);  /* "0.1.0" */

/* ---- status ---- */

typedef int32_t hone_code;
enum {
  HONE_OK = 0,
  HONE_INVALID = 1,  /* the model, the machine, an option or a tensor does not fit; the message says what would */
  HONE_INTERNAL = 2, /* a fault in Hone itself: please report it with its message */
};

typedef struct hone_status hone_status;
HONE_API hone_code hone_status_code(const hone_status* status);      /* HONE_OK for NULL */
HONE_API const char* hone_status_message(const hone_status* status); /* "" for NULL */
HONE_API void hone_status_free(hone_status* status);

/* ---- tensors ---- */

typedef int32_t hone_dtype;
enum {
  HONE_F32 = 1,
  HONE_F64 = 2,
  HONE_F16 = 3,
  HONE_BF16 = 4,
  HONE_I8 = 5,
  HONE_I16 = 6,
  HONE_I32 = 7,
  HONE_I64 = 8,
  HONE_U8 = 9,
  HONE_U16 = 10,
  HONE_U32 = 11,
  HONE_U64 = 12,
  HONE_BOOL = 13, /* one byte, 0 or 1 */
  /* Types of ONNX for storage, one byte each; of the narrow ones its low bits. */
  HONE_F8E4M3FN = 14,
  HONE_F8E4M3FNUZ = 15,
  HONE_F8E5M2 = 16,
  HONE_F8E5M2FNUZ = 17,
  HONE_F8E8M0 = 18,
  HONE_F4E2M1 = 19,
  HONE_I4 = 20, /* two's complement */
  HONE_U4 = 21,
  HONE_I2 = 22,
  HONE_U2 = 23,
};

HONE_API const char* hone_dtype_name(hone_dtype dtype); /* "f32", …; NULL if unknown */
HONE_API size_t hone_dtype_size(hone_dtype dtype);      /* bytes of an element; 0 if unknown */

/* A view of dense, row-major elements; it owns nothing. The data need not be aligned. */
typedef struct hone_tensor {
  hone_dtype dtype;
  int32_t rank;         /* 0: a scalar */
  const int64_t* shape; /* rank numbers */
  void* data;           /* inputs are only read */
  size_t bytes;         /* inputs: at least those of the shape. Outputs: what the memory holds */
} hone_tensor;

/* An input or output of a model. */
typedef struct hone_port {
  const char* name;
  hone_dtype dtype;
  int32_t rank;
  const int64_t* shape;          /* -1 where the size is only known at run time */
  const char* const* shape_text; /* "1", "batch", "2*length", … */
} hone_port;

/* ---- options: NULL, or a handle, wherever a function takes them ---- */

typedef struct hone_options hone_options;
HONE_API hone_options* hone_options_create(void);
HONE_API void hone_options_free(hone_options* options);
/* 0, the default: HONE_NUM_THREADS, else as many as the process has cores. */
HONE_API void hone_options_set_threads(hone_options* options, int32_t threads);
/* Caps the instruction set of new code: "avx512", "avx2" or "x86-64". NULL, the default: the machine's. */
HONE_API void hone_options_set_isa(hone_options* options, const char* isa);
/* Folder that keeps compiled models, shared by any number of processes. NULL, the default: HONE_CACHE_DIR, else none. */
HONE_API void hone_options_set_cache_dir(hone_options* options, const char* folder);

/* ---- sessions: a model ready to run ---- */

typedef struct hone_session hone_session;

/* Loads a compiled model (model.so). */
HONE_API hone_status* hone_session_load(const char* path, const hone_options* options, hone_session** session);
/* libhone. Compiles an ONNX model, or loads a compiled one: the content of the file decides.
 * Where the values of some inputs decide what is computed (the axes of a reduction, the target of a Reshape), the model is
 * compiled by the first run that brings new values for them; the latest sixteen are kept. */
HONE_API hone_status* hone_session_open(const char* path, const hone_options* options, hone_session** session);
/* libhone. Compiles an ONNX model in memory; the bytes may be freed afterwards. External weights are not found. */
HONE_API hone_status* hone_session_open_bytes(const void* model, size_t bytes, const hone_options* options,
                                              hone_session** session);
/* libhone. Compiles an ONNX model into a shared library for hone_session_load, and a C header beside it. */
HONE_API hone_status* hone_compile(const char* model_path, const hone_options* options, const char* library_path);
HONE_API void hone_session_free(hone_session* session); /* no call of it may be running */

HONE_API const char* hone_session_model_name(const hone_session* session);
HONE_API const char* hone_session_isa(const hone_session* session);
HONE_API int32_t hone_session_threads(const hone_session* session);
HONE_API size_t hone_session_input_count(const hone_session* session);
HONE_API size_t hone_session_output_count(const hone_session* session);
/* NULL if there is no port of that number. */
HONE_API const hone_port* hone_session_input(const hone_session* session, size_t number);
HONE_API const hone_port* hone_session_output(const hone_session* session, size_t number);

/* ---- running. Inputs are given in the order of the model's inputs ---- */

/* Tensors that Hone owns. */
typedef struct hone_tensors hone_tensors;
HONE_API size_t hone_tensors_count(const hone_tensors* tensors);
HONE_API const hone_tensor* hone_tensors_get(const hone_tensors* tensors, size_t number); /* NULL if there is none */
HONE_API void hone_tensors_free(hone_tensors* tensors);

HONE_API hone_status* hone_session_run(hone_session* session, const hone_tensor* inputs, size_t input_count,
                                       hone_tensors** outputs);
/* Writes into memory of the caller, apart from all inputs: the fields data and bytes of each output are read, the others
 * are ignored. Takes no memory from the heap once a call with the same shapes has run. */
HONE_API hone_status* hone_session_run_into(hone_session* session, const hone_tensor* inputs, size_t input_count,
                                            const hone_tensor* outputs, size_t output_count);
/* Types, shapes and bytes of the outputs for these inputs; no data. Data of inputs are not read and may be NULL, but for
 * inputs on whose values the shapes depend. */
HONE_API hone_status* hone_session_output_shapes(hone_session* session, const hone_tensor* inputs, size_t input_count,
                                                 hone_tensors** outputs);
/* Runs the model `rounds` times with a clock around every step. The text, JSON, is freed with hone_text_free:
 *   {"model": …, "threads": …, "rounds": …, "seconds": …,
 *    "steps": [{"label": …, "function": …, "seconds": …, "flops": …, "bytes": …}, …]}
 * Seconds are medians over the rounds; the clocks themselves cost a little. */
HONE_API hone_status* hone_session_profile(hone_session* session, const hone_tensor* inputs, size_t input_count,
                                           int32_t rounds, char** json);
HONE_API void hone_text_free(char* text);

#ifdef __cplusplus
}
#endif

#endif
