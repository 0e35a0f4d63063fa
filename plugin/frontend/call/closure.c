/*
 * frontend/call/closure.c - lambdas: where one is made, and where its body finds what it names.
 *
 * What a lambda holds copies of are members of its struct (frontend/type/lambda.c); what it captures by
 * reference its body finds in the scope around it, which lasts as long as its calls (otherwise the name is not
 * found and refused).
 */
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/type/type.h"

/* A lambda as a function pointer is a static member of Clang's, to which the tree gives no body. */
CXCursor gw_front_invoked(gw_lowering *L, CXCursor decl) {
    CXCursor lambda = clang_getCursorSemanticParent(decl);
    if (clang_getCursorKind(decl) != CXCursor_CXXMethod || !clang_CXXMethod_isStatic(decl) ||
        !gw_front_is_lambda(L->u, clang_getCursorType(lambda)))
        return decl;
    CXCursor function = gw_front_call_operator(lambda);
    if (clang_getCursorKind(function) == CXCursor_CXXMethod) return function;
    gw_front_refuse(L, decl, "this use of a lambda", "call the lambda where it is declared");
    return decl;
}

/* [y = f()] where the body does not use y: f() is called all the same. */
static void unused_initializers(gw_lowering *L, gw_shape shape, CXCursor lambda) {
    gw_cursors parts = {0};
    unsigned from = gw_front_offset(clang_getCursorLocation(lambda));
    gw_front_children(lambda, &parts);
    for (uint32_t i = 0; i < parts.count && !L->failed; i++) {
        CXCursor decl = clang_getCursorReferenced(parts.at[i]);
        if (clang_getCursorKind(parts.at[i]) != CXCursor_VariableRef) continue;
        bool named_here = gw_front_offset(clang_getCursorLocation(decl)) > from;
        if (!named_here || gw_front_field(L->u, shape, decl) != UINT32_MAX) continue;
        CXCursor e = clang_Cursor_getVarDeclInitializer(decl);
        if (!clang_Cursor_isNull(e)) gw_front_effect(L, e);
    }
    gw_vec_free(&parts);
}

void gw_front_closure(gw_lowering *L, gw_place to, CXCursor lambda) {
    const gw_shape_data d = *gw_front_shape_at(L->u, to.shape);
    unsigned from = gw_front_offset(clang_getCursorLocation(lambda));
    unsigned end = gw_front_offset(clang_getRangeEnd(clang_getCursorExtent(lambda)));
    for (uint32_t i = 0; d.kind == GW_SHAPE_STRUCT && i < d.count && !L->failed; i++) {
        CXCursor decl = L->u->fields.at[d.first + i].decl;
        unsigned at = gw_front_offset(clang_getCursorLocation(decl));
        gw_place member = gw_front_member(L, to, i);
        CXCursor e = clang_Cursor_getVarDeclInitializer(decl);
        if (at > from && at < end && !clang_Cursor_isNull(e))
            gw_front_initialize(L, member, e);
        else
            gw_front_copy_object(L, member, gw_front_variable(L, decl, lambda), GW_COPIED, lambda);
    }
    unused_initializers(L, to.shape, lambda);
}

/* In a lambda `this` is that of the function around it. */
static gw_place outer_self(gw_lowering *L, CXCursor lambda) {
    CXCursor around = clang_getCanonicalCursor(clang_getCursorSemanticParent(lambda));
    for (uint32_t i = L->frames.count; i-- > 0;)
        if (clang_equalCursors(clang_getCanonicalCursor(L->frames.at[i].decl), around))
            return L->frames.at[i].self;
    return (gw_place){0};
}

void gw_front_closure_bind(gw_lowering *L, CXCursor definition, gw_frame *frame, gw_place closure) {
    CXCursor lambda = clang_getCursorSemanticParent(definition);
    if (!gw_front_is_lambda(L->u, clang_getCursorType(lambda))) return;
    const gw_shape_data d = *gw_front_shape_at(L->u, closure.shape);
    frame->self = outer_self(L, lambda);
    for (uint32_t i = 0; d.kind == GW_SHAPE_STRUCT && i < d.count; i++)
        gw_front_bind(L, L->u->fields.at[d.first + i].decl, gw_front_member(L, closure, i));
}
