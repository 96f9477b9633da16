// hone._native: hone.h for Python. It sees the public C header only; everything pleasant is in python/hone.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "hone/hone.h"

namespace nb = nanobind;

namespace {

using Array = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;

struct Problem : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct InternalProblem : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void check(hone_status* status) {
  if (status == nullptr) return;
  std::string message = hone_status_message(status);
  hone_code code = hone_status_code(status);
  hone_status_free(status);
  if (code == HONE_INTERNAL) throw InternalProblem(message);
  throw Problem(message);
}

struct TypePair {
  hone_dtype ours;
  nb::dlpack::dtype_code code;
  uint8_t bits;
};

constexpr TypePair types[] = {
    {HONE_F32, nb::dlpack::dtype_code::Float, 32}, {HONE_F64, nb::dlpack::dtype_code::Float, 64},
    {HONE_F16, nb::dlpack::dtype_code::Float, 16}, {HONE_BF16, nb::dlpack::dtype_code::Bfloat, 16},
    {HONE_I8, nb::dlpack::dtype_code::Int, 8},     {HONE_I16, nb::dlpack::dtype_code::Int, 16},
    {HONE_I32, nb::dlpack::dtype_code::Int, 32},   {HONE_I64, nb::dlpack::dtype_code::Int, 64},
    {HONE_U8, nb::dlpack::dtype_code::UInt, 8},    {HONE_U16, nb::dlpack::dtype_code::UInt, 16},
    {HONE_U32, nb::dlpack::dtype_code::UInt, 32},  {HONE_U64, nb::dlpack::dtype_code::UInt, 64},
    {HONE_BOOL, nb::dlpack::dtype_code::Bool, 8}};

hone_dtype type_of(nb::dlpack::dtype dtype) {
  for (const TypePair& pair : types)
    if (static_cast<uint8_t>(pair.code) == dtype.code && pair.bits == dtype.bits && dtype.lanes == 1) return pair.ours;
  throw Problem("an input has an element type that Hone does not know");
}

nb::dlpack::dtype type_of(hone_dtype dtype) {
  for (const TypePair& pair : types)
    if (pair.ours == dtype) return {static_cast<uint8_t>(pair.code), pair.bits, 1};
  throw InternalProblem("an output has an unknown element type");
}

// The type as which the bits of types that NumPy does not have come and go.
hone_dtype carrier_of(hone_dtype dtype) {
  return dtype == HONE_BF16 ? HONE_U16 : dtype >= HONE_F8E4M3FN && dtype <= HONE_U2 ? HONE_U8 : dtype;
}

// Tensors of the caller, viewed as hone.h wants them.
struct Inputs {
  Inputs(const hone_session* session, const std::vector<Array>& arrays) {
    shapes.reserve(arrays.size());
    for (size_t number = 0; number < arrays.size(); ++number) {
      const Array& array = arrays[number];
      std::vector<int64_t>& shape = shapes.emplace_back();
      for (size_t i = 0; i < array.ndim(); ++i) shape.push_back(static_cast<int64_t>(array.shape(i)));
      hone_dtype type = type_of(array.dtype());
      const hone_port* port = hone_session_input(session, number);
      if (port != nullptr && type == carrier_of(port->dtype)) type = port->dtype;
      tensors.push_back(
          {type, static_cast<int32_t>(shape.size()), shape.data(), const_cast<void*>(array.data()), array.nbytes()});
    }
  }
  std::vector<std::vector<int64_t>> shapes;
  std::vector<hone_tensor> tensors;
};

nb::object as_numpy(const hone_tensor& tensor, nb::handle owner) {
  std::vector<size_t> shape(tensor.shape, tensor.shape + tensor.rank);
  // An empty tensor has no memory, but NumPy wants an address.
  static char nowhere[64];
  void* data = tensor.data == nullptr ? nowhere : tensor.data;
  hone_dtype type = carrier_of(tensor.dtype);
  nb::ndarray<nb::numpy> array(data, shape.size(), shape.data(), owner, nullptr, type_of(type));
  return nb::cast(array);
}

using OwnedOptions = std::unique_ptr<hone_options, decltype(&hone_options_free)>;

OwnedOptions make_options(int threads, const std::optional<std::string>& isa,
                          const std::optional<std::string>& cache_dir) {
  OwnedOptions options(hone_options_create(), hone_options_free);
  hone_options_set_threads(options.get(), threads);
  hone_options_set_isa(options.get(), isa ? isa->c_str() : nullptr);
  hone_options_set_cache_dir(options.get(), cache_dir ? cache_dir->c_str() : nullptr);
  return options;
}

class Session {
 public:
  Session(const std::string& path, int threads, const std::optional<std::string>& isa,
          const std::optional<std::string>& cache_dir) {
    OwnedOptions options = make_options(threads, isa, cache_dir);
    hone_status* status;
    {
      nb::gil_scoped_release others_may_run;
      status = hone_session_open(path.c_str(), options.get(), &handle_);
    }
    check(status);
  }
  Session(nb::bytes model, int threads, const std::optional<std::string>& isa,
          const std::optional<std::string>& cache_dir) {
    OwnedOptions options = make_options(threads, isa, cache_dir);
    const void* content = model.data();
    size_t bytes = model.size();
    hone_status* status;
    {
      nb::gil_scoped_release others_may_run;
      status = hone_session_open_bytes(content, bytes, options.get(), &handle_);
    }
    check(status);
  }
  ~Session() { hone_session_free(handle_); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  nb::list run(const std::vector<Array>& arrays) {
    Inputs inputs(handle_, arrays);
    hone_tensors* outputs = nullptr;
    hone_status* status;
    {
      nb::gil_scoped_release others_may_run;
      status = hone_session_run(handle_, inputs.tensors.data(), inputs.tensors.size(), &outputs);
    }
    check(status);
    nb::capsule owner(outputs, [](void* p) noexcept { hone_tensors_free(static_cast<hone_tensors*>(p)); });
    nb::list result;
    for (size_t i = 0; i < hone_tensors_count(outputs); ++i)
      result.append(as_numpy(*hone_tensors_get(outputs, i), owner));
    return result;
  }

  std::string profile(const std::vector<Array>& arrays, int rounds) {
    Inputs inputs(handle_, arrays);
    char* json = nullptr;
    hone_status* status;
    {
      nb::gil_scoped_release others_may_run;
      status = hone_session_profile(handle_, inputs.tensors.data(), inputs.tensors.size(), rounds, &json);
    }
    check(status);
    std::unique_ptr<char, decltype(&hone_text_free)> owner(json, hone_text_free);
    return json;
  }

  // (name, element type, shape: numbers, or text where the size is known only at run time)
  using Port = std::tuple<std::string, std::string, nb::list>;
  std::vector<Port> inputs() const { return ports(hone_session_input_count(handle_), hone_session_input); }
  std::vector<Port> outputs() const { return ports(hone_session_output_count(handle_), hone_session_output); }

  int threads() const { return hone_session_threads(handle_); }
  std::string isa() const { return hone_session_isa(handle_); }
  std::string model_name() const { return hone_session_model_name(handle_); }

 private:
  std::vector<Port> ports(size_t count, const hone_port* (*get)(const hone_session*, size_t)) const {
    std::vector<Port> all;
    for (size_t i = 0; i < count; ++i) {
      const hone_port* port = get(handle_, i);
      nb::list shape;
      for (int32_t d = 0; d < port->rank; ++d) {
        if (port->shape[d] >= 0)
          shape.append(port->shape[d]);
        else
          shape.append(port->shape_text[d]);
      }
      all.emplace_back(port->name, hone_dtype_name(port->dtype), shape);
    }
    return all;
  }

  hone_session* handle_ = nullptr;
};

void compile(const std::string& model, const std::string& library, const std::optional<std::string>& isa,
             const std::optional<std::string>& cache_dir) {
  OwnedOptions options = make_options(0, isa, cache_dir);
  hone_status* status;
  {
    nb::gil_scoped_release others_may_run;
    status = hone_compile(model.c_str(), options.get(), library.c_str());
  }
  check(status);
}

}  // namespace

NB_MODULE(_native, m) {
  nb::exception<Problem>(m, "Error", PyExc_RuntimeError);
  nb::exception<InternalProblem>(m, "InternalError", PyExc_RuntimeError);
  m.def("version", [] { return std::string(hone_version()); });
  m.def("compile", &compile, nb::arg("model"), nb::arg("library"), nb::arg("isa").none(), nb::arg("cache_dir").none());
  nb::class_<Session>(m, "Session")
      .def(nb::init<nb::bytes, int, const std::optional<std::string>&, const std::optional<std::string>&>(),
           nb::arg("model"), nb::arg("threads"), nb::arg("isa").none(), nb::arg("cache_dir").none())
      .def(nb::init<const std::string&, int, const std::optional<std::string>&, const std::optional<std::string>&>(),
           nb::arg("path"), nb::arg("threads"), nb::arg("isa").none(), nb::arg("cache_dir").none())
      .def("run", &Session::run)
      .def("profile", &Session::profile)
      .def_prop_ro("inputs", &Session::inputs)
      .def_prop_ro("outputs", &Session::outputs)
      .def_prop_ro("threads", &Session::threads)
      .def_prop_ro("isa", &Session::isa)
      .def_prop_ro("model_name", &Session::model_name);
}
