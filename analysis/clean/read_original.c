/*
 * clean/read_original.c - a local object that is only ever a copy of cells nobody writes is read from the
 * original: by-value struct arguments of inlined functions come as such copies.
 *
 * Requires: every store to the object takes the cell at the same place of one source (an object, a path
 * and indices in front), which is one place for all of the object's life, and the function writes that source
 * nowhere. Then each cell of the object that holds anything holds its source's value (reading one that holds
 * nothing is undefined in the source).
 */
#include "analysis/clean/clean.h"

#include "analysis/ir/query.h"
#include "analysis/ir/optional.h"

#include <stdlib.h>
#include <string.h>

typedef struct copy {
    gw_func *f;
    gw_object object, source;
    gw_str prefix;       /* path in front of the object's own */
    gw_value index[8];   /* indices in front */
    uint32_t count;
    bool good;
} copy;

static bool is_written(const gw_func *f, gw_object o) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *d = gw_op_at(f, op);
        if (!d->dead && d->object == o && d->code != GW_OP_LOAD) return true;
    }
    return false;
}

/* The store copies the source's cell at the same place; the first one fixes source and prefix. */
static bool matches(copy *c, gw_op store) {
    gw_func *f = c->f;
    gw_session *s = f->session;
    uint32_t n = gw_index_count(f, store);
    gw_op load = gw_made_by(f, gw_operand(f, store, n), GW_OP_LOAD);
    if (!load) return false;
    const char *own = gw_cstr(s, gw_op_at(f, store)->path), *other = gw_cstr(s, gw_op_at(f, load)->path);
    size_t tail = strlen(own), all = strlen(other);
    uint32_t m = gw_index_count(f, load);
    if (all < tail || strcmp(other + all - tail, own) != 0 || m < n || m - n > 8) return false;
    gw_str prefix = gw_intern_n(s, other, all - tail);
    if (!c->source) {
        c->source = gw_op_at(f, load)->object;
        c->prefix = prefix;
        c->count = m - n;
        for (uint32_t i = 0; i < c->count; i++) c->index[i] = gw_operand(f, load, i);
    }
    bool same = c->source == gw_op_at(f, load)->object && c->prefix == prefix && c->count == m - n;
    for (uint32_t i = 0; same && i < m; i++)
        same = gw_operand(f, load, i) == (i < c->count ? c->index[i] : gw_operand(f, store, i - c->count));
    return same;
}

static bool can_read_source(const copy *c, gw_op load) {
    for (uint32_t i = 0; i < c->count; i++)
        if (!gw_value_visible(c->f, c->index[i], gw_op_at(c->f, load)->parent)) return false;
    return gw_index_count(c->f, load) + c->count <= 8;
}

/* The indices in front are known where the object begins its life. In `v = x[i]` of a loop over i that v
 * outlives, a load before the store means another cell than one after it. */
static bool has_one_source(const copy *c) {
    const gw_func *f = c->f;
    gw_region life = f->entry;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *d = gw_op_at(f, op);
        if (!d->dead && d->object == c->object && d->code == GW_OP_DECLARE) life = d->parent;
    }
    for (uint32_t i = 0; i < c->count; i++)
        if (!gw_value_visible(f, c->index[i], life)) return false;
    return true;
}

static void survey(copy *c) {
    const gw_func *f = c->f;
    for (gw_op op = 1; op < f->ops.count && c->good; op++) {
        const gw_op_data *d = gw_op_at(f, op);
        if (d->dead || d->object != c->object) continue;
        if (d->code == GW_OP_STORE) c->good = matches(c, op);
        else c->good = d->code == GW_OP_LOAD || d->code == GW_OP_DECLARE;
    }
    c->good = c->good && c->source && c->source != c->object && !is_written(f, c->source) && has_one_source(c);
    for (gw_op op = 1; op < f->ops.count && c->good; op++) {
        const gw_op_data *d = gw_op_at(f, op);
        if (!d->dead && d->object == c->object && d->code == GW_OP_LOAD) c->good = can_read_source(c, op);
    }
}

static void redirect(copy *c, gw_op load) {
    gw_func *f = c->f;
    gw_session *s = f->session;
    gw_value index[8];
    uint32_t n = gw_index_count(f, load);
    for (uint32_t i = 0; i < c->count; i++) index[i] = c->index[i];
    for (uint32_t i = 0; i < n; i++) index[c->count + i] = gw_operand(f, load, i);
    char *path = gw_format("%s%s", gw_cstr(s, c->prefix), gw_cstr(s, gw_op_at(f, load)->path));
    gw_op_set_operands(f, load, index, c->count + n);
    gw_op_at(f, load)->object = c->source;
    gw_op_at(f, load)->path = gw_intern(s, path);
    free(path);
}

bool gw_forward_copies(gw_func *f) {
    bool changed = false;
    for (gw_object o = 1; o < f->objects.count; o++) {
        if (gw_object_at(f, o)->kind != GW_OBJECT_LOCAL || gw_object_at(f, o)->zeroed ||
            gw_object_at(f, o)->sized)
            continue;
        copy c = {.f = f, .object = o, .good = true};
        survey(&c);
        if (!c.good || !gw_takes(f->session, GW_OPTIONAL_ORIGINALS)) continue;
        for (gw_op op = 1; op < f->ops.count; op++) {
            const gw_op_data *d = gw_op_at(f, op);
            if (d->dead || d->object != o) continue;
            if (d->code == GW_OP_LOAD) redirect(&c, op);
            else gw_op_remove(f, op); /* the copies themselves */
        }
        changed = true;
    }
    return changed;
}
