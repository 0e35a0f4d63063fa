/*
 * frontend/type/spoken.c - what is asked of shapes: what a pointer leads to, fields, and whether a parameter of
 * a derivative can be of the type, so that its adjoint can.
 */
#include "plugin/frontend/type/type.h"

gw_shape gw_front_parameter_shape(gw_unit *u, CXType type) {
    return gw_front_decays(type) ? gw_front_pointer_shape(u, gw_front_parameter_cell(type))
                                 : gw_front_shape(u, type);
}

gw_shape gw_front_pointee(gw_unit *u, gw_shape pointer) {
    CXType pointee = gw_front_shape_at(u, pointer)->clang;
    return gw_front_shape(u, pointee);
}

uint32_t gw_front_field(const gw_unit *u, gw_shape s, CXCursor decl) {
    const gw_shape_data *d = gw_front_shape_at(u, s);
    if (d->kind != GW_SHAPE_STRUCT) return UINT32_MAX;
    CXCursor canonical = clang_getCanonicalCursor(decl);
    for (uint32_t i = 0; i < d->count; i++)
        if (clang_equalCursors(clang_getCanonicalCursor(u->fields.at[d->first + i].decl), canonical)) return i;
    return UINT32_MAX;
}

static bool is_plain_vector(const gw_shape_data *d) {
    return d->library == GW_LIBRARY_VECTOR && !d->is_list && d->type != GW_T_VOID;
}

/* `one`: vectors are told of by the paths to them, as on the host. */
static const char *unspeakable(gw_unit *u, gw_shape s, uint32_t depth, bool one) {
    const gw_shape_data d = *gw_front_shape_at(u, s);
    if (d.kind == GW_SHAPE_ARRAY) return unspeakable(u, d.element, depth, one);
    if (d.is_reference) return GW_REFUSED(REFERENCE_MEMBER)->what;
    if (d.kind == GW_SHAPE_POINTER && depth < 4)
        return unspeakable(u, gw_front_pointee(u, s), depth + 1, one);
    if (d.kind != GW_SHAPE_STRUCT || !d.count) return NULL;
    if (d.no_cells) return d.holds_span ? "a std::span in a parameter" : "a std::optional in a parameter";
    if (d.library == GW_LIBRARY_VECTOR)
        return one && is_plain_vector(&d) ? NULL : "a std::vector inside of a parameter";
    bool tuple = d.library == GW_LIBRARY_TUPLE && gw_cstr(u->session, u->fields.at[d.first].name)[0] == '_';
    const char *why = tuple ? "a std::tuple as a parameter" : NULL;
    for (uint32_t i = 0; i < d.count && !why; i++) {
        const gw_shape_field f = u->fields.at[d.first + i];
        const bool is_const = !clang_Cursor_isNull(f.decl) &&
                              clang_isConstQualifiedType(clang_getCanonicalType(clang_getCursorType(f.decl)));
        why = unspeakable(u, f.shape, depth, one && !d.library && !d.is_union && !is_const);
    }
    return why;
}

const char *gw_front_unspeakable(gw_unit *u, gw_shape s) { return unspeakable(u, s, 0, false); }
const char *gw_front_unspeakable_behind(gw_unit *u, gw_shape s) { return unspeakable(u, s, 0, true); }
