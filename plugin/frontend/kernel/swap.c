/*
 * frontend/kernel/swap.c - loops of atomicCAS that add to a floating-point number, or keep the greatest or
 * least:
 *
 *     do {
 *         assumed = old;
 *         old = atomicCAS(cell, assumed, __float_as_int(value + __int_as_float(assumed)));
 *     } while (assumed != old);
 *
 * The loop is the operation: it ends when nobody came between, so that the cell has been given what it had and
 * `value`, once; and `old` is what it had. Sound where `cell` and `value` are the same each time that they are
 * computed, and computing them does nothing else: they name neither of the two variables, which are two, and to
 * which nothing else leads, and call and assign nothing. What differs from this in any way is lowered as it
 * stands.
 */
#include "plugin/frontend/kernel/kernel.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/place/place.h"

#include "analysis/ir/atomic.h"

#include <string.h>

/* ---- what is written ---- */

static bool operands(CXCursor e, enum CXBinaryOperatorKind kind, CXCursor out[2]) {
    if (clang_Cursor_isNull(e) || clang_getCursorBinaryOperatorKind(e) != kind) return false;
    gw_cursors list = {0};
    gw_front_children(e, &list);
    const bool both = list.count == 2;
    for (uint32_t i = 0; i < 2 && both; i++)
        out[i] = list.at[i];
    gw_vec_free(&list);
    return both;
}

/* The local variable that is named. */
static CXCursor variable(gw_lowering *L, CXCursor e) {
    e = gw_front_behind_casts(L, e);
    CXCursor named = clang_getCursorReferenced(e);
    const bool is_one = clang_getCursorKind(e) == CXCursor_DeclRefExpr &&
                        clang_getCursorKind(named) == CXCursor_VarDecl;
    return is_one ? named : clang_getNullCursor();
}

static bool is(CXCursor a, CXCursor b) { return !clang_Cursor_isNull(a) && clang_equalCursors(a, b); }

/* The library's function that is called; 0: it is no such call of so many arguments. */
static gw_str called(gw_lowering *L, CXCursor e, int arguments) {
    CXCursor callee = clang_getCursorReferenced(e);
    if (clang_getCursorKind(e) != CXCursor_CallExpr || clang_Cursor_getNumArguments(e) != arguments) return 0;
    return gw_front_is_library(L->u, callee) ? gw_front_intern(L->u, clang_getCursorSpelling(callee)) : 0;
}

static const struct {
    const char *as_bits, *as_number;
    gw_type number;
} views[] = {
    {"__float_as_int", "__int_as_float", GW_T_F32},
    {"__float_as_uint", "__uint_as_float", GW_T_F32},
    {"__double_as_longlong", "__longlong_as_double", GW_T_F64},
};

typedef struct swap {
    CXCursor assumed, old, call, value;
    gw_type number;
    gw_atomic kind;
    bool negated;
} swap;

static enum CXChildVisitResult visit_effect(CXCursor c, CXCursor parent, CXClientData data) {
    const swap *s = data;
    (void)parent;
    const enum CXCursorKind kind = clang_getCursorKind(c);
    CXCursor named = clang_getCursorReferenced(c);
    const bool assigns = kind == CXCursor_CompoundAssignOperator || kind == CXCursor_UnaryOperator ||
                         (kind == CXCursor_BinaryOperator &&
                          clang_getCursorBinaryOperatorKind(c) == CXBinaryOperator_Assign);
    const enum CXUnaryOperatorKind unary = clang_getCursorUnaryOperatorKind(c);
    const bool is_value = kind == CXCursor_UnaryOperator &&
                          (unary == CXUnaryOperator_Minus || unary == CXUnaryOperator_Plus ||
                           unary == CXUnaryOperator_AddrOf);
    const bool does = (assigns && !is_value) || kind == CXCursor_CallExpr || kind == CXCursor_LambdaExpr;
    return does || is(named, s->assumed) || is(named, s->old) ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* Computing the value does nothing else, and gives the same each time. */
static bool is_steady(const swap *s, CXCursor value) {
    swap copy = *s;
    if (visit_effect(value, value, &copy) == CXChildVisit_Break) return false;
    return clang_visitChildren(value, visit_effect, &copy) == 0;
}

/* A variable that is read or assigned, and nothing else: its address is not taken, no reference bound to it. */
typedef struct use {
    CXCursor variable;
    bool is_plain;
} use;

static enum CXChildVisitResult visit_use(CXCursor c, CXCursor parent, CXClientData data) {
    use *u = data;
    const enum CXCursorKind around = clang_getCursorKind(parent);
    const bool is_use = clang_getCursorKind(c) == CXCursor_DeclRefExpr &&
                        clang_equalCursors(clang_getCursorReferenced(c), u->variable);
    u->is_plain &= !is_use || around == CXCursor_UnexposedExpr ||
                   clang_getCursorBinaryOperatorKind(parent) == CXBinaryOperator_Assign;
    return u->is_plain ? CXChildVisit_Recurse : CXChildVisit_Break;
}

static bool is_apart(const gw_lowering *L, CXCursor variable) {
    use u = {variable, L->frames.count > 0};
    if (u.is_plain) clang_visitChildren(L->frames.at[L->frames.count - 1].decl, visit_use, &u);
    return u.is_plain;
}

/* `e` is the number that the cell was assumed to hold. */
static bool is_held(gw_lowering *L, const swap *s, CXCursor e) {
    e = gw_front_strip(e);
    const gw_str name = called(L, e, 1);
    bool found = false;
    for (size_t i = 0; name && i < sizeof views / sizeof *views; i++)
        found |= views[i].number == s->number && name == gw_intern(L->session, views[i].as_number);
    return found && is(variable(L, clang_Cursor_getArgument(e, 0)), s->assumed);
}

static bool is_of(CXCursor e, gw_type number) {
    const enum CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(e)).kind;
    return kind == (number == GW_T_F32 ? CXType_Float : CXType_Double);
}

static bool read_pair(gw_lowering *L, swap *s, CXCursor a, CXCursor b, gw_atomic kind) {
    s->kind = kind;
    s->value = is_held(L, s, b) ? a : b;
    return (is_held(L, s, a) || is_held(L, s, b)) && is_of(a, s->number) && is_of(b, s->number) &&
           is_steady(s, s->value);
}

static const struct {
    const char *name;
    gw_atomic kind;
} choices[] = {
    {"fmaxf", GW_ATOMIC_FLOAT_MAX}, {"fmax", GW_ATOMIC_FLOAT_MAX}, {"max", GW_ATOMIC_FLOAT_MAX},
    {"fminf", GW_ATOMIC_FLOAT_MIN}, {"fmin", GW_ATOMIC_FLOAT_MIN}, {"min", GW_ATOMIC_FLOAT_MIN},
};

/* The number that the cell is given. */
static bool read_given(gw_lowering *L, swap *s, CXCursor e) {
    CXCursor side[2];
    e = gw_front_strip(e);
    if (operands(e, CXBinaryOperator_Add, side)) return read_pair(L, s, side[0], side[1], GW_ATOMIC_ADD);
    if (operands(e, CXBinaryOperator_Sub, side)) {
        s->negated = true;
        return is_held(L, s, side[0]) && read_pair(L, s, side[1], side[0], GW_ATOMIC_ADD);
    }
    const gw_str name = called(L, e, 2);
    for (size_t i = 0; name && i < sizeof choices / sizeof *choices; i++)
        if (name == gw_intern(L->session, choices[i].name))
            return read_pair(L, s, clang_Cursor_getArgument(e, 0), clang_Cursor_getArgument(e, 1),
                             choices[i].kind);
    return false;
}

static bool read_swap(gw_lowering *L, swap *s, CXCursor e) {
    s->call = gw_front_behind_casts(L, e);
    if (called(L, s->call, 3) != gw_intern(L->session, "atomicCAS")) return false;
    if (!is(variable(L, clang_Cursor_getArgument(s->call, 1)), s->assumed)) return false;
    if (!is_steady(s, clang_Cursor_getArgument(s->call, 0))) return false;
    CXCursor bits = gw_front_behind_casts(L, clang_Cursor_getArgument(s->call, 2));
    const gw_str name = called(L, bits, 1);
    for (size_t i = 0; name && i < sizeof views / sizeof *views; i++) {
        s->number = views[i].number;
        if (name == gw_intern(L->session, views[i].as_bits))
            return read_given(L, s, clang_Cursor_getArgument(bits, 0));
    }
    return false;
}

static bool read_loop(gw_lowering *L, swap *s, CXCursor loop) {
    gw_cursors parts = {0}, body = {0};
    CXCursor ends[2], first[2], second[2];
    gw_front_children(loop, &parts);
    if (parts.count == 2 && clang_getCursorKind(parts.at[0]) == CXCursor_CompoundStmt)
        gw_front_children(parts.at[0], &body);
    bool good = parts.count == 2 && body.count == 2 &&
                operands(gw_front_strip(parts.at[1]), CXBinaryOperator_NE, ends) &&
                operands(body.at[0], CXBinaryOperator_Assign, first) &&
                operands(body.at[1], CXBinaryOperator_Assign, second);
    if (good) {
        s->assumed = variable(L, first[0]), s->old = variable(L, first[1]);
        good = !clang_Cursor_isNull(s->assumed) && !clang_Cursor_isNull(s->old) &&
               !is(s->assumed, s->old) && is_apart(L, s->assumed) && is_apart(L, s->old) &&
               is(variable(L, second[0]), s->old) && read_swap(L, s, second[1]);
    }
    if (good) {
        CXCursor one = variable(L, ends[0]), other = variable(L, ends[1]);
        good = (is(one, s->assumed) && is(other, s->old)) || (is(one, s->old) && is(other, s->assumed));
    }
    gw_vec_free(&parts), gw_vec_free(&body);
    return good;
}

/* ---- what is made of it ---- */

bool gw_front_swap_loop(gw_lowering *L, CXCursor loop) {
    swap s = {0};
    if (L->f->kind == GW_FUNC_HOST || clang_getCursorKind(loop) != CXCursor_DoStmt) return false;
    if (!read_loop(L, &s, loop)) return false;
    gw_place to = gw_front_pointer(L, clang_Cursor_getArgument(s.call, 0));
    if (L->failed || to.kind != GW_PLACE_MEMORY || to.cell != s.number) return L->failed;
    const gw_place old = gw_front_variable(L, s.old, loop), assumed = gw_front_variable(L, s.assumed, loop);
    gw_value value = L->failed ? 0 : gw_front_scalar(L, s.value), had = 0;
    if (L->failed) return true;
    const gw_shape bits = to.shape;
    to.shape = to.cell, to.cell = 0;
    if (s.negated) value = gw_unary(&L->b, GW_OP_NEG, value);
    gw_front_locate(L, s.call);
    gw_front_atomic_put(L, s.call, to, s.kind, value, &had);
    if (L->failed) return true;
    had = gw_bits(&L->b, bits, had);
    gw_front_store(L, old, had);
    gw_front_store(L, assumed, had);
    return true;
}
