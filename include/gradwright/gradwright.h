/*
 * gradwright.h - annotations: which derivatives a source file asks for.
 *
 *     GW_GRADIENT("C wrt A, B")
 *     __global__ void contract(float *C, const float *A, const float *B, int n);
 *
 * asks for the reverse-mode gradient of C with respect to A and B. A function that returns a value is
 * asked for with GW_GRADIENT("wrt x, y"). GW_DERIVATIVE asks in the same words for the forward derivative: how
 * the outputs change when the inputs move in one given direction.
 *
 *     GW_DERIVATIVE_OF("pullback of f") void f_back(double x, double d_return, double *d_x);
 *     GW_DERIVATIVE_OF("jvp of f") double f_forward(double x, double t_x, double *t_return);
 *     GW_NONDIFFERENTIABLE int bucket(double x);
 *
 * give a derivative of one's own to a function, or state that it has none (docs/custom.md). Before a variable, a parameter
 * or a member, GW_NONDIFFERENTIABLE says that what is read from it carries no derivative. Clang keeps the annotation in the syntax tree, where Gradwright
 * reads it; for every other compiler (nvcc, gcc, MSVC) it is nothing, so the source stays ordinary source.
 * C, C++ and CUDA.
 */
#ifndef GRADWRIGHT_GRADWRIGHT_H
#define GRADWRIGHT_GRADWRIGHT_H

#if defined(__clang__) && !defined(__NVCC__)
#define GW_GRADIENT(text) __attribute__((annotate("gradwright:gradient:" text)))
#define GW_DERIVATIVE(text) __attribute__((annotate("gradwright:derivative:" text)))
#define GW_DERIVATIVE_OF(text) __attribute__((annotate("gradwright:rule:" text)))
#define GW_NONDIFFERENTIABLE __attribute__((annotate("gradwright:nondifferentiable")))
#else
#define GW_GRADIENT(text)
#define GW_DERIVATIVE(text)
#define GW_DERIVATIVE_OF(text)
#define GW_NONDIFFERENTIABLE
#endif

#endif
