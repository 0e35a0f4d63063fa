/*
 * frontend/kernel/shared.c - __shared__ variables and barriers.
 *
 * A shared variable is one object of the kernel, wherever it is declared: in an inlined function, in a loop or
 * at file scope, each declaration is met once. An extern one is a pointer to its first element; CUDA lays all
 * of them over each other, so a kernel may have one. One that is named only to cast it to pointers of one type
 * consists of what these lead to: templates declare theirs as integers, since a name can have one type. A
 * barrier counts as a store, so that nobody takes what holds one for quiet.
 */
#include "plugin/frontend/lower_private.h"

#include <string.h>

bool gw_front_is_shared(CXCursor variable) { return gw_front_has_attribute(variable, CXCursor_CUDASharedAttr); }

static bool is_dynamic(CXCursor variable) {
    return clang_getCanonicalType(clang_getCursorType(variable)).kind == CXType_IncompleteArray;
}

/* Where a function names a dynamic array. */
typedef struct shared_uses {
    CXCursor variable;
    CXType cell; /* of the pointers that it is cast to */
    unsigned names, casts;
    bool differ; /* the casts */
} shared_uses;

static bool is_name_of(CXCursor e, CXCursor variable) {
    while (clang_getCursorKind(e) == CXCursor_ParenExpr || clang_getCursorKind(e) == CXCursor_UnexposedExpr)
        e = gw_front_expression(e);
    return clang_getCursorKind(e) == CXCursor_DeclRefExpr &&
           clang_equalCursors(clang_getCursorReferenced(e), variable);
}

static enum CXChildVisitResult visit_use(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    shared_uses *uses = data;
    enum CXCursorKind kind = clang_getCursorKind(c);
    if (kind == CXCursor_DeclRefExpr && is_name_of(c, uses->variable)) uses->names++;
    if (kind != CXCursor_CStyleCastExpr && kind != CXCursor_CXXReinterpretCastExpr) return CXChildVisit_Recurse;
    CXType to = clang_getPointeeType(clang_getCanonicalType(clang_getCursorType(c)));
    if (to.kind == CXType_Invalid || !is_name_of(gw_front_expression(c), uses->variable))
        return CXChildVisit_Recurse;
    CXType cell = clang_getUnqualifiedType(to);
    if (uses->casts++) uses->differ |= !clang_equalTypes(uses->cell, cell);
    uses->cell = cell;
    return CXChildVisit_Recurse;
}

/* The type of a dynamic array's cells. */
static CXType cell_type(CXCursor variable) {
    shared_uses uses = {.variable = variable};
    CXCursor function = clang_getCursorLexicalParent(variable);
    CXCursor body =
        clang_isDeclaration(clang_getCursorKind(function)) ? gw_front_body(function) : clang_getNullCursor();
    if (!clang_Cursor_isNull(body)) clang_visitChildren(body, visit_use, &uses);
    bool casts = uses.casts && uses.casts == uses.names && !uses.differ && uses.cell.kind != CXType_Void;
    return casts ? uses.cell : clang_getArrayElementType(clang_getCanonicalType(clang_getCursorType(variable)));
}

/* What speaks against the variable; NULL if nothing does. */
static const char *refusal(gw_lowering *L, CXCursor variable, gw_shape cell, const char **way_out) {
    const gw_shape_data *d = gw_front_shape_at(L->u, cell);
    *way_out = "declare shared arrays of plain numbers and structs";
    if (L->f->kind != GW_FUNC_KERNEL) {
        *way_out = "request the derivative of the kernel that calls it";
        return "shared memory outside of a kernel";
    }
    if (d->kind == GW_SHAPE_OPAQUE) return d->refusal->what;
    if (clang_isVolatileQualifiedType(clang_getCanonicalType(clang_getCursorType(variable))))
        return "volatile shared memory";
    /* What frontend/place/split.c takes apart has no place in memory that another array could lie over. */
    if (d->has_pointer || (d->split && is_dynamic(variable)) || d->type == GW_T_VOID)
        return "shared memory of this type";
    for (gw_object o = 1; is_dynamic(variable) && o < L->f->objects.count; o++) {
        if (gw_object_at(L->f, o)->kind != GW_OBJECT_SHARED || !gw_object_at(L->f, o)->sized) continue;
        *way_out = "declare one, and let pointers lead into it";
        return "a second extern __shared__ array, which lies where the first one does,";
    }
    return NULL;
}

/* Functions may declare one array, and cast it differently. */
static const char *two_types(gw_lowering *L, gw_object object, gw_shape cell, const char **way_out) {
    *way_out = "use it as one type";
    return gw_object_at(L->f, object)->type == gw_front_shape_at(L->u, cell)->type
               ? NULL
               : "shared memory of two types";
}

static gw_object make(gw_lowering *L, CXCursor variable, gw_shape cell) {
    gw_str name = gw_front_intern(L->u, clang_getCursorSpelling(variable));
    gw_object o = gw_front_local(L, name, gw_front_shape_at(L->u, cell)->type);
    gw_object_at(L->f, o)->kind = GW_OBJECT_SHARED;
    gw_object_at(L->f, o)->sized = is_dynamic(variable);
    gw_object_at(L->f, o)->loc = gw_front_loc(L->u, clang_getCursorLocation(variable));
    gw_push(&L->globals, ((gw_global){variable, o}));
    return o;
}

gw_place gw_front_shared(gw_lowering *L, CXCursor variable, CXCursor use) {
    bool dynamic = is_dynamic(variable);
    CXType type = dynamic ? cell_type(variable) : clang_getCursorType(variable);
    variable = clang_getCanonicalCursor(variable);
    gw_shape cell = gw_front_shape(L->u, type);
    gw_place p = {.kind = GW_PLACE_MEMORY, .shape = cell};
    const char *way_out;
    for (uint32_t i = 0; i < L->globals.count; i++)
        if (clang_equalCursors(L->globals.at[i].decl, variable)) p.object = L->globals.at[i].object;
    const char *what = p.object ? two_types(L, p.object, cell, &way_out) : refusal(L, variable, cell, &way_out);
    if (what) gw_front_refuse(L, use, what, way_out);
    if (L->failed) return (gw_place){0};
    if (!p.object) p.object = make(L, variable, cell);
    if (!dynamic) return p;
    p.path = gw_intern(L->session, "[]");
    p.index[p.count++] = gw_int(&L->b, GW_T_I64, 0);
    gw_place pointer = gw_front_temp(L, gw_front_pointer_shape(L->u, type), 0);
    gw_front_point(L, pointer, p);
    return pointer;
}

bool gw_front_barrier(gw_lowering *L, CXCursor call, const char *name, gw_value *value) {
    static const char *const names[] = {"__syncthreads", "__syncthreads_count", "__syncthreads_and",
                                        "__syncthreads_or"};
    for (unsigned kind = 0; kind < sizeof names / sizeof *names; kind++) {
        if (strcmp(name, names[kind]) != 0) continue;
        if (L->f->kind != GW_FUNC_KERNEL) {
            gw_front_refuse(L, call, "a barrier outside of a kernel",
                            "request the derivative of the kernel that calls it");
            return true;
        }
        gw_value all = 0;
        if (kind) all = gw_cast(&L->b, GW_T_I32, gw_front_scalar(L, clang_Cursor_getArgument(call, 0)));
        if (L->failed) return true;
        gw_front_locate(L, call);
        gw_op op = gw_emit(&L->b, GW_OP_BARRIER, kind ? GW_T_I32 : GW_T_VOID, kind ? 1 : 0, &all, kind ? 1 : 0);
        gw_op_at(L->f, op)->attr = (uint16_t)kind;
        if (kind) *value = gw_result(L->f, op, 0);
        gw_push(&L->stores, 0);
        return true;
    }
    return false;
}
