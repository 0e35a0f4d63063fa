/*
 * ownership/apart.c - accesses of adjoint cells in one region that provably reach different cells in one
 * thread: then loads may pass stores (schedule.c), and the emitted text need not wait for one cell before it
 * asks for the next. A compiler cannot know it: it sees d_x[((q * nz + z) * ny + y) * nx + x] for nineteen
 * values of q.
 *
 * Requires ownership's decisions about all objects. Uses no assumption about the launch that these do not make.
 */
#include "analysis/ownership/ownership.h"

#include "analysis/ir/rungs.h"
#include "analysis/ir/query.h"

#include <stdlib.h>

enum { FEWEST = 2, MOST = 64, INDICES = 8 };

typedef struct cells {
    gw_op op[MOST]; /* with different index values */
    gw_number index[MOST][INDICES];
    uint32_t count;
} cells;

static bool same_values(const gw_func *f, gw_op x, gw_op y) {
    uint32_t n = gw_index_count(f, x);
    if (gw_op_at(f, x)->path != gw_op_at(f, y)->path || n != gw_index_count(f, y)) return false;
    for (uint32_t i = 0; i < n; i++)
        if (gw_operand(f, x, i) != gw_operand(f, y, i)) return false;
    return true;
}

/* Whether the access's cell differs from those of all cells before; those of other paths are not compared. */
static bool add_cell(gw_ownership *w, gw_context *c, cells *all, gw_op op) {
    const gw_func *f = w->f;
    uint32_t n = gw_index_count(f, op), at = all->count;
    for (uint32_t i = 0; i < at; i++)
        if (same_values(f, all->op[i], op)) return true;
    if (at == MOST || n > INDICES) return false;
    for (uint32_t i = 0; i < n; i++) gw_normal_exact(w->n, c, gw_operand(f, op, i), &all->index[at][i]);
    gw_access mine = {.context = c, .index = all->index[at], .count = n};
    for (uint32_t i = 0; i < at; i++) {
        gw_access other = {.context = c, .index = all->index[i], .count = gw_index_count(f, all->op[i])};
        uint64_t assumed = 0;
        bool one_path = gw_op_at(f, all->op[i])->path == gw_op_at(f, op)->path;
        if (!one_path || !gw_cells_differ(w->n, &mine, &other, &assumed) || (assumed & ~w->assumed))
            return false;
    }
    all->op[all->count++] = op;
    return true;
}

static void mark(gw_ownership *w, gw_region r, gw_object object, cells *all) {
    gw_func *f = w->f;
    gw_context *c = gw_normal_context(w->n, r);
    bool apart = true;
    all->count = 0;
    for (gw_op op = gw_first(f, r); op && apart; op = gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->object != object) continue;
        apart = gw_is_access_of_cell(o) && o->attr == GW_ACCUMULATE_PLAIN && add_cell(w, c, all, op);
    }
    for (gw_op op = gw_first(f, r); op && apart && all->count >= FEWEST; op = gw_next(f, op))
        if (gw_op_at(f, op)->object == object) gw_op_at(f, op)->flags |= GW_OP_APART;
}

static void walk(gw_ownership *w, gw_region r, cells *all) {
    const gw_func *f = w->f;
    bool *seen = gw_alloc(f->objects.count);
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        for (uint32_t i = 0; i < o->regions; i++) walk(w, o->region[i], all);
        bool adjoint = o->object && gw_is_access_of_cell(o) && gw_ownership_is_adjoint(f, o->object);
        if (!adjoint || seen[o->object] || gw_object_at(f, o->object)->kind == GW_OBJECT_LOCAL) continue;
        seen[o->object] = true;
        mark(w, r, o->object, all);
    }
    free(seen);
}

void gw_ownership_apart(gw_ownership *w) {
    cells *all = gw_realloc(NULL, sizeof *all); /* large; mark() begins with none of it */
    walk(w, w->f->entry, all);
    free(all);
}
