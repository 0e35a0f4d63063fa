/*
 * gradwright.h - annotations: which derivatives a source file asks for.
 *
 *     GW_GRADIENT("C wrt A, B")
 *     __global__ void contract(float *C, const float *A, const float *B, int n);
 *
 * asks for the reverse-mode gradient of C with respect to A and B. A function that returns a value is
 * asked for with GW_GRADIENT("wrt x, y"). GW_DERIVATIVE asks in the same words for the forward derivative: how
 * the outputs change when the inputs move in one given direction; GW_DERIVATIVES(4, "C wrt A") does so in four,
 * GW_SCREEN_DERIVATIVES("color wrt u, v") along the two of a screen, of what a kernel calls for a pixel.
 *
 *     GW_DERIVATIVE_OF("pullback of f") void f_back(double x, double d_return, double *d_x);
 *     GW_DERIVATIVE_OF("jvp of f") double f_forward(double x, double t_x, double *t_return);
 *     GW_NONDIFFERENTIABLE int bucket(double x);
 *
 * give a derivative of one's own to a function, or state that it has none (docs/guide/custom.md).
 * GW_NUMERIC("f wrt x") before a declaration of f has it made of central differences. Before a variable, a
 * parameter or a member, GW_NONDIFFERENTIABLE says that what is read from it carries no derivative.
 *
 *     GW_CHECKPOINT(25) for (int k = 0; k < steps; k++) state = step(state);
 *
 * stores what the loop carries every 25 iterations only; the reverse sweep runs each 25 again
 * (docs/guide/kernels.md). It stands before a loop, and changes the time and memory of the gradient, never its
 * value. GW_CHECKPOINT_BINOMIAL(10) stores it at most 10 times at once, and runs the iterations between as
 * seldom as that allows.
 *
 *     GW_STORE(t);      GW_RECOMPUTE(t);
 *
 * say of the value that the variable t has there that the reverse sweep finds it stored, or computes it again,
 * whichever the compiler would have chosen.
 *
 *     GW_GRADIENT("e wrt x") GW_INJECTIVE(list)
 *     __global__ void scatter(float *e, const float *x, const int *list, int n);
 *
 * states that no two entries of list are equal, so that x[list[i]] belongs to one thread. GW_SORTED(row) says
 * that no entry is smaller than the one before it, so that the ranges from row[i] to row[i + 1] do not overlap;
 * GW_DISJOINT_RANGES(range) says the same of those from range[i].x to range[i].y, and that x <= y, and y < 2^31
 * if they are unsigned (docs/guide/faster.md). They are believed, and tested in checked builds.
 *
 *     GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x == 128, gridDim.y <= 4, n % 32 == 0")
 *     __global__ void step(float *y, const float *x, int n);
 *
 * states what every launch has: comparisons (==, <=, >=, <, >, % N == 0) of blockDim, gridDim and integer
 * parameters with numbers (docs/guide/faster.md). Proofs go by it, and each launch of the gradient is checked;
 * with "or atomic" at the end of the list, a launch that breaks it runs a second gradient, which does without.
 *
 *     GW_GRADIENT("y wrt x, w") GW_ACCUMULATE(w, warp)
 *     __global__ void f(float *y, const float *x, const float *w, int n);
 *
 * says which way of the ladder additions to the adjoint of w take that several threads make to one cell (the
 * words are those of
 * --accumulate, docs/guide/faster.md); w may be a member, d.grid, or a shared array of the kernel. An error
 * where it is not sound.
 *
 *     GW_GRADIENT("out wrt x") GW_COARSEN(4)
 *     __global__ void blend(float *out, const float *x, int n);
 *
 * lets one thread of the gradient do the work of four threads of the kernel, whose sums it then adds up in
 * registers; the kernel stays as it is. GW_COARSEN(4, NAME) does so for the gradient of that name only
 * (docs/guide/kernels.md).
 *
 *     GW_GRADIENT("out wrt mean, color") GW_PACK(mean, color)
 *
 * has the adjoints of mean[i] and color[3 * i + c] summed up in records, float *d_pack, a parameter behind the
 * adjoints with the number of records behind it (docs/guide/faster.md): lanes that add to neighbours do so with
 * one instruction.
 *
 * Clang keeps the annotation in the syntax tree, where Gradwright
 * reads it; for every other compiler (nvcc, gcc, MSVC) it is nothing, so the source stays ordinary source.
 * C, C++ and CUDA.
 */
#ifndef GRADWRIGHT_GRADWRIGHT_H
#define GRADWRIGHT_GRADWRIGHT_H

#if defined(__clang__) && !defined(__NVCC__)
#define GW_GRADIENT(text) __attribute__((annotate("gradwright:gradient:" text)))
#define GW_SPLIT_GRADIENT(text) __attribute__((annotate("gradwright:split:" text)))
#define GW_DERIVATIVE(text) __attribute__((annotate("gradwright:derivative:" text)))
#define GW_DERIVATIVES(n, text) __attribute__((annotate("gradwright:derivatives:" GW_TEXT(n) ": " text)))
#define GW_SCREEN_DERIVATIVES(text) __attribute__((annotate("gradwright:screen:" text)))
#define GW_HVP(text) __attribute__((annotate("gradwright:hvp:" text)))
#define GW_THIRD(text) __attribute__((annotate("gradwright:third:" text)))
#define GW_HESSIAN(text) __attribute__((annotate("gradwright:hessian:" text)))
#define GW_JACOBIAN(text) __attribute__((annotate("gradwright:jacobian:" text)))
#define GW_ERROR(text) __attribute__((annotate("gradwright:error:" text)))
#define GW_DERIVATIVE_OF(text) __attribute__((annotate("gradwright:rule:" text)))
#define GW_NUMERIC(text) __attribute__((annotate("gradwright:numeric:" text)))
#define GW_NONDIFFERENTIABLE __attribute__((annotate("gradwright:nondifferentiable")))
#define GW_ONLY_FOR(parameter) __attribute__((annotate("gradwright:only_for:" GW_TEXT(parameter))))
#define GW_SCRATCH __attribute__((annotate("gradwright:scratch")))
#define GW_DRAWS __attribute__((annotate("gradwright:draws")))
#define GW_ORDERED __attribute__((annotate("gradwright:ordered")))
/* What names and numbers are after the preprocessor, as those in the function are; a word of a rung that stands
 * there is one though a macro has its name. */
#define GW_TEXT(...) GW_TEXT_OF(__VA_ARGS__)
#define GW_TEXT_OF(...) #__VA_ARGS__
#define GW_INJECTIVE(list) __attribute__((annotate("gradwright:promise:injective " GW_TEXT(list))))
#define GW_SORTED(list) __attribute__((annotate("gradwright:promise:sorted " GW_TEXT(list))))
#define GW_LAUNCH(text) __attribute__((annotate("gradwright:launch:" text)))
#define GW_COARSEN(...) __attribute__((annotate("gradwright:coarsen:" GW_TEXT(__VA_ARGS__))))
#define GW_DISJOINT_RANGES(range)                                                                              \
    __attribute__((annotate("gradwright:promise:disjoint_ranges " GW_TEXT(range))))
#define GW_ACCUMULATE(x, ...)                                                                                  \
    __attribute__((annotate("gradwright:accumulate:" #__VA_ARGS__ "|" GW_TEXT(__VA_ARGS__) " " GW_TEXT(x))))
#define GW_PACK(...) __attribute__((annotate("gradwright:pack:" GW_TEXT(__VA_ARGS__))))
/* C has no annotations of statements; a variable in one can be annotated. */
#define GW_STORE(x) GW_MARK_VALUE(x, "gradwright:store")
#define GW_RECOMPUTE(x) GW_MARK_VALUE(x, "gradwright:recompute")
#define GW_MARK_VALUE(x, text) \
    do { \
        __typeof__(x) gw_marked __attribute__((annotate(text), unused)) = (x); \
    } while (0)
/* The mark of a loop wraps around it another one that runs once. */
#define GW_CHECKPOINT(n) GW_MARK_LOOP(n, "gradwright:checkpoint", __LINE__)
#define GW_CHECKPOINT_BINOMIAL(n) GW_MARK_LOOP(n, "gradwright:binomial", __LINE__)
#define GW_MARK_LOOP(n, text, line) GW_MARK_LOOP_AT(n, text, line)
#define GW_MARK_LOOP_AT(n, text, line) GW_MARK_LOOP_IN(n, text, gw_checkpoint_##line, gw_once_##line)
#define GW_MARK_LOOP_IN(n, text, number, once) \
    for (int number __attribute__((annotate(text), unused)) = (n), once = 1; once; once = 0)
#else
#define GW_GRADIENT(text)
#define GW_SPLIT_GRADIENT(text)
#define GW_DERIVATIVE(text)
#define GW_DERIVATIVES(n, text)
#define GW_SCREEN_DERIVATIVES(text)
#define GW_HVP(text)
#define GW_THIRD(text)
#define GW_HESSIAN(text)
#define GW_JACOBIAN(text)
#define GW_ERROR(text)
#define GW_DERIVATIVE_OF(text)
#define GW_NUMERIC(text)
#define GW_NONDIFFERENTIABLE
#define GW_ONLY_FOR(parameter)
#define GW_SCRATCH
#define GW_DRAWS
#define GW_ORDERED
#define GW_STORE(x) ((void)0)
#define GW_RECOMPUTE(x) ((void)0)
#define GW_INJECTIVE(list)
#define GW_SORTED(list)
#define GW_DISJOINT_RANGES(range)
#define GW_ACCUMULATE(x, ...)
#define GW_LAUNCH(text)
#define GW_COARSEN(...)
#define GW_PACK(...)
#define GW_CHECKPOINT(n)
#define GW_CHECKPOINT_BINOMIAL(n)
#endif

#endif
