/*
 * frontend/kernel/kernel.h - calls that only kernels make: atomics, warps, barriers, collectives.
 */
#ifndef GRADWRIGHT_FRONTEND_KERNEL_H
#define GRADWRIGHT_FRONTEND_KERNEL_H

#include "plugin/frontend/state/state.h"

/* ---- atomic.c ---- */
/* A call of an atomic operation; false if it is none. `result`: null where it is not used. */
bool gw_front_atomic(gw_lowering *L, CXCursor call, gw_value *result);
/* One of a kind (a gw_atomic) that takes one value. */
void gw_front_atomic_put(gw_lowering *L, CXCursor call, gw_place to, uint32_t kind, gw_value value,
                         gw_value *result);

/* ---- barrier.c ---- */
/* A call of __syncthreads or its kin; false if it is none. *value: its result, if it has one. */
bool gw_front_barrier(gw_lowering *L, CXCursor call, const char *name, gw_value *value);

/* ---- collective.c ---- */
/* What a collective's header says of the kernel, by a call; false if it is none. */
bool gw_front_collective(gw_lowering *L, CXCursor call, const char *name, gw_value *value);
/* Refuses a method or constructor of a collective that has no adjoint; false if it is none. */
bool gw_front_refuse_collective(gw_lowering *L, CXCursor call, CXCursor callee);

/* ---- random.c ---- */
/* Whether it draws from, or starts, a random state of cuRAND's; then it is refused, or is to be inlined. */
bool gw_front_random(gw_lowering *L, CXCursor call, CXCursor callee, const char *name);
/* Refuses a function of which a derivative may be made, if it starts a state whose start has no text. */
bool gw_front_check_starts(gw_unit *u, const gw_func *f);
/* Whether the function draws, and leaves states in memory other than it found them. */
bool gw_front_moves_states(const gw_unit *u, const gw_func *f);

/* ---- swap.c ---- */
/* A loop of atomicCAS that does what an atomic operation on floating-point numbers does; false: it is none. */
bool gw_front_swap_loop(gw_lowering *L, CXCursor loop);

/* ---- warp.c ---- */
/* A call of a shuffle, vote, match or reduction, or of __syncwarp; false if it is none. */
bool gw_front_warp(gw_lowering *L, CXCursor call, const char *name, gw_value *value);

#endif
