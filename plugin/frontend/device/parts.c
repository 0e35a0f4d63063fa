/*
 * frontend/device/parts.c - a struct with pointers that a program is given by value or by const reference: each
 * pointer in it is an address of its own, a parameter that the text does not have; the text says "l.mean". What
 * else is in the struct is read there.
 *
 * The program works on a copy, since it may point its members elsewhere, as C has it.
 */
#include "plugin/frontend/device/device.h"
#include "plugin/frontend/type/type.h"

#include <stdlib.h>

typedef struct walk {
    gw_lowering *L;
    gw_param of;
    CXType type;   /* of what is looked at */
    uint32_t next; /* where the parts are bound: the parameter of the next one; 0: they are added */
} walk;

/* A pointer to what is no pointer itself; kernels follow no others. */
static bool is_part(gw_lowering *L, CXType type, gw_shape s) {
    if (gw_front_shape_kind(L->u, s) != GW_SHAPE_POINTER || gw_front_is_reference(type)) return false;
    const CXType to = clang_getPointeeType(clang_getCanonicalType(type));
    return gw_front_shape_kind(L->u, gw_front_pointee(L->u, s)) != GW_SHAPE_POINTER &&
           to.kind != CXType_FunctionProto;
}

static void add(walk *w, gw_shape s, const char *path) {
    gw_lowering *L = w->L;
    const gw_shape_data *d = gw_front_shape_at(L->u, gw_front_pointee(L->u, s));
    char *name = gw_format("%s%s", GW_FRONT_TEXT(L, w->of.name), path);
    gw_param p = {.name = gw_intern(L->session, name), .part_of = w->of.object, .loc = w->of.loc};
    free(name);
    p.type_text = gw_front_type_text(L->u, clang_getUnqualifiedType(w->type));
    p.is_handle = d->kind == GW_SHAPE_OPAQUE || (d->kind == GW_SHAPE_STRUCT && !d->count);
    p.is_passive = !gw_front_has_numbers(L, gw_front_pointee(L->u, s));
    p.value = gw_region_arg(L->f, L->f->entry, GW_T_ADDRESS, p.name);
    gw_push(&L->f->params, p);
}

static void visit(walk *w, gw_shape s, const char *path, gw_place p) {
    gw_lowering *L = w->L;
    const gw_shape_data d = *gw_front_shape_at(L->u, s);
    const CXType type = w->type;
    if (L->failed || d.library || d.is_union) return;
    if (is_part(L, type, s) && !w->next) {
        add(w, s, path);
    } else if (is_part(L, type, s)) {
        const gw_value at = L->f->params.at[w->next++].value;
        gw_front_point(L, p, gw_front_device_place(L, gw_front_pointee(L->u, s), at));
    }
    for (uint32_t i = 0; i < d.count && (d.kind == GW_SHAPE_STRUCT || d.kind == GW_SHAPE_ARRAY); i++) {
        const bool is_array = d.kind == GW_SHAPE_ARRAY;
        const gw_shape_field f = is_array ? (gw_shape_field){.shape = d.element} : L->u->fields.at[d.first + i];
        char *inner = is_array ? gw_format("%s[%u]", path, i)
                               : gw_format(f.is_base ? "%s" : "%s.%s", path, GW_FRONT_TEXT(L, f.name));
        gw_place at = {0};
        w->type =
            is_array ? clang_getArrayElementType(clang_getCanonicalType(type)) : clang_getCursorType(f.decl);
        if (w->next && is_array) at = gw_front_element(L, p, gw_int(&L->b, GW_T_I32, i));
        if (w->next && !is_array) at = gw_front_member(L, p, i);
        visit(w, f.shape, inner, at);
        w->type = type;
        free(inner);
    }
}

/* Whether the parameter is a struct that the program is given; *type: the struct's, *shape its shape. */
static bool is_given(gw_lowering *L, uint32_t index, CXType *type, gw_shape *shape) {
    const gw_object o = L->f->params.at[index].object;
    const gw_object_data *d = o ? gw_object_at(L->f, o) : NULL;
    if (!d || !L->is_program) return false;
    const bool by_reference = d->is_reference && d->is_const && !d->is_container;
    if (d->kind != GW_OBJECT_STRUCT && !by_reference) return false;
    if (by_reference) *type = clang_getPointeeType(clang_getCanonicalType(*type));
    *shape = gw_front_shape(L->u, *type);
    return gw_front_shape_kind(L->u, *shape) == GW_SHAPE_STRUCT;
}

void gw_front_struct_add_parts(gw_lowering *L, CXType type, uint32_t index) {
    gw_shape shape;
    if (!is_given(L, index, &type, &shape)) return;
    walk w = {.L = L, .of = L->f->params.at[index], .type = type};
    visit(&w, shape, "", (gw_place){0});
}

bool gw_front_struct_bind_parts(gw_lowering *L, CXType type, uint32_t index, gw_place *place) {
    gw_shape shape;
    if (!is_given(L, index, &type, &shape)) return false;
    walk w = {.L = L, .of = L->f->params.at[index], .type = type};
    for (uint32_t i = L->f->params.count; i-- > 0;)
        if (L->f->params.at[i].part_of == w.of.object) w.next = i;
    if (!w.next) return false;
    gw_place given = *place;
    given.shape = shape;
    if (gw_object_at(L->f, w.of.object)->is_reference) {
        given.path = gw_intern(L->session, "[]");
        given.index[given.count++] = gw_int(&L->b, GW_T_I32, 0);
    }
    *place = gw_front_temp(L, shape, w.of.name);
    gw_front_copy(L, *place, given);
    visit(&w, shape, "", *place);
    return true;
}
