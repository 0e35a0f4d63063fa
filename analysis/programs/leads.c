/*
 * programs/leads.c - which buffers of a program its pointers may lead into (contract: programs.h).
 *
 * A pointer is followed back through the function until nothing changes: through branches, loops, the
 * function's own arrays and structs, and integers that are made of it. What comes from elsewhere may lead
 * anywhere.
 */
#include "analysis/programs/programs.h"

#include "analysis/ir/device.h"

#include <stdlib.h>
#include <string.h>

bool gw_buffers_add(gw_buffer_set *to, const gw_buffer_set *more) {
    bool grown = false;
    for (uint32_t i = 0; i < sizeof to->bits / sizeof *to->bits; i++) {
        grown |= (more->bits[i] & ~to->bits[i]) != 0;
        to->bits[i] |= more->bits[i];
    }
    return grown;
}

bool gw_buffers_meet(const gw_buffer_set *a, const gw_buffer_set *b) {
    bool found = false;
    for (uint32_t i = 0; i < sizeof a->bits / sizeof *a->bits; i++)
        found |= (a->bits[i] & b->bits[i]) != 0;
    return found;
}

/* ---- buffers ---- */

static bool allocates(const gw_op_data *o) {
    return o->code == GW_OP_DEVICE && (o->attr == GW_DEVICE_ALLOC || o->attr == GW_DEVICE_ALLOC_MANAGED ||
                                       o->attr == GW_DEVICE_ALLOC_PINNED);
}

static uint32_t symbol_buffer(gw_leads *l, gw_str symbol) {
    for (uint32_t i = 0; i < l->buffers.count; i++)
        if (l->buffers.at[i].symbol == symbol) return i;
    gw_push(&l->buffers, ((gw_lead_buffer){.symbol = symbol}));
    return l->buffers.count - 1;
}

static void put(gw_leads *l, gw_value v, uint32_t buffer) {
    if (buffer < GW_MOST_BUFFERS) gw_buffers_put(&l->of[v], buffer);
}

static void make_buffers(gw_leads *l) {
    const gw_func *f = l->f;
    for (uint32_t i = 0; i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        if (!p->value || gw_typeof(f, p->value) != GW_T_ADDRESS || p->is_handle) continue;
        gw_push(&l->buffers, ((gw_lead_buffer){.given = p->value}));
        put(l, p->value, l->buffers.count - 1);
    }
    for (gw_op op = gw_first(f, f->entry); op; op = gw_walk(f, op, f->entry)) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->code == GW_OP_DEVICE && (o->attr == GW_DEVICE_SYMBOL || o->attr == GW_DEVICE_VARIABLE))
            put(l, gw_result(f, op, 0), symbol_buffer(l, o->callee));
        if (!allocates(o)) continue;
        gw_push(&l->buffers, ((gw_lead_buffer){.alloc = op}));
        put(l, gw_result(f, op, 0), l->buffers.count - 1);
    }
    for (uint32_t i = 0; i < l->buffers.count && i < GW_MOST_BUFFERS; i++)
        gw_buffers_put(&l->all, i);
}

/* ---- where pointers come from ---- */

static bool is_address(const gw_func *f, gw_value v) { return gw_typeof(f, v) == GW_T_ADDRESS; }

/* A pointer, or an integer that may be made of one. */
static bool may_lead(const gw_func *f, gw_value v) {
    return is_address(f, v) || gw_type_is_integer(gw_typeof(f, v));
}

static bool flow(gw_leads *l, gw_value to, gw_value from) {
    if (!may_lead(l->f, to) || !may_lead(l->f, from)) return false;
    const bool changed = (l->moved[from] && !l->moved[to]) || (l->texture[from] && !l->texture[to]);
    l->moved[to] |= l->moved[from];
    l->texture[to] |= l->texture[from];
    return gw_buffers_add(&l->of[to], &l->of[from]) || changed;
}

static bool flow_anywhere(gw_leads *l, gw_op op) {
    bool grown = false;
    for (uint32_t i = 0; i < gw_op_at(l->f, op)->results; i++) {
        const gw_value v = gw_result(l->f, op, i);
        if (!is_address(l->f, v)) continue;
        l->moved[v] = true;
        grown |= gw_buffers_add(&l->of[v], &l->all);
    }
    return grown;
}

/* An integer that is a pointer's no more leads where those lead of which it is made. */
static bool flow_number(gw_leads *l, gw_op op) {
    bool grown = false;
    for (uint32_t i = 0; i < gw_op_at(l->f, op)->operands; i++)
        grown |= flow(l, gw_result(l->f, op, 0), gw_operand(l->f, op, i));
    return grown;
}

static bool flow_cast(gw_leads *l, gw_op op) {
    static const gw_buffer_set none;
    const gw_value from = gw_operand(l->f, op, 0), to = gw_result(l->f, op, 0);
    int64_t null;
    if (is_address(l->f, from) || !is_address(l->f, to)) return flow(l, to, from);
    if (gw_const_int(l->f, from, &null)) return false;
    if (!memcmp(&l->of[from], &none, sizeof none)) return flow_anywhere(l, op);
    l->moved[to] = true;
    return flow(l, to, from);
}

static bool flow_loop(gw_leads *l, gw_op loop) {
    const gw_func *f = l->f;
    bool grown = false;
    for (uint32_t i = 0; i < gw_loop_carried(f, loop); i++) {
        const gw_value arg = gw_loop_arg(f, loop, i);
        grown |= flow(l, arg, gw_loop_init(f, loop, i));
        grown |= flow(l, arg, gw_loop_next(f, loop, i));
        grown |= flow(l, gw_result(f, loop, i), arg);
        grown |= flow(l, gw_result(f, loop, i), gw_loop_next(f, loop, i));
        if (gw_op_at(f, loop)->code == GW_OP_WHILE)
            grown |= flow(l, gw_arg(f, gw_op_at(f, loop)->region[0], i), arg);
    }
    return grown;
}

static bool flow_memory(gw_leads *l, gw_op op) {
    const gw_func *f = l->f;
    const gw_op_data *o = gw_op_at(f, op);
    const gw_object_kind kind = gw_object_at(f, o->object)->kind;
    if (kind != GW_OBJECT_LOCAL && kind != GW_OBJECT_STRUCT)
        return o->code == GW_OP_LOAD && flow_anywhere(l, op);
    const gw_value v = o->code == GW_OP_LOAD ? gw_result(f, op, 0) : gw_operand(f, op, o->operands - 1);
    if (!may_lead(f, v)) return false;
    if (o->code == GW_OP_STORE) {
        const bool first = l->texture[v] && !l->keeps[o->object];
        l->keeps[o->object] |= l->texture[v];
        return gw_buffers_add(&l->kept[o->object], &l->of[v]) || first;
    }
    const bool first = l->keeps[o->object] && !l->texture[v];
    l->texture[v] |= l->keeps[o->object];
    l->moved[v] = true;
    return gw_buffers_add(&l->of[v], &l->kept[o->object]) || first;
}

/* The number of an object leads where its memory does. */
static bool flow_texture(gw_leads *l, gw_op op) {
    const gw_value made = gw_result(l->f, op, 0);
    const bool first = !l->texture[made];
    l->texture[made] = l->moved[made] = true;
    return flow(l, made, gw_operand(l->f, op, 0)) || first;
}

static bool flow_op(gw_leads *l, gw_op op) {
    const gw_func *f = l->f;
    const gw_op_data *o = gw_op_at(f, op);
    bool grown = false;
    switch (o->code) {
    case GW_OP_CONST:
    case GW_OP_DEVICE: /* streams, events, what was begun with; and memory beside, which may be any */
        if (o->attr == GW_DEVICE_TEXTURE) return flow_texture(l, op);
        return o->attr == GW_DEVICE_BESIDE && flow_anywhere(l, op);
    case GW_OP_OFFSET:
        l->moved[gw_result(f, op, 0)] = true;
        return flow(l, gw_result(f, op, 0), gw_operand(f, op, 0));
    case GW_OP_CAST:
        return flow_cast(l, op);
    case GW_OP_DETACH:
        return flow(l, gw_result(f, op, 0), gw_operand(f, op, 0));
    case GW_OP_SELECT:
        grown = flow(l, gw_result(f, op, 0), gw_operand(f, op, 1));
        grown |= flow(l, gw_result(f, op, 0), gw_operand(f, op, 2));
        return grown;
    case GW_OP_IF:
        for (uint32_t i = 0; i < o->results; i++)
            for (uint32_t side = 0; side < 2; side++)
                grown |= flow(l, gw_result(f, op, i), gw_arm_value(f, op, side, i));
        return grown;
    case GW_OP_FOR:
    case GW_OP_WHILE:
        return flow_loop(l, op);
    case GW_OP_LOAD:
    case GW_OP_STORE:
        return flow_memory(l, op);
    default: {
        const bool is_number = o->results == 1 && !o->regions && gw_op_rows[o->code].effect == GW_EFFECT_PURE &&
                               !is_address(f, gw_result(f, op, 0));
        return is_number ? flow_number(l, op) : flow_anywhere(l, op);
    }
    }
}

/* One that a later iteration still has: carried there, or kept in an array or struct. */
static void find_many(gw_leads *l) {
    const gw_func *f = l->f;
    for (uint32_t b = 0; b < l->buffers.count; b++) {
        gw_op alloc = l->buffers.at[b].alloc;
        for (gw_op loop = alloc ? gw_loop_around(f, alloc) : 0; loop; loop = gw_loop_around(f, loop)) {
            bool *many = &l->buffers.at[b].is_many;
            for (uint32_t i = 0; i < gw_loop_carried(f, loop); i++)
                *many |= is_address(f, gw_loop_arg(f, loop, i)) &&
                         gw_buffers_have(&l->of[gw_loop_arg(f, loop, i)], b);
            for (gw_object o = 1; o < f->objects.count; o++)
                *many |= gw_buffers_have(&l->kept[o], b);
        }
    }
}

bool gw_leads_find(gw_leads *l, const gw_func *f) {
    *l = (gw_leads){.f = f,
                    .of = gw_alloc(f->values.count * sizeof *l->of),
                    .moved = gw_alloc(f->values.count * sizeof *l->moved),
                    .texture = gw_alloc(f->values.count * sizeof *l->texture),
                    .keeps = gw_alloc(f->objects.count * sizeof *l->keeps),
                    .kept = gw_alloc(f->objects.count * sizeof *l->kept)};
    make_buffers(l);
    if (l->buffers.count > GW_MOST_BUFFERS) return false;
    for (bool grown = true; grown;) {
        grown = false;
        for (gw_op op = gw_first(f, f->entry); op; op = gw_walk(f, op, f->entry))
            grown |= flow_op(l, op);
    }
    find_many(l);
    return true;
}

void gw_leads_free(gw_leads *l) {
    gw_vec_free(&l->buffers);
    free(l->of), free(l->moved), free(l->texture), free(l->keeps), free(l->kept);
}

/* ---- pointers that differ ---- */

/* The loop whose carried value v is, and which one. */
static gw_op carrier(const gw_func *f, gw_value v, uint32_t *which) {
    const gw_value_data *d = gw_value_at(f, v);
    const gw_op op = d->op ? d->op : gw_region_at(f, d->region)->parent;
    if (!op || !gw_is_loop(f, op)) return 0;
    const uint32_t first = d->op ? 0 : gw_loop_first_arg(f, op);
    if (d->index < first) return 0;
    *which = d->index - first;
    return op;
}

/* What a loop carries is supposed to differ in each iteration, and that is seen to hold: `supposed` are the
 * pairs, of one loop, by number. */
typedef struct supposition {
    const struct supposition *outer;
    gw_op loop;
    uint32_t i, k;
} supposition;

enum { SUPPOSED_MOST = 6 };

static bool differ(const gw_leads *l, gw_value a, gw_value b, const supposition *outer, int depth) {
    const gw_func *f = l->f;
    if (a == b) return false;
    if (!gw_buffers_meet(&l->of[a], &l->of[b])) return true;
    uint32_t i = 0, k = 0;
    const gw_op loop = carrier(f, a, &i), branch = gw_value_at(f, a)->op;
    if (depth == SUPPOSED_MOST) return false;
    if (loop && loop == carrier(f, b, &k)) {
        for (const supposition *s = outer; s; s = s->outer)
            if (s->loop == loop && ((s->i == i && s->k == k) || (s->i == k && s->k == i))) return true;
        const supposition s = {outer, loop, i, k};
        return differ(l, gw_loop_init(f, loop, i), gw_loop_init(f, loop, k), outer, depth + 1) &&
               differ(l, gw_loop_next(f, loop, i), gw_loop_next(f, loop, k), &s, depth + 1);
    }
    if (!branch || gw_op_at(f, branch)->code != GW_OP_IF || gw_value_at(f, b)->op != branch) return false;
    for (uint32_t side = 0; side < 2; side++)
        if (!differ(l, gw_arm_value(f, branch, side, gw_value_at(f, a)->index),
                    gw_arm_value(f, branch, side, gw_value_at(f, b)->index), outer, depth + 1))
            return false;
    return true;
}

bool gw_leads_differ(const gw_leads *l, gw_value a, gw_value b) { return differ(l, a, b, NULL, 0); }
