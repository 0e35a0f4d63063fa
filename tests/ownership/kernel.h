/*
 * kernel.h - kernels for the ownership tests, written once and built twice: as a primal, and as the
 * derivative that the adjoint pass would make of it (each read of x becomes an update of d_x, each write of
 * y a read and a zeroing of d_y, with `origin` set).
 *
 * Arithmetic converts its operands as C does, so that a test reads like the kernel's source.
 */
#ifndef KERNEL_H
#define KERNEL_H
#include "analysis/ir/ir.h"
#include "analysis/ir/promises.h"
#include "analysis/ir/run.h"

typedef gw_value V;

typedef struct kernel {
    gw_run run;
    gw_session *s;
    gw_func *primal, *grad;
    gw_builder b;                           /* of the function that is being built */
    gw_object x, y, d_x, d_y, list, scalar; /* scalar: adjoint of a by-value parameter */
    V n, w, h, k, m;                        /* int parameters n w h k, unsigned m */
    GW_VEC(gw_op) origins;                  /* accesses of the primal, in order */
    GW_VEC(gw_op) guards;                   /* branches and loops of the primal, in order */
    uint32_t next, next_guard;
    GW_VEC(gw_op) refs; /* accesses of adjoints in the derivative, in order */
    GW_VEC(gw_op) open; /* IFs and FORs */
} kernel;

void kernel_build(kernel *k, void (*body)(kernel *k));
bool kernel_decide(kernel *k); /* the ownership pass */
void kernel_free(kernel *k);
const gw_func *kernel_check(const kernel *k); /* NULL if nothing was assumed */
const char *kernel_note(const kernel *k, uint32_t ref);
const char *kernel_note_of(const kernel *k, gw_op op);

V num(kernel *k, int64_t value);
V thread_idx(kernel *k, unsigned axis);
V block_idx(kernel *k, unsigned axis);
V block_dim(kernel *k, unsigned axis);
V grid_dim(kernel *k, unsigned axis);
V as(kernel *k, gw_type t, V v);
V op2(kernel *k, gw_opcode code, V a, V b); /* usual arithmetic conversions */
#define add(k, a, b)  op2(k, GW_OP_ADD, a, b)
#define sub(k, a, b)  op2(k, GW_OP_SUB, a, b)
#define mul(k, a, b)  op2(k, GW_OP_MUL, a, b)
#define quo(k, a, b)  op2(k, GW_OP_DIV, a, b)
#define rem_(k, a, b) op2(k, GW_OP_REM, a, b)
#define lt(k, a, b)   op2(k, GW_OP_LT, a, b)
#define both(k, a, b) op2(k, GW_OP_AND, a, b)
/* int i = blockIdx.a * blockDim.a + threadIdx.a, named */
V linear(kernel *k, unsigned axis, const char *name);

void begin_if(kernel *k, V condition);
void otherwise(kernel *k);
void end_if(kernel *k);
/* condition ? a : b, both computed before */
V choose(kernel *k, V condition, V a, V b);
/* The same as a branch: what is made behind the first is computed if the condition holds, behind the second if
 * not. */
void begin_choice(kernel *k, V condition);
void other_choice(kernel *k, V value);
V end_choice(kernel *k, V value);
V begin_for(kernel *k, V lo, V hi, V step, gw_opcode compare);
void end_for(kernel *k);

void use(kernel *k, V index);                              /* ... = x[index] */
void use2(kernel *k, const char *path, V index, V second); /* x with a path of one or two "[]" */
void define(kernel *k, V index);                           /* y[index] = ... */
void use_y(kernel *k, V index);                            /* ... = y[index] */
void use_scalar(kernel *k);                                /* the by-value parameter */
void promise(kernel *k, gw_promise_kind kind);             /* of list */
V list_at(kernel *k, V index);                             /* list[index], an int array that nobody writes */
#endif
