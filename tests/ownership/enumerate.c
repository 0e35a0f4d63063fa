/* enumerate.c - every thread of a launch, and the cells where threads meet (contract: enumerate.h). */
#include "enumerate.h"
#include "analysis/facts/facts.h"

#include <stdlib.h>

static void record(void *context, gw_op op, const int64_t *index, uint32_t count) {
    trace *t = context;
    const gw_op_data *o = gw_op_at(t->e.f, op);
    if (gw_type_is_integer(gw_object_at(t->e.f, o->object)->type)) return; /* list */
    touch_record r = {.object = o->object,
                      .path = o->path,
                      .op = op,
                      .thread = t->thread,
                      .warp = t->warp,
                      .block = t->block,
                      .write = o->code != GW_OP_LOAD};
    for (uint32_t i = 0; i < count && i < 2; i++)
        r.index[i] = index[i];
    gw_push(&t->all, r);
}

void trace_start(trace *t, const gw_func *f, const launch *at) {
    *t = (trace){.e = {.f = f, .at = at, .access = record}};
    t->e.context = t;
}

void trace_end(trace *t) {
    evaluation_free(&t->e);
    gw_vec_free(&t->all);
}

static int by_cell(const void *x, const void *y) {
    const touch_record *a = x, *b = y;
    if (a->object != b->object) return a->object < b->object ? -1 : 1;
    if (a->path != b->path) return a->path < b->path ? -1 : 1;
    for (int i = 0; i < 2; i++)
        if (a->index[i] != b->index[i]) return a->index[i] < b->index[i] ? -1 : 1;
    return 0;
}

static bool run_block(trace *t, launch *at) {
    uint32_t *i = at->dim[GW_THREAD_IDX], in_block = 0;
    const uint32_t *block = at->dim[GW_BLOCK_DIM];
    for (i[2] = 0; i[2] < block[2]; i[2]++)
        for (i[1] = 0; i[1] < block[1]; i[1]++)
            for (i[0] = 0; i[0] < block[0]; i[0]++, t->thread++, in_block++) {
                t->warp = t->block << 8 | in_block / 32;
                if (!evaluate(&t->e)) return false;
            }
    return true;
}

static bool run_all(trace *t, launch *at) {
    uint32_t *b = at->dim[GW_BLOCK_IDX];
    const uint32_t *grid = at->dim[GW_GRID_DIM];
    t->all.count = 0;
    t->e.beyond = false;
    t->thread = t->block = 0;
    for (b[2] = 0; b[2] < grid[2]; b[2]++)
        for (b[1] = 0; b[1] < grid[1]; b[1]++)
            for (b[0] = 0; b[0] < grid[0]; b[0]++, t->block++)
                if (!run_block(t, at)) return false;
    if (t->all.count) qsort(t->all.at, t->all.count, sizeof *t->all.at, by_cell);
    return true;
}

bool enumerate(trace *t, launch *at, uint8_t *meets) {
    if (!run_all(t, at)) return false;
    for (uint32_t i = 0, end; i < t->all.count; i = end) {
        const touch_record *first = &t->all.at[i];
        uint8_t bits = 0;
        bool writes = false;
        for (end = i; end < t->all.count && by_cell(first, &t->all.at[end]) == 0; end++) {
            const touch_record *r = &t->all.at[end];
            bits |= (r->thread != first->thread ? MEET_THREADS : 0) |
                    (r->warp != first->warp ? MEET_WARPS : 0) | (r->block != first->block ? MEET_BLOCKS : 0);
            writes |= r->write;
        }
        for (uint32_t k = i; writes && k < end; k++)
            meets[t->all.at[k].op] |= bits;
    }
    return true;
}

gw_op broken_promise(const gw_func *f, const uint8_t *meets) {
    static const uint8_t excluded[] = {0, MEET_BLOCKS, MEET_WARPS | MEET_BLOCKS, MEET_THREADS};
    for (gw_op op = 1; op < f->ops.count; op++)
        if (meets[op] & excluded[gw_exclusive_to(f, op)]) return op;
    return 0;
}

bool check_accepts(const gw_func *check, const launch *at) {
    if (!check) return true;
    evaluation e = {.f = check, .at = at};
    bool holds = evaluate(&e);
    for (uint32_t i = 0; holds && i < check->assumptions.count; i++)
        holds = evaluation_result(&e, i) != 0;
    evaluation_free(&e);
    return holds;
}
