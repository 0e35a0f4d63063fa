#include <gradwright/gradwright.h>

#include <algorithm>
#include <cooperative_groups/memcpy_async.h>
#include <cstring>
#include <cuda_pipeline.h>
#include <iterator>

#define REFUSED(name) GW_GRADIENT("wrt x") double name(const double *x, const float *f, double *y, int n)

#ifdef OBEYED
REFUSED(between_types) { return f[0] * x[0]; }
REFUSED(half_a_number) { double t[2]; memcpy(t, x, 2 * sizeof(double)); return t[0]; }
REFUSED(bytes_of_unknown_number) { double t[8]; memcpy(t, x, n * sizeof(double)); return t[0]; }
REFUSED(with_ones) { double t[8]; for (double &v : t) v = 1; return t[0] * x[0]; }
REFUSED(of_pointers) { double *t[2]; t[0] = t[1] = nullptr; return x[0]; }
REFUSED(two_ends) { double t[8]; for (int i = 0; i < 8; i++) t[i] = x[i]; return t[0]; }
REFUSED(sorted) { double t[8]; std::copy(x, x + 8, t); if (t[1] < t[0]) t[0] = t[1]; return t[0]; }
REFUSED(backwards) { double t[8]; for (int i = 0; i < 8; i++) t[i] = x[7 - i]; return t[0]; }
#else
REFUSED(between_types) { memcpy(y, f, 8); return y[0] * x[0]; }
REFUSED(half_a_number) { double t[2]; memcpy(t, x, 12); return t[0]; }
REFUSED(bytes_of_unknown_number) { double t[8]; memcpy(t, x, n); return t[0]; }
REFUSED(with_ones) { double t[8]; memset(t, 1, sizeof t); return t[0] * x[0]; }
REFUSED(of_pointers) { double *t[2]; memset(t, 0, sizeof t); return x[0]; }
REFUSED(two_ends) { double t[8]; std::copy(x, (const double *)y, t); return t[0]; }
REFUSED(sorted) { double t[8]; std::copy(x, x + 8, t); std::sort(t, t + 8); return t[0]; }
REFUSED(backwards) { double t[8]; std::copy(std::make_reverse_iterator(x + 8), std::make_reverse_iterator(x), t); return t[0]; }
#endif
GW_GRADIENT("y wrt x") __global__ void moved(double *y, double *x, int n) {
#ifdef OBEYED
    for (int i = 0; i < n; i++) x[i] = x[i + 1];
#else
    memmove(x, x + 1, n * sizeof(double));
#endif
    y[0] = x[0];
}
GW_GRADIENT("y wrt x") __global__ void filled(double *y, const double *x, int n) {
    __shared__ double s[32];
#ifdef OBEYED
    __pipeline_memcpy_async(s, x, sizeof *s, n == 3 ? 0 : sizeof *s);
#else
    __pipeline_memcpy_async(s, x, n * sizeof *s, n == 3 ? 0 : sizeof *s);
#endif
    y[0] = s[0];
}
GW_GRADIENT("y wrt x") __global__ void by_bytes(double *y, const double *x, int n) {
    __shared__ double s[32];
#ifdef OBEYED
    cooperative_groups::memcpy_async(cooperative_groups::this_thread_block(), s, x, n * sizeof *s);
#else
    cooperative_groups::memcpy_async(cooperative_groups::this_thread_block(), s, x, n);
#endif
    y[0] = s[0];
}
// obeys: unsupported
// says: raw_memory.cu:21:26: error: memcpy between types cannot be differentiated yet [unsupported]
// says: REFUSED(between_types) { memcpy(y, f, 8); return y[0] * x[0]; }
// says:                          ^
// says:   way out: assign element by element
// says: raw_memory.cu:22:39: error: memcpy of a size that is not written as a multiple of the element's cannot be differentiated yet [unsupported]
// says: REFUSED(half_a_number) { double t[2]; memcpy(t, x, 12); return t[0]; }
// says:                                       ^
// says:   way out: write it as n * sizeof(element)
// says: raw_memory.cu:23:49: error: memcpy of a size that is not written as a multiple of the element's cannot be differentiated yet [unsupported]
// says: REFUSED(bytes_of_unknown_number) { double t[8]; memcpy(t, x, n); return t[0]; }
// says:                                                 ^
// says:   way out: write it as n * sizeof(element)
// says: raw_memory.cu:24:35: error: memset with anything but 0 cannot be differentiated yet [unsupported]
// says: REFUSED(with_ones) { double t[8]; memset(t, 1, sizeof t); return t[0] * x[0]; }
// says:                                   ^
// says:   way out: assign element by element
// says: raw_memory.cu:25:38: error: memset of anything but numbers and structs of such cannot be differentiated yet [unsupported]
// says: REFUSED(of_pointers) { double *t[2]; memset(t, 0, sizeof t); return x[0]; }
// says:                                      ^
// says:   way out: assign element by element
// says: raw_memory.cu:26:34: error: std::copy over a range whose length cannot be told cannot be differentiated yet [unsupported]
// says: REFUSED(two_ends) { double t[8]; std::copy(x, (const double *)y, t); return t[0]; }
// says:                                  ^
// says:   way out: use indices
// says: raw_memory.cu:27:56: error: std::sort of the library cannot be differentiated yet [unsupported]
// says: REFUSED(sorted) { double t[8]; std::copy(x, x + 8, t); std::sort(t, t + 8); return t[0]; }
// says:                                                        ^
// says:   way out: write it with loops and assignments
// says: raw_memory.cu:28:35: error: std::copy on anything but pointers cannot be differentiated yet [unsupported]
// says: REFUSED(backwards) { double t[8]; std::copy(std::make_reverse_iterator(x + 8), std::make_reverse_iterator(x), t); return t[0]; }
// says:                                   ^
// says:   way out: assign element by element
// says: raw_memory.cu:34:5: error: memmove inside of one array cannot be differentiated yet [unsupported]
// says:     memmove(x, x + 1, n * sizeof(double));
// says:     ^
// says:   way out: write the loop in the direction that is meant
// says: raw_memory.cu:43:5: error: __pipeline_memcpy_async of a size that is no constant, with a part that is filled cannot be differentiated yet [unsupported]
// says:     __pipeline_memcpy_async(s, x, n * sizeof *s, n == 3 ? 0 : sizeof *s);
// says:     ^
// says:   way out: copy 4, 8 or 16 bytes
// says: raw_memory.cu:52:5: error: memcpy_async of a size that is not written as a multiple of the element's cannot be differentiated yet [unsupported]
// says:     cooperative_groups::memcpy_async(cooperative_groups::this_thread_block(), s, x, n);
// says:     ^
// says:   way out: write it as n * sizeof(element)
