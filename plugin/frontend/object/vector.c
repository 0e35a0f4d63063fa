/*
 * frontend/object/vector.c - std::vector.
 *
 * A vector is where its elements are and how many of them. A reference parameter is an object of the elements,
 * whose number is a value that is the same throughout; the adjoint is a vector of as many. A local vector is a
 * local array of its own, of run-time size where that is no constant or the source adds elements to vectors (on
 * the host). Elements are added at its end, where there is room for as many as the function can add
 * (frontend/place/growth.c), and dropped from there; one that comes or goes in the middle moves the others. It
 * gets others only when it has none, so that nothing leads to old ones. What else would change the size of a
 * vector has no row in frontend/call/library.def. A std::initializer_list is a vector of its own elements.
 */
#include "plugin/frontend/device/device.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/object/library.h"
#include "plugin/frontend/object/object.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/diagnostics.h"
#include "analysis/ir/query.h"

#include <stdlib.h>

static gw_shape element_shape(gw_lowering *L, gw_shape vector) {
    gw_shape pointer = L->u->fields.at[gw_front_shape_at(L->u, vector)->first].shape;
    return gw_front_pointee(L->u, pointer);
}

/* ---- parameters ---- */
void gw_front_vector_param(gw_lowering *L, CXCursor decl, CXType type, gw_param *param) {
    if (gw_front_shape_at(L->u, gw_front_shape(L->u, type))->is_list) {
        gw_front_refuse(L, decl, "a std::initializer_list as a parameter", "pass a pointer and a number");
        return;
    }
    if (!gw_front_is_reference(type)) {
        gw_front_refuse(L, decl, "a std::vector that is passed by value or pointer", "pass it by reference");
        return;
    }
    CXType pointee = clang_getPointeeType(clang_getCanonicalType(type));
    gw_shape element = element_shape(L, gw_front_shape(L->u, type));
    if (gw_front_shape_kind(L->u, element) == GW_SHAPE_POINTER) {
        gw_front_refuse(L, decl, GW_REFUSED(VECTOR_OF_POINTERS)->what, GW_REFUSED(VECTOR_OF_POINTERS)->way_out);
        return;
    }
    param->object = gw_object_new(L->f, GW_OBJECT_POINTER, param->name, gw_front_ir_type(L->u, element));
    gw_object_data *o = gw_object_at(L->f, param->object);
    o->type_text =
        gw_front_intern(L->u, clang_getTypeSpelling(clang_getUnqualifiedType(clang_getCanonicalType(pointee))));
    o->is_const = clang_isConstQualifiedType(pointee) != 0;
    o->is_reference = o->is_container = true;
    o->loc = param->loc;
}

void gw_front_vector_size(gw_lowering *L, uint32_t index) {
    const gw_param of = L->f->params.at[index];
    if (!of.object || !gw_object_at(L->f, of.object)->is_container) return;
    char *name = gw_format("%s_size", GW_FRONT_TEXT(L, of.name));
    gw_param p = {.name = gw_intern(L->session, name), .size_of = of.object, .loc = of.loc};
    free(name);
    p.type_text = gw_intern(L->session, "unsigned long");
    p.value = gw_region_arg(L->f, L->f->entry, GW_T_U64, p.name);
    gw_push(&L->f->params, p);
}

/* Members of what a reference leads to, and of its bases and members. */
static void add_sizes(gw_lowering *L, const gw_param *of, gw_shape shape, const char *path) {
    const gw_shape_data d = *gw_front_shape_at(L->u, shape);
    if (d.kind != GW_SHAPE_STRUCT || (d.library && d.library != GW_LIBRARY_VECTOR) || d.is_union) return;
    if (!d.library) {
        for (uint32_t i = 0; i < d.count; i++) {
            const gw_shape_field f = L->u->fields.at[d.first + i];
            char *inner = gw_format(f.is_base ? "%s" : "%s.%s", path, GW_FRONT_TEXT(L, f.name));
            add_sizes(L, of, f.shape, inner);
            free(inner);
        }
        return;
    }
    char *name = gw_format("%s%s_size", GW_FRONT_TEXT(L, of->name), path);
    for (char *c = name; *c; c++)
        if (*c == '.') *c = '_';
    gw_param p = {.name = gw_intern(L->session, name), .size_of = of->object, .loc = of->loc};
    free(name);
    p.size_path = gw_intern(L->session, path);
    p.type_text = gw_intern(L->session, "unsigned long");
    p.value = gw_region_arg(L->f, L->f->entry, GW_T_U64, p.name);
    gw_push(&L->f->params, p);
}

void gw_front_vector_member_sizes(gw_lowering *L, uint32_t index, gw_shape shape) {
    const gw_param of = L->f->params.at[index];
    const gw_object_data *o = of.object ? gw_object_at(L->f, of.object) : NULL;
    if (o && o->is_reference && !o->is_container && !L->is_program) add_sizes(L, &of, shape, "");
}

/* The number of that parameter; UINT32_MAX: of none. */
static uint32_t size_of_member(gw_lowering *L, const gw_place *vector) {
    for (uint32_t i = 0; i < L->f->params.count; i++) {
        const gw_param *p = &L->f->params.at[i];
        if (!p->size_path || p->size_of != vector->object) continue;
        char *path = gw_format("[]%s", GW_FRONT_TEXT(L, p->size_path));
        const bool is = gw_intern(L->session, path) == vector->path;
        free(path);
        if (is) return i;
    }
    return UINT32_MAX;
}

/* One of the caller's, in what a parameter leads to. */
static bool lies_in_memory(const gw_lowering *L, const gw_place *vector) {
    return vector->kind == GW_PLACE_MEMORY && !L->is_program && L->f->kind == GW_FUNC_HOST &&
           gw_object_at(L->f, vector->object)->kind == GW_OBJECT_POINTER &&
           gw_front_shape_at(L->u, vector->shape)->library == GW_LIBRARY_VECTOR;
}

static gw_str longer(gw_lowering *L, gw_str path, const char *by) {
    char *text = gw_format("%s%s", GW_FRONT_TEXT(L, path), by);
    const gw_str s = gw_intern(L->session, text);
    free(text);
    return s;
}

static gw_place first_in_memory(gw_lowering *L, gw_place vector) {
    if (vector.count >= GW_PLACE_INDICES) {
        gw_diag(L->session, GW_DIAG_UNSUPPORTED, L->b.loc, "a std::vector so deep in others",
                "name the inner one by a reference parameter");
        L->failed = true;
        return (gw_place){0};
    }
    vector.path = longer(L, vector.path, "[]");
    vector.shape = element_shape(L, vector.shape), vector.most = 0;
    vector.index[vector.count++] = gw_int(&L->b, GW_T_I32, 0);
    return vector;
}

static gw_value count_in_memory(gw_lowering *L, const gw_place *vector) {
    const uint32_t known = size_of_member(L, vector);
    if (known != UINT32_MAX) return L->f->params.at[known].value;
    return gw_load(&L->b, vector->object, longer(L, vector->path, GW_PATH_SIZE), vector->index, vector->count);
}

static bool leads_to_given(const gw_lowering *L, gw_place first) {
    bool is_given = first.kind == GW_PLACE_MEMORY;
    if (is_given) is_given = gw_object_at(L->f, first.object)->kind == GW_OBJECT_POINTER;
    for (uint32_t i = 0; first.kind == GW_PLACE_CHOICE && i < first.count; i++)
        is_given |= leads_to_given(L, L->candidates.at[first.slot + i]);
    return is_given;
}

/* Its elements are the caller's, or may be. */
static bool is_given(gw_lowering *L, gw_place vector) {
    if (lies_in_memory(L, &vector)) return true;
    return leads_to_given(L, gw_front_vector_first(L, vector));
}

static void set(gw_lowering *L, gw_place vector, gw_place first, gw_value count) {
    gw_front_point(L, gw_front_member(L, vector, 0), first);
    gw_front_slot_set(L, gw_front_member(L, vector, 1).slot, count);
}

gw_place gw_front_vector_place(gw_lowering *L, gw_shape shape, const gw_param *param) {
    gw_place vector = gw_front_temp(L, shape, param->name), first = {.kind = GW_PLACE_MEMORY};
    first.shape = element_shape(L, shape);
    first.object = param->object;
    first.path = gw_intern(L->session, "[]");
    first.index[first.count++] = gw_int(&L->b, GW_T_I32, 0);
    for (uint32_t i = 0; i < L->f->params.count; i++)
        if (L->f->params.at[i].size_of == param->object) set(L, vector, first, L->f->params.at[i].value);
    return vector;
}

static gw_place step_to_first(gw_lowering *L, gw_place vector, const void *unused) {
    (void)unused;
    return gw_front_vector_first(L, vector);
}

gw_place gw_front_vector_first(gw_lowering *L, gw_place vector) {
    if (vector.kind == GW_PLACE_CHOICE) return gw_front_choice_map(L, vector, step_to_first, NULL);
    if (gw_front_can_be_asked(L, &vector)) {
        if (!L->failed)
            gw_diag(L->session, GW_DIAG_UNSUPPORTED, L->b.loc, "a copy of a sequence in a table",
                    "refer to it by const auto &, or copy element after element");
        L->failed = true;
        return (gw_place){0};
    }
    if (lies_in_memory(L, &vector)) return first_in_memory(L, vector);
    const gw_place first = gw_front_target(L, gw_front_member(L, vector, 0));
    const bool has_rows = !L->failed && gw_front_shape_at(L->u, vector.shape)->has_rows;
    if (!has_rows || !gw_front_is_rows(L, &first)) return first;
    gw_diag(L->session, GW_DIAG_UNSUPPORTED, L->b.loc, "a std::vector of vectors, but for its elements",
            "index it, loop over it by a range-for, or use one std::vector for all rows");
    L->failed = true;
    return (gw_place){0};
}

gw_place gw_front_vector_element(gw_lowering *L, gw_place vector, gw_value index) {
    if (gw_front_has_rows(L, vector)) return gw_front_row(L, vector, index);
    return gw_front_advance(L, gw_front_vector_first(L, vector), index, false);
}

static void count_into(gw_lowering *L, gw_place vector, void *slot) {
    gw_front_slot_set(L, *(uint32_t *)slot, gw_front_vector_count(L, vector));
}

gw_value gw_front_vector_count(gw_lowering *L, gw_place vector) {
    if (L->failed) return gw_int(&L->b, GW_T_U64, 0);
    if (vector.kind == GW_PLACE_CHOICE) {
        uint32_t slot = gw_front_slot(L, GW_SLOT_SCALAR, GW_T_U64, 0);
        gw_front_choice_each(L, vector, count_into, &slot);
        return gw_front_slot_value(L, slot);
    }
    if (gw_front_can_be_asked(L, &vector))
        return gw_front_load(L, gw_front_asked_on(L, vector, GW_T_U64, "$0.size()", 0));
    if (lies_in_memory(L, &vector)) return count_in_memory(L, &vector);
    return gw_front_load(L, gw_front_member(L, vector, 1));
}

/* ---- local vectors ---- */
/* The first of `count` elements of its own. */
static gw_place allocate(gw_lowering *L, gw_place vector, gw_value count, CXCursor at) {
    int64_t n = 0;
    gw_shape element = element_shape(L, vector.shape);
    const gw_shape_data *e = gw_front_shape_at(L->u, element);
    gw_place first = {0};
    if (e->has_pointer && e->kind != GW_SHAPE_POINTER)
        gw_front_refuse(L, at, GW_REFUSED(VECTOR_OF_VECTORS)->what, GW_REFUSED(VECTOR_OF_VECTORS)->way_out);
    if (L->failed) return first;
    if (gw_front_is_staged(L, at)) {
        first = gw_front_stage(L, element, count, true);
        set(L, vector, first, gw_cast(&L->b, GW_T_U64, count));
        return first;
    }
    bool known = gw_const_int(L->f, count, &n) && n >= 0 && n <= UINT32_MAX;
    bool is_list = gw_front_shape_at(L->u, vector.shape)->is_list;
    const bool is_table = L->is_program && gw_front_shape_kind(L->u, element) == GW_SHAPE_POINTER;
    bool may_grow = !is_list && L->f->kind == GW_FUNC_HOST && gw_front_may_be_sized(L->u, element) &&
                    (gw_front_vectors_grow(L->u) || gw_front_vector_changes(L, L->slots.at[vector.slot].name));
    if (!known || may_grow || (is_table && !is_list)) {
        first = gw_front_allocate(L, element, count, true, at);
        if (may_grow && L->sites.count) L->sites.at[L->sites.count - 1].grows = L->slots.at[vector.slot].name;
    } else if (n || is_list) { /* a list of nothing begins somewhere, too */
        gw_place array = gw_front_temp(L, gw_front_array_of(L->u, element, n ? (uint32_t)n : 1),
                                       L->slots.at[vector.slot].name);
        if (!L->failed) gw_front_stage_note(L, (gw_site){.object = array.object, .shape = element, .at = at});
        if (!L->failed) first = gw_front_element(L, array, gw_int(&L->b, GW_T_I32, 0));
    }
    if (!L->failed) set(L, vector, first, gw_cast(&L->b, GW_T_U64, count));
    return first;
}

/* What is done to each element: a copy of one of `from`, or zero. */
typedef struct filling {
    gw_place first, from;
    gw_value count;
    bool copies, as_they_are;
    gw_copying how;
    CXCursor at;
} filling;

static void fill_one(gw_lowering *L, const filling *f, gw_value at) {
    gw_place to = gw_front_advance(L, f->first, at, false);
    if (f->as_they_are)
        gw_front_copy(L, to, gw_front_advance(L, f->from, at, false));
    else if (f->copies)
        gw_front_copy_object(L, to, gw_front_advance(L, f->from, at, false), f->how, f->at);
    else
        gw_front_clear(L, to), gw_front_default_element(L, to, (gw_place){0}, f->at);
}

/* Unrolled where there are few, else in a loop. */
static void fill_all(gw_lowering *L, const filling *f) {
    enum { UNROLLED = 16 };
    int64_t n = 0;
    if (L->failed) return;
    if (gw_const_int(L->f, f->count, &n) && n <= UNROLLED) {
        for (int64_t i = 0; i < n && !L->failed; i++)
            fill_one(L, f, gw_int(&L->b, GW_T_I64, i));
        return;
    }
    gw_value range[3] = {gw_int(&L->b, GW_T_I64, 0), gw_cast(&L->b, GW_T_I64, f->count),
                         gw_int(&L->b, GW_T_I64, 1)};
    gw_op loop = gw_emit(&L->b, GW_OP_FOR, GW_T_VOID, 0, range, 3);
    gw_op_at(L->f, loop)->attr = GW_OP_LT;
    gw_region outer = L->b.region;
    L->b.region = gw_region_new(L->f, loop);
    fill_one(L, f, gw_region_arg(L->f, L->b.region, GW_T_I64, gw_intern(L->session, "element")));
    gw_yield(&L->b, NULL, 0);
    L->b.region = outer;
}

static bool has_none(gw_lowering *L, gw_place vector) {
    int64_t n = -1;
    return gw_const_int(L->f, gw_front_vector_count(L, vector), &n) && !n;
}

/* Elements of the same number are assigned where they are, for pointers may lead there; elements of another
 * number may or may not move. */
static void take(gw_lowering *L, gw_place to, gw_place from, filling f) {
    if (gw_front_has_rows(L, from) || gw_front_has_rows(L, to)) {
        gw_front_rows_copy(L, to, from);
        return;
    }
    gw_value count = gw_front_vector_count(L, from);
    gw_place old = gw_front_vector_first(L, to);
    if (L->failed) return;
    if (is_given(L, to)) {
        gw_diag(L->session, GW_DIAG_UNSUPPORTED, L->b.loc, "an assignment to a whole std::vector parameter",
                "assign its elements");
        L->failed = true;
        return;
    }
    f.from = gw_front_vector_first(L, from), f.count = count, f.copies = true;
    bool stays = (old.kind == GW_PLACE_MEMORY || old.kind == GW_PLACE_SLOTS) && !has_none(L, to);
    stays |= gw_front_is_rows(L, &old);
    if (stays && !gw_front_same_size(L, gw_front_vector_count(L, to), count)) {
        gw_front_refuse_size(L);
        return;
    }
    f.first = stays ? old : allocate(L, to, count, clang_getNullCursor());
    fill_all(L, &f);
}

void gw_front_vector_copy(gw_lowering *L, gw_place to, gw_place from, gw_copying how, CXCursor at) {
    take(L, to, from, (filling){.how = how, .at = at});
}

void gw_front_vector_move(gw_lowering *L, gw_place to, gw_place from) {
    take(L, to, from, (filling){.as_they_are = true});
}

/* The list behind the conversions that make a std::initializer_list of it; null if there is none. */
static CXCursor list_in(CXCursor e) {
    while (clang_getCursorKind(e) == CXCursor_UnexposedExpr && !clang_Cursor_isNull(gw_front_expression(e)))
        e = gw_front_expression(e);
    return clang_getCursorKind(e) == CXCursor_InitListExpr ? e : clang_getNullCursor();
}

/* (first, last) */
static void fill_range(gw_lowering *L, gw_place to, CXCursor first, CXCursor last, CXCursor at) {
    gw_place from = gw_front_pointer(L, first), end = gw_front_pointer(L, last);
    gw_value count = L->failed ? 0 : gw_front_compare(L, &end, &from, GW_OP_SUB);
    if (!count) {
        gw_front_refuse(L, at, "this constructor of the standard library", "give the elements one by one");
        return;
    }
    filling f = {.from = from, .count = count, .copies = true, .how = GW_COPIED, .at = at};
    f.first = allocate(L, to, count, at);
    fill_all(L, &f);
}

static void fill_list(gw_lowering *L, gw_place to, CXCursor list, CXCursor at) {
    gw_cursors items = {0};
    gw_front_expressions(list, &items);
    gw_place first = allocate(L, to, gw_int(&L->b, GW_T_U64, items.count), at);
    gw_shape shape = element_shape(L, to.shape); /* elements are copies of those of the list */
    bool copies =
        !gw_front_shape_at(L->u, to.shape)->is_list && gw_front_copies_by_code(L->u, shape, GW_COPIED);
    for (uint32_t i = 0; i < items.count && !L->failed; i++) {
        gw_place element = gw_front_advance(L, first, gw_int(&L->b, GW_T_I64, i), false);
        gw_place made = copies ? gw_front_temp(L, shape, 0) : element;
        gw_front_initialize(L, made, items.at[i]);
        if (copies) gw_front_copy_object(L, element, made, GW_COPIED, at);
    }
    gw_vec_free(&items);
}

/* (count) or (count, value) */
static void fill_equal(gw_lowering *L, gw_place to, const gw_cursors *arguments, uint32_t given, CXCursor at) {
    if (given == 2 && gw_front_shape_at(L->u, to.shape)->has_rows) {
        gw_front_rows_fill(L, to, arguments->at[0], arguments->at[1], at);
        return;
    }
    filling f = {.count = gw_front_scalar(L, arguments->at[0]), .at = at};
    gw_place value = {0};
    bool code = gw_front_copies_by_code(L->u, element_shape(L, to.shape), GW_COPIED);
    if (!L->failed && given == 2)
        value = code ? gw_front_place(L, arguments->at[1]) : gw_front_temp(L, element_shape(L, to.shape), 0);
    if (!L->failed && given == 2 && !code) gw_front_initialize(L, value, arguments->at[1]);
    f.first = allocate(L, to, f.count, at);
    const bool is_zeroed = !L->failed && f.first.kind &&
                           (gw_object_at(L->f, f.first.object)->zeroed || gw_front_is_device(L, &f.first));
    bool zero = is_zeroed && given == 1;
    zero &= !gw_front_constructs(L->u, element_shape(L, to.shape));
    if (given == 2 && !L->failed && f.first.kind)
        gw_front_fill(L, f.first, value, f.count, GW_COPIED, at);
    else if (!zero)
        fill_all(L, &f);
}

void gw_front_vector_fill(gw_lowering *L, gw_place to, const gw_cursors *arguments, CXCursor at) {
    uint32_t count = arguments->count;
    while (count && gw_front_is_default_argument(arguments->at[count - 1]))
        count--;
    gw_shape_kind kind = count ? gw_front_kind_of(L, arguments->at[0]) : GW_SHAPE_SCALAR;
    CXCursor list = count == 1 ? list_in(arguments->at[0]) : clang_getNullCursor();
    if (!count && gw_front_shape_at(L->u, to.shape)->has_rows) {
        gw_front_clear(L, to); /* its memory comes with its rows */
    } else if (!count) {
        allocate(L, to, gw_int(&L->b, GW_T_U64, 0), at);
    } else if (!clang_Cursor_isNull(list)) {
        fill_list(L, to, list, at);
    } else if (kind == GW_SHAPE_SCALAR && count <= 2) {
        fill_equal(L, to, arguments, count, at);
    } else if (kind == GW_SHAPE_POINTER && count == 2) {
        fill_range(L, to, arguments->at[0], arguments->at[1], at);
    } else if (count == 1 && (gw_front_shape_of(L, arguments->at[0]) == to.shape ||
                              gw_front_shape_at(L->u, gw_front_shape_of(L, arguments->at[0]))->is_list)) {
        gw_place from = gw_front_place(L, arguments->at[0]);
        if (!L->failed && clang_CXXConstructor_isMoveConstructor(clang_getCursorReferenced(at)))
            gw_front_vector_move(L, to, from);
        else if (!L->failed)
            gw_front_vector_copy(L, to, from, GW_COPIED, at);
    } else {
        gw_front_refuse(L, at, "this constructor of the standard library", "give the elements one by one");
    }
}

/* ---- changes of the size ---- */
/* A vector of this function's own, not a parameter or what a reference to one leads to. */
static bool is_own(gw_library_call *c) {
    if (c->L->failed) return false;
    const gw_place first = gw_front_vector_first(c->L, c->self);
    if (!c->L->failed && gw_front_is_rows(c->L, &first))
        gw_front_refuse(c->L, c->call, "a change of the size of a row of a std::vector of vectors",
                        "make the row with its size, or use one std::vector for all rows");
    if (c->L->failed) return false;
    if (!is_given(c->L, c->self)) return true;
    gw_front_refuse(c->L, c->call, "a change of the size of a std::vector parameter", "do it before the call");
    return false;
}

/* How often the library copies elements to make room is its own affair. */
static bool copies_in_numbers(gw_library_call *c) {
    gw_shape element = element_shape(c->L, c->self.shape);
    bool code = gw_front_copies_by_code(c->L->u, element, GW_COPIED) ||
                gw_front_copies_by_code(c->L->u, element, GW_MOVED);
    if (c->L->failed || !code) return false;
    gw_front_refuse(c->L, c->call,
                    "a std::vector that may copy its elements by code of yours to make room for others",
                    "make it with its elements, or default the class's copy and move constructors");
    return true;
}

static void set_count(gw_library_call *c, gw_value count) {
    gw_front_slot_set(c->L, gw_front_member(c->L, c->self, 1).slot, count);
}

/* Whether there is room for more elements, which was said or refused. A deque whose first ones went has it
 * `at_end`: as many came there as were added, those that went among them. */
static bool has_room(gw_library_call *c, gw_place first, bool at_end) {
    gw_lowering *L = c->L;
    int64_t offset = -1;
    bool memory = first.kind == GW_PLACE_MEMORY && first.count == 1 && gw_object_at(L->f, first.object)->sized;
    bool known = memory && gw_const_int(L->f, first.index[0], &offset) && !offset;
    if (at_end && gw_front_shape_at(L->u, c->self.shape)->is_deque) known = memory;
    /* a loop's trial does not know where pointers lead inside of an array */
    if (L->failed || known || (memory && L->trial_values)) return !L->failed;
    gw_front_refuse(L, c->call, "an element more in a std::vector of which nobody knows which one it is",
                    "make it with its size and assign the elements");
    return false;
}

/* (count) or (count, value), of one that may have elements: those that stay stay where they are, so that what
 * leads to them still does. `from`: the first that is made anew. */
static void resize_to(gw_library_call *c, uint32_t given, gw_value from) {
    gw_lowering *L = c->L;
    const gw_shape shape = element_shape(L, c->self.shape);
    const gw_place first = gw_front_vector_first(L, c->self);
    if (L->failed || !has_room(c, first, false)) return;
    const gw_value count = gw_cast(&L->b, GW_T_U64, gw_front_scalar(L, c->arguments->at[0]));
    gw_place value = {0};
    if (given == 2 && !L->failed) value = gw_front_temp(L, shape, 0);
    if (given == 2 && !L->failed) gw_front_initialize(L, value, c->arguments->at[1]);
    if (L->failed) return;
    gw_front_growth_resize(L, first.object, count);
    const gw_value range[3] = {from, count, gw_int(&L->b, GW_T_I64, 1)};
    const bool makes = given < 2 && gw_front_constructs(L->u, shape);
    gw_element_action *other = makes ? gw_front_default_element : gw_front_set_zero;
    gw_front_each_of(L, first, value, true, range, given == 2 ? gw_front_copy_bits : other, c->call);
    set_count(c, count);
}

/* New elements: (count), or (count, value); assign also takes (first, last). */
static void make_elements(gw_library_call *c, bool keeps) {
    if (copies_in_numbers(c)) return;
    uint32_t given = c->arguments->count;
    while (given && gw_front_is_default_argument(c->arguments->at[given - 1]))
        given--;
    if (!is_own(c)) return;
    bool counted = given && given <= 2 && gw_front_kind_of(c->L, c->arguments->at[0]) == GW_SHAPE_SCALAR;
    bool range = given == 2 && gw_front_kind_of(c->L, c->arguments->at[0]) == GW_SHAPE_POINTER;
    if (has_none(c->L, c->self) && range)
        fill_range(c->L, c->self, c->arguments->at[0], c->arguments->at[1], c->call);
    else if (has_none(c->L, c->self) && counted)
        fill_equal(c->L, c->self, c->arguments, given, c->call);
    else if (counted)
        resize_to(c, given,
                  keeps ? gw_front_vector_count(c->L, c->self) : gw_int(&c->L->b, GW_T_U64, 0));
    else
        gw_front_refuse(c->L, c->call, "a change of the size of a std::vector that may have had elements",
                        "add elements by push_back and drop them by pop_back, or make a new vector");
}

void gw_front_vector_resize(gw_library_call *c) { make_elements(c, true); }
void gw_front_vector_assign(gw_library_call *c) { make_elements(c, false); }

/* Room alone is nothing that a program sees. */
void gw_front_vector_reserve(gw_library_call *c) {
    if (is_own(c)) gw_front_scalar(c->L, c->arguments->at[0]);
}

void gw_front_vector_pop_back(gw_library_call *c) {
    if (!is_own(c)) return;
    gw_builder *b = &c->L->b;
    set_count(c, gw_binary(b, GW_OP_SUB, gw_front_vector_count(c->L, c->self), gw_int(b, GW_T_U64, 1)));
}

/* One more element, T(arguments): it is made before it is put there, because it may be made of elements. */
static void add_element(gw_library_call *c) {
    gw_lowering *L = c->L;
    if (!is_own(c) || copies_in_numbers(c)) return;
    gw_place first = gw_front_vector_first(L, c->self);
    if (!has_room(c, first, true)) return;
    gw_place made = gw_front_temp(L, element_shape(L, c->self.shape), 0);
    const gw_shape_data d = *gw_front_shape_at(L->u, made.shape);
    bool class = d.kind == GW_SHAPE_STRUCT && (d.library || gw_front_has_constructor(d.clang));
    if (L->failed) return;
    if (class && c->arguments->count)
        gw_front_construct_from(L, made, c->arguments, c->call);
    else if (c->arguments->count == 1)
        gw_front_initialize(L, made, c->arguments->at[0]);
    else if (!c->arguments->count)
        gw_front_clear(L, made), gw_front_default_construct(L, made, c->call);
    else
        for (uint32_t i = 0; i < c->arguments->count && i < d.count && !L->failed; i++)
            gw_front_initialize(L, gw_front_member(L, made, i), c->arguments->at[i]);
    if (L->failed) return;
    gw_value count = gw_front_vector_count(L, c->self);
    gw_place last = gw_front_advance(L, first, count, false);
    gw_front_copy(L, last, made);
    gw_front_growth_mark(L, first.object);
    set_count(c, gw_binary(&L->b, GW_OP_ADD, count, gw_int(&L->b, GW_T_U64, 1)));
    c->result.place = last;
}

void gw_front_vector_push_back(gw_library_call *c) { add_element(c); }
void gw_front_vector_emplace_back(gw_library_call *c) { add_element(c); }

/* ---- changes in the middle ---- */
/* The number of the element that an iterator leads to; 0 after a diagnostic. */
static gw_value number_of(gw_library_call *c, gw_place first, CXCursor iterator) {
    const gw_place at = gw_front_pointer(c->L, iterator);
    const gw_value number = c->L->failed ? 0 : gw_front_compare(c->L, &at, &first, GW_OP_SUB);
    if (!number)
        gw_front_refuse(c->L, c->call, "an iterator of which nobody knows which element it leads to",
                        "make a new vector of the elements");
    return number ? gw_cast(&c->L->b, GW_T_I64, number) : 0;
}

/* Elements are copied from `by` places further on, `count` of them from number `from` on, in order; or, `back`,
 * those before number `from` by one place towards the end, the last one first. */
static void shift(gw_lowering *L, gw_place first, gw_value from, gw_value count, gw_value by, bool back) {
    gw_value range[3] = {gw_int(&L->b, GW_T_I64, 0), count, gw_int(&L->b, GW_T_I64, 1)};
    const gw_op loop = gw_emit(&L->b, GW_OP_FOR, GW_T_VOID, 0, range, 3);
    gw_op_at(L->f, loop)->attr = GW_OP_LT;
    const gw_region outer = L->b.region;
    L->b.region = gw_region_new(L->f, loop);
    const gw_value i = gw_region_arg(L->f, L->b.region, GW_T_I64, gw_intern(L->session, "element"));
    const gw_value to = gw_binary(&L->b, back ? GW_OP_SUB : GW_OP_ADD, from, i);
    const gw_value source = gw_binary(&L->b, back ? GW_OP_SUB : GW_OP_ADD, to, by);
    gw_front_copy(L, gw_front_advance(L, first, to, false), gw_front_advance(L, first, source, false));
    gw_yield(&L->b, NULL, 0);
    L->b.region = outer;
}

/* (iterator) or (first, last) */
void gw_front_vector_erase(gw_library_call *c) {
    gw_lowering *L = c->L;
    if (!is_own(c) || copies_in_numbers(c)) return;
    const gw_place first = gw_front_vector_first(L, c->self);
    const gw_value from = number_of(c, first, c->arguments->at[0]);
    const gw_value to = from && c->arguments->count > 1 ? number_of(c, first, c->arguments->at[1]) : 0;
    if (L->failed) return;
    gw_builder *b = &L->b;
    const gw_value one = gw_int(b, GW_T_I64, 1), by = to ? gw_binary(b, GW_OP_SUB, to, from) : one;
    const gw_value count = gw_cast(b, GW_T_I64, gw_front_vector_count(L, c->self));
    const gw_value left = gw_binary(b, GW_OP_SUB, count, by);
    shift(L, first, from, gw_binary(b, GW_OP_SUB, left, from), by, false);
    set_count(c, gw_cast(b, GW_T_U64, left));
    c->result.place = gw_front_advance(L, first, from, false);
}

/* The others stay where they are, and what leads to them does. */
void gw_front_vector_pop_front(gw_library_call *c) {
    gw_builder *b = &c->L->b;
    if (!is_own(c)) return;
    const gw_place first = gw_front_vector_first(c->L, c->self);
    const gw_value one = gw_int(b, GW_T_U64, 1);
    if (c->L->failed) return;
    const gw_value left = gw_binary(b, GW_OP_SUB, gw_front_vector_count(c->L, c->self), one);
    set(c->L, c->self, gw_front_advance(c->L, first, gw_cast(b, GW_T_I64, one), false), left);
}

/* (iterator, value): the value is made first, because it may be one of the elements. */
void gw_front_vector_insert(gw_library_call *c) {
    gw_lowering *L = c->L;
    const gw_shape shape = element_shape(L, c->self.shape);
    if (!is_own(c) || copies_in_numbers(c)) return;
    if (gw_front_shape_of(L, c->arguments->at[1]) != shape) {
        gw_front_refuse(L, c->call, "std::vector::insert of what is no element",
                        "insert one element at a time");
        return;
    }
    const gw_place first = gw_front_vector_first(L, c->self), made = gw_front_temp(L, shape, 0);
    if (!has_room(c, first, false)) return;
    const gw_value at = number_of(c, first, c->arguments->at[0]);
    if (!L->failed) gw_front_initialize(L, made, c->arguments->at[1]);
    if (L->failed) return;
    gw_builder *b = &L->b;
    const gw_value one = gw_int(b, GW_T_I64, 1), count = gw_front_vector_count(L, c->self);
    const gw_value last = gw_cast(b, GW_T_I64, count);
    gw_front_growth_mark(L, first.object);
    shift(L, first, last, gw_binary(b, GW_OP_SUB, last, at), one, true);
    c->result.place = gw_front_advance(L, first, at, false);
    gw_front_copy(L, c->result.place, made);
    set_count(c, gw_binary(b, GW_OP_ADD, count, gw_int(b, GW_T_U64, 1)));
}

void gw_front_vector_clear(gw_library_call *c) {
    if (is_own(c)) set_count(c, gw_int(&c->L->b, GW_T_U64, 0));
}

/* The member swaps, or the function two arguments. Elements stay where they are, and so do pointers to them. */
void gw_front_vector_swap(gw_library_call *c) {
    gw_lowering *L = c->L;
    bool member = c->arguments->count == 1;
    gw_library_call other = *c;
    if (!member) c->self = gw_front_place(L, c->arguments->at[0]);
    other.self = gw_front_place(L, c->arguments->at[!member]);
    if (!is_own(c) || !is_own(&other)) return;
    gw_place first[2] = {gw_front_vector_first(L, c->self), gw_front_vector_first(L, other.self)};
    gw_value count[2] = {gw_front_vector_count(L, c->self), gw_front_vector_count(L, other.self)};
    set(L, c->self, first[1], count[1]);
    set(L, other.self, first[0], count[0]);
}
