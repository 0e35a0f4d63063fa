/*
 * frontend/type/union.c - unions: one member holds the cells, the others are other names for them.
 *
 * Supported are unions whose members are made of numbers of one type without gaps, so that number i of a member
 * is number i of the widest: struct { float x, y, z; } and float v[3], or x, r and s. The member that holds the
 * cells is an array where there is one (its elements may be chosen at run time), else the widest. What another
 * member names is a view: a place of the holding member, seen with the other member's shape from a given number
 * on. Members without numbers have no part in it.
 */
#include "plugin/frontend/type/type.h"

bool gw_front_flatten(gw_unit *u, gw_shape shape, gw_shape *number, uint64_t *count) {
    const gw_shape_data d = *gw_front_shape_at(u, shape);
    if (d.kind == GW_SHAPE_SCALAR) {
        bool same = !*count || *number == shape;
        *number = shape, *count += 1;
        return same && shape != GW_T_VOID;
    }
    if (d.kind == GW_SHAPE_ARRAY) {
        uint64_t before = *count;
        if (!gw_front_flatten(u, d.element, number, count)) return false;
        *count = before + (*count - before) * d.count;
        return true;
    }
    if (d.kind != GW_SHAPE_STRUCT || d.library) return false;
    for (uint32_t i = 0; i < d.count; i++)
        if (u->fields.at[d.first + i].bits ||
            (gw_front_holds(&d, i) && !gw_front_flatten(u, u->fields.at[d.first + i].shape, number, count)))
            return false;
    return true;
}

uint64_t gw_front_numbers_in(gw_unit *u, gw_shape shape) {
    gw_shape number = GW_T_VOID;
    uint64_t count = 0;
    gw_front_flatten(u, shape, &number, &count);
    return count;
}

const gw_refusal *gw_front_union_holder(gw_unit *u, const gw_shape_field *fields, uint32_t count, CXType type,
                                        uint32_t *holder) {
    const gw_refusal *const refusal = GW_REFUSED(UNION);
    gw_shape number = GW_T_VOID;
    uint64_t most = 0;
    for (uint32_t i = 0; i < count; i++) {
        gw_shape own = GW_T_VOID;
        uint64_t n = 0;
        if (fields[i].bits || !gw_front_flatten(u, fields[i].shape, &own, &n)) return refusal;
        if (!n && gw_front_shape_kind(u, fields[i].shape) == GW_SHAPE_STRUCT) continue; /* nothing to name */
        if (!n || (most && own != number)) return refusal;
        long long bytes = clang_Type_getSizeOf(clang_getCursorType(fields[i].decl));
        if (bytes != (long long)(n * gw_type_bytes(own))) return refusal;
        number = own;
        if (n > most) *holder = i, most = n;
    }
    for (uint32_t i = 0; i < count && most; i++) {
        const gw_shape_data *d = gw_front_shape_at(u, fields[i].shape);
        bool plain = d->kind == GW_SHAPE_ARRAY && gw_front_shape_kind(u, d->element) == GW_SHAPE_SCALAR;
        bool array = d->kind == GW_SHAPE_ARRAY;
        bool have = gw_front_shape_kind(u, fields[*holder].shape) == GW_SHAPE_ARRAY;
        if (gw_front_numbers_in(u, fields[i].shape) == most && (plain || (array && !have))) *holder = i;
    }
    if (most && most * gw_type_bytes(number) != (uint64_t)clang_Type_getSizeOf(type)) return refusal;
    return count ? NULL : GW_REFUSED(EMPTY_UNION);
}

gw_shape gw_front_number_of(gw_unit *u, gw_shape shape) {
    gw_shape number = GW_T_VOID;
    uint64_t count = 0;
    if (!gw_front_flatten(u, shape, &number, &count) || !count) return GW_T_VOID;
    long long bytes = clang_Type_getSizeOf(gw_front_shape_at(u, shape)->clang);
    bool gaps = shape != number && bytes != (long long)(count * gw_type_bytes(number));
    return gaps ? GW_T_VOID : number;
}
