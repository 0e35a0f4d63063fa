/*
 * adjoint/state.c - the tape's slots, and local objects (arrays of the thread) whose contents the repeated
 * part of a reverse sweep needs as they were.
 *
 * When the reverse of a loop or branch X starts, local memory is as the forward sweep of the enclosing
 * region left it. X is run again from there, so an object that X reads must hold what it held when X
 * began: nothing is to do if nobody stores to it in X or later; if X is a loop that stores to it, its cells
 * are taped at the start of each iteration; otherwise it is copied before X and copied back. All this is asked
 * of each member by itself, for accesses by different paths reach different cells.
 */
#include "analysis/facts/facts.h"
#include "rewriters/adjoint/adjoint_private.h"

#include <stdlib.h>
#include <string.h>

gw_type gw_adjoint_slot_type(gw_type t) {
    t = gw_type_of_value(t);
    if (gw_type_is_float(t) || gw_type_bits(t) >= 32) return t;
    return gw_type_is_signed(t) ? GW_T_I32 : GW_T_U32;
}

gw_object gw_adjoint_slot(gw_adjoint *a, gw_str name, gw_type type) {
    gw_session *s = a->f->session;
    char *text = gw_format("tape_%s", name ? gw_cstr(s, name) : "value");
    gw_object slot = gw_object_new(a->f, GW_OBJECT_TAPE, gw_intern(s, text), gw_adjoint_slot_type(type));
    free(text);
    return slot;
}

void gw_adjoint_push(gw_adjoint *a, gw_builder *b, gw_object slot, gw_value v) {
    gw_value stored = gw_cast(b, gw_object_at(a->f, slot)->type, v);
    gw_op op = gw_emit(b, GW_OP_PUSH, GW_T_VOID, 0, &stored, 1);
    gw_op_at(a->f, op)->object = slot;
}

gw_value gw_adjoint_pop(gw_adjoint *a, gw_builder *b, gw_object slot, gw_type type, gw_str name) {
    gw_op op = gw_emit(b, GW_OP_POP, gw_object_at(a->f, slot)->type, 1, NULL, 0);
    gw_op_at(a->f, op)->object = slot;
    gw_value v = gw_cast(b, type, gw_result(a->f, op, 0));
    gw_value_at(a->f, v)->name = name;
    return v;
}

/* ---- which members ---- */
/* As gw_touches asks of the whole object. */
static bool touches_path(const gw_func *p, gw_op op, gw_object o, gw_str path, unsigned touch) {
    const gw_op_data *d = gw_op_at(p, op);
    bool holds = d->regions || d->code == GW_OP_CALL;
    if (!holds)
        return d->object == o && gw_touches(p, op, o, touch) && gw_paths_meet(p->session, d->path, path);
    for (uint32_t i = 0; d->code == GW_OP_CALL && i < d->operands; i++) {
        gw_op address = gw_operand_address(p, op, i);
        if (address && touches_path(p, address, o, path, touch)) return true;
    }
    for (uint32_t i = 0; i < d->regions; i++)
        for (gw_op in = gw_first(p, d->region[i]); in; in = gw_next(p, in))
            if (touches_path(p, in, o, path, touch)) return true;
    return false;
}

static bool stored_after(const gw_func *p, gw_op op, gw_object o, gw_str path) {
    for (gw_op at = gw_next(p, op); at; at = gw_next(p, at))
        if (touches_path(p, at, o, path, GW_TOUCH_WRITE)) return true;
    return false;
}

static bool concerns(const gw_func *p, const gw_part *part, gw_str path) {
    if (!touches_path(p, part->op, part->object, path, GW_TOUCH_READ)) return false;
    bool writes = touches_path(p, part->op, part->object, path, GW_TOUCH_WRITE);
    if (part->kind != GW_PART_COPIED) return writes == (part->kind == GW_PART_CHANGED);
    bool after = stored_after(p, part->op, part->object, path);
    return gw_is_loop(p, part->op) ? !writes && after : writes || after;
}

/* ---- visiting all scalar cells of an object ---- */
typedef struct cells {
    gw_adjoint *a;
    const gw_part *part; /* only the members that it says, NULL: all */
    gw_builder *b;
    gw_object object, other; /* other: copy target, or an array of objects */
    enum { PUSH_CELLS, POP_CELLS, COPY_CELLS, TO_ARRAY, FROM_ARRAY } what;
    gw_value at; /* of the array */
    gw_slots *slots;         /* PUSH makes them, one for each leaf; */
    uint32_t leaf;           /* POP counts down */
    gw_text path;
    gw_value index[8];
    uint32_t count;
} cells;

static void visit_array_leaf(cells *c, gw_str path) {
    gw_session *s = c->a->f->session;
    char *text = gw_format("[]%s", gw_cstr(s, path));
    gw_str there = gw_intern(s, text);
    gw_value index[9] = {c->at};
    for (uint32_t i = 0; i < c->count; i++) index[1 + i] = c->index[i];
    if (c->what == TO_ARRAY)
        gw_store(c->b, c->other, there, index, c->count + 1,
                 gw_load(c->b, c->object, path, c->index, c->count));
    else
        gw_store(c->b, c->object, path, c->index, c->count,
                 gw_load(c->b, c->other, there, index, c->count + 1));
    free(text);
}

static void visit_leaf(cells *c, gw_type type) {
    gw_adjoint *a = c->a;
    gw_str path = gw_intern(a->f->session, c->path.at ? c->path.at : "");
    if (c->what == TO_ARRAY || c->what == FROM_ARRAY) {
        visit_array_leaf(c, path);
        return;
    }
    if (c->what == COPY_CELLS) {
        gw_store(c->b, c->other, path, c->index, c->count, gw_load(c->b, c->object, path, c->index, c->count));
    } else if (c->what == PUSH_CELLS) {
        gw_push(c->slots, gw_adjoint_slot(a, gw_object_at(a->f, c->object)->name, type));
        gw_adjoint_push(a, c->b, c->slots->at[c->slots->count - 1],
                        gw_load(c->b, c->object, path, c->index, c->count));
    } else {
        gw_value v = gw_adjoint_pop(a, c->b, c->slots->at[--c->leaf], type, 0);
        gw_store(c->b, c->object, path, c->index, c->count, v);
    }
}

/* Some leaf of the type, which lies at the path. */
static bool is_wanted(cells *c, gw_type type) {
    gw_session *s = c->a->f->session;
    const gw_type_data t = s->types.at[type];
    const size_t mark = c->path.count;
    bool wanted = false;
    if (!c->part) return true;
    if (t.kind == GW_TYPE_SCALAR)
        return concerns(c->a->primal, c->part, gw_intern(s, c->path.at ? c->path.at : ""));
    for (uint32_t i = 0; !wanted && i < (t.kind == GW_TYPE_ARRAY ? 1 : t.count); i++) {
        if (t.kind == GW_TYPE_ARRAY) gw_text_add(&c->path, "[]");
        else gw_text_addf(&c->path, ".%s", gw_cstr(s, s->fields.at[t.first + i].name));
        wanted = is_wanted(c, t.kind == GW_TYPE_ARRAY ? t.element : s->fields.at[t.first + i].type);
        c->path.at[c->path.count = mark] = 0;
    }
    return wanted;
}

static void visit_type(cells *c, gw_type type);

static void visit_array(cells *c, gw_type element, gw_value count) {
    gw_func *f = c->a->f;
    gw_builder saved = *c->b;
    gw_type type = gw_typeof(f, count);
    gw_value header[3] = {gw_int(c->b, type, 0), count, gw_int(c->b, type, 1)};
    gw_op loop = gw_emit(c->b, GW_OP_FOR, GW_T_VOID, 0, header, 3);
    gw_op_at(f, loop)->attr = GW_OP_LT;
    gw_region body = gw_region_new(f, loop);
    gw_value iv = gw_region_arg(f, body, type, gw_intern(f->session, "cell"));
    c->b->region = body;
    c->b->before = 0;
    if (c->what == POP_CELLS) {
        gw_value last = gw_binary(c->b, GW_OP_SUB, count, gw_int(c->b, type, 1));
        iv = gw_binary(c->b, GW_OP_SUB, last, iv);
    }
    size_t mark = c->path.count;
    gw_text_add(&c->path, "[]");
    c->index[c->count++] = iv;
    visit_type(c, element);
    c->count--;
    c->path.at[c->path.count = mark] = 0;
    gw_yield(c->b, NULL, 0);
    c->b->region = saved.region;
    c->b->before = saved.before;
}

static void visit_type(cells *c, gw_type type) {
    gw_session *s = c->a->f->session;
    const gw_type_data t = s->types.at[type];
    if (!is_wanted(c, type)) return;
    if (t.kind == GW_TYPE_SCALAR) {
        visit_leaf(c, type);
    } else if (t.kind == GW_TYPE_ARRAY) {
        visit_array(c, t.element, gw_int(c->b, GW_T_I32, t.count));
    } else {
        for (uint32_t i = 0; i < t.count; i++) {
            const gw_field field = s->fields.at[t.first + (c->what == POP_CELLS ? t.count - 1 - i : i)];
            size_t mark = c->path.count;
            gw_text_addf(&c->path, ".%s", gw_cstr(s, field.name));
            visit_type(c, field.type);
            c->path.at[c->path.count = mark] = 0;
        }
    }
}

static gw_object primal_of(gw_adjoint *a, gw_object object) {
    gw_object o = 1;
    while (o < a->primal->objects.count && gw_clone_object(&a->c, o) != object) o++;
    return o < a->primal->objects.count ? o : 0;
}

/* `primal`: the object of the primal that has as many cells; 0: one whose type says how many. */
static void visit_cells(cells *c, gw_object primal) {
    gw_type type = gw_object_at(c->a->f, c->object)->type;
    gw_value extent = primal ? gw_adjoint_extent(c->a, primal) : 0;
    if (extent)
        visit_array(c, type, gw_cast(c->b, GW_T_I64, extent));
    else
        visit_type(c, type);
    gw_text_free(&c->path);
}

/* ---- what has to be kept ---- */
static bool live_in(const gw_func *p, gw_op op, gw_object o) {
    return gw_object_at(p, o)->kind == GW_OBJECT_LOCAL && gw_touches(p, op, o, GW_TOUCH_READ) &&
           !gw_declares(p, op, o);
}

/* A member of the object that the op, for which it is live, is concerned with in this way. */
bool gw_adjoint_has_member(gw_adjoint *a, const gw_part *part) {
    const gw_func *p = a->primal;
    if (!live_in(p, part->op, part->object)) return false;
    cells c = {.a = a, .part = part};
    if (gw_object_at(p, part->object)->sized) gw_text_add(&c.path, "[]");
    bool any = is_wanted(&c, gw_object_at(p, part->object)->type);
    gw_text_free(&c.path);
    return any;
}

void gw_adjoint_copy_objects(gw_adjoint *a, gw_op op) {
    const gw_func *p = a->primal;
    gw_kept *kept = &a->kept[op];
    for (gw_object o = 1; o < p->objects.count; o++) {
        const gw_part part = {op, o, GW_PART_COPIED};
        if (!gw_adjoint_has_member(a, &part)) continue;
        gw_object from = gw_clone_object(&a->c, o);
        const gw_object_data d = *gw_object_at(a->f, from);
        char *name = gw_format("%s_before", gw_cstr(a->f->session, d.name));
        gw_object copy = gw_object_new(a->f, GW_OBJECT_LOCAL, gw_intern(a->f->session, name), d.type);
        free(name);
        gw_object_at(a->f, copy)->type_text = d.type_text;
        gw_object_at(a->f, copy)->sized = d.sized;
        gw_adjoint_declare(a, copy, o);
        cells c = {.a = a, .b = &a->b, .part = &part, .object = from, .other = copy, .what = COPY_CELLS};
        visit_cells(&c, o);
        gw_push(&kept->copied, from);
        gw_push(&kept->copies, copy);
    }
}

void gw_adjoint_restore_objects(gw_adjoint *a, gw_op op) {
    gw_kept *kept = &a->kept[op];
    for (uint32_t i = 0; i < kept->copied.count; i++) {
        cells c = {
            .a = a, .b = &a->b, .object = kept->copies.at[i], .other = kept->copied.at[i], .what = COPY_CELLS};
        const gw_part part = {op, primal_of(a, c.other), GW_PART_COPIED};
        c.part = &part;
        visit_cells(&c, part.object);
    }
}

bool gw_adjoint_has_iteration_objects(gw_adjoint *a, gw_op loop) {
    for (gw_object o = 1; o < a->primal->objects.count; o++)
        if (gw_adjoint_has_member(a, &(gw_part){loop, o, GW_PART_CHANGED})) return true;
    return false;
}

void gw_adjoint_find_iteration_objects(gw_adjoint *a, gw_op loop) {
    const gw_func *p = a->primal;
    for (gw_object o = 1; o < p->objects.count; o++)
        if (gw_adjoint_has_member(a, &(gw_part){loop, o, GW_PART_CHANGED}))
            gw_push(&a->kept[loop].iteration, gw_clone_object(&a->c, o));
}

/* Objects of the primal have the members that the loop is concerned with; others have all of theirs. */
static void all_objects(gw_adjoint *a, gw_op loop, gw_part_kind kind, const gw_slots *objects, gw_slots *slots,
                        gw_builder *at, bool push) {
    cells c = {.a = a, .b = at, .what = push ? PUSH_CELLS : POP_CELLS, .slots = slots, .leaf = slots->count};
    for (uint32_t i = 0; i < objects->count; i++) {
        c.object = objects->at[push ? i : objects->count - 1 - i];
        const gw_part part = {loop, primal_of(a, c.object), kind};
        c.part = part.object ? &part : NULL;
        visit_cells(&c, part.object);
    }
}

void gw_adjoint_copy_cells(gw_adjoint *a, gw_op loop, gw_builder *b, gw_object object, gw_object array,
                           gw_value at, bool to_array) {
    const gw_part part = {loop, primal_of(a, object), GW_PART_CHANGED};
    cells c = {.a = a,
               .b = b,
               .part = &part,
               .object = object,
               .other = array,
               .what = to_array ? TO_ARRAY : FROM_ARRAY,
               .at = at};
    visit_type(&c, gw_object_at(a->f, object)->type);
    gw_text_free(&c.path);
}

void gw_adjoint_push_objects(gw_adjoint *a, gw_op loop, gw_builder *at) {
    all_objects(a, loop, GW_PART_CHANGED, &a->kept[loop].iteration, &a->kept[loop].iteration_slots, at, true);
}

void gw_adjoint_pop_objects(gw_adjoint *a, gw_op loop, gw_builder *at) {
    all_objects(a, loop, GW_PART_CHANGED, &a->kept[loop].iteration, &a->kept[loop].iteration_slots, at, false);
}

void gw_adjoint_hand_objects(gw_adjoint *a, gw_op loop, bool push) {
    all_objects(a, loop, GW_PART_READ_ONLY, &a->kept[loop].handed, &a->kept[loop].handed_slots, &a->b, push);
}
