/*
 * frontend/type/layout.c - where the members of a class lie, as Clang says it, or as text lays them out: the
 * fields of the IR's struct (contract: layout_private.h).
 */
#include "plugin/frontend/type/layout_private.h"

/* In bytes from the beginning. Clang says it of fields; the first base class lies there, unless a table of
 * functions does. */
static uint32_t offset_of(gw_record *r, const gw_shape_field *f) {
    bool is_base = !clang_Cursor_isNull(f->decl) && clang_getCursorKind(f->decl) == CXCursor_CXXBaseSpecifier;
    long long bits = 0; /* of a base class */
    if (r->each) bits = 8 * r->each * (f - r->fields.at);
    else if (r->lambda) bits = -1;
    else if (!is_base) bits = clang_Cursor_getOffsetOfField(f->decl);
    bool first = f == r->fields.at && !r->is_dynamic;
    if (bits >= 0 && bits / 8 <= UINT32_MAX && (!is_base || first)) return (uint32_t)(bits / 8);
    r->unplaced = true;
    return 0;
}

gw_layout gw_record_layout(const gw_record *r, CXType type) {
    long long size = clang_Type_getSizeOf(type), align = clang_Type_getAlignOf(type);
    bool known = !r->unplaced && size >= 0 && size <= UINT32_MAX && align > 0 && align <= UINT32_MAX;
    return known ? (gw_layout){(uint32_t)size, (uint32_t)align} : (gw_layout){0};
}

bool gw_front_holds_captures(gw_unit *u, gw_shape s) {
    const gw_shape_data d = *gw_front_shape_at(u, s);
    if (d.kind == GW_SHAPE_ARRAY && !d.library) return gw_front_holds_captures(u, d.element);
    bool found = d.kind == GW_SHAPE_STRUCT && !d.library && gw_front_captures_of(u, d.clang);
    for (uint32_t i = 0; d.kind == GW_SHAPE_STRUCT && !d.library && i < d.count && !found; i++)
        found = gw_front_holds_captures(u, u->fields.at[d.first + i].shape);
    return found;
}

gw_layout gw_record_layout_of_captures(gw_record *r) {
    gw_layout all = {0, 1};
    for (uint32_t i = 0; i < r->ir.count; i++) {
        const gw_layout one = gw_type_layout(r->u->session, r->ir.at[i].type);
        if (!one.align || (uint64_t)all.size + one.size + one.align > UINT32_MAX) return (gw_layout){0};
        r->ir.at[i].offset = (all.size + one.align - 1) / one.align * one.align;
        all.size = r->ir.at[i].offset + one.size;
        if (one.align > all.align) all.align = one.align;
    }
    all.size = (all.size + all.align - 1) / all.align * all.align;
    if (!all.size) all.size = 1;
    return all;
}

static bool holds_float(const gw_session *s, gw_type t) {
    const gw_type_data *d = &s->types.at[t];
    bool holds = gw_type_is_float(t) || (d->kind == GW_TYPE_ARRAY && holds_float(s, d->element));
    for (uint32_t i = 0; !holds && t >= GW_T_SCALARS && d->kind == GW_TYPE_STRUCT && i < d->count; i++)
        holds = holds_float(s, s->fields.at[d->first + i].type);
    return holds;
}

/* The instructions of a GPU that add to floats trap where these are not aligned; the source's loads and stores
 * need not. */
void gw_record_check_aligned(gw_record *r, gw_layout layout) {
    const gw_session *s = r->u->session;
    for (uint32_t i = 0; s->is_cuda && layout.align && i < r->ir.count; i++) {
        uint32_t align = gw_type_layout(s, r->ir.at[i].type).align;
        bool less = align && (layout.align < align || r->ir.at[i].offset % align);
        if (less && holds_float(s, r->ir.at[i].type)) r->refusal = GW_REFUSED(PACKED);
    }
}

static bool is_const(CXType type) {
    CXType t = clang_getCanonicalType(type);
    for (CXType inner = clang_getArrayElementType(t); inner.kind != CXType_Invalid;
         inner = clang_getArrayElementType(t))
        t = clang_getCanonicalType(inner);
    return clang_isConstQualifiedType(t) || clang_isConstQualifiedType(clang_getCanonicalType(type));
}

void gw_record_add_fields(gw_record *r, const gw_shape_field *f, gw_type type) {
    gw_session *s = r->u->session;
    gw_field own = {f->name, type, offset_of(r, f), f->enumeration, 0, false};
    own.is_const = !f->is_base && !r->lambda && is_const(clang_getCursorType(f->decl));
    if (!f->is_base && !r->lambda) own.hidden = gw_front_hidden(r->u, f);
    gw_type_data of = {0};
    if (f->is_base && type) of = s->types.at[type];
    r->unplaced |= f->is_base && !of.layout.align;
    for (uint32_t i = 0; i < (f->is_base ? of.count : 1); i++) {
        gw_field field = f->is_base ? s->fields.at[of.first + i] : own;
        if (f->is_base) field.offset += own.offset;
        if (f->is_base) field.hidden = gw_front_hidden_behind(r->u, f, &field);
        for (uint32_t k = 0; k < r->ir.count; k++)
            if (r->ir.at[k].name == field.name) r->refusal = GW_REFUSED(HIDDEN_MEMBER);
        gw_push(&r->ir, field);
    }
}
