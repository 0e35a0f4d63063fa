/* enumerate.h - runs every thread of a launch, and finds the cells where threads meet. */
#ifndef ENUMERATE_H
#define ENUMERATE_H
#include "evaluator.h"

typedef struct touch_record {
    int64_t index[2];
    gw_object object;
    gw_str path;
    gw_op op;
    uint32_t thread, warp, block;
    bool write;
} touch_record;

typedef struct trace {
    evaluation e;
    uint32_t thread, warp, block;
    GW_VEC(touch_record) all;
} trace;

/* Who meets at an op's cells, one of them writing; bits. */
enum { MEET_THREADS = 1, MEET_WARPS = 2, MEET_BLOCKS = 4 };

void trace_start(trace *t, const gw_func *f, const launch *at);
void trace_end(trace *t);
/* Runs all threads of *at, whose coordinates it sets, and sets bits in meets[op]; false if the launch is
 * undefined somewhere. Cells of integer objects are left out. */
bool enumerate(trace *t, launch *at, uint8_t *meets);
/* The references that <f>_grad calls plain, or exclusive to a block or warp, are so here: 0, or the op that is
 * not. */
gw_op broken_promise(const gw_func *f, const uint8_t *meets);
/* The launch check, if there is one, accepts the launch. */
bool check_accepts(const gw_func *check, const launch *at);
#endif
