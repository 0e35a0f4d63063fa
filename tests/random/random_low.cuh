/*
 * random_low.cuh - half precision in random kernels: what the same kernel over double has in its place, and
 * arrays of it.
 *
 * Over double, a value that becomes half or bfloat16 is rounded likewise, with derivative 1, as the derivatives
 * of kernels have it; or, with kind 0, not at all, and the kernel is smooth where it was: then differences tell
 * whether its gradient is right.
 */
#ifndef GW_TESTS_RANDOM_LOW_CUH
#define GW_TESTS_RANDOM_LOW_CUH

#include <cuda_bf16.h>
#include <cuda_fp16.h>

/* kind: 0 none, 1 half, 2 bfloat16 */
GW_NONDIFFERENTIABLE __device__ inline double rounding_of(double v, int kind) {
    const float f = (float)v;
    return kind ? (kind == 1 ? (double)__half2float(__float2half(f))
                             : (double)__bfloat162float(__float2bfloat16(f))) -
                      v
                : 0;
}
__device__ inline double low_of(double v, int kind) { return v + rounding_of(v, kind); }

__device__ inline double2 pair_of(double x, double y, int kind) {
    return make_double2(low_of(x, kind), low_of(y, kind));
}
__device__ inline double2 pair_twice(double v) { return make_double2(v, v); }
__device__ inline double2 pair_add(double2 a, double2 b, int kind) {
    return pair_of(a.x + b.x, a.y + b.y, kind);
}
__device__ inline double2 pair_sub(double2 a, double2 b, int kind) {
    return pair_of(a.x - b.x, a.y - b.y, kind);
}
__device__ inline double2 pair_mul(double2 a, double2 b, int kind) {
    return pair_of(a.x * b.x, a.y * b.y, kind);
}
__device__ inline double2 pair_fma(double2 a, double2 b, double2 c, int kind) {
    return pair_of(a.x * b.x + c.x, a.y * b.y + c.y, kind);
}
__device__ inline double2 pair_neg(double2 a, int) { return make_double2(-a.x, -a.y); }
__device__ inline double2 pair_abs(double2 a, int) { return make_double2(fabs(a.x), fabs(a.y)); }
__device__ inline double2 pair_sin(double2 a, int kind) { return pair_of(sin(a.x), sin(a.y), kind); }
__device__ inline double2 pair_cos(double2 a, int kind) { return pair_of(cos(a.x), cos(a.y), kind); }
__device__ inline double2 pair_tanh(double2 a, int kind) { return pair_of(tanh(a.x), tanh(a.y), kind); }

#ifndef GW_RANDOM_EMIT
namespace check {

/* An array of floats, whose values T holds exactly on entry, as one of T while the launch runs; then the floats
 * are what it holds. */
template <class T> class low_copy {
public:
  explicit low_copy(argument &from)
      : a(from), count(from.entry.size() / sizeof(float)), narrow(count * sizeof(T)) {
      const std::vector<float> values = floats();
      std::vector<T> to(count);
      for (size_t i = 0; i < count; i++)
          to[i] = T(values[i]);
      narrow.put(to.data());
  }
    low_copy(const low_copy &) = delete;
    ~low_copy() {
        std::vector<T> from(count);
        std::vector<float> values(count);
        narrow.get(from.data());
        for (size_t i = 0; i < count; i++) values[i] = (float)from[i];
        a.primal.put(values.data());
    }
    template <class P> P pass() { return static_cast<P>(narrow.data()); }

private:
    std::vector<float> floats() const {
        std::vector<float> values(count);
        a.primal.get(values.data());
        return values;
    }
    argument &a;
    size_t count;
    device_bytes narrow;
};

/* Numbers of few digits, which half and bfloat16 hold exactly. */
inline argument coarse(argument a) {
    for (size_t i = 0; i < a.entry.size() / a.element; i++) {
        unsigned char *at = &a.entry[i * a.element];
        set_real(at, a.element, std::round(get_real(at, a.element) * 128) / 128);
    }
    return a;
}

} // namespace check
#endif

#endif
