/*
 * seeds.h - numbers of four seeds side by side, in gradients that make the rows of a Jacobian: f_jacobian_rows
 * takes adjoints [element][4] and makes four rows of one sweep.
 *
 * Vectors of the compiler's (gcc, clang; as nvcc's host compiler, too). They are aligned as their numbers are
 * and may be such numbers, so that `double d_x[n][4]` is memory of them.
 */
#ifndef GRADWRIGHT_SEEDS_H
#define GRADWRIGHT_SEEDS_H

typedef float gw_float4 __attribute__((vector_size(16), aligned(4), may_alias));
typedef double gw_double4 __attribute__((vector_size(32), aligned(8), may_alias));
/* gw_used, of each (gradwright/emitted/functions.h); what it takes is read once. */
typedef int gw_int4 __attribute__((vector_size(16), aligned(4), may_alias));
typedef long long gw_long4 __attribute__((vector_size(32), aligned(8), may_alias));
#define GW_USED_OF_EACH(number, mask, gw_d, gw_of)                                                             \
    __extension__({                                                                                            \
        const number gw_adjoint = (gw_d), gw_given = (gw_of);                                                  \
        (number)((mask)gw_given &                                                                              \
                 ~((mask)(gw_adjoint == (number){0}) & (mask)(gw_given != gw_given)));                         \
    })
#define gw_used4(gw_d, gw_of) GW_USED_OF_EACH(gw_double4, gw_long4, gw_d, gw_of)
#define gw_used4f(gw_d, gw_of) GW_USED_OF_EACH(gw_float4, gw_int4, gw_d, gw_of)

#endif
