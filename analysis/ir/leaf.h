/*
 * leaf.h - the numbers and pointers of which a struct consists, and what a kernel does with one of them that it
 * is given by value.
 */
#ifndef GW_LEAF_H
#define GW_LEAF_H
#include "analysis/ir/query.h"

enum { GW_MOST_STRUCT_LEAVES = 128 };

typedef struct gw_leaf {
    gw_str path;   /* as text has it: ".cell[2].x" */
    gw_str name;   /* as a request names it: ".cell.x" */
    gw_str memory; /* of a pointer: as the paths of what it leads to begin, ".cell[].x[]" */
    gw_type type;
} gw_leaf;
typedef GW_VEC(gw_leaf) gw_leaves;

/* In order of declaration. */
void gw_leaves_of(gw_session *s, gw_type t, gw_leaves *out);
static inline bool gw_leaf_is_pointer(const gw_session *s, const gw_leaf *leaf) {
    return s->types.at[leaf->type].kind == GW_TYPE_POINTER;
}
bool gw_leaf_is_number(const gw_session *s, const gw_leaf *leaf); /* of floating point */
/* Whether the op is about the number of the struct `o`, or about what its pointer leads to. */
bool gw_leaf_has(const gw_func *f, gw_op op, gw_object o, const gw_leaf *leaf);
/* Whether f reads or writes what the pointer of the struct `o` leads to. */
bool gw_leaf_touched(const gw_func *f, gw_object o, const gw_leaf *leaf, unsigned how);
/* Whether cells of floating-point numbers are reached without another pointer. */
bool gw_type_reaches_float(const gw_session *s, gw_type t);

#endif
