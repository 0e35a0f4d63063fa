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

#endif
