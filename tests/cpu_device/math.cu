// CUDA's math functions that the C library lacks, the intrinsics and the conversions.
#include "check.h"
#include <cmath>
#include <math_constants.h>

__device__ int failures;
#define NEAR(value, expected, relative)                                                                        \
    do {                                                                                                       \
        const double v = (value), e = (expected);                                                              \
        if (!(fabs(v - e) <= (relative) * fabs(e))) {                                                          \
            printf("line %d: %s = %.17g, not %.17g\n", __LINE__, #value, v, e);                                \
            ++failures;                                                                                        \
        }                                                                                                      \
    } while (0)
#define SAME(value, expected) NEAR((double)(value), (double)(expected), 0)

// Reference values: 50-digit computations, rounded.
__global__ void special() {
    NEAR(normcdf(-5.0), 2.8665157187919391e-07, 1e-14);
    NEAR(normcdfinv(0.975), 1.9599639845400543, 1e-15);
    NEAR(normcdfinv(1e-15), -7.9413453261709970, 1e-14);
    NEAR(erfinv(0.5), 0.47693627620446987, 1e-15);
    NEAR(erfinv(1e-10), 8.8622692545275801e-11, 1e-15);
    NEAR(erfcinv(1e-300), 26.209469960516124, 1e-15);
    NEAR(erfcx(1.0), 0.42758357615580700, 1e-15);
    NEAR(erfcx(30.0), 0.018795888861416751, 1e-15);
    NEAR(cyl_bessel_i0(1.0), 1.2660658777520084, 1e-15);
    NEAR(cyl_bessel_i1(1.0), 0.56515910399248503, 1e-15);
    NEAR(cyl_bessel_i0(100.0), 1.0737517071310738e42, 1e-14);
    NEAR(rsqrt(16.0), 0.25, 0);
    NEAR(rsqrtf(16.0f), 0.25, 0);
    NEAR(rcbrt(27.0), 1.0 / 3, 1e-15);
    SAME(sinpi(1.0), 0);
    SAME(sinpi(0.5), 1);
    SAME(sinpi(1e15 + 0.5), 1);
    SAME(cospi(0.5), 0);
    SAME(cospi(1.0), -1);
    NEAR(sinpi(1.0 / 6), 0.5, 1e-15);
    NEAR(sinpif(-0.25f), -CUDART_SQRT_HALF, 1e-7);
    NEAR(norm3d(2, 3, 6), 7, 1e-15);
    NEAR(rnorm4df(2, 4, 5, 6), 1.0 / 9, 1e-7);
    NEAR(rhypot(3.0, 4.0), 0.2, 1e-15);
    NEAR(exp10(2.0), 100, 1e-15);
}

__global__ void intrinsics() {
    float s, c;
    __sincosf(0.5f, &s, &c);
    NEAR(s, 0.47942554, 1e-6);
    NEAR(c, 0.87758256, 1e-6);
    NEAR(__expf(1.0f), 2.7182818, 1e-6);
    NEAR(__logf(2.0f), 0.69314718, 1e-6);
    NEAR(__log2f(8.0f), 3, 1e-6);
    NEAR(__log10f(1000.0f), 3, 1e-6);
    NEAR(__powf(2.0f, 10.0f), 1024, 1e-6);
    NEAR(__tanf(0.5f), 0.54630249, 1e-6);
    SAME(__fdividef(1.0f, 4.0f), 0.25);
    SAME(__saturatef(-1.0f), 0);
    SAME(__saturatef(2.0f), 1);
    SAME(__saturatef(CUDART_NAN_F), 0);
    SAME(min(3, -4), -4);
    SAME(max(1.5f, CUDART_NAN_F), 1.5);
    SAME(min(2u, 5u), 2);
    SAME(max(1.0f, 2.0), 2);
    SAME(__int_as_float(0x3f800000), 1);
    SAME(__float_as_int(-0.0f), (int)0x80000000);
    SAME(__hiloint2double(0x3ff00000, 0), 1);
    SAME(__ldg(&failures), failures);
    SAME(__clz(1), 31);
    SAME(__popc(0xf0u), 4);
    SAME(__ffs(8), 4);
    SAME(__brev(1u), 0x80000000u);
    SAME(__umulhi(0x80000000u, 6u), 3);
    SAME(__byte_perm(0x33221100u, 0x77665544u, 0x7250u), 0x77225500u);
    SAME(__funnelshift_l(0x80000000u, 1u, 1u), 3);
}

__global__ void rounding(float one, float tiny) {
    SAME(__fadd_rn(one, tiny), 1);
    SAME(__fadd_rd(one, -tiny), 1 - 0x1p-24);
    SAME(__fadd_ru(one, tiny), 1 + 0x1p-23);
    SAME(__fadd_rz(one, tiny), 1);
    SAME(__fmaf_rn(one, 2.0f, 1.0f), 3);
    SAME(__fmul_rn(1.0f + 0x1p-12f, 1.0f + 0x1p-12f) - (1.0f + 0x1p-11f), 0);
    SAME(__drcp_ru(3.0) > __drcp_rd(3.0), 1);
    SAME(__float2int_rn(2.5f), 2);
    SAME(__float2int_rz(-2.7f), -2);
    SAME(__float2int_ru(2.1f), 3);
    SAME(__float2int_rd(-2.1f), -3);
    SAME(__float2int_rn(1e20f), 2147483647);
    SAME(__float2int_rn(-1e20f), -2147483647 - 1);
    SAME(__float2uint_rn(-5.0f), 0);
    SAME(__float2int_rn(CUDART_NAN_F), 0);
    SAME(__double2ll_rn(1e300), 9223372036854775807LL);
    SAME(__double2float_rz(1.0 - 0x1p-40), 1 - 0x1p-24);
}

int main() {
    special<<<1, 1>>>();
    intrinsics<<<1, 1>>>();
    rounding<<<1, 1>>>(1.0f, 0x1p-30f);
    OK(cudaDeviceSynchronize());
    int count = -1;
    OK(cudaMemcpyFromSymbol(&count, failures, sizeof count));
    CHECK(count == 0);
}
