/*
 * launch_bounds.h - __launch_bounds__ and __managed__ where Gradwright itself reads a source: libclang does not
 * show Clang's attribute of the former, so its arguments stand in an annotation, too, and Clang has the latter
 * for HIP alone. The parse takes this behind CUDA's headers; no source includes it.
 */
#if defined(__clang__) && defined(__CUDA__)
#undef __launch_bounds__
#define __launch_bounds__(...)                                                                                 \
    __attribute__((launch_bounds(__VA_ARGS__), annotate("gradwright:launch_bounds", __VA_ARGS__)))
#undef __managed__
#define __managed__ __device__ __attribute__((annotate("gradwright:managed")))
#endif
