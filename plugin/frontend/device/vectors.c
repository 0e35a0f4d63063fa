/*
 * frontend/device/vectors.c - vectors of Thrust's that a program is given by reference: the address of their
 * elements, and how many there are. The text has the vector, of which it asks both.
 *
 * The program works on a vector of its own over the same elements. What would leave the caller's vector with
 * other ones, or another number of them, is an error of the run (UNMOVED): the caller's does not know of it.
 */
#include "plugin/frontend/device/device.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/device.h"

#include <stdlib.h>

/* gw_vector_kind of gradwright/algorithms/thrust/gw_vector.h, which is read in the place of Thrust's. */
static const char *const names[] = {"device_vector", "host_vector", "universal_vector"};
enum { KINDS = sizeof names / sizeof *names, ELEMENTS = 0, COUNT = 1, ROOM = 2 };

static CXType class_of(CXType type) {
    const CXType t = clang_getCanonicalType(type);
    const bool leads = gw_front_is_reference(t) || t.kind == CXType_Pointer;
    return leads ? clang_getCanonicalType(clang_getPointeeType(t)) : t;
}

bool gw_front_is_thrust_vector(gw_unit *u, CXType type) {
    const CXCursor decl = clang_getTypeDeclaration(class_of(type));
    return clang_Cursor_getNumTemplateArguments(decl) == 2 &&
           gw_front_intern(u, clang_getCursorSpelling(decl)) == gw_intern(u->session, "gw_vector");
}

static gw_shape element_of(gw_lowering *L, CXType type) {
    return gw_front_shape(L->u,
                          clang_Cursor_getTemplateArgumentType(clang_getTypeDeclaration(class_of(type)), 0));
}

void gw_front_thrust_vector_param(gw_lowering *L, CXCursor decl, CXType type, gw_param *p) {
    const CXType class = class_of(type);
    const CXCursor made = clang_getTypeDeclaration(class);
    const unsigned long long kind = clang_Cursor_getTemplateArgumentUnsignedValue(made, 1);
    static const char by_pointer[] = "pass thrust::raw_pointer_cast(x.data()) and x.size()";
    if (clang_getCanonicalType(type).kind != CXType_LValueReference)
        gw_front_refuse(L, decl, "a vector of Thrust's that is passed otherwise than by reference",
                        "pass it as const thrust::device_vector<T> &, or without const where it is written");
    else if (!L->is_program)
        gw_front_refuse(L, decl, "a vector of Thrust's as a parameter of a function that launches nothing",
                        by_pointer);
    else if (gw_front_holds_half(L->u, element_of(L, type)))
        gw_front_refuse(L, decl, "a vector of half precision as a parameter", by_pointer);
    if (L->failed || kind >= KINDS) return;
    const gw_str element = gw_front_type_text(L->u, clang_Cursor_getTemplateArgumentType(made, 0));
    const bool is_const = clang_isConstQualifiedType(clang_getPointeeType(clang_getCanonicalType(type)));
    char *text =
        gw_format("%sthrust::%s<%s> &", is_const ? "const " : "", names[kind], GW_FRONT_TEXT(L, element));
    p->type_text = gw_intern(L->session, text);
    free(text);
    p->value = gw_region_arg(L->f, L->f->entry, GW_T_ADDRESS, p->name);
    p->is_vector = true;
}

void gw_front_thrust_vector_count(gw_lowering *L, uint32_t index) {
    const gw_param of = L->f->params.at[index];
    if (!of.is_vector) return;
    char *name = gw_format("%s_size", GW_FRONT_TEXT(L, of.name));
    gw_param p = {.name = gw_intern(L->session, name), .count_of = index + 1, .loc = of.loc};
    free(name);
    p.type_text = gw_intern(L->session, "unsigned long");
    p.value = gw_region_arg(L->f, L->f->entry, GW_T_U64, p.name);
    gw_push(&L->f->params, p);
}

static gw_value count_of(const gw_lowering *L, uint32_t index) {
    for (uint32_t i = 0; i < L->f->params.count; i++)
        if (L->f->params.at[i].count_of == index + 1) return L->f->params.at[i].value;
    return 0;
}

gw_place gw_front_thrust_vector_place(gw_lowering *L, CXType type, uint32_t index) {
    const gw_param p = L->f->params.at[index];
    const gw_shape shape = gw_front_shape(L->u, class_of(type));
    if (gw_front_shape_at(L->u, shape)->count <= ROOM) /* nobody looks into it, so that Clang did not either */
        return (gw_place){.kind = GW_PLACE_NULL, .shape = shape};
    gw_place made = gw_front_temp(L, shape, p.name);
    const gw_value count = count_of(L, index);
    gw_front_point(L, gw_front_member(L, made, ELEMENTS),
                   gw_front_device_place(L, element_of(L, type), p.value));
    gw_front_store(L, gw_front_member(L, made, COUNT), count);
    gw_front_store(L, gw_front_member(L, made, ROOM), count);
    if (!clang_isConstQualifiedType(clang_getPointeeType(clang_getCanonicalType(type))))
        gw_push(&L->given_vectors, ((gw_given_vector){index, made}));
    return made;
}

void gw_front_thrust_vectors_end(gw_lowering *L, CXCursor definition) {
    for (uint32_t i = 0; i < L->given_vectors.count && !L->failed; i++) {
        const gw_given_vector v = L->given_vectors.at[i];
        const gw_value before = L->f->params.at[v.param].value, size = count_of(L, v.param);
        const gw_place elements = gw_front_target(L, gw_front_member(L, v.place, ELEMENTS));
        const gw_value operands[] = {gw_front_address(L, elements, definition), before,
                                     gw_front_load(L, gw_front_member(L, v.place, COUNT)), size};
        if (L->failed || (operands[0] == before && operands[2] == size)) continue;
        gw_front_device_op(L, GW_DEVICE_UNMOVED, operands, 4);
    }
}
