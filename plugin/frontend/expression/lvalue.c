/*
 * frontend/expression/lvalue.c - expressions as places: what they name, or a copy of what they are worth.
 *
 * libclang does not tell lvalues from values. A load is an UnexposedExpr of unqualified type; an explicit cast
 * names a reference type in its tokens. A copy of a number may not be stored to; a copy that stands for one of
 * several lvalues (c ? x : y of two variables) may not be kept as a reference either, since they may change.
 */
#include "plugin/frontend/expression/expression.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/object/object.h"
#include "plugin/frontend/type/type.h"

static gw_place member_place(gw_lowering *L, CXCursor e) {
    CXCursor decl = clang_getCursorReferenced(e), base = gw_front_expression(e);
    if (clang_getCursorKind(decl) == CXCursor_VarDecl) return gw_front_variable(L, decl, e);
    gw_place of = {0};
    if (clang_Cursor_isNull(base)) {
        if (L->frames.count) of = L->frames.at[L->frames.count - 1].self;
    } else {
        of =
            gw_front_kind_of(L, base) == GW_SHAPE_POINTER ? gw_front_pointer(L, base) : gw_front_place(L, base);
    }
    if (L->failed) return of;
    of = gw_front_lvalues(L, of);
    if (of.kind == GW_PLACE_TORN || of.kind == GW_PLACE_NONE || of.kind == GW_PLACE_NULL) {
        gw_front_load(L, of); /* says why it cannot be used */
        return of;
    }
    return gw_front_asked_pair(L, &of, decl) ? of : gw_front_named_member(L, of, decl);
}

/* The array that the expression is or decays from, if it may live in slots; else null. A parameter is none,
 * however it is written. */
static CXCursor array_of_pointers(gw_lowering *L, CXCursor e) {
    e = gw_front_strip(e);
    if (clang_getCursorKind(e) == CXCursor_UnexposedExpr) {
        CXCursor inner = gw_front_operand(L, e);
        if (!clang_Cursor_isNull(inner)) e = gw_front_strip(inner);
    }
    CXCursor variable = clang_getCursorReferenced(e);
    if (clang_getCursorKind(variable) == CXCursor_ParmDecl && gw_front_decays(clang_getCursorType(variable)))
        return clang_getNullCursor();
    const gw_shape_data *d = gw_front_shape_at(L->u, gw_front_shape_of(L, e));
    return d->kind == GW_SHAPE_ARRAY && d->leaves ? e : clang_getNullCursor();
}

static gw_place element_place(gw_lowering *L, CXCursor e) {
    gw_cursors parts = {0};
    gw_front_expressions(e, &parts);
    gw_place p = {0};
    bool swapped = parts.count == 2 && gw_front_kind_of(L, parts.at[0]) == GW_SHAPE_SCALAR; /* 2[a] */
    CXCursor array = parts.count == 2 ? array_of_pointers(L, parts.at[swapped]) : clang_getNullCursor();
    if (!clang_Cursor_isNull(array)) {
        p = gw_front_place(L, array);
        gw_value index = gw_front_scalar(L, parts.at[!swapped]);
        if (!L->failed) p = gw_front_element(L, p, index);
    } else if (parts.count == 2) {
        p = gw_front_pointer(L, parts.at[swapped]);
        gw_value index = gw_front_scalar(L, parts.at[!swapped]);
        if (!L->failed && gw_front_is_row(clang_getCursorType(e)))
            index = gw_binary(&L->b, GW_OP_MUL, gw_cast(&L->b, GW_T_I64, index), gw_front_row_size(L, e));
        if (!L->failed) p = gw_front_advance(L, p, index, false);
    }
    gw_vec_free(&parts);
    return p;
}

/* A copy of a number or pointer may only be read: a store to it would be lost. */
static gw_place temporary(gw_lowering *L, CXCursor e) {
    gw_place t = gw_front_temp(L, gw_front_shape_of(L, e), 0);
    if (!L->failed) gw_front_initialize(L, t, e);
    gw_shape_kind kind = gw_front_shape_kind(L->u, t.shape);
    t.read_only = kind == GW_SHAPE_SCALAR || kind == GW_SHAPE_POINTER;
    return t;
}

/* A call's result; what is returned by value, or by reference but is known as a value only, is a copy. */
static gw_place called_place(gw_lowering *L, CXCursor e) {
    gw_shape shape = gw_front_shape_of(L, e);
    gw_call_result r = gw_front_call(L, e);
    bool pointer = gw_front_shape_kind(L->u, shape) == GW_SHAPE_POINTER;
    bool reference = gw_front_returns_reference(e);
    if (L->failed || (!r.value && (reference || !pointer))) return r.place;
    gw_place t = gw_front_temp(L, shape, 0);
    if (pointer)
        gw_front_point(L, t, r.place);
    else
        gw_front_store(L, t, r.value);
    t.read_only = true;
    t.stale = reference;
    return t;
}

static gw_place operator_place(gw_lowering *L, CXCursor e) {
    gw_value old;
    gw_place target;
    switch (clang_getCursorUnaryOperatorKind(e)) {
    case CXUnaryOperator_Deref:
        return gw_front_pointer(L, gw_front_expression(e));
    case CXUnaryOperator_PreInc:
    case CXUnaryOperator_PreDec:
        return gw_front_increment(L, e, &old, &target);
    case CXUnaryOperator_Extension:
        return gw_front_place(L, gw_front_expression(e));
    case CXUnaryOperator_Real:
    case CXUnaryOperator_Imag:
        target = gw_front_place(L, gw_front_expression(e));
        return gw_front_member(L, target, clang_getCursorUnaryOperatorKind(e) == CXUnaryOperator_Imag);
    default:
        return temporary(L, e);
    }
}

static gw_place binary_place(gw_lowering *L, CXCursor e) {
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(e);
    if (kind == CXBinaryOperator_Assign) return gw_front_assign(L, e);
    if (kind != CXBinaryOperator_Comma) return temporary(L, e);
    gw_cursors parts = {0};
    gw_front_expressions(e, &parts);
    gw_front_effect(L, parts.at[0]);
    gw_place p = gw_front_place(L, parts.at[1]);
    gw_vec_free(&parts);
    return p;
}

static gw_place cast_place(gw_lowering *L, CXCursor e) {
    CXCursor inner = gw_front_operand(L, e);
    if (clang_Cursor_isNull(inner)) return temporary(L, e);
    bool list = clang_getCursorKind(inner) == CXCursor_InitListExpr;
    bool same = gw_front_shape_of(L, e) == gw_front_shape_of(L, inner);
    bool copies = clang_getCursorKind(e) != CXCursor_UnexposedExpr &&
                  gw_front_kind_of(L, e) == GW_SHAPE_SCALAR && !gw_front_cast_reference(L, e, inner);
    bool structs = gw_front_kind_of(L, e) == GW_SHAPE_STRUCT && gw_front_kind_of(L, inner) == GW_SHAPE_STRUCT;
    if (structs && !same && !list && !gw_front_is_complex(L, e)) { /* to a base class, or back */
        gw_place p = gw_front_place(L, inner);
        if (!L->failed && !gw_front_recast(L, &p, gw_front_shape_of(L, e)))
            gw_front_refuse(L, e, "this cast between classes", "cast to a base class");
        return p;
    }
    return same && !list && !copies ? gw_front_place(L, inner) : temporary(L, e);
}

static bool is_lvalue(gw_lowering *L, CXCursor e);

static bool both_lvalues(gw_lowering *L, CXCursor choice) {
    gw_cursors parts = {0};
    gw_front_expressions(choice, &parts);
    bool both = parts.count == 3 && is_lvalue(L, parts.at[1]) && is_lvalue(L, parts.at[2]);
    gw_vec_free(&parts);
    return both;
}

/* As far as libclang shows it: the load of a number is an UnexposedExpr of unqualified type. */
static bool is_lvalue(gw_lowering *L, CXCursor e) {
    CXType type = clang_getCursorType(e);
    CXCursor inner = gw_front_expression(e);
    switch (clang_getCursorKind(e)) {
    case CXCursor_DeclRefExpr:
    case CXCursor_MemberRefExpr:
    case CXCursor_CompoundAssignOperator:
    case CXCursor_ArraySubscriptExpr:
        return true;
    case CXCursor_ParenExpr:
        return is_lvalue(L, inner);
    case CXCursor_ConditionalOperator:
        return both_lvalues(L, e);
    case CXCursor_CallExpr:
        return gw_front_returns_reference(e);
    case CXCursor_UnaryOperator: {
        enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(e);
        return kind == CXUnaryOperator_Deref || kind == CXUnaryOperator_PreInc ||
               kind == CXUnaryOperator_PreDec;
    }
    case CXCursor_BinaryOperator: {
        enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(e);
        return kind == CXBinaryOperator_Assign || (kind == CXBinaryOperator_Comma && is_lvalue(L, inner));
    }
    case CXCursor_UnexposedExpr: {
        bool number = gw_front_kind_of(L, e) == GW_SHAPE_SCALAR || gw_front_kind_of(L, e) == GW_SHAPE_POINTER;
        if (clang_Cursor_isNull(inner) || (number && !clang_isConstQualifiedType(type))) return false;
        return is_lvalue(L, inner);
    }
    default:
        return !clang_Cursor_isNull(inner) && gw_front_is_cast(clang_getCursorKind(e)) &&
               gw_front_cast_reference(L, e, inner);
    }
}

static void choose_place(gw_lowering *L, CXCursor arm, uint32_t slot, gw_place copy) {
    gw_place at = gw_front_place(L, arm);
    if (L->failed) return;
    if (copy.kind) gw_front_copy(L, copy, at);
    at = gw_front_lvalues(L, at);
    if (at.read_only) at = (gw_place){.kind = GW_PLACE_TORN};
    gw_front_slot_set(L, slot, gw_front_pointer_new(L, at));
}

/* c ? x : y as an lvalue: the place where both arms lead into one object, otherwise a copy; one of both, where
 * these may be of classes that derive from its own. */
static gw_place choice_place(gw_lowering *L, CXCursor e) {
    if (!both_lvalues(L, e)) return temporary(L, e);
    gw_shape shape = gw_front_shape_of(L, e);
    uint32_t slot = gw_front_slot(L, GW_SLOT_POINTER, GW_T_VOID, 0);
    gw_place copy = {0};
    const bool copies = gw_front_shape_at(L->u, shape)->leaves && !gw_front_has_virtual(L->u, shape);
    if (copies) copy = gw_front_temp(L, shape, 0);
    if (copies) gw_front_disown(L, copy);
    gw_cursors parts = {0};
    gw_front_expressions(e, &parts);
    gw_value condition = gw_front_condition(L, parts.at[0]);
    int64_t known;
    if (!L->failed && gw_const_int(L->f, condition, &known)) {
        gw_place p = gw_front_place(L, parts.at[known ? 1 : 2]);
        gw_vec_free(&parts);
        return p;
    }
    gw_branch side[2];
    for (int i = 0; i < 2; i++) {
        side[i] = gw_front_branch_begin(L);
        choose_place(L, parts.at[1 + i], slot, copy);
        gw_front_branch_end(L, &side[i]);
    }
    gw_front_branch_join(L, condition, &side[0], &side[1]);
    gw_front_unthrown_begin(L);
    gw_vec_free(&parts);
    return L->failed ? copy : gw_front_settle(L, slot, copy);
}

/* Lanes of a warp that run in step used to write volatile shared memory: the pass `lockstep` says where they
 * meet. What else reads such memory may not be read again. */
static void take_volatile(gw_lowering *L, CXCursor e, const gw_place *p) {
    gw_object_data *o = p->kind == GW_PLACE_MEMORY ? gw_object_at(L->f, p->object) : NULL;
    const bool own = p->kind == GW_PLACE_SLOTS || (o && o->kind == GW_OBJECT_LOCAL);
    if (o && o->kind == GW_OBJECT_SHARED)
        o->in_step = true;
    else if (!own) /* nobody else sees a variable of the function's */
        gw_front_refuse(L, e, "volatile memory", "use ordinary memory");
}

gw_place gw_front_place(gw_lowering *L, CXCursor e) {
    if (L->failed) return (gw_place){0};
    enum CXCursorKind kind = clang_getCursorKind(e);
    gw_loc outer = L->b.loc;
    gw_front_locate(L, e);
    gw_place p;
    if (kind == CXCursor_ParenExpr)
        p = gw_front_place(L, gw_front_expression(e));
    else if (kind == CXCursor_DeclRefExpr)
        p = gw_front_variable(L, clang_getCursorReferenced(e), e);
    else if (kind == CXCursor_MemberRefExpr)
        p = member_place(L, e);
    else if (kind == CXCursor_ArraySubscriptExpr)
        p = element_place(L, e);
    else if (kind == CXCursor_UnaryOperator)
        p = operator_place(L, e);
    else if (kind == CXCursor_BinaryOperator)
        p = binary_place(L, e);
    else if (kind == CXCursor_CompoundAssignOperator)
        p = gw_front_assign(L, e);
    else if (kind == CXCursor_CallExpr)
        p = called_place(L, e);
    else if (kind == CXCursor_ConditionalOperator)
        p = choice_place(L, e);
    else if (gw_front_is_cast(kind))
        p = cast_place(L, e);
    else if (kind == CXCursor_StringLiteral)
        p = gw_front_text_place(L, gw_front_shape_of(L, e), "a string");
    else
        p = temporary(L, e);
    if (!L->failed && p.kind != GW_PLACE_SPECIAL && clang_isVolatileQualifiedType(clang_getCursorType(e)))
        take_volatile(L, e, &p);
    L->b.loc = outer;
    return p;
}
