/*
 * promote.c - a memory cell that a loop updates is kept in a register: `C[i] += ...` in a loop over k
 * becomes a carried value, loaded before and stored after the loop.
 *
 * Requires: every access by one path to the object inside the loop has the index values of one store, all
 * defined outside of the loop, or never reaches its cell (gw_always_apart); and an access to the cell runs in
 * every iteration. Sound because no other name reaches the
 * cell (distinct objects and paths never overlap) and no other thread may touch a cell that this thread writes
 * (race-freedom of the primal). Where the source may not write the cell in the loop, or not run the loop, the
 * store after it is marked unsure, so that nobody takes it for a write of the source. The load before the loop
 * must not run where the loop runs zero times and the address might be invalid: then loop, load and store are
 * guarded by the loop's first condition. Where then each iteration writes the cell before it reads it, there is
 * no load: nobody would see its value, and of an array in shared memory nobody may have written the cell yet.
 */
#include "analysis/clean/clean.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/restructure.h"
#include "analysis/ir/optional.h"

#include <ctype.h>
#include <stdlib.h>

typedef struct cell {
    gw_func *f;
    gw_object object;
    gw_str path;
    gw_op sample;      /* one of the accesses, a store */
    bool same, stored, always, sure; /* sure: a store of the source runs in every iteration */
    gw_value_map map;  /* loads -> values */
} cell;

static void survey(cell *c, gw_region r, gw_region body) {
    const gw_region outer = gw_op_at(c->f, gw_region_at(c->f, body)->parent)->parent;
    for (gw_op op = gw_first(c->f, r); op; op = gw_walk(c->f, op, r)) {
        const gw_op_data *o = gw_op_at(c->f, op);
        bool access = o->code == GW_OP_LOAD || o->code == GW_OP_STORE;
        if (o->object == c->object && access && o->path == c->path) {
            const bool here = gw_same_address(c->f, c->sample, op);
            c->same &= here || gw_always_apart(c->f, outer, c->sample, op);
            c->stored |= here && o->code == GW_OP_STORE;
            c->always |= here && o->parent == body;
            c->sure |= here && o->parent == body && o->code == GW_OP_STORE && !(o->flags & GW_OP_UNSURE);
        } else if (o->object == c->object && !access) {
            c->same = false;
        }
    }
}

/* An access of the same address, or only a store that the source does, that certainly ran before `loop`. */
static bool dominated(const cell *c, gw_op loop, bool by_store) {
    for (gw_op at = loop; at; at = gw_op_around(c->f, at))
        for (gw_op op = gw_prev(c->f, at); op; op = gw_prev(c->f, op)) {
            const gw_op_data *o = gw_op_at(c->f, op);
            bool store = o->code == GW_OP_STORE && !(o->flags & GW_OP_UNSURE);
            bool access = by_store ? store : o->code == GW_OP_LOAD || o->code == GW_OP_STORE;
            if (access && o->object == c->object && gw_same_address(c->f, op, c->sample)) return true;
        }
    return false;
}

/* An access of that address runs whenever the loop has ended. Other threads of a kernel may store to what this
 * one reads. */
static bool is_followed(const cell *c, gw_op loop) {
    if (c->f->kind != GW_FUNC_HOST || gw_holds_stop(c->f, loop)) return false;
    for (gw_op op = gw_next(c->f, loop); op && !gw_holds_stop(c->f, op); op = gw_next(c->f, op)) {
        const gw_op_data *o = gw_op_at(c->f, op);
        if (o->regions) return false;
        if ((o->code == GW_OP_LOAD || o->code == GW_OP_STORE) && o->object == c->object &&
            gw_same_address(c->f, op, c->sample))
            return true;
    }
    return false;
}

/* C[i] becomes C_i, C[1][2] C_1_2, p.x[1] p_x_1, any other cell of C C_cell. */
static void name_cell(const cell *c, gw_value v) {
    gw_func *f = c->f;
    gw_session *s = f->session;
    gw_text text = {0};
    int64_t number;
    bool told = true;
    if (gw_value_at(f, v)->name || !gw_object_at(f, c->object)->name) return;
    gw_text_add(&text, gw_cstr(s, gw_object_at(f, c->object)->name));
    for (const char *at = c->path ? gw_cstr(s, c->path) : ""; *at; at++)
        if (*at != '[' && *at != ']') gw_text_add_char(&text, isalnum((unsigned char)*at) ? *at : '_');
    for (uint32_t i = 0, n = gw_index_count(f, c->sample); i < n && told; i++) {
        gw_str index = n == 1 ? gw_value_at(f, gw_operand(f, c->sample, 0))->name : 0;
        told = index || gw_const_int(f, gw_operand(f, c->sample, i), &number);
        if (index) gw_text_addf(&text, "_%s", gw_cstr(s, index));
        else if (told) gw_text_addf(&text, "_%lld", (long long)number);
    }
    if (!told) gw_text_add(&text, "_cell");
    gw_value_at(f, v)->name = gw_intern(s, text.at);
    gw_text_free(&text);
}

static gw_value rewrite(cell *c, gw_region r, gw_value current);

static gw_value rewrite_branch(cell *c, gw_op op, gw_value current) {
    gw_value sides[2];
    for (uint32_t i = 0; i < 2; i++) sides[i] = rewrite(c, gw_op_at(c->f, op)->region[i], current);
    if (sides[0] == current && sides[1] == current) return current;
    gw_op made = gw_if_rebuild(c->f, op, NULL, &sides[0], &sides[1], 1);
    name_cell(c, gw_result(c->f, made, gw_op_at(c->f, made)->results - 1));
    return gw_result(c->f, made, gw_op_at(c->f, made)->results - 1);
}

static bool holds_store(const cell *c, gw_op op) {
    for (gw_op in = op; in; in = gw_walk_op(c->f, in, op)) {
        const gw_op_data *o = gw_op_at(c->f, in);
        if (o->code == GW_OP_STORE && o->object == c->object && o->path == c->path &&
            gw_same_address(c->f, c->sample, in))
            return true;
    }
    return false;
}

static gw_value rewrite_loop(cell *c, gw_op op, gw_value current) {
    gw_func *f = c->f;
    if (!holds_store(c, op)) {
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++) rewrite(c, gw_op_at(f, op)->region[i], current);
        return current;
    }
    gw_op made = gw_loop_rebuild(f, op, NULL, &current, 1);
    gw_region body = gw_loop_body(f, made);
    name_cell(c, gw_result(f, made, gw_op_at(f, made)->results - 1));
    name_cell(c, gw_arg(f, body, gw_region_at(f, body)->args - 1));
    if (gw_op_at(f, made)->code == GW_OP_WHILE) {
        gw_region condition = gw_op_at(f, made)->region[0];
        name_cell(c, gw_arg(f, condition, gw_region_at(f, condition)->args - 1));
        rewrite(c, condition, gw_arg(f, condition, gw_region_at(f, condition)->args - 1));
    }
    gw_value last = rewrite(c, body, gw_arg(f, body, gw_region_at(f, body)->args - 1));
    gw_op end = gw_region_end(f, body);
    gw_set_operand(f, end, gw_op_at(f, end)->operands - 1, last);
    return gw_result(f, made, gw_op_at(f, made)->results - 1);
}

/* Replaces the accesses in region r; returns the cell's value at its end. */
static gw_value rewrite(cell *c, gw_region r, gw_value current) {
    gw_func *f = c->f;
    for (gw_op op = gw_first(f, r), next; op; op = next) {
        next = gw_next(f, op);
        const gw_op_data *o = gw_op_at(f, op);
        bool here = o->object == c->object && o->path == c->path && o->code != GW_OP_DECLARE &&
                    gw_same_address(f, c->sample, op);
        if (here && o->code == GW_OP_LOAD) {
            gw_map_set(&c->map, gw_result(f, op, 0), current);
            gw_op_remove(f, op);
        } else if (here && o->code == GW_OP_STORE) {
            current = gw_operand(f, op, o->operands - 1);
            gw_op_remove(f, op);
        } else if (o->code == GW_OP_IF && gw_touches(f, op, c->object, GW_TOUCH_READ | GW_TOUCH_WRITE)) {
            current = rewrite_branch(c, op, current);
        } else if (gw_is_loop(f, op) && gw_touches(f, op, c->object, GW_TOUCH_READ | GW_TOUCH_WRITE)) {
            current = rewrite_loop(c, op, current);
        }
    }
    return current;
}

void gw_replace_cell(gw_func *f, gw_op sample, gw_region r, gw_value initial) {
    const gw_op_data *o = gw_op_at(f, sample);
    cell c = {.f = f, .object = o->object, .path = o->path, .sample = sample};
    rewrite(&c, r, initial);
    gw_replace_many(f, &c.map);
    gw_map_free(&c.map);
}

/* Condition under which the loop runs at least once, at the builder's place. */
static gw_value first_condition(gw_builder *b, gw_op loop) {
    gw_func *f = b->f;
    if (gw_op_at(f, loop)->code == GW_OP_FOR)
        return gw_binary(b, (gw_opcode)gw_op_at(f, loop)->attr, gw_operand(f, loop, 0), gw_operand(f, loop, 1));
    gw_region condition = gw_op_at(f, loop)->region[0];
    gw_cloner c = {.from = f, .to = b};
    for (uint32_t i = 0; i < gw_region_at(f, condition)->args; i++)
        gw_map_set(&c.values, gw_arg(f, condition, i), gw_operand(f, loop, i));
    gw_clone_region_body(&c, condition);
    gw_value v = gw_clone_value(&c, gw_yielded(f, condition, 0));
    gw_map_free(&c.values);
    gw_map_free(&c.objects);
    return v;
}

/* Puts the loop into `if (it runs at all)`; results are the loop's or its initial values. */
void gw_guard_loop(gw_func *f, gw_op loop) {
    gw_builder b = {f, gw_op_at(f, loop)->parent, loop, gw_op_at(f, loop)->loc};
    gw_value condition = first_condition(&b, loop);
    gw_op guard = gw_emit(&b, GW_OP_IF, GW_T_VOID, 0, &condition, 1);
    uint32_t n = gw_op_at(f, loop)->results, first = gw_loop_first_init(f, loop);
    gw_value_map map = {0};
    for (uint32_t i = 0; i < n; i++) {
        gw_value_data d = *gw_value_at(f, gw_result(f, loop, i));
        gw_map_set(&map, gw_result(f, loop, i), gw_op_add_result(f, guard, d.type, d.name));
    }
    gw_region sides[2] = {gw_region_new(f, guard), gw_region_new(f, guard)};
    gw_replace_many(f, &map);
    gw_map_free(&map);
    gw_op_move(f, loop, sides[0], 0);
    GW_VEC(gw_value) out = {0}, in = {0};
    for (uint32_t i = 0; i < n; i++) {
        gw_push(&out, gw_result(f, loop, i));
        gw_push(&in, gw_operand(f, loop, first + i));
    }
    gw_yield(&(gw_builder){f, sides[0], 0, b.loc}, out.at, n);
    gw_yield(&(gw_builder){f, sides[1], 0, b.loc}, in.at, n);
    gw_vec_free(&out);
    gw_vec_free(&in);
}

static bool reads_object(const cell *c, gw_region r) {
    for (gw_op op = gw_first(c->f, r); op; op = gw_next(c->f, op))
        if (gw_touches(c->f, op, c->object, GW_TOUCH_READ)) return true;
    return false;
}

/* Each iteration stores to the cell before anything reads it. */
static bool stored_first(const cell *c, gw_op loop) {
    const gw_func *f = c->f;
    if (gw_op_at(f, loop)->code == GW_OP_WHILE && reads_object(c, gw_op_at(f, loop)->region[0])) return false;
    for (gw_op op = gw_first(f, gw_loop_body(f, loop)); op; op = gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->code == GW_OP_STORE && o->object == c->object && gw_same_address(f, op, c->sample) &&
            !(o->flags & GW_OP_UNSURE))
            return true;
        if (gw_touches(f, op, c->object, GW_TOUCH_READ)) return false;
    }
    return false;
}

/* What the loop makes of values from outside of it. An access of that address runs in the first iteration. */
static void move_before(gw_func *f, gw_value v, gw_op loop) {
    const gw_op op = gw_value_at(f, v)->op;
    if (gw_value_visible(f, v, gw_op_at(f, loop)->parent)) return;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++) move_before(f, gw_operand(f, op, i), loop);
    gw_op_move(f, op, gw_op_at(f, loop)->parent, loop);
}

static bool promote(cell *c, gw_op loop) {
    gw_func *f = c->f;
    const gw_op_data sample = *gw_op_at(f, c->sample);
    uint32_t n = gw_index_count(f, c->sample);
    bool guarded = !dominated(c, loop, false) && !is_followed(c, loop);
    bool unseen = guarded && stored_first(c, loop);
    if (guarded) gw_guard_loop(f, loop);
    else c->sure &= gw_runs_for_sure(f, loop) || dominated(c, loop, true);
    gw_value idx[8];
    for (uint32_t i = 0; i < n; i++) {
        idx[i] = gw_operand(f, c->sample, i);
        move_before(f, idx[i], loop);
    }
    gw_builder b = {f, gw_op_at(f, loop)->parent, loop, sample.loc};
    gw_type type = gw_cell_type(f, sample.object, sample.path);
    gw_value zero = gw_type_is_float(type) ? gw_real(&b, type, 0) : gw_int(&b, type, 0);
    gw_value current = unseen ? zero : gw_load(&b, sample.object, sample.path, idx, n);
    name_cell(c, current);
    b.before = gw_op_at(f, loop)->next;
    gw_value last = rewrite_loop(c, loop, current);
    gw_op store = gw_store(&b, sample.object, sample.path, idx, n, last);
    if (!c->sure) gw_op_at(f, store)->flags |= GW_OP_UNSURE;
    gw_replace_many(f, &c->map);
    gw_map_free(&c->map);
    return true;
}

static bool try_cell(gw_func *f, gw_op loop, gw_op sample) {
    const gw_object o = gw_op_at(f, sample)->object;
    /* others see the cell there */
    if (!gw_object_is_private(gw_object_at(f, o)->kind) && gw_holds_barrier(f, loop)) return false;
    cell c = {.f = f, .object = o, .path = gw_op_at(f, sample)->path, .sample = sample, .same = true};
    gw_region body = gw_loop_body(f, loop);
    for (uint32_t i = 0; i < gw_op_at(f, loop)->regions; i++) survey(&c, gw_op_at(f, loop)->region[i], body);
    if (!c.same || !c.stored || !c.always || gw_index_count(f, c.sample) > 8) return false;
    /* another thread's, and derivatives store to it */
    if (gw_object_at(f, o)->kind == GW_OBJECT_SHARED && !c.sure) return false;
    return gw_takes(f->session, GW_OPTIONAL_PROMOTE) && promote(&c, loop);
}

static bool is_of_one_cell(const gw_func *f, gw_op store, gw_region outside) {
    for (uint32_t i = 0; i < gw_index_count(f, store); i++)
        if (!gw_value_invariant(f, gw_operand(f, store, i), outside)) return false;
    return true;
}

static bool visit_loop(gw_func *f, gw_op loop) {
    const gw_region body = gw_loop_body(f, loop), outside = gw_op_at(f, loop)->parent;
    for (gw_op op = gw_first(f, body); op; op = gw_walk(f, op, body))
        if (gw_op_at(f, op)->code == GW_OP_STORE && is_of_one_cell(f, op, outside) && try_cell(f, loop, op))
            return true;
    return false;
}

/* Innermost loops first; one promotion a call, since it changes the loops' ops. */
static bool walk(gw_func *f, gw_region r) {
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++)
            if (walk(f, gw_op_at(f, op)->region[i])) return true;
        if (gw_is_loop(f, op) && visit_loop(f, op)) return true;
    }
    return false;
}

bool gw_promote_cells(gw_func *f) { return walk(f, f->entry); }
