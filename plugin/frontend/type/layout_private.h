/* frontend/type/layout_private.h - a class in the making (shape.c), and where its members lie (layout.c). */
#ifndef GW_FRONT_LAYOUT_PRIVATE_H
#define GW_FRONT_LAYOUT_PRIVATE_H
#include "plugin/frontend/type/type.h"

typedef struct gw_record {
    gw_unit *u;
    GW_VEC(gw_shape_field) fields;
    GW_VEC(gw_field) ir;
    const gw_refusal *refusal;
    bool lambda, half_pair, is_union, is_dynamic, destructs, set_only;
    bool unplaced;  /* where a field lies is not known */
    long long each; /* bytes of the parts of a complex number, else 0 */
} gw_record;

/* Adds the field to the IR's struct, of this type; the members of a base class are fields of it. */
void gw_record_add_fields(gw_record *r, const gw_shape_field *f, gw_type type);
gw_layout gw_record_layout(const gw_record *r, CXType type); /* 0 bytes: it is not known */
/* As text lays it out that declares the members in this order. */
gw_layout gw_record_layout_of_captures(gw_record *r);
/* The instructions of a GPU that add to floats trap where these are not aligned: it is refused then. */
void gw_record_check_aligned(gw_record *r, gw_layout layout);
/* A struct stands for a lambda in text, with members in another order than Clang's. */
bool gw_front_holds_captures(gw_unit *u, gw_shape s);
#endif
