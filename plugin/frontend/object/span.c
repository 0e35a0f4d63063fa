/*
 * frontend/object/span.c - std::span: where elements begin and how many there are, which are another's. A
 * copy is one of these two, so that all spans of an array name its cells, as pointers do.
 */
#include "plugin/frontend/lower.h"
#include "plugin/frontend/object/library.h"
#include "plugin/frontend/object/object.h"
#include "plugin/frontend/type/type.h"

static void set(gw_lowering *L, gw_place span, gw_place first, gw_value count) {
    if (L->failed) return;
    gw_front_point(L, gw_front_member(L, span, 0), first);
    gw_front_store(L, gw_front_member(L, span, 1), gw_cast(&L->b, GW_T_U64, count));
}

static gw_place first_of(gw_lowering *L, gw_place span) {
    return gw_front_target(L, gw_front_member(L, span, 0));
}
static gw_value count_of(gw_lowering *L, gw_place span) {
    return gw_front_load(L, gw_front_member(L, span, 1));
}

static void refuse(gw_lowering *L, CXCursor at) {
    gw_front_refuse(L, at, "a std::span of such a container", "give it a pointer and a number");
}

/* The container is a vector, an array, or another span. */
static void fill_of(gw_lowering *L, gw_place to, CXCursor container, CXCursor at) {
    const gw_place from = gw_front_place(L, container);
    const gw_shape_data d = *gw_front_shape_at(L->u, from.shape);
    if (L->failed) return;
    if (d.library == GW_LIBRARY_SPAN)
        set(L, to, first_of(L, from), count_of(L, from));
    else if (d.library == GW_LIBRARY_VECTOR)
        set(L, to, gw_front_vector_first(L, from), gw_front_vector_count(L, from));
    else if (d.kind == GW_SHAPE_ARRAY)
        set(L, to, gw_front_element(L, from, gw_int(&L->b, GW_T_I32, 0)), gw_int(&L->b, GW_T_U64, d.count));
    else
        refuse(L, at);
}

/* (), (container), (first, count), (first, last) */
void gw_front_span_fill(gw_lowering *L, gw_place to, const gw_cursors *arguments, CXCursor at) {
    if (!arguments->count) {
        gw_front_clear(L, to);
        return;
    }
    if (arguments->count == 1) {
        fill_of(L, to, arguments->at[0], at);
        return;
    }
    const gw_place first = gw_front_pointer(L, arguments->at[0]);
    gw_value count = 0;
    if (!L->failed && gw_front_kind_of(L, arguments->at[1]) == GW_SHAPE_SCALAR) {
        count = gw_front_scalar(L, arguments->at[1]);
    } else if (!L->failed) {
        const gw_place end = gw_front_pointer(L, arguments->at[1]);
        count = L->failed ? 0 : gw_front_compare(L, &end, &first, GW_OP_SUB);
    }
    if (!count)
        refuse(L, at);
    else
        set(L, to, first, count);
}

/* `count` elements from number `from` on. */
static void part(gw_library_call *c, gw_value from, gw_value count) {
    gw_lowering *L = c->L;
    c->result.place = gw_front_temp(L, gw_front_shape_of(L, c->call), 0);
    if (!L->failed) set(L, c->result.place, gw_front_advance(L, first_of(L, c->self), from, false), count);
}

/* v.first(n), or v.first<2>(), which gives a span of so many. */
static gw_value number(gw_library_call *c) {
    if (c->arguments->count) return gw_front_scalar(c->L, c->arguments->at[0]);
    const CXCursor given = clang_getTypeDeclaration(gw_front_bare(clang_getCursorType(c->call)));
    const bool is_known = clang_Cursor_getNumTemplateArguments(given) == 2;
    const unsigned long long n =
        is_known ? clang_Cursor_getTemplateArgumentUnsignedValue(given, 1) : UINT64_MAX;
    if (n <= INT64_MAX) return gw_int(&c->L->b, GW_T_U64, (int64_t)n);
    gw_front_refuse(c->L, c->call, "a part of a std::span of a size that is not written here",
                    "give the number as an argument");
    return 0;
}

void gw_front_span_first(gw_library_call *c) {
    const gw_value count = number(c);
    if (!c->L->failed) part(c, gw_int(&c->L->b, GW_T_I64, 0), count);
}

static gw_value less(gw_library_call *c, gw_value by) {
    return gw_binary(&c->L->b, GW_OP_SUB, count_of(c->L, c->self), gw_cast(&c->L->b, GW_T_U64, by));
}

void gw_front_span_last(gw_library_call *c) {
    const gw_value count = number(c);
    if (!c->L->failed) part(c, gw_cast(&c->L->b, GW_T_I64, less(c, count)), count);
}

void gw_front_span_part(gw_library_call *c) {
    gw_lowering *L = c->L;
    if (!c->arguments->count) {
        gw_front_refuse(L, c->call, "a part of a std::span whose numbers are template arguments",
                        "give them as arguments: v.subspan(1, 2)");
        return;
    }
    const gw_value from = gw_front_scalar(L, c->arguments->at[0]);
    const bool is_rest = c->arguments->count < 2 || gw_front_is_default_argument(c->arguments->at[1]);
    if (L->failed) return;
    const gw_value count = is_rest ? less(c, from) : gw_front_scalar(L, c->arguments->at[1]);
    if (!L->failed) part(c, gw_cast(&L->b, GW_T_I64, from), count);
}
