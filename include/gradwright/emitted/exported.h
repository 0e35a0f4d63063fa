/*
 * exported.h - what a compiled gradient shows to those who load it: a table of its functions, each by its name,
 * with its address and a description of its parameters. gw_compile (compile.h) writes the table behind a source
 * and its gradient; nothing else includes this header.
 *
 * C17, C++17 and CUDA.
 */
#ifndef GRADWRIGHT_EXPORTED_H
#define GRADWRIGHT_EXPORTED_H

#include "gradwright/runtime.h"

#ifdef __cplusplus
#include <exception>
#include <type_traits>
#include <utility>
#include <vector>
extern "C" {
#endif

typedef void gw_function(void);

/* Calls the function: gw_arguments[i] is the address of argument i (of a reference: of what it refers to; of a
 * std::vector: of a gw_exported_vector), gw_result that of room for the result. 0, or 1 after a C++ exception,
 * whose text is the error text then. */
typedef int gw_packed_call(void *const *gw_arguments, void *gw_result);

typedef struct gw_exported_vector {
    void *gw_data;
    size_t gw_count;
} gw_exported_vector;

typedef struct gw_exported {
    const char *gw_name; /* "f_grad", "a::f_grad", "f_grad<float>"; NULL ends the table */
    gw_function *gw_address;
    gw_packed_call *gw_call;
    const char *gw_description; /* JSON */
} gw_exported;

#if defined(__GNUC__) || defined(__clang__)
__attribute__((visibility("default")))
#endif
const gw_exported *
gw_exports(void); /* a function, since variables of a CUDA source may be the device's, too */

#ifdef __cplusplus
}

/* An argument out of its address. */
template <class _GwT> struct gw_unpacked {
    void *gw_at;
    explicit gw_unpacked(void *gw_given) : gw_at(gw_given) {}
    _GwT gw_get() { return static_cast<_GwT>(*static_cast<std::remove_reference_t<_GwT> *>(gw_at)); }
};

/* A vector of a copy; what the function leaves in it goes back. */
template <class _GwV> struct gw_unpacked_vector {
    const gw_exported_vector *gw_at;
    _GwV gw_copy;
    explicit gw_unpacked_vector(void *gw_given)
        : gw_at(static_cast<const gw_exported_vector *>(gw_given)),
          gw_copy(static_cast<typename _GwV::value_type *>(gw_at->gw_data),
                  static_cast<typename _GwV::value_type *>(gw_at->gw_data) + gw_at->gw_count) {}
    void gw_give_back() {
        for (size_t gw_i = 0; gw_i < gw_at->gw_count && gw_i < gw_copy.size(); gw_i++)
            static_cast<typename _GwV::value_type *>(gw_at->gw_data)[gw_i] = gw_copy[gw_i];
    }
};
template <class _GwT> struct gw_unpacked<std::vector<_GwT> &> : gw_unpacked_vector<std::vector<_GwT>> {
    using gw_unpacked_vector<std::vector<_GwT>>::gw_unpacked_vector;
    std::vector<_GwT> &gw_get() { return this->gw_copy; }
    ~gw_unpacked() { this->gw_give_back(); }
};
template <class _GwT> struct gw_unpacked<const std::vector<_GwT> &> : gw_unpacked_vector<std::vector<_GwT>> {
    using gw_unpacked_vector<std::vector<_GwT>>::gw_unpacked_vector;
    const std::vector<_GwT> &gw_get() { return this->gw_copy; }
};

template <class _GwR, class... _GwP, size_t... _GwI>
void gw_call_unpacked(_GwR (*gw_of)(_GwP...), void *const *gw_arguments, void *gw_result,
                      std::index_sequence<_GwI...>) {
    (void)gw_arguments;
    if constexpr (std::is_void_v<_GwR>)
        (void)gw_result, gw_of(gw_unpacked<_GwP>(gw_arguments[_GwI]).gw_get()...);
    else
        *static_cast<_GwR *>(gw_result) = gw_of(gw_unpacked<_GwP>(gw_arguments[_GwI]).gw_get()...);
}

template <class _GwR, class... _GwP>
int gw_call_packed(_GwR (*gw_of)(_GwP...), void *const *gw_arguments, void *gw_result) {
    const std::index_sequence_for<_GwP...> gw_all{};
#if defined(__cpp_exceptions)
    try {
        gw_call_unpacked(gw_of, gw_arguments, gw_result, gw_all);
    } catch (const std::exception &gw_error) {
        gw_report(GW_ERROR_ARGUMENT, "exception: %s", gw_error.what());
        return 1;
    } catch (...) {
        gw_report(GW_ERROR_ARGUMENT, "an exception that is no std::exception");
        return 1;
    }
#else
    gw_call_unpacked(gw_of, gw_arguments, gw_result, gw_all);
#endif
    return 0;
}
#endif
#endif
