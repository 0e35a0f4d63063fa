/*
 * frontend/device/stage.c - std::vector between the host and the device: std::vector<float> h(n);
 * cudaMemcpy(d, h.data(), ...).
 *
 * Where the source copies vectors so, those of a program whose size is known only when it runs lie in pinned
 * memory of the program, as if cudaMallocHost had made them: copies know them and have their adjoints, and what
 * the host does to an element is a copy of that. A few elements are variables of the host's own
 * (device/host.c).
 */
#include "plugin/frontend/lower_private.h"

#include "analysis/ir/device.h"

enum { MOST_OWN = 256 };

static enum CXChildVisitResult find_vector(CXCursor at, CXCursor parent, CXClientData data) {
    (void)parent;
    gw_unit *u = data;
    CXType type = clang_getCanonicalType(clang_getNonReferenceType(clang_getCursorType(at)));
    const gw_str name = gw_front_intern(u, clang_getCursorSpelling(clang_getTypeDeclaration(type)));
    u->stages |= name == gw_intern(u->session, "vector");
    return u->stages ? CXChildVisit_Break : CXChildVisit_Recurse;
}

static enum CXChildVisitResult find_copy(CXCursor at, CXCursor parent, CXClientData data) {
    (void)parent;
    gw_unit *u = data;
    if (clang_Location_isInSystemHeader(clang_getCursorLocation(at))) return CXChildVisit_Continue;
    if (clang_getCursorKind(at) != CXCursor_CallExpr) return CXChildVisit_Recurse;
    const gw_device_call *row = gw_front_device_call_row(u, clang_getCursorReferenced(at));
    if (!row || !gw_device_rows[row->what].reverses) return CXChildVisit_Recurse;
    for (int i = 0; i < clang_Cursor_getNumArguments(at); i++)
        clang_visitChildren(clang_Cursor_getArgument(at, (unsigned)i), find_vector, u);
    return u->stages ? CXChildVisit_Break : CXChildVisit_Recurse;
}

bool gw_front_stages(gw_lowering *L, gw_shape element, gw_value count) {
    const gw_shape_data *d = gw_front_shape_at(L->u, element);
    int64_t n;
    if (L->failed || !L->is_program || d->kind != GW_SHAPE_SCALAR || gw_type_is_half(d->type) ||
        d->type == GW_T_BOOL)
        return false;
    if (gw_const_int(L->f, count, &n) && n <= MOST_OWN) return false;
    if (!L->u->staging_known)
        clang_visitChildren(clang_getTranslationUnitCursor(L->u->clang), find_copy, L->u);
    L->u->staging_known = true;
    return L->u->stages;
}

static gw_element element_of(gw_type t) {
    if (t == GW_T_F32) return GW_ELEMENT_FLOAT;
    return t == GW_T_F64 ? GW_ELEMENT_DOUBLE : GW_ELEMENT_NONE;
}

gw_place gw_front_stage(gw_lowering *L, gw_shape element, gw_value count) {
    gw_value size = gw_int(&L->b, GW_T_U64, gw_front_size_of(L, element)),
             bytes = gw_binary(&L->b, GW_OP_MUL, gw_cast(&L->b, GW_T_U64, count), size);
    gw_op made = gw_front_device_op(L, GW_DEVICE_ALLOC_PINNED, &bytes, 1);
    gw_value at = gw_result(L->f, made, 0);
    if (L->naming) gw_value_at(L->f, at)->name = L->naming;
    gw_value set[5] = {at, gw_int(&L->b, GW_T_I32, 0), bytes, gw_int(&L->b, GW_T_ADDRESS, 0),
                       gw_int(&L->b, GW_T_U32, element_of(gw_front_shape_at(L->u, element)->type))};
    gw_front_device_op(L, GW_DEVICE_SET, set, 5);
    return gw_front_device_place(L, element, at);
}
