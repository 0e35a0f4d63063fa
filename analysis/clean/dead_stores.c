/*
 * dead_stores.c - drops stores and additions to local objects that no later load sees.
 *
 * One walk from the end of the function to its begin with the set of local objects that something behind may
 * read. A load or call makes its object live. `declare` ends that, as the object begins its life anew there; so
 * an object that is declared in a loop's body is not live at the body's end. All others that a loop reads
 * somewhere are, since the next iteration may read them. A store to a cell does not end the life of the others,
 * and of none here.
 *
 * Sound: what is dropped writes a cell that is next declared anew, or never accessed again but by other stores.
 * It has no result. Operands that nobody else uses are gw_dce's business.
 */
#include "analysis/clean/clean.h"

#include "analysis/ir/restructure.h"

#include <stdlib.h>
#include <string.h>

typedef struct walker {
    gw_func *f;
    uint32_t count; /* of objects */
    bool changed;
} walker;

static bool is_write(const gw_op_data *o) { return o->code == GW_OP_STORE || o->code == GW_OP_ACCUM; }

/* What the region reads and does not declare. */
static void add_reads(const walker *w, gw_region r, bool *live) {
    bool *declared = gw_alloc(w->count);
    for (gw_op op = gw_first(w->f, r); op; op = gw_next(w->f, op)) {
        const gw_op_data *o = gw_op_at(w->f, op);
        if (o->code == GW_OP_DECLARE) declared[o->object] = true;
        else if (o->object && !is_write(o) && !declared[o->object]) live[o->object] = true;
        bool *inner = o->regions ? gw_alloc(w->count) : NULL;
        for (uint32_t i = 0; i < o->regions; i++) add_reads(w, o->region[i], inner);
        for (uint32_t i = 0; inner && i < w->count; i++) live[i] |= inner[i] && !declared[i];
        free(inner);
    }
    free(declared);
}

static void walk(walker *w, gw_region r, bool *live);

static void walk_op(walker *w, gw_op op, bool *live) {
    gw_op_data o = *gw_op_at(w->f, op);
    if (gw_is_loop(w->f, op))
        for (uint32_t i = 0; i < o.regions; i++) add_reads(w, o.region[i], live);
    size_t bytes = w->count * sizeof *live;
    bool *behind = o.regions ? gw_alloc(bytes) : NULL, *ahead = o.regions ? gw_alloc(bytes) : NULL;
    if (behind) memcpy(behind, live, bytes);
    for (uint32_t i = 0; i < o.regions; i++) {
        memcpy(ahead, behind, bytes);
        walk(w, o.region[i], ahead);
        for (uint32_t k = 0; k < w->count; k++) live[k] |= ahead[k];
    }
    free(behind);
    free(ahead);
}

static void walk(walker *w, gw_region r, bool *live) {
    for (gw_op op = gw_region_at(w->f, r)->last, before; op; op = before) {
        const gw_op_data *o = gw_op_at(w->f, op);
        before = o->prev;
        bool local = o->object && gw_object_at(w->f, o->object)->kind == GW_OBJECT_LOCAL;
        if (local && is_write(o) && !live[o->object]) {
            gw_op_remove(w->f, op);
            w->changed = true;
        } else if (o->code == GW_OP_DECLARE) {
            live[o->object] = false;
        } else if (o->object && !is_write(o)) {
            live[o->object] = true;
        }
        if (o->regions) walk_op(w, op, live);
    }
}

bool gw_drop_dead_stores(gw_func *f) {
    walker w = {.f = f, .count = f->objects.count};
    bool *live = gw_alloc(w.count * sizeof *live);
    walk(&w, f->entry, live);
    free(live);
    return w.changed;
}
