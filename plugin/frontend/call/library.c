/*
 * frontend/call/library.c - calls of the standard library's types, by the rows of frontend/call/library.def.
 *
 * std::array is an array, std::pair and std::tuple are structs of their elements, std::complex one of its two
 * parts; an iterator of a vector is a pointer. No body of the library is looked at for them.
 */
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/object/library.h"
#include "plugin/frontend/object/object.h"
#include "plugin/frontend/type/type.h"

#include <string.h>

/* ---- containers: where they begin, and how many elements they have ---- */
static bool is_vector(gw_lowering *L, gw_place p) { return gw_front_is_sequence(L->u, p.shape); }

static gw_place first_of(gw_lowering *L, gw_place container) {
    if (is_vector(L, container)) return gw_front_vector_first(L, container);
    return gw_front_element(L, container, gw_int(&L->b, GW_T_I32, 0));
}

static gw_value count_of(gw_lowering *L, gw_place container) {
    if (is_vector(L, container)) return gw_front_vector_count(L, container);
    return gw_int(&L->b, GW_T_U64, gw_front_shape_at(L->u, container.shape)->count);
}

static gw_place at_number(gw_library_call *c, gw_value index) {
    if (is_vector(c->L, c->self)) return gw_front_vector_element(c->L, c->self, index);
    return gw_front_advance(c->L, first_of(c->L, c->self), index, false);
}

static void element(gw_library_call *c) {
    gw_value index = gw_front_scalar(c->L, c->arguments->at[0]);
    if (!c->L->failed) c->result.place = at_number(c, index);
}

static void checked_element(gw_library_call *c) {
    gw_value index = gw_front_scalar(c->L, c->arguments->at[0]);
    if (!c->L->failed) gw_front_throw_outside(c->L, c->call, index, count_of(c->L, c->self));
    if (!c->L->failed) c->result.place = at_number(c, index);
}

static void optional_checked(gw_library_call *c) {
    gw_front_optional_has(c);
    gw_front_throw_empty(c->L, c->call, c->result.value);
    if (!c->L->failed) gw_front_optional_value(c);
    c->result.value = 0;
}

static void size(gw_library_call *c) { c->result.value = count_of(c->L, c->self); }

static void empty(gw_library_call *c) {
    c->result.value = gw_binary(&c->L->b, GW_OP_EQ, count_of(c->L, c->self), gw_int(&c->L->b, GW_T_U64, 0));
}

static void first_pointer(gw_library_call *c) { c->result.place = first_of(c->L, c->self); }
static void front(gw_library_call *c) { c->result.place = at_number(c, gw_int(&c->L->b, GW_T_I64, 0)); }

static void end_pointer(gw_library_call *c) {
    c->result.place = gw_front_advance(c->L, first_of(c->L, c->self), count_of(c->L, c->self), false);
}

/* A std::reverse_iterator, which holds the pointer behind the element that it names. */
static void step_from(gw_library_call *c, void (*end)(gw_library_call *)) {
    end(c);
    const gw_place at = c->result.place;
    if (c->L->failed) return;
    c->result.place = gw_front_temp(c->L, gw_front_shape_of(c->L, c->call), 0);
    if (!c->L->failed) gw_front_point(c->L, gw_front_member(c->L, c->result.place, 0), at);
}
static void last_step(gw_library_call *c) { step_from(c, end_pointer); }
static void first_step(gw_library_call *c) { step_from(c, first_pointer); }

static void back(gw_library_call *c) {
    gw_value last = gw_binary(&c->L->b, GW_OP_SUB, count_of(c->L, c->self), gw_int(&c->L->b, GW_T_U64, 1));
    c->result.place = at_number(c, last);
}

/* The value is computed once: it may be one of the elements, or have effects. */
static void fill(gw_library_call *c) {
    gw_lowering *L = c->L;
    const gw_shape_data d = *gw_front_shape_at(L->u, c->self.shape);
    gw_place value = gw_front_temp(L, d.element, 0), from = value;
    bool code = gw_front_copies_by_code(L->u, d.element, GW_ASSIGNED);
    if (!L->failed && code) from = gw_front_place(L, c->arguments->at[0]);
    if (!L->failed && code) gw_front_copy(L, value, from);
    if (!L->failed && !code) gw_front_initialize(L, value, c->arguments->at[0]);
    if (!L->failed)
        gw_front_fill(L, first_of(L, c->self), value, gw_int(&L->b, GW_T_I32, d.count), GW_ASSIGNED, c->call);
}

/* ---- all of them ---- */
/* Copies a pair or tuple, element by element: the types may differ. */
static void copy_value(gw_lowering *L, gw_place to, gw_place from, gw_copying how, CXCursor at) {
    const gw_shape_data d = *gw_front_shape_at(L->u, to.shape), of = *gw_front_shape_at(L->u, from.shape);
    bool members =
        to.shape != from.shape && d.kind == GW_SHAPE_STRUCT && of.kind == d.kind && d.count == of.count;
    for (uint32_t i = 0; members && i < d.count; i++)
        copy_value(L, gw_front_member(L, to, i), gw_front_member(L, from, i), how, at);
    if (!members) gw_front_copy_object(L, to, from, how, at);
}

static gw_copying assigning(gw_lowering *L, CXCursor from) {
    return gw_front_argument_copying(L, from) == GW_MOVED ? GW_ASSIGNED_MOVED : GW_ASSIGNED;
}

/* std::tie(a, b) = x */
static bool assign_tied(gw_lowering *L, CXCursor left, CXCursor right) {
    while (clang_getCursorKind(left) == CXCursor_UnexposedExpr &&
           !clang_Cursor_isNull(gw_front_expression(left)))
        left = gw_front_expression(left);
    CXCursor callee = clang_getCursorReferenced(left);
    bool tie = clang_getCursorKind(left) == CXCursor_CallExpr && gw_front_in_namespace(callee, "std") &&
               strcmp(GW_FRONT_TEXT(L, gw_front_intern(L->u, clang_getCursorSpelling(callee))), "tie") == 0;
    if (!tie) return false;
    gw_place from = gw_front_place(L, right), copy = from;
    if (!L->failed) copy = gw_front_temp(L, from.shape, 0);
    if (!L->failed) gw_front_copy(L, copy, from);
    for (int i = 0; i < clang_Cursor_getNumArguments(left) && !L->failed; i++)
        copy_value(L, gw_front_place(L, clang_Cursor_getArgument(left, (unsigned)i)),
                   gw_front_member(L, copy, (uint32_t)i), assigning(L, right), right);
    return true;
}

static void assign(gw_library_call *c) {
    gw_lowering *L = c->L;
    gw_shape from = gw_front_shape_of(L, c->arguments->at[0]);
    if (gw_front_shape_kind(L->u, from) == GW_SHAPE_SCALAR) { /* a complex number from a real one */
        gw_value v = gw_front_scalar(L, c->arguments->at[0]);
        gw_front_clear(L, gw_front_member(L, c->self, 1));
        gw_front_store(L, gw_front_member(L, c->self, 0), v);
    } else {
        gw_place value = gw_front_place(L, c->arguments->at[0]);
        if (!L->failed) copy_value(L, c->self, value, assigning(L, c->arguments->at[0]), c->call);
    }
    c->result.place = c->self;
}

static void swap(gw_library_call *c) {
    gw_lowering *L = c->L;
    gw_place other = gw_front_place(L, c->arguments->at[0]);
    gw_place kept = gw_front_temp(L, c->self.shape, 0);
    gw_front_copy_object(L, kept, c->self, GW_MOVED, c->call);
    gw_front_copy_object(L, c->self, other, GW_ASSIGNED_MOVED, c->call);
    gw_front_copy_object(L, other, kept, GW_ASSIGNED_MOVED, c->call);
}

/* get<I>(x), or get<T>(x) by the type. */
static void get(gw_library_call *c) {
    gw_lowering *L = c->L;
    gw_place of = gw_front_place(L, c->arguments->at[0]);
    if (L->failed) return;
    const gw_shape_data d = *gw_front_shape_at(L->u, of.shape);
    uint32_t i = d.count;
    if (clang_Cursor_getTemplateArgumentKind(c->callee, 0) == CXTemplateArgumentKind_Integral)
        i = (uint32_t)clang_Cursor_getTemplateArgumentUnsignedValue(c->callee, 0);
    else
        for (uint32_t k = d.count; k-- > 0 && d.kind == GW_SHAPE_STRUCT;)
            if (L->u->fields.at[d.first + k].shape ==
                gw_front_shape(L->u, clang_Cursor_getTemplateArgumentType(c->callee, 0)))
                i = k;
    if (d.kind == GW_SHAPE_ARRAY)
        c->result.place = gw_front_element(L, of, gw_int(&L->b, GW_T_I32, i));
    else
        c->result.place = gw_front_member(L, of, i);
}

static void make(gw_library_call *c) {
    c->result.place = gw_front_temp(c->L, gw_front_shape_of(c->L, c->call), 0);
    if (!c->L->failed) gw_front_library_fill(c->L, c->result.place, c->arguments, c->call);
}

/* ---- iterators of vectors: pointers ---- */
static gw_place iterator(gw_library_call *c) { return gw_front_target(c->L, c->self); }
static void dereference(gw_library_call *c) { c->result.place = iterator(c); }
static void iterator_value(gw_library_call *c) { c->result.place = iterator(c); }

static gw_place moved(gw_library_call *c, bool by_one, bool back_wards) {
    gw_lowering *L = c->L;
    gw_value by = by_one ? gw_int(&L->b, GW_T_I64, 1) : gw_front_scalar(L, c->arguments->at[0]);
    return L->failed ? c->self : gw_front_advance(L, iterator(c), by, back_wards);
}

/* begin + n, which is no member of a deque's */
static void iterator_plus(gw_library_call *c) {
    const gw_place at = gw_front_pointer(c->L, c->arguments->at[0]);
    const gw_value by = c->L->failed ? 0 : gw_front_scalar(c->L, c->arguments->at[1]);
    if (by) c->result.place = gw_front_advance(c->L, at, by, false);
}

static void iterator_element(gw_library_call *c) { c->result.place = moved(c, false, false); }
static void offset_forward(gw_library_call *c) { c->result.place = moved(c, false, false); }
static void offset_back(gw_library_call *c) { c->result.place = moved(c, false, true); }

static void set_iterator(gw_library_call *c, gw_place to) {
    if (!c->L->failed) gw_front_point(c->L, c->self, to);
    c->result.place = c->self;
}

static void move_forward(gw_library_call *c) { set_iterator(c, moved(c, false, false)); }
static void move_back(gw_library_call *c) { set_iterator(c, moved(c, false, true)); }
static void iterator_assign(gw_library_call *c) {
    set_iterator(c, gw_front_pointer(c->L, c->arguments->at[0]));
}

/* i++ has an argument that nobody reads, and its value is the old one. */
static void step(gw_library_call *c, bool back_wards) {
    gw_place before = iterator(c), after = moved(c, true, back_wards);
    set_iterator(c, after);
    if (clang_Cursor_getNumArguments(c->callee) == 1) c->result.place = before;
}

/* A comparison of two iterators, or their distance. */
static void iterator_compare(gw_library_call *c) {
    static const struct {
        const char *name;
        gw_opcode op;
    } comparisons[] = {{"operator==", GW_OP_EQ}, {"operator!=", GW_OP_NE}, {"operator<", GW_OP_LT},
                       {"operator<=", GW_OP_LE}, {"operator>", GW_OP_GT},  {"operator>=", GW_OP_GE},
                       {"operator-", GW_OP_SUB}};
    gw_lowering *L = c->L;
    gw_place x = gw_front_pointer(L, c->arguments->at[0]), y = gw_front_pointer(L, c->arguments->at[1]);
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons && !L->failed; i++)
        if (strcmp(comparisons[i].name, c->name) == 0)
            c->result.value = gw_front_compare(L, &x, &y, comparisons[i].op);
    if (!c->result.value) gw_front_refuse(L, c->call, "this comparison of iterators", "compare indices");
}

static void step_forward(gw_library_call *c) { step(c, false); }
static void step_back(gw_library_call *c) { step(c, true); }

/* ---- the table ---- */
#define complex_part gw_front_complex_part
#define complex_set_part gw_front_complex_set_part
#define complex_compound gw_front_complex_compound
#define complex_binary gw_front_complex_binary
#define complex_equal gw_front_complex_equal
#define complex_unary gw_front_complex_unary
#define complex_real gw_front_complex_real
#define complex_polar gw_front_complex_polar
#define vector_resize gw_front_vector_resize
#define vector_assign gw_front_vector_assign
#define vector_reserve gw_front_vector_reserve
#define vector_pop_back gw_front_vector_pop_back
#define vector_pop_front gw_front_vector_pop_front
#define vector_push_back gw_front_vector_push_back
#define vector_emplace_back gw_front_vector_emplace_back
#define vector_clear gw_front_vector_clear
#define vector_swap gw_front_vector_swap
#define vector_erase gw_front_vector_erase
#define vector_insert gw_front_vector_insert
#define optional_has gw_front_optional_has
#define optional_value gw_front_optional_value
#define optional_or gw_front_optional_or
#define optional_reset gw_front_optional_reset
#define optional_emplace gw_front_optional_emplace
#define optional_assign gw_front_optional_assign
#define optional_swap gw_front_optional_swap
#define span_first gw_front_span_first
#define span_last gw_front_span_last
#define span_part gw_front_span_part
#define unique_get gw_front_unique_get
#define unique_element gw_front_unique_element
#define unique_is_set gw_front_unique_is_set
#define unique_release gw_front_unique_release
#define unique_reset gw_front_unique_reset
#define unique_assign gw_front_unique_assign
#define unique_swap gw_front_unique_swap
#define unique_swap_two gw_front_unique_swap_two
#define unique_make gw_front_unique_make
#define unique_equal gw_front_unique_equal
#define unique_differ gw_front_unique_differ
static const struct {
    const char *owner, *name;
    int arguments;
    gw_library_action *action;
} rows[] = {
#define GW_LIBRARY(owner, name, arguments, action) {owner, name, arguments, action},
#include "plugin/frontend/call/library.def"
#undef GW_LIBRARY
};

static bool has_rows(const char *owner) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].owner, owner) == 0) return true;
    return false;
}

/* The class whose rows another one's members have. */
static const char *rows_of(gw_lowering *L, gw_str class) {
    static const char *const same[][2] = {{"_Deque_iterator", "__normal_iterator"},
                                          {"shared_ptr", "unique_ptr"},
                                          {"__shared_ptr", "unique_ptr"},
                                          {"__shared_ptr_access", "unique_ptr"}};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (gw_intern(L->session, same[i][0]) == class) return same[i][1];
    return GW_FRONT_TEXT(L, class);
}

/* Name of the class in std that the function belongs to; "" for another function of std, NULL outside of
 * std. */
static const char *owner_of(gw_lowering *L, CXCursor callee) {
    CXCursor parent = clang_getCursorSemanticParent(callee);
    enum CXCursorKind kind = clang_getCursorKind(parent);
    bool class = kind == CXCursor_ClassDecl || kind == CXCursor_StructDecl || kind == CXCursor_ClassTemplate;
    CXCursor member = class ? parent : callee;
    if (!gw_front_in_namespace(member, "std") && !gw_front_in_namespace(member, "__gnu_cxx")) return NULL;
    return class ? rows_of(L, gw_front_intern(L->u, clang_getCursorSpelling(parent))) : "";
}

/* A free function is meant if one of its arguments, or what it returns, is one of these types. */
static bool takes_library_type(gw_lowering *L, CXCursor call, const gw_cursors *arguments) {
    bool takes = gw_front_shape_at(L->u, gw_front_shape_of(L, call))->library != GW_LIBRARY_NONE;
    for (uint32_t i = 0; i < arguments->count && !takes; i++)
        takes = gw_front_shape_at(L->u, gw_front_shape_of(L, arguments->at[i]))->library != GW_LIBRARY_NONE;
    return takes;
}

/* Rows of one type's free functions do not apply to the others. */
static bool fits(gw_lowering *L, size_t row, CXCursor call, const gw_cursors *arguments) {
    gw_library_type type = GW_LIBRARY_COMPLEX;
    if (rows[row].action == iterator_compare || rows[row].action == iterator_plus) type = GW_LIBRARY_ITERATOR;
    if (rows[row].action == vector_swap) type = GW_LIBRARY_VECTOR;
    if (rows[row].action == unique_equal || rows[row].action == unique_differ) type = GW_LIBRARY_UNIQUE;
    if (rows[row].action == unique_swap_two || rows[row].action == unique_make) type = GW_LIBRARY_UNIQUE;
    bool takes = gw_front_shape_at(L->u, gw_front_shape_of(L, call))->library == type;
    for (uint32_t i = 0; i < arguments->count; i++)
        takes |= gw_front_shape_at(L->u, gw_front_shape_of(L, arguments->at[i]))->library == type;
    return takes || rows[row].owner[0] || rows[row].action == get || rows[row].action == make;
}

static void refuse_member(gw_lowering *L, CXCursor call, const char *owner, const char *name) {
    char *what = gw_format("std::%s::%s", owner, name);
    gw_front_refuse(L, call, what,
                    strcmp(owner, "vector") == 0 ? "make it with its size and assign the elements"
                                                 : "use the operations that docs/guide/library.md lists");
    free(what);
}

bool gw_front_library(gw_lowering *L, CXCursor call, CXCursor callee, gw_cursors *arguments,
                      gw_call_result *result) {
    const char *owner = owner_of(L, callee);
    if (!owner || clang_getCursorKind(callee) == CXCursor_Constructor) return false;
    bool member = owner[0] != 0;
    if (member ? !has_rows(owner) : !takes_library_type(L, call, arguments)) return false;
    gw_library_call c = {.L = L, .call = call, .callee = callee, .arguments = arguments};
    c.name = GW_FRONT_TEXT(L, gw_front_intern(L->u, clang_getCursorSpelling(callee)));
    int count = (int)arguments->count - (member && gw_front_is_operator_call(call, callee) ? 1 : 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].owner, owner) != 0 || strcmp(rows[i].name, c.name) != 0) continue;
        if ((rows[i].arguments >= 0 && rows[i].arguments != count) || !fits(L, i, call, arguments)) continue;
        if (rows[i].action == assign && arguments->count == 2 &&
            assign_tied(L, arguments->at[0], arguments->at[1]))
            return true;
        if (member) c.self = gw_front_object_of(L, call, callee, arguments);
        if (!L->failed) rows[i].action(&c);
        *result = c.result;
        return true;
    }
    const CXCursor class = clang_getCursorSemanticParent(callee);
    if (member)
        refuse_member(L, call, GW_FRONT_TEXT(L, gw_front_intern(L->u, clang_getCursorSpelling(class))), c.name);
    return member;
}

/* ---- construction ---- */
void gw_front_library_fill(gw_lowering *L, gw_place to, const gw_cursors *arguments, CXCursor at) {
    const gw_shape_data d = *gw_front_shape_at(L->u, to.shape);
    if (d.library == GW_LIBRARY_VECTOR) {
        gw_front_vector_fill(L, to, arguments, at);
        return;
    }
    if (d.library == GW_LIBRARY_OPTIONAL) {
        gw_front_optional_fill(L, to, arguments, at);
        return;
    }
    if (d.library == GW_LIBRARY_SPAN) {
        gw_front_span_fill(L, to, arguments, at);
        return;
    }
    if (d.library == GW_LIBRARY_UNIQUE) {
        gw_front_unique_fill(L, to, arguments, at);
        return;
    }
    uint32_t count = arguments->count;
    while (count && gw_front_is_default_argument(arguments->at[count - 1]))
        count--;
    bool one =
        count == 1 && gw_front_shape_kind(L->u, gw_front_shape_of(L, arguments->at[0])) == GW_SHAPE_STRUCT;
    if (!count) {
        gw_front_clear(L, to);
    } else if (one && gw_front_shape_at(L->u, gw_front_shape_of(L, arguments->at[0]))->library && d.count > 1) {
        gw_place from = gw_front_place(L, arguments->at[0]);
        if (!L->failed) copy_value(L, to, from, gw_front_argument_copying(L, arguments->at[0]), at);
    } else if (count <= d.count && (count == d.count || d.library == GW_LIBRARY_COMPLEX)) {
        for (uint32_t i = 0; i < d.count && !L->failed; i++) {
            if (i < count)
                gw_front_copy_argument(L, gw_front_member(L, to, i), arguments->at[i]);
            else
                gw_front_clear(L, gw_front_member(L, to, i));
        }
    } else {
        gw_front_refuse(L, at, "this constructor of the standard library", "give the elements one by one");
    }
}
