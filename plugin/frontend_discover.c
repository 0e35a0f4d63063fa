/*
 * frontend_discover.c - the trial of a loop: what it sets, stores, and whether it exits or counts.
 *
 * The body is lowered once into a region that is thrown away, with every slot replaced by an unknown. What the
 * trial changed is what the loop carries. The trial is undone completely: arrays of the function, slots, scopes
 * and logs get their old lengths. Loops are numbered in the order of lowering, which is the same in the trial
 * and for good, so an inner loop is tried once for each loop around it and not once for each lowering.
 */
#include "frontend_lower.h"

typedef struct snapshot {
    uint32_t objects, ops, values, regions, operands;
    uint32_t slots, journal, pointers, bindings, exits, lists, frames, stores, globals, loop_next;
    bool dead;
    gw_region region;
    gw_loc loc;
} snapshot;

static snapshot take(const gw_lowering *L) {
    const gw_func *f = L->f;
    return (snapshot){f->objects.count,  f->ops.count,     f->values.count,  f->regions.count,
                      f->operands.count, L->slots.count,   L->journal.count, L->pointers.count,
                      L->bindings.count, L->exits.count,   L->lists.count,   L->frames.count,
                      L->stores.count,   L->globals.count, L->loop_next,     L->dead,
                      L->b.region,       L->b.loc};
}

static void restore(gw_lowering *L, const snapshot *s) {
    gw_func *f = L->f;
    f->objects.count = s->objects, f->ops.count = s->ops, f->values.count = s->values;
    f->regions.count = s->regions, f->operands.count = s->operands;
    L->slots.count = s->slots;
    gw_front_slot_rollback(L, s->journal);
    L->pointers.count = s->pointers, L->bindings.count = s->bindings, L->exits.count = s->exits;
    L->lists.count = s->lists, L->frames.count = s->frames, L->stores.count = s->stores;
    L->globals.count = s->globals, L->loop_next = s->loop_next;
    L->dead = s->dead, L->b.region = s->region, L->b.loc = s->loc;
}

static gw_value unknown(gw_lowering *L, gw_trial *t, gw_type type, uint32_t slot, uint32_t index) {
    gw_value v = gw_region_arg(L->f, L->b.region, type, 0);
    if (!t->args.count) t->first_arg = v;
    gw_push(&t->args, ((gw_trial_arg){slot, index}));
    return v;
}

static void forget_slots(gw_lowering *L, gw_trial *t) {
    for (uint32_t i = 0; i < L->slots.count; i++) {
        gw_slot_data s = L->slots.at[i];
        if (!s.value || s.kind == GW_SLOT_EXIT) continue;
        if (s.kind == GW_SLOT_SCALAR) {
            gw_front_slot_set(L, i, unknown(L, t, s.type, i, UINT32_MAX));
            continue;
        }
        gw_place p = L->pointers.at[s.value];
        for (uint32_t k = 0; k < p.count && p.kind == GW_PLACE_MEMORY; k++) {
            gw_type type = k + 1 < p.count ? gw_typeof(L->f, p.index[k]) : GW_T_I64;
            p.index[k] = unknown(L, t, type, i, k);
        }
        gw_front_slot_set(L, i, gw_front_pointer_new(L, p));
    }
}

static bool any_exit(const gw_lowering *L) {
    for (uint32_t i = 0; i < L->exits.count; i++)
        if (gw_front_exit_may(L, L->exits.at[i].slot)) return true;
    return false;
}

/* A condition region holds no calls and no loops. */
static bool calls_or_loops(const gw_lowering *L, gw_op from) {
    for (gw_op op = from; op < L->f->ops.count; op++) {
        uint16_t code = L->f->ops.at[op].code;
        if (code == GW_OP_CALL || code == GW_OP_FOR || code == GW_OP_WHILE) return true;
    }
    return false;
}

static void try_condition(gw_lowering *L, const gw_loop *loop, gw_trial *t, gw_discovery *d) {
    uint32_t journal = L->journal.count, stores = L->stores.count, objects = L->f->objects.count;
    uint32_t slots = L->slots.count;
    gw_op first = L->f->ops.count;
    gw_slot_changes set = {0};
    t->condition = gw_front_loop_condition(L, loop);
    gw_front_slot_changes(L, journal, slots, &set);
    bool locals = false;
    for (uint32_t i = objects; i < L->f->objects.count; i++)
        locals |= L->f->objects.at[i].kind == GW_OBJECT_LOCAL;
    bool quiet = L->stores.count == stores && !locals && !calls_or_loops(L, first) &&
                 (loop->over_range || clang_Cursor_isNull(loop->variable));
    d->pure_condition = quiet && !set.count;
    d->steps_in_condition = quiet && set.count == 1 && L->slots.at[set.at[0].slot].kind == GW_SLOT_SCALAR;
    if (d->steps_in_condition) d->counter = set.at[0].slot;
    gw_vec_free(&set);
}

/* Objects that the trial made are gone afterwards: a pointer to one cannot be followed out of the loop. */
static void keep_targets(gw_lowering *L, const gw_trial *t, gw_discovery *d) {
    for (uint32_t i = 0; i < d->sets.count; i++) {
        const gw_slot_data *s = &L->slots.at[d->sets.at[i].slot];
        gw_place p = {0};
        if (s->kind == GW_SLOT_POINTER && s->value) p = L->pointers.at[s->value];
        if (p.kind == GW_PLACE_MEMORY && p.object >= t->first_object) p = (gw_place){.kind = GW_PLACE_TORN};
        for (uint32_t k = 0; k < p.count; k++)
            p.index[k] = 0;
        gw_push(&d->targets, p);
    }
}

static void try_loop(gw_lowering *L, const gw_loop *loop, gw_trial *t, gw_discovery *d) {
    uint32_t limit = L->slots.count;
    L->b.region = gw_region_new(L->f, 0);
    forget_slots(L, t);
    uint32_t mark = L->journal.count;
    gw_front_exit_open(L, GW_EXIT_BREAK);
    gw_push(&L->lists, true);
    if (!loop->test_last) try_condition(L, loop, t, d);
    uint32_t tested = L->journal.count;
    gw_front_loop_body(L, loop);
    gw_front_slot_changes(L, tested, limit, &t->body_sets);
    d->exits = any_exit(L);
    L->dead = false;
    if (loop->test_last) try_condition(L, loop, t, d);
    gw_front_loop_increment(L, loop);
    gw_front_slot_changes(L, mark, limit, &d->sets);
    keep_targets(L, t, d);
    bool may_count = !loop->test_last && (d->pure_condition || d->steps_in_condition);
    if (may_count && !L->failed) gw_front_counter_find(L, t, d);
}

static gw_discovery *discover(gw_lowering *L, const gw_loop *loop) {
    gw_discovery *d = gw_alloc(sizeof *d);
    snapshot s = take(L);
    gw_trial t = {.first_value = L->f->values.count, .first_object = L->f->objects.count};
    t.first_store = L->stores.count;
    d->loop = loop->statement;
    try_loop(L, loop, &t, d);
    restore(L, &s);
    gw_vec_free(&t.args);
    gw_vec_free(&t.body_sets);
    return d;
}

/* Kinds and names of the objects that are there. */
static uint64_t sign_objects(const gw_lowering *L) {
    uint64_t sign = L->f->objects.count;
    for (uint32_t i = 1; i < L->f->objects.count; i++)
        sign = (sign ^ L->f->objects.at[i].name ^ ((uint64_t)L->f->objects.at[i].kind << 32)) * 1099511628211u;
    return sign;
}

void gw_front_discovery_free(gw_discovery *d) {
    if (!d) return;
    gw_vec_free(&d->sets);
    gw_vec_free(&d->targets);
    gw_vec_free(&d->nodes);
    free(d);
}

gw_discovery *gw_front_discover(gw_lowering *L, const gw_loop *loop) {
    uint32_t number = L->loop_next++;
    while (L->loops.count <= number)
        gw_push(&L->loops, NULL);
    gw_discovery *known = L->loops.at[number];
    uint32_t slots = L->slots.count;
    uint64_t objects = sign_objects(L);
    if (known && clang_equalCursors(known->loop, loop->statement) && known->slots == slots &&
        known->objects == objects)
        return known;
    gw_discovery *d = discover(L, loop);
    d->slots = slots;
    d->objects = objects;
    gw_front_discovery_free(L->loops.at[number]);
    L->loops.at[number] = d;
    return d;
}
