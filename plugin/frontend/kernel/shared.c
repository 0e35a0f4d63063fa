/*
 * frontend/kernel/shared.c - __shared__ variables and barriers.
 *
 * A shared variable is one object of the kernel, wherever it is declared: in an inlined function, in a loop or
 * at file scope, each declaration is met once. An extern one is a pointer to its first element; CUDA lays all
 * of them over each other, so a kernel may have one. A barrier counts as a store, so that nobody takes what
 * holds one for quiet.
 */
#include "plugin/frontend/lower_private.h"

#include <string.h>

bool gw_front_is_shared(CXCursor variable) { return gw_front_has_attribute(variable, CXCursor_CUDASharedAttr); }

static bool is_dynamic(CXCursor variable) {
    return clang_getCanonicalType(clang_getCursorType(variable)).kind == CXType_IncompleteArray;
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
    variable = clang_getCanonicalCursor(variable);
    CXType type = clang_getCursorType(variable);
    bool dynamic = is_dynamic(variable);
    gw_shape cell =
        gw_front_shape(L->u, dynamic ? clang_getArrayElementType(clang_getCanonicalType(type)) : type);
    gw_place p = {.kind = GW_PLACE_MEMORY, .shape = cell};
    const char *way_out;
    for (uint32_t i = 0; i < L->globals.count; i++)
        if (clang_equalCursors(L->globals.at[i].decl, variable)) p.object = L->globals.at[i].object;
    const char *what = p.object ? NULL : refusal(L, variable, cell, &way_out);
    if (what) gw_front_refuse(L, use, what, way_out);
    if (L->failed) return (gw_place){0};
    if (!p.object) p.object = make(L, variable, cell);
    if (!dynamic) return p;
    p.path = gw_intern(L->session, "[]");
    p.index[p.count++] = gw_int(&L->b, GW_T_I64, 0);
    gw_place pointer = gw_front_temp(
        L, gw_front_pointer_shape(L->u, clang_getArrayElementType(clang_getCanonicalType(type))), 0);
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
