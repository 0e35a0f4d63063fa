/*
 * frontend/call/rule.c - calls of functions with derivatives of the user's (frontend/request/rule.c), and which
 * functions can have some.
 *
 * Such a call is never inlined: it stays a call, and its derivative is a call of the user's function.
 */
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/device/device.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/requests.h"

#include <stdlib.h>

/* Whether the function has pointers to numbers, and writes floating-point ones through one. */
static bool takes_pointers(gw_unit *u, CXCursor f, bool *writes, bool *references) {
    CXType type = clang_getCursorType(f);
    bool found = *writes = *references = false;
    for (int i = 0; i < clang_getNumArgTypes(type); i++) {
        CXType t = clang_getArgType(type, (unsigned)i);
        gw_shape number = gw_front_passed_number(u, t);
        if (number == GW_T_VOID) continue;
        found = true;
        *references |= gw_front_is_reference(t);
        *writes |= gw_type_is_float(number) &&
                   !clang_isConstQualifiedType(clang_getPointeeType(clang_getCanonicalType(t)));
    }
    return found;
}

/* Why a function that names no stream can have no rule; NULL: it can. */
char *gw_front_why_no_rule(gw_unit *u, CXCursor f, bool differentiable) {
    CXType result = clang_getCursorResultType(f);
    const char *why = NULL;
    bool writes, references, pointers = takes_pointers(u, f, &writes, &references);
    if (pointers && gw_front_why_no_call(u, f)) return gw_format("it %s", gw_front_why_no_call(u, f));
    if (references)
        why = "it takes a reference: take a pointer";
    else if (!pointers && !gw_front_passes_scalars(u, f))
        why = "it takes or returns other things than scalars by value, or floating-point numbers of several "
              "types";
    else if (differentiable && !writes && !gw_type_is_float(gw_front_shape(u, result)) &&
             !gw_front_is_ordered(u, f))
        why = "it returns no floating-point number";
    else if (!differentiable && writes)
        why = "it writes floating-point numbers through a pointer, whose derivatives would be lost";
    return why ? gw_format("%s", why) : NULL;
}

/* On the host, differences take its place. */
static char *way_to_rule(gw_unit *u, CXCursor f) {
    const char *name = gw_cstr(u->session, gw_front_qualified(u, f));
    const bool host = gw_front_function_kind(u, f) == GW_FUNC_HOST && !gw_front_names_stream(u, f);
    char *written = gw_format("write its derivative: GW_DERIVATIVE_OF(\"pullback of %s\")", name);
    char *way_out = host ? gw_format("%s, or have it made of differences: GW_NUMERIC(\"%s wrt ...\")", written,
                                     gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(f))))
                         : gw_strdup(written);
    free(written);
    return way_out;
}

char *gw_front_way_to_rule(gw_unit *u, CXCursor f) {
    const char *why = NULL;
    gw_rule described = {0};
    char *reason = NULL;
    if (!gw_front_names_stream(u, f))
        reason = gw_front_why_no_rule(u, f, true);
    else
        gw_front_device_rule(u, f, &described, &why);
    const bool can = !reason && !why;
    gw_vec_free(&described.params);
    free(reason);
    if (can)
        return way_to_rule(u, f);
    return gw_format("%s",
                     "call it in a function of your own that can have a derivative (GW_DERIVATIVE_OF): one "
                     "of numbers, on the host also of pointers to numbers, and of handles where it names "
                     "a stream");
}

/* A derivative that some request may need and the user did not write is made from the body, if there is one. */
static void lower_body(gw_lowering *L, gw_unit_rule *r, CXCursor callee) {
    gw_session *s = L->session;
    const gw_rule rule = s->rules.at[r->rule];
    CXCursor definition = clang_getCursorDefinition(callee);
    bool needed = false;
    for (uint32_t i = 0; i < s->requests.count; i++)
        needed |= !gw_request_is_forward(&s->requests.at[i]) ? !rule.pullback : !rule.jvp;
    if (r->is_lowered || !needed || rule.is_nondifferentiable || clang_Cursor_isNull(definition)) return;
    r->is_lowered = true;
    if (!gw_func_find(s, gw_front_symbol(L->u, callee)) && !gw_front_function(L->u, definition))
        L->failed = true;
}

static enum CXChildVisitResult find_effect(CXCursor c, CXCursor parent, CXClientData found) {
    (void)parent;
    enum CXCursorKind kind = clang_getCursorKind(c);
    bool step = kind == CXCursor_UnaryOperator && clang_getCursorUnaryOperatorKind(c) <= CXUnaryOperator_PreDec;
    bool assigns =
        kind == CXCursor_BinaryOperator && clang_getCursorBinaryOperatorKind(c) == CXBinaryOperator_Assign;
    *(bool *)found |= step || assigns || kind == CXCursor_CompoundAssignOperator || kind == CXCursor_CallExpr;
    return *(bool *)found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* Nothing is left of the call but what its arguments do. */
static void lower_effects(gw_lowering *L, const gw_cursors *arguments) {
    for (uint32_t i = 0; i < arguments->count && !L->failed; i++) {
        bool acts = false;
        find_effect(arguments->at[i], arguments->at[i], &acts);
        if (!acts) clang_visitChildren(arguments->at[i], find_effect, &acts);
        if (!acts) continue;
        if (gw_front_kind_of(L, arguments->at[i]) == GW_SHAPE_SCALAR)
            gw_front_scalar(L, arguments->at[i]);
        else if (gw_front_kind_of(L, arguments->at[i]) == GW_SHAPE_POINTER)
            gw_front_pointer(L, arguments->at[i]);
        else
            gw_front_place(L, arguments->at[i]);
    }
}

bool gw_front_drop_call(gw_lowering *L, CXCursor callee, const gw_cursors *arguments) {
    uint32_t known = gw_front_rule_of(L->u, clang_getCanonicalCursor(callee));
    if (known == UINT32_MAX || !L->u->rules.at[known].is_dropped) return false;
    lower_effects(L, arguments);
    return true;
}

gw_value gw_front_detach_result(gw_lowering *L, CXCursor callee, gw_value v) {
    uint32_t known = gw_front_rule_of(L->u, clang_getCanonicalCursor(callee));
    bool marked = known != UINT32_MAX && L->u->rules.at[known].is_inlined;
    return marked && !L->failed && v && gw_type_is_float(gw_typeof(L->f, v)) ? gw_unary(&L->b, GW_OP_DETACH, v)
                                                                             : v;
}

bool gw_front_call_rule(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                        gw_value *result) {
    uint32_t known = gw_front_rule_of(L->u, clang_getCanonicalCursor(callee));
    if (known == UINT32_MAX) return false;
    lower_body(L, &L->u->rules.at[known], callee);
    if (!L->failed) *result = gw_front_emit_call(L, call, callee, arguments);
    return true;
}
