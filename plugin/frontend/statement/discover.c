/*
 * frontend/statement/discover.c - the trial of a loop: what it sets, stores, and whether it exits or counts.
 *
 * The body is lowered once into a region that is thrown away, with every slot replaced by an unknown. What the
 * trial changed is what the loop carries. The trial is undone completely: arrays of the function, slots, scopes
 * and logs get their old lengths. Loops are numbered in the order of lowering, which is the same in the trial
 * and for good, so an inner loop is tried once for each loop around it and not once for each lowering.
 *
 * A pointer's target is known at compile time, so it must hold for every iteration: if the body leads one to
 * more objects than it was tried with, the loop is tried again with all of them, until nothing is added.
 */
#include "plugin/frontend/statement/statement.h"

#include <stdlib.h>
#include <string.h>

typedef struct snapshot {
    uint32_t objects, ops, values, regions, operands;
    uint32_t slots, journal, pointers, candidates, bindings, exits, lists, frames, stores, globals, loop_next;
    uint32_t extents, devices, sites;
    bool dead, stopped;
    gw_region region;
    gw_loc loc;
} snapshot;

static snapshot take(const gw_lowering *L) {
    const gw_func *f = L->f;
    return (snapshot){.objects = f->objects.count,
                      .ops = f->ops.count,
                      .values = f->values.count,
                      .regions = f->regions.count,
                      .operands = f->operands.count,
                      .slots = L->slots.count,
                      .journal = L->journal.count,
                      .pointers = L->pointers.count,
                      .candidates = L->candidates.count,
                      .bindings = L->bindings.count,
                      .exits = L->exits.count,
                      .lists = L->lists.count,
                      .frames = L->frames.count,
                      .stores = L->stores.count,
                      .globals = L->globals.count,
                      .loop_next = L->loop_next,
                      .extents = L->extents.count,
                      .devices = L->devices.count,
                      .sites = L->sites.count,
                      .dead = L->dead,
                      .stopped = L->stopped,
                      .region = L->b.region,
                      .loc = L->b.loc};
}

static void restore(gw_lowering *L, const snapshot *s) {
    gw_func *f = L->f;
    f->objects.count = s->objects, f->ops.count = s->ops, f->values.count = s->values;
    f->regions.count = s->regions, f->operands.count = s->operands;
    L->slots.count = s->slots;
    gw_front_slot_rollback(L, s->journal);
    L->pointers.count = s->pointers, L->candidates.count = s->candidates;
    L->bindings.count = s->bindings, L->exits.count = s->exits;
    L->lists.count = s->lists, L->frames.count = s->frames, L->stores.count = s->stores;
    L->extents.count = s->extents, L->devices.count = s->devices;
    L->sites.count = s->sites;
    L->globals.count = s->globals, L->loop_next = s->loop_next;
    L->dead = s->dead, L->stopped = s->stopped, L->b.region = s->region, L->b.loc = s->loc;
}

static gw_value unknown(gw_lowering *L, gw_trial *t, gw_type type, uint32_t slot, uint32_t index) {
    gw_value v = gw_region_arg(L->f, L->b.region, type, 0);
    if (!t->args.count) t->first_arg = v;
    gw_push(&t->args, ((gw_trial_arg){slot, index}));
    return v;
}

/* What the slot may lead to at the begin of an iteration: where it leads before the loop, and where earlier
 * trials led it. */
static void targets_of(gw_lowering *L, uint32_t slot, const gw_discovery *known, gw_targets *out) {
    gw_slot_data s = L->slots.at[slot];
    if (s.kind != GW_SLOT_POINTER) return;
    gw_place p = s.value ? L->pointers.at[s.value] : (gw_place){0};
    gw_front_targets_add(L, out, &p);
    for (uint32_t i = 0; known && i < known->sets.count; i++) {
        if (known->sets.at[i].slot != slot) continue;
        out->torn |= known->targets.at[i].torn;
        for (uint32_t k = 0; k < known->targets.at[i].count; k++)
            gw_front_targets_add(L, out, &known->targets.at[i].at[k]);
    }
}

static void forget_choice(gw_lowering *L, gw_trial *t, uint32_t slot, const gw_targets *targets) {
    uint32_t width = gw_front_targets_width(targets);
    gw_value *values = gw_alloc((width + 1) * sizeof *values);
    for (uint32_t k = 0; k < width; k++) {
        bool selector = !k && targets->count > 1;
        values[k] = unknown(L, t, selector ? GW_T_I32 : GW_T_I64, slot, GW_OF_CHOICE);
    }
    gw_front_slot_set(L, slot, gw_front_pointer_new(L, gw_front_targets_place(L, targets, values)));
    free(values);
}

static void forget_pointer(gw_lowering *L, gw_trial *t, uint32_t slot, const gw_discovery *known) {
    gw_targets targets = {0};
    targets_of(L, slot, known, &targets);
    uint32_t number = L->slots.at[slot].value;
    gw_place p = number ? L->pointers.at[number] : (gw_place){0};
    if (targets.torn || targets.count > 1 || (!p.kind && targets.count)) {
        forget_choice(L, t, slot, &targets);
    } else if (number) {
        for (uint32_t k = 0; k < p.count && p.kind == GW_PLACE_MEMORY; k++) {
            gw_type type = gw_typeof(L->f, p.index[k]);
            if (k + 1 == p.count && type != GW_T_ADDRESS) type = GW_T_I64;
            p.index[k] = unknown(L, t, type, slot, k);
        }
        gw_front_slot_set(L, slot, gw_front_pointer_new(L, p));
    }
    gw_front_targets_free(&targets);
}

static void forget_slots(gw_lowering *L, gw_trial *t, const gw_discovery *known) {
    for (uint32_t i = 0; i < L->slots.count; i++) {
        gw_slot_data s = L->slots.at[i];
        if (s.kind == GW_SLOT_POINTER)
            forget_pointer(L, t, i, known);
        else if (s.kind == GW_SLOT_SCALAR && s.value)
            gw_front_slot_set(L, i, unknown(L, t, s.type, i, UINT32_MAX));
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

/* Variables that the trial made are gone after it: what leads to one may not be followed from the next
 * iteration on, which the source does not do either. File-scope variables stay, but have no object before the
 * trial. */
static bool outlives(gw_lowering *L, const gw_trial *t, const gw_place *p, bool *is_global) {
    if (p->kind == GW_PLACE_SLOTS) return p->slot < t->first_slot;
    *is_global = p->kind == GW_PLACE_MEMORY && p->object >= t->first_object &&
                 (gw_object_at(L->f, p->object)->kind == GW_OBJECT_GLOBAL ||
                  gw_object_at(L->f, p->object)->kind == GW_OBJECT_SHARED);
    return p->kind != GW_PLACE_MEMORY || p->object < t->first_object;
}

static void keep_targets(gw_lowering *L, const gw_trial *t, gw_discovery *d) {
    for (uint32_t i = 0; i < d->sets.count; i++) {
        const gw_slot_data *s = &L->slots.at[d->sets.at[i].slot];
        gw_targets all = {0}, kept = {0};
        gw_place p = {0};
        if (s->kind == GW_SLOT_POINTER && s->value) p = L->pointers.at[s->value];
        gw_front_targets_add(L, &all, &p);
        kept.torn = all.torn;
        for (uint32_t k = 0; k < all.count; k++) {
            bool is_global = false;
            if (outlives(L, t, &all.at[k], &is_global)) gw_front_targets_add(L, &kept, &all.at[k]);
            kept.torn |= is_global;
        }
        for (uint32_t k = 0; k < kept.count; k++) /* values of the trial are gone */
            memset(kept.at[k].index, 0, sizeof kept.at[k].index);
        gw_push(&d->targets, kept);
        gw_front_targets_free(&all);
    }
}

static void try_increment(gw_lowering *L, const gw_loop *loop, gw_trial *t, uint32_t limit) {
    uint32_t journal = L->journal.count, stores = L->stores.count;
    gw_op first = L->f->ops.count;
    gw_front_loop_increment(L, loop);
    gw_front_slot_changes(L, journal, limit, &t->increment_sets);
    t->increment_acts = L->stores.count != stores || calls_or_loops(L, first);
}

static void try_loop(gw_lowering *L, const gw_loop *loop, gw_trial *t, gw_discovery *d,
                     const gw_discovery *known) {
    uint32_t limit = L->slots.count;
    L->b.region = gw_region_new(L->f, 0);
    forget_slots(L, t, known);
    uint32_t mark = L->journal.count;
    gw_front_exit_open(L, loop->list ? GW_EXIT_DONE : GW_EXIT_BREAK);
    gw_push(&L->lists, true);
    if (!loop->test_last) try_condition(L, loop, t, d);
    gw_front_loop_body(L, loop);
    d->exits = any_exit(L);
    L->dead = L->stopped = false;
    if (loop->test_last) try_condition(L, loop, t, d);
    try_increment(L, loop, t, limit);
    gw_front_slot_changes(L, mark, limit, &d->sets);
    keep_targets(L, t, d);
    bool may_count = !loop->test_last && (d->pure_condition || d->steps_in_condition);
    if (may_count && !L->failed) gw_front_counter_find(L, t, d);
}

static gw_discovery *try_once(gw_lowering *L, const gw_loop *loop, const gw_discovery *known) {
    gw_discovery *d = gw_alloc(sizeof *d);
    snapshot s = take(L);
    gw_trial t = {.first_value = L->f->values.count, .first_object = L->f->objects.count};
    t.first_slot = L->slots.count;
    t.first_store = L->stores.count;
    d->loop = loop->statement;
    gw_value around = L->trial_values;
    if (!around) L->trial_values = t.first_value;
    try_loop(L, loop, &t, d, known);
    L->trial_values = around;
    restore(L, &s);
    gw_vec_free(&t.args);
    gw_vec_free(&t.increment_sets);
    return d;
}

/* Whether d leads some pointer to where the trial that made it did not begin. */
static bool grew(gw_lowering *L, const gw_discovery *d, const gw_discovery *known) {
    bool more = false;
    for (uint32_t i = 0; i < d->sets.count && !more; i++) {
        gw_targets begin = {0};
        targets_of(L, d->sets.at[i].slot, known, &begin);
        uint32_t count = begin.count;
        bool torn = begin.torn;
        for (uint32_t k = 0; k < d->targets.at[i].count; k++)
            gw_front_targets_add(L, &begin, &d->targets.at[i].at[k]);
        more = begin.count > count || (!torn && d->targets.at[i].torn);
        gw_front_targets_free(&begin);
    }
    return more;
}

/* The targets of `known` are part of those of d, so that trials only add. */
static void merge_targets(gw_lowering *L, gw_discovery *d, const gw_discovery *known) {
    for (uint32_t i = 0; known && i < d->sets.count; i++)
        for (uint32_t k = 0; k < known->sets.count; k++) {
            if (known->sets.at[k].slot != d->sets.at[i].slot) continue;
            d->targets.at[i].torn |= known->targets.at[k].torn;
            for (uint32_t n = 0; n < known->targets.at[k].count; n++)
                gw_front_targets_add(L, &d->targets.at[i], &known->targets.at[k].at[n]);
        }
}

static gw_discovery *discover(gw_lowering *L, const gw_loop *loop) {
    gw_discovery *known = NULL;
    for (;;) {
        gw_discovery *d = try_once(L, loop, known);
        merge_targets(L, d, known);
        bool again = !L->failed && !L->refused && grew(L, d, known);
        gw_front_discovery_free(known);
        if (!again) return d;
        known = d;
    }
}

static uint64_t mix(uint64_t sign, uint64_t x) { return (sign ^ x) * 1099511628211u; }

/* All of a place but its indices. */
static uint64_t sign_place(const gw_lowering *L, uint64_t sign, const gw_place *p) {
    bool choice = p->kind == GW_PLACE_CHOICE;
    const uint64_t parts[] = {p->kind,   p->shape, p->most, p->view, p->view_from, choice ? 0 : p->slot,
                              p->object, p->path,  p->count, p->cell, p->numbers_of, p->upper};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        sign = mix(sign, parts[i]);
    for (uint32_t i = 0; choice && i < p->count; i++)
        sign = sign_place(L, sign, &L->candidates.at[p->slot + i]);
    return sign;
}

/* Kinds and names of the objects that are there, and what stands for names and pointers: of a function that is
 * inlined twice, a loop sets other variables each time. */
static uint64_t sign_state(const gw_lowering *L) {
    uint64_t sign = L->f->objects.count;
    for (uint32_t i = 1; i < L->f->objects.count; i++)
        sign = mix(sign, L->f->objects.at[i].name ^ ((uint64_t)L->f->objects.at[i].kind << 32));
    for (uint32_t i = 0; i < L->bindings.count; i++)
        sign = sign_place(L, sign, &L->bindings.at[i].place);
    for (uint32_t i = 0; i < L->frames.count; i++)
        sign = sign_place(L, sign_place(L, sign, &L->frames.at[i].self), &L->frames.at[i].result);
    for (uint32_t i = 0; i < L->slots.count; i++) {
        const gw_slot_data *s = &L->slots.at[i];
        if (s->kind == GW_SLOT_POINTER && s->value)
            sign = sign_place(L, mix(sign, i), &L->pointers.at[s->value]);
    }
    return sign;
}

void gw_front_discovery_free(gw_discovery *d) {
    if (!d) return;
    gw_vec_free(&d->sets);
    for (uint32_t i = 0; i < d->targets.count; i++)
        gw_front_targets_free(&d->targets.at[i]);
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
    uint64_t state = sign_state(L);
    const bool is_same = known && !L->refused && !known->borrows && known->slots == slots;
    if (is_same && clang_equalCursors(known->loop, loop->statement) && known->state == state)
        return known;
    gw_discovery *d = discover(L, loop);
    d->slots = slots;
    d->state = state;
    gw_front_discovery_free(L->loops.at[number]);
    L->loops.at[number] = d;
    return d;
}
