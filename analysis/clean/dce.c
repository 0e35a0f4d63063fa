/*
 * dce.c - removes what no effect depends on: ops, carried values of loops, results of branches, stores to
 * local objects that are never read, and tape slots whose pops are not used (with their pushes).
 *
 * Optimistic marking from the roots (writes that the caller sees, RET). A member of a local object is live when
 * a live load reads it - accesses by other paths reach other cells -; a tape slot when a live pop does: pushes
 * and pops of one slot go together, so what is left still nests. A loop without live content goes, whether or
 * not it ends: the source's loops are assumed to end.
 *
 * A barrier lives where the loop, branch or body around it has a live access of memory that threads share and
 * change. Where the last barrier of a loop or branch goes, one before it takes over what it ordered outside;
 * those that order nothing then go (barriers_idle.c).
 */
#include "analysis/clean/clean.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/device.h"
#include "analysis/ir/restructure.h"

#include <stdlib.h>

typedef struct member {
    gw_object object;
    gw_str path;
} member;

typedef struct marker {
    gw_func *f;
    bool *op, *value, *object;
    GW_VEC(member) members; /* of local objects, that a live op reads */
    bool *seen; /* objects that other threads may change or, shared ones, see */
    GW_VEC(gw_value) work;
    gw_value_map renamed; /* results and arguments of ops that lost some */
    bool changed;
} marker;

static void mark_op(marker *m, gw_op op);

static void mark_value(marker *m, gw_value v) {
    if (m->value[v]) return;
    m->value[v] = true;
    gw_push(&m->work, v);
}

static void mark_object(marker *m, gw_object o) {
    if (m->object[o]) return;
    m->object[o] = true;
    m->changed = true; /* its writes are found by the next scan */
}

static void mark_member(marker *m, gw_object o, gw_str path) {
    for (uint32_t i = 0; i < m->members.count; i++)
        if (m->members.at[i].object == o && m->members.at[i].path == path) return;
    gw_push(&m->members, ((member){o, path}));
    m->changed = true;
}

static bool is_member_live(const marker *m, const gw_op_data *o) {
    if (!m->object[o->object]) return false;
    if (gw_object_at(m->f, o->object)->kind != GW_OBJECT_LOCAL) return true;
    for (uint32_t i = 0; i < m->members.count; i++)
        if (m->members.at[i].object == o->object &&
            gw_paths_meet(m->f->session, m->members.at[i].path, o->path))
            return true;
    return false;
}

static void mark_yield_lead(marker *m, gw_op op) {
    gw_func *f = m->f;
    if (gw_op_at(f, op)->flags & GW_OP_EXIT) mark_value(m, gw_loop_flag(f, op));
    if (gw_op_at(f, op)->code == GW_OP_WHILE) mark_value(m, gw_loop_test(f, op));
}

/* The op runs: what decides that it runs is needed, and all operands that are not carried or yielded. */
static void mark_op(marker *m, gw_op op) {
    if (m->op[op]) return;
    m->op[op] = true;
    gw_func *f = m->f;
    const gw_op_data *o = gw_op_at(f, op);
    uint32_t count = gw_is_loop(f, op) ? gw_loop_first_init(f, op) : o->operands;
    if (o->code == GW_OP_YIELD || o->code == GW_OP_BARRIER) count = 0;
    for (uint32_t i = 0; i < count; i++) mark_value(m, gw_operand(f, op, i));
    if (gw_is_loop(f, op)) mark_yield_lead(m, op);
    bool reads = o->code == GW_OP_LOAD || o->code == GW_OP_POP || o->code == GW_OP_ADDRESS ||
                 (o->code == GW_OP_ATOMIC && o->results);
    if (o->object && reads) mark_object(m, o->object);
    if (o->object && reads && gw_object_at(f, o->object)->kind == GW_OBJECT_LOCAL)
        mark_member(m, o->object, o->path);
    gw_op parent = gw_region_at(f, o->parent)->parent;
    if (parent) mark_op(m, parent);
}

static void mark_carried(marker *m, gw_op op, uint32_t i) {
    gw_func *f = m->f;
    mark_value(m, gw_loop_init(f, op, i));
    mark_value(m, gw_loop_next(f, op, i));
    mark_value(m, gw_loop_arg(f, op, i));
    if (gw_op_at(f, op)->code == GW_OP_WHILE) mark_value(m, gw_arg(f, gw_op_at(f, op)->region[0], i));
    mark_value(m, gw_result(f, op, i));
}

static void follow_value(marker *m, gw_value v) {
    gw_func *f = m->f;
    const gw_value_data *d = gw_value_at(f, v);
    if (!d->op) {
        gw_op loop = gw_region_at(f, d->region)->parent;
        if (!loop) return;
        mark_op(m, loop);
        bool body = gw_loop_body(f, loop) == d->region;
        uint32_t fixed = body ? gw_loop_first_arg(f, loop) : 0;
        if (d->index >= fixed) mark_carried(m, loop, d->index - fixed);
        return;
    }
    mark_op(m, d->op);
    const gw_op_data *o = gw_op_at(f, d->op);
    if (o->code == GW_OP_BARRIER) mark_value(m, gw_operand(f, d->op, 0));
    if (gw_is_loop(f, d->op)) mark_carried(m, d->op, d->index);
    if (o->code == GW_OP_IF)
        for (uint32_t side = 0; side < 2; side++) mark_value(m, gw_yielded(f, o->region[side], d->index));
}

/* The call writes what is needed; one that must not write is not made for that
 * (rewriters/adjoint/adjoint.c). */
static bool call_is_root(const marker *m, gw_op call) {
    for (uint32_t i = 0; i < gw_op_at(m->f, call)->operands; i++) {
        gw_op address = gw_operand_address(m->f, call, i);
        const gw_op_data *o = gw_op_at(m->f, address);
        if (!address || !(o->flags & GW_OP_WRITES) || o->flags & GW_OP_UNSURE) continue;
        if (gw_object_at(m->f, o->object)->kind != GW_OBJECT_LOCAL || is_member_live(m, o)) return true;
    }
    /* else a call for its value is pure */
    return gw_is_ordered(m->f, call) || gw_holds_stop(m->f, call);
}

static bool has_seen_access(const marker *m, gw_region r) {
    for (gw_op op = gw_first(m->f, r); op; op = gw_walk(m->f, op, r)) {
        const gw_op_data *o = gw_op_at(m->f, op);
        if (m->op[op] && o->object && m->seen[o->object]) return true;
    }
    return false;
}

/* Inside of the op around it, or of the function. */
static bool orders(const marker *m, gw_op barrier) {
    gw_op around = gw_op_around(m->f, barrier);
    if (!around) return has_seen_access(m, m->f->entry);
    for (uint32_t i = 0; i < gw_op_at(m->f, around)->regions; i++)
        if (has_seen_access(m, gw_op_at(m->f, around)->region[i])) return true;
    return false;
}

static bool is_root(const marker *m, gw_op op) {
    const gw_op_data *o = gw_op_at(m->f, op);
    bool own = o->object && gw_object_is_inner(gw_object_at(m->f, o->object)->kind);
    switch (o->code) {
    case GW_OP_RET:
    case GW_OP_SYNCWARP:
    case GW_OP_COLLECT:
    case GW_OP_RESERVE:
    case GW_OP_EXPECT:
    case GW_OP_KEEP:
    case GW_OP_REPEAT:
    case GW_OP_STOP:
    case GW_OP_SKIP: return true;
    case GW_OP_DEVICE: return !gw_device_rows[o->attr].asks;
    case GW_OP_DECLARE:
    case GW_OP_PUSH: return m->object[o->object];
    case GW_OP_STORE:
    case GW_OP_ATOMIC:
    case GW_OP_SETTLE:
    case GW_OP_ACCUM: return !own || is_member_live(m, o);
    case GW_OP_CLEAR:
    case GW_OP_SETTLE_ALL: return m->object[o->object];
    case GW_OP_BARRIER: return orders(m, op);
    case GW_OP_CALL: return call_is_root(m, op);
    default: return false;
    }
}

static void scan_roots(marker *m, gw_region r) {
    for (gw_op op = gw_first(m->f, r); op; op = gw_walk(m->f, op, r)) {
        if (!m->op[op] && is_root(m, op)) {
            mark_op(m, op);
            m->changed = true; /* what stands around a barrier may order more */
        }
    }
}

static void mark_all(marker *m) {
    do {
        m->changed = false;
        scan_roots(m, m->f->entry);
        while (m->work.count) follow_value(m, m->work.at[--m->work.count]);
    } while (m->changed);
}

static bool prune_results(marker *m, gw_op op) {
    gw_func *f = m->f;
    uint32_t n = gw_op_at(f, op)->results, dropped = 0;
    bool *keep = gw_alloc(n + 1);
    for (uint32_t i = 0; i < n; i++) {
        keep[i] = m->value[gw_result(f, op, i)];
        dropped += !keep[i];
    }
    if (dropped) gw_prune(f, op, keep, &m->renamed);
    free(keep);
    return dropped != 0;
}

/* Only the effect matters, not the result. */
static void make_plain(marker *m, gw_op op) {
    gw_op_data *o = gw_op_at(m->f, op);
    if ((o->code != GW_OP_BARRIER && o->code != GW_OP_ATOMIC) || !o->results || m->value[o->first_result])
        return;
    if (o->code == GW_OP_ATOMIC) {
        o->results = 0;
        return;
    }
    o->attr = GW_BARRIER_PLAIN;
    o->operands = o->results = 0;
}

static bool keeps_barrier(const marker *m, gw_op op) {
    const gw_op_data *o = gw_op_at(m->f, op);
    if (!m->op[op]) return false;
    if (gw_op_rows[o->code].effect == GW_EFFECT_MEET) return true;
    for (uint32_t i = 0; i < o->regions; i++)
        for (gw_op in = gw_first(m->f, o->region[i]); in; in = gw_next(m->f, in))
            if (keeps_barrier(m, in)) return true;
    return false;
}

static bool sweep(marker *m, gw_region r) {
    gw_func *f = m->f;
    bool changed = false;
    for (gw_op op = gw_first(f, r), next; op; op = next) {
        next = gw_next(f, op);
        if (gw_op_at(f, op)->code == GW_OP_YIELD) continue;
        make_plain(m, op);
        if (gw_op_at(f, op)->regions && gw_holds_barrier(f, op) && !keeps_barrier(m, op)) {
            gw_builder b = {f, r, op, gw_op_at(f, op)->loc};
            gw_emit(&b, GW_OP_BARRIER, GW_T_VOID, 0, NULL, 0);
        }
        if (!m->op[op]) {
            gw_op_remove(f, op);
            changed = true;
            continue;
        }
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++) changed |= sweep(m, gw_op_at(f, op)->region[i]);
        if (gw_op_at(f, op)->regions) changed |= prune_results(m, op);
    }
    return changed;
}

bool gw_dce(gw_func *f) {
    marker m = {.f = f};
    m.op = gw_alloc(f->ops.count);
    m.value = gw_alloc(f->values.count);
    m.object = gw_alloc(f->objects.count);
    m.seen = gw_seen_objects(f);
    mark_all(&m);
    bool changed = sweep(&m, f->entry);
    if (m.renamed.count) gw_replace_many(f, &m.renamed);
    /* of the user's own it is asked first where they stand */
    if (f->form != GW_FORM_PRIMAL) changed |= gw_barriers_drop_idle(f);
    free(m.op);
    free(m.value);
    free(m.object);
    free(m.seen);
    gw_vec_free(&m.work);
    gw_vec_free(&m.members);
    gw_map_free(&m.renamed);
    return changed;
}
