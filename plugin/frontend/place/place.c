/*
 * frontend/place/place.c - places: where a value lives, how it is read, written and copied.
 *
 * A struct without arrays lives in slots, one for each leaf; whatever holds an array lives in a LOCAL
 * object. A pointer's value is the place that it points to; the last index of that place is its offset, so
 * pointer arithmetic is integer arithmetic on one index and a pointer stays in its object by construction.
 */
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/diagnostics.h"

#include <string.h>

enum { UNROLLED = 16 }; /* arrays up to this length are copied and cleared without a loop */

static void refuse_here(gw_lowering *L, const char *what, const char *way_out) {
    if (!L->failed) gw_diag(L->session, GW_DIAG_UNSUPPORTED, L->b.loc, what, way_out);
    L->failed = true;
}

/* Names of objects are made unique: scopes and inlined calls bring the same one several times. */
static gw_str object_name(gw_lowering *L, gw_str name) {
    const char *base = name ? GW_FRONT_TEXT(L, name) : "temporary";
    gw_str now = gw_intern(L->session, base);
    for (uint32_t n = 2, i = 1; i < L->f->objects.count; i++) {
        if (L->f->objects.at[i].name != now) continue;
        char *text = gw_format("%s_%u", base, n++);
        now = gw_intern(L->session, text);
        free(text);
        i = 0;
    }
    return now;
}

gw_object gw_front_local(gw_lowering *L, gw_str name, gw_type type) {
    gw_object o = gw_object_new(L->f, GW_OBJECT_LOCAL, object_name(L, name), type);
    gw_object_at(L->f, o)->loc = L->b.loc;
    return o;
}

/* An object of its own. */
static gw_place memory(gw_lowering *L, gw_shape shape, gw_str name) {
    gw_place p = {.kind = GW_PLACE_MEMORY, .shape = shape};
    p.object = gw_front_local(L, name, gw_front_shape_at(L->u, shape)->type);
    gw_op declare = gw_emit(&L->b, GW_OP_DECLARE, GW_T_VOID, 0, NULL, 0);
    gw_op_at(L->f, declare)->object = p.object;
    return p;
}

static void allocate_apart(gw_lowering *L, gw_shape shape, gw_str name) {
    const uint32_t slot = gw_front_slot(L, GW_SLOT_POINTER, GW_T_VOID, name);
    gw_front_slot_set(L, slot, gw_front_pointer_new(L, memory(L, shape, name)));
}

static void allocate_slots(gw_lowering *L, gw_shape shape, gw_str name) {
    gw_shape_data d = *gw_front_shape_at(L->u, shape);
    if (d.kind == GW_SHAPE_SCALAR) gw_front_slot(L, GW_SLOT_SCALAR, d.type, name);
    if (d.kind == GW_SHAPE_POINTER) gw_front_slot(L, GW_SLOT_POINTER, GW_T_VOID, name);
    for (uint32_t i = 0; d.kind == GW_SHAPE_STRUCT && i < d.count; i++) {
        const gw_shape_field *f = &L->u->fields.at[d.first + i];
        if (!gw_front_holds(&d, i)) continue;
        char *text =
            name ? gw_format("%s_%s", GW_FRONT_TEXT(L, name), GW_FRONT_TEXT(L, f->name)) : gw_strdup("");
        if (f->is_apart)
            allocate_apart(L, f->shape, gw_intern(L->session, text));
        else
            allocate_slots(L, f->shape, gw_intern(L->session, text));
        free(text);
    }
    for (uint32_t i = 0; d.kind == GW_SHAPE_ARRAY && i < d.count; i++) {
        char *text = name ? gw_format("%s_%u", GW_FRONT_TEXT(L, name), i) : gw_strdup("");
        allocate_slots(L, d.element, gw_intern(L->session, text));
        free(text);
    }
}

/* Nothing is in it, nor in its bases and members. */
static bool is_empty(const gw_unit *u, gw_shape shape) {
    const gw_shape_data *d = gw_front_shape_at(u, shape);
    for (uint32_t i = 0; d->kind == GW_SHAPE_STRUCT && i < d->count; i++)
        if (!u->fields.at[d->first + i].is_text && !is_empty(u, u->fields.at[d->first + i].shape)) return false;
    return d->kind == GW_SHAPE_STRUCT;
}

gw_place gw_front_temp(gw_lowering *L, gw_shape shape, gw_str name) {
    gw_shape_data d = *gw_front_shape_at(L->u, shape);
    gw_place p = {.kind = GW_PLACE_SLOTS, .shape = shape, .slot = L->slots.count};
    if (gw_front_is_passed_class(L, shape)) return gw_front_unknown_place(L, shape, "a std::string or file");
    if (d.kind == GW_SHAPE_OPAQUE) refuse_here(L, d.refusal->what, d.refusal->way_out);
    if (d.destructs && !d.leaves && !is_empty(L->u, shape))
        refuse_here(L, "a class with arrays and a destructor", "hold the array outside of the class");
    if (d.destructs) gw_front_own(L, clang_getNullCursor(), p);
    bool empty = is_empty(L->u, shape);
    if (d.leaves || empty || d.kind == GW_SHAPE_OPAQUE || d.kind == GW_SHAPE_SCALAR) {
        allocate_slots(L, shape, name);
        const uint32_t leaves = L->slots.count - p.slot;
        for (uint32_t i = p.slot; i < L->slots.count; i++)
            L->slots.at[i].first = p.slot, L->slots.at[i].leaves = leaves;
        return p;
    }
    if (d.has_pointer) refuse_here(L, "a struct with so many pointers", "split it into several variables");
    return memory(L, shape, name);
}

/* A loop's trial comes to branches that are never taken (`if (threads > 1)`), where a pointer may be unset. */
static bool is_unset_on_trial(const gw_lowering *L, const gw_place *p) {
    return L->trial_values && (p->kind == GW_PLACE_NONE || p->kind == GW_PLACE_NULL);
}

static gw_str extend(gw_lowering *L, gw_str path, const char *by, const char *name) {
    char *text = gw_format("%s%s%s", GW_FRONT_TEXT(L, path), by, name);
    gw_str s = gw_intern(L->session, text);
    free(text);
    return s;
}

static gw_place step_to_member(gw_lowering *L, gw_place place, const void *field) {
    return gw_front_member(L, place, *(const uint32_t *)field);
}

/* An array beside pointers, whose leaf always leads to one object. */
static gw_place apart(const gw_lowering *L, gw_place member, uint32_t leaf) {
    gw_place p = L->pointers.at[L->slots.at[member.slot + leaf].value];
    p.detached |= member.detached;
    return p;
}

gw_place gw_front_member(gw_lowering *L, gw_place place, uint32_t field) {
    if (place.kind == GW_PLACE_CHOICE) return gw_front_choice_map(L, place, step_to_member, &field);
    if (is_unset_on_trial(L, &place)) return place;
    const gw_shape_data *d = gw_front_shape_at(L->u, place.shape);
    if (d->kind != GW_SHAPE_STRUCT || field >= d->count) {
        refuse_here(L, "this member", "use plain structs");
        return (gw_place){0};
    }
    if (place.kind == GW_PLACE_MEMORY && d->library == GW_LIBRARY_VECTOR) {
        refuse_here(L, "a std::vector in memory, or one of several,", "pass it by reference, and name it");
        return (gw_place){0};
    }
    if (place.view) return gw_front_view_member(L, place, field);
    if (!gw_front_holds(d, field)) return gw_front_union_member(L, place, field);
    const gw_place whole_place = place;
    gw_shape_field f = L->u->fields.at[d->first + field];
    if (gw_front_asked_member(L, &place, &f) || (f.is_text && gw_front_asked_text(L, &place, &f))) return place;
    if (f.is_text) return gw_front_unknown_place(L, f.shape, "a std::string or file");
    const uint32_t leaves = place.kind == GW_PLACE_SLOTS ? d->leaves : 0;
    const gw_shape whole = place.most ? place.most : place.shape;
    const bool in_row = leaves > 1 && gw_front_number_of(L->u, place.shape) != GW_T_VOID;
    place.shape = f.shape;
    if (f.is_base && place.kind == GW_PLACE_MEMORY) gw_front_see_as(L, &place, f.shape);
    if (!f.is_base) place.root = 0, place.is_exact = false;
    place.bits = f.bits;
    place.detached |= f.detached;
    place.most = f.is_base && !f.is_anonymous ? whole : 0;
    place.lvalues = 0;
    if (place.kind == GW_PLACE_SLOTS && f.is_apart) return apart(L, place, f.leaf);
    if (place.kind == GW_PLACE_SLOTS) {
        place.table = in_row ? place.slot : 0, place.table_count = in_row ? leaves : 0, place.table_each = 0;
        place.slot += f.leaf;
    }
    if (place.kind == GW_PLACE_SPECIAL) place.slot += field, place.count = 1;
    if (place.kind == GW_PLACE_MEMORY && !f.is_base)
        place.path = extend(L, place.path, ".", GW_FRONT_TEXT(L, f.name));
    gw_front_note_inside(L, &whole_place, field, &place);
    return place;
}

/* Element of an array that lives in slots: one of them, or a choice of all by the index. */
static gw_place slot_element(gw_lowering *L, gw_place array, gw_value index) {
    gw_shape_data d = *gw_front_shape_at(L->u, array.shape);
    uint32_t each = d.leaves / d.count, first = L->candidates.count;
    int64_t at;
    array.table = array.slot, array.table_count = d.count, array.table_each = each;
    array.shape = d.element;
    if (gw_const_int(L->f, index, &at)) {
        if (at < 0 || at >= d.count) refuse_here(L, "an index outside of the array", "stay inside of it");
        array.slot += (uint32_t)at * each;
        return array;
    }
    for (uint32_t i = 0; i < d.count; i++) {
        gw_push(&L->candidates, array);
        array.slot += each;
    }
    gw_place all = {.kind = GW_PLACE_CHOICE, .shape = d.element, .slot = first, .count = d.count};
    all.index[0] = gw_cast(&L->b, GW_T_I32, index);
    return all;
}

static gw_place step_to_element(gw_lowering *L, gw_place array, const void *index) {
    return gw_front_element(L, array, *(const gw_value *)index);
}

gw_place gw_front_element(gw_lowering *L, gw_place array, gw_value index) {
    if (array.kind == GW_PLACE_CHOICE) return gw_front_choice_map(L, array, step_to_element, &index);
    if (is_unset_on_trial(L, &array)) return array;
    const gw_shape_data *d = gw_front_shape_at(L->u, array.shape);
    if (array.view && d->kind == GW_SHAPE_ARRAY) return gw_front_view_element(L, array, index);
    if (array.kind == GW_PLACE_SLOTS && d->kind == GW_SHAPE_ARRAY && d->leaves)
        return slot_element(L, array, index);
    if (array.kind != GW_PLACE_MEMORY || d->kind != GW_SHAPE_ARRAY || array.count >= GW_PLACE_INDICES) {
        refuse_here(L, "this element access", "index an array or a pointer");
        return (gw_place){0};
    }
    if (gw_front_can_be_asked(L, &array)) return gw_front_asked_on(L, array, d->element, "$0[$1]", index);
    array.shape = d->element;
    array.most = 0, array.inside = 0;
    array.path = extend(L, array.path, "[]", "");
    array.index[array.count++] = index;
    return array;
}

static gw_value combine(gw_lowering *L, gw_value offset, gw_value by, bool back) {
    int64_t n;
    if (gw_const_int(L->f, by, &n) && n == 0) return offset;
    if (!back && gw_const_int(L->f, offset, &n) && n == 0) return by;
    gw_value x = gw_cast(&L->b, GW_T_I64, offset), y = gw_cast(&L->b, GW_T_I64, by);
    return gw_binary(&L->b, back ? GW_OP_SUB : GW_OP_ADD, x, y);
}

typedef struct distance {
    gw_value by;
    bool back;
} distance;
static gw_place step_by(gw_lowering *L, gw_place target, const void *context) {
    const distance *d = context;
    target.inside = 0; /* it would become what another candidate may be already */
    return gw_front_advance(L, target, d->by, d->back);
}

/* A pointer that may leave the array or struct that its member is of goes on to the variable's other numbers,
 * where all of its leaves are such. */
static void take_whole_variable(const gw_lowering *L, gw_place *target) {
    const gw_slot_data of = L->slots.at[target->slot];
    bool same = of.leaves > target->table_count && target->table_each <= 1;
    for (uint32_t i = of.first; same && i < of.first + of.leaves; i++)
        same = L->slots.at[i].kind == GW_SLOT_SCALAR && L->slots.at[i].type == of.type;
    if (same) target->table = of.first, target->table_count = of.leaves;
}

/* The array lives in slots, or the struct whose numbers the pointer takes for an array. */
static gw_place advance_in_table(gw_lowering *L, gw_place target, gw_value by, bool back) {
    int64_t n;
    const bool is_constant = gw_const_int(L->f, by, &n);
    const uint32_t each = target.table_each ? target.table_each : 1;
    const uint32_t left = target.table_count - (target.slot - target.table) / each;
    if (!is_constant && (back || !gw_front_certainly_inside(L, by, left))) take_whole_variable(L, &target);
    const int64_t at = ((int64_t)target.slot - target.table) / each;
    if (is_constant) {
        n = back ? at - n : at + n;
        if (n < 0 || n >= target.table_count)
            refuse_here(L, "an index outside of the array", "stay inside of it");
        target.slot = target.table + each * (uint32_t)(L->failed ? 0 : n);
        return target;
    }
    gw_place all = {.kind = GW_PLACE_CHOICE, .shape = target.shape, .slot = L->candidates.count};
    all.count = target.table_count;
    all.index[0] = gw_cast(&L->b, GW_T_I32, combine(L, gw_int(&L->b, GW_T_I64, at), by, back));
    for (uint32_t i = 0; i < all.count; i++) {
        target.slot = target.table + each * i;
        gw_push(&L->candidates, target);
    }
    return all;
}

/* A variable that a function of the host was given for an array: f(&x, 1). */
static bool is_array_of_one(const gw_lowering *L, const gw_place *p) {
    return L->f->kind == GW_FUNC_HOST && !L->is_program && L->frames.count > 1 && p->kind == GW_PLACE_SLOTS &&
           gw_front_shape_kind(L->u, p->shape) == GW_SHAPE_SCALAR;
}

gw_place gw_front_advance(gw_lowering *L, gw_place target, gw_value by, bool back) {
    if (target.kind == GW_PLACE_CHOICE) return gw_front_choice_map(L, target, step_by, &(distance){by, back});
    if (is_unset_on_trial(L, &target)) return target;
    if (gw_front_is_device(L, &target)) {
        if (!gw_front_device_advance(L, &target, by, back))
            refuse_here(L, "arithmetic on a pointer to this type", "pass the pointer and an offset");
        return target;
    }
    if (target.view) return gw_front_view_advance(L, target, by, back);
    if (gw_front_is_half(&target)) return gw_front_advance_half(L, target, by, back);
    if (target.kind == GW_PLACE_SLOTS && target.table_count) return advance_in_table(L, target, by, back);
    if (is_array_of_one(L, &target)) {
        target.table = target.slot, target.table_count = 1, target.table_each = 1;
        return advance_in_table(L, target, by, back);
    }
    const char *path = GW_FRONT_TEXT(L, target.path);
    size_t n = strlen(path);
    int64_t steps;
    if (target.kind == GW_PLACE_MEMORY && !target.view && n >= 2 && strcmp(path + n - 2, "[]") == 0 &&
        target.count) {
        gw_front_row_mark(L, &target);
        target.index[target.count - 1] = combine(L, target.index[target.count - 1], by, back);
    } else if (gw_front_advance_inside(L, &target, by, back)) {
        return target;
    } else if (!gw_const_int(L->f, by, &steps) || steps != 0) {
        if (gw_front_shape_kind(L->u, target.shape) == GW_SHAPE_POINTER)
            refuse_here(L, "arithmetic on a pointer into a table of pointers", "index the table by its name");
        else
            refuse_here(L, "pointer arithmetic on a variable that is no array",
                        "use an array, or cast the address of a struct to one of its numbers");
    }
    return target;
}

/* A table of pointers whose length only a run knows, in a program (block.c): its cells are addresses. */
static bool is_in_table(const gw_lowering *L, const gw_place *p) {
    return L->is_program && p->kind == GW_PLACE_MEMORY && !gw_front_is_device(L, p) &&
           gw_front_shape_kind(L->u, p->shape) == GW_SHAPE_POINTER && gw_object_at(L->f, p->object)->sized &&
           gw_object_at(L->f, p->object)->type == GW_T_I64;
}

static gw_place detached_too(gw_place place, const gw_place *pointer) {
    place.detached |= pointer->detached;
    return place;
}

gw_place gw_front_target(gw_lowering *L, gw_place pointer) {
    if (L->failed || is_unset_on_trial(L, &pointer)) return (gw_place){0};
    if (is_in_table(L, &pointer)) {
        const gw_value cell = gw_load(&L->b, pointer.object, pointer.path, pointer.index, pointer.count),
                       at = gw_cast(&L->b, GW_T_ADDRESS, cell);
        return gw_front_device_place(L, gw_front_pointee(L->u, pointer.shape), at);
    }
    gw_place held;
    if (gw_front_held_target(L, &pointer, &held)) return detached_too(held, &pointer);
    if (pointer.kind == GW_PLACE_MEMORY && gw_front_is_callee(L, pointer.shape))
        return gw_front_callee(L, pointer);
    if (pointer.kind == GW_PLACE_MEMORY) return gw_front_behind(L, pointer);
    if (pointer.kind == GW_PLACE_CHOICE) return detached_too(gw_front_choice_target(L, pointer), &pointer);
    if (pointer.kind != GW_PLACE_SLOTS || L->slots.at[pointer.slot].kind != GW_SLOT_POINTER) {
        refuse_here(L, "this pointer",
                    "keep pointers in local variables and parameters, and name each inner expression by one");
        return (gw_place){0};
    }
    uint32_t number = L->slots.at[pointer.slot].value;
    return detached_too(number ? L->pointers.at[number] : (gw_place){0}, &pointer);
}

static void point_at(gw_lowering *L, gw_place pointer, void *target) {
    gw_front_point(L, pointer, *(gw_place *)target);
}

void gw_front_point(gw_lowering *L, gw_place pointer, gw_place target) {
    if (is_unset_on_trial(L, &pointer)) return;
    if (pointer.kind == GW_PLACE_CHOICE) { /* of several targets, each is at an address of its own */
        if (gw_front_stage_later(L, &target)) return;
        gw_front_choice_each(L, pointer, point_at, &target);
        return;
    }
    if (is_in_table(L, &pointer)) {
        const gw_value at = gw_front_address(L, target, clang_getNullCursor());
        if (L->failed) return;
        const gw_value cell = gw_cast(&L->b, GW_T_I64, at);
        gw_store(&L->b, pointer.object, pointer.path, pointer.index, pointer.count, cell);
        gw_push(&L->stores, pointer.object);
        return;
    }
    if (gw_front_held_point(L, &pointer, target)) return;
    if (pointer.kind == GW_PLACE_SLOTS && pointer.read_only && gw_front_stage_made(L, &pointer)) return;
    if (pointer.kind != GW_PLACE_SLOTS || pointer.read_only) {
        refuse_here(L, "a store to a pointer in memory",
                    "set a local pointer, or let the caller set the one in memory");
        return;
    }
    gw_front_slot_set(L, pointer.slot, gw_front_pointer_new(L, target));
}

/* False after a diagnostic if the place cannot be read or written as a scalar. */
static bool usable(gw_lowering *L, const gw_place *p) {
    if (L->failed) return false;
    if (p->kind == GW_PLACE_TORN)
        refuse_here(L, "a pointer that may lead to two objects",
                    "use the objects in the branches of an if; keep lists in arrays, by numbers of elements");
    if (p->kind == GW_PLACE_NONE || p->kind == GW_PLACE_NULL)
        refuse_here(L, "a null or unset pointer", "set the pointer where it is declared");
    if (p->kind == GW_PLACE_SPECIAL && !p->count)
        refuse_here(L, "this use of a launch variable", "use its members x, y and z");
    if (!L->failed && gw_front_shape_kind(L->u, p->shape) != GW_SHAPE_SCALAR) {
        const gw_refusal *why = gw_front_shape_at(L->u, p->shape)->refusal;
        refuse_here(L, why ? why->what : "an aggregate where a number is needed",
                    (why ? why : GW_REFUSED(TYPE))->way_out);
    }
    return !L->failed;
}

static gw_value load_detached(gw_lowering *L, gw_place place) {
    place.detached = false;
    gw_value v = gw_front_load(L, place);
    if (!gw_type_is_float(gw_typeof(L->f, v))) return v;
    v = gw_unary(&L->b, GW_OP_DETACH, v);
    if (place.kind == GW_PLACE_SLOTS) gw_value_at(L->f, v)->name = L->slots.at[place.slot].name;
    if (place.kind == GW_PLACE_MEMORY) gw_value_at(L->f, v)->name = gw_object_at(L->f, place.object)->name;
    return v;
}

static void refuse_device(gw_lowering *L) {
    refuse_here(L, "this access of memory that kernels see, on the host, in a function that launches them",
                "copy it in a kernel, or by cudaMemcpy");
}

gw_value gw_front_load(gw_lowering *L, gw_place place) {
    if (!L->failed && is_unset_on_trial(L, &place)) {
        const bool is_number = gw_front_shape_kind(L->u, place.shape) == GW_SHAPE_SCALAR && place.shape;
        return is_number ? gw_front_zero(L, place.shape) : gw_int(&L->b, GW_T_I32, 0);
    }
    if (!usable(L, &place)) return gw_int(&L->b, GW_T_I32, 0);
    if (gw_front_is_device(L, &place)) {
        gw_value v = gw_front_device_load(L, &place);
        if (!v) refuse_device(L);
        return v ? v : gw_int(&L->b, GW_T_I32, 0);
    }
    if (place.detached) return load_detached(L, place);
    if (place.cell) return gw_front_load_bits(L, place);
    if (place.bits && place.bits < 32 && place.shape != GW_T_BOOL) {
        /* promoted by its width, not by its type */
        place.bits = 0;
        return gw_cast(&L->b, GW_T_I32, gw_front_load(L, place));
    }
    if (place.numbers_of) place = gw_front_number_cell(L, place);
    if (place.kind == GW_PLACE_CHOICE) return gw_front_choice_load(L, place);
    if (L->failed) return gw_int(&L->b, GW_T_I32, 0);
    if (place.kind == GW_PLACE_SLOTS) return gw_front_slot_value(L, place.slot);
    if (place.kind == GW_PLACE_SPECIAL)
        return gw_special_value(&L->b, (gw_special)(place.slot / 4), place.slot % 4);
    place = gw_front_row_settle(L, place);
    return gw_load(&L->b, place.object, place.path, place.index, place.count);
}

/* What a bit-field keeps of the value: its low bits, the highest of them the sign. By a mask: compilers warn of
 * (int)((unsigned)-3 << 28), though it is no shift of a negative number. */
static gw_value narrowed(gw_lowering *L, gw_place field, gw_value value) {
    uint32_t bits = gw_type_bits(field.shape);
    if (field.shape == GW_T_BOOL || field.bits >= bits) return value;
    const gw_type whole = bits > 32 ? GW_T_U64 : GW_T_U32;
    const int64_t top = (int64_t)1 << (field.bits - 1), mask = (int64_t)(((uint64_t)1 << field.bits) - 1);
    gw_value low = gw_binary(&L->b, GW_OP_AND, gw_cast(&L->b, whole, value), gw_int(&L->b, whole, mask));
    if (gw_type_is_signed(field.shape)) {
        const gw_type sign = bits > 32 ? GW_T_I64 : GW_T_I32;
        const gw_value at = gw_int(&L->b, sign, top);
        low = gw_binary(&L->b, GW_OP_SUB, gw_binary(&L->b, GW_OP_XOR, gw_cast(&L->b, sign, low), at), at);
    }
    return gw_cast(&L->b, field.shape, low);
}

static void store_at(gw_lowering *L, gw_place place, void *value) {
    gw_front_store(L, place, *(gw_value *)value);
}

static bool is_result(const gw_func *f, gw_object o) {
    for (uint32_t i = 0; i < f->params.count; i++)
        if (f->params.at[i].object == o) return f->params.at[i].is_result;
    return false;
}

void gw_front_store(gw_lowering *L, gw_place place, gw_value value) {
    if (is_unset_on_trial(L, &place)) return;
    if (!usable(L, &place)) return;
    if (place.numbers_of && !place.cell) place = gw_front_number_cell(L, place);
    if (L->failed) return;
    if (place.kind == GW_PLACE_CHOICE) {
        gw_front_choice_each(L, place, store_at, &value);
        return;
    }
    if (gw_front_is_device(L, &place)) {
        if (!gw_front_device_store(L, &place, value)) refuse_device(L);
        return;
    }
    if (place.read_only || place.kind == GW_PLACE_SPECIAL) {
        refuse_here(L, "a store to a temporary copy", "assign to a variable, in the branches of an if");
        return;
    }
    if (place.cell) {
        gw_front_store_bits(L, place, value);
        return;
    }
    value = gw_cast(&L->b, place.shape, value);
    if (place.bits) value = narrowed(L, place, value);
    if (place.kind == GW_PLACE_SLOTS) {
        gw_front_slot_set(L, place.slot, value);
        return;
    }
    place = gw_front_row_settle(L, place);
    gw_store(&L->b, place.object, place.path, place.index, place.count, value);
    gw_push(&L->stores, place.object);
    if (gw_object_at(L->f, place.object)->kind == GW_OBJECT_STRUCT && !is_result(L->f, place.object) &&
        !gw_cell_behind_pointer(L->f, place.object, place.path)) {
        L->stored_param = place.object; /* the function is lowered again with a copy of it */
        L->failed = true;
    }
}

static void each_element(gw_lowering *L, gw_place to, gw_place from, gw_element_action *action, CXCursor at,
                         bool last_first) {
    uint32_t count = gw_front_shape_at(L->u, to.shape)->count;
    bool reads = from.kind != GW_PLACE_NONE;
    /* a loop that is made here carries no slots */
    const bool slots = to.kind == GW_PLACE_SLOTS || from.kind == GW_PLACE_SLOTS;
    if (count <= UNROLLED || slots || to.kind == GW_PLACE_CHOICE || from.kind == GW_PLACE_CHOICE) {
        for (uint32_t i = 0; i < count && !L->failed; i++) {
            gw_value index = gw_int(&L->b, GW_T_I32, last_first ? count - 1 - i : i);
            action(L, gw_front_element(L, to, index), reads ? gw_front_element(L, from, index) : from, at);
        }
        return;
    }
    gw_value range[3] = {gw_int(&L->b, GW_T_I32, 0), gw_int(&L->b, GW_T_I32, count),
                         gw_int(&L->b, GW_T_I32, 1)};
    gw_op loop = gw_emit(&L->b, GW_OP_FOR, GW_T_VOID, 0, range, 3);
    gw_op_at(L->f, loop)->attr = GW_OP_LT;
    gw_region outer = L->b.region;
    L->b.region = gw_region_new(L->f, loop);
    gw_value index = gw_region_arg(L->f, L->b.region, GW_T_I32, gw_intern(L->session, "element"));
    if (last_first) index = gw_binary(&L->b, GW_OP_SUB, gw_int(&L->b, GW_T_I32, count - 1), index);
    action(L, gw_front_element(L, to, index), reads ? gw_front_element(L, from, index) : from, at);
    gw_yield(&L->b, NULL, 0);
    L->b.region = outer;
}

void gw_front_each_element(gw_lowering *L, gw_place to, gw_place from, gw_element_action *action, CXCursor at) {
    each_element(L, to, from, action, at, false);
}

void gw_front_each_element_back(gw_lowering *L, gw_place to, gw_element_action *action, CXCursor at) {
    each_element(L, to, (gw_place){0}, action, at, true);
}

static void copy(gw_lowering *L, gw_place to, gw_place from, CXCursor at) {
    (void)at;
    gw_front_copy(L, to, from);
}

static void copy_to(gw_lowering *L, gw_place to, void *from) { gw_front_copy(L, to, *(gw_place *)from); }
static void copy_from(gw_lowering *L, gw_place from, void *to) { gw_front_copy(L, *(gw_place *)to, from); }

void gw_front_copy(gw_lowering *L, gw_place to, gw_place from) {
    gw_shape_data d = *gw_front_shape_at(L->u, to.shape);
    if (L->failed || gw_front_is_passed_class(L, to.shape)) return;
    if (d.kind == GW_SHAPE_STRUCT && from.kind == GW_PLACE_CHOICE) {
        gw_front_choice_each(L, from, copy_from, &to);
        return;
    }
    if (d.kind == GW_SHAPE_STRUCT && to.kind == GW_PLACE_CHOICE) {
        gw_front_choice_each(L, to, copy_to, &from);
        return;
    }
    if (d.kind == GW_SHAPE_STRUCT && to.shape != from.shape) gw_front_recast(L, &from, to.shape);
    if (d.library == GW_LIBRARY_VECTOR && to.shape == from.shape) {
        gw_front_vector_move(L, to, from);
        return;
    }
    if (d.kind != GW_SHAPE_SCALAR && to.shape != from.shape && d.kind != GW_SHAPE_POINTER) {
        refuse_here(L, "this copy between types", "copy values of one type");
    } else if (d.kind == GW_SHAPE_SCALAR) {
        gw_front_store(L, to, gw_front_load(L, from));
    } else if (d.kind == GW_SHAPE_POINTER) {
        gw_front_point(L, to, gw_front_target(L, from));
    } else if (d.kind == GW_SHAPE_ARRAY) {
        gw_front_each_element(L, to, from, copy, clang_getNullCursor());
    } else if (d.kind == GW_SHAPE_STRUCT && (gw_front_is_half(&to) || gw_front_is_half(&from))) {
        gw_front_copy_halves(L, to, from);
    } else if (d.kind == GW_SHAPE_STRUCT) {
        for (uint32_t i = 0; i < d.count; i++)
            if (gw_front_holds(&d, i)) gw_front_copy(L, gw_front_member(L, to, i), gw_front_member(L, from, i));
    } else {
        refuse_here(L, d.refusal->what, d.refusal->way_out);
    }
}

void gw_front_set_zero(gw_lowering *L, gw_place to, gw_place from, CXCursor at) {
    (void)from, (void)at;
    gw_front_clear(L, to);
}

void gw_front_clear(gw_lowering *L, gw_place place) {
    gw_shape_data d = *gw_front_shape_at(L->u, place.shape);
    if (L->failed) return;
    if (d.kind == GW_SHAPE_SCALAR) gw_front_store(L, place, gw_front_zero(L, d.type));
    if (d.kind == GW_SHAPE_POINTER) gw_front_point(L, place, (gw_place){.kind = GW_PLACE_NULL});
    if (d.kind == GW_SHAPE_ARRAY)
        gw_front_each_element(L, place, (gw_place){0}, gw_front_set_zero, clang_getNullCursor());
    for (uint32_t i = 0; d.kind == GW_SHAPE_STRUCT && i < d.count; i++)
        if (gw_front_holds(&d, i)) gw_front_clear(L, gw_front_member(L, place, i));
}
