/*
 * parts.h - what a kernel is given: one operand of its launch for each number and each pointer, those of
 * structs too.
 */
#ifndef GW_FACTS_PARTS_H
#define GW_FACTS_PARTS_H
#include "analysis/ir/leaf.h"

typedef struct gw_launch_part {
    uint32_t param;
    bool is_leaf;   /* of a struct */
    gw_leaf leaf;   /* then */
    gw_str name;    /* as a request names it; elements of an array of structs have one name */
    bool is_number; /* of floating point, by value */
    bool is_pointer;
    bool is_texture; /* an object, which leads to numbers too */
    bool leads_to_numbers; /* of floating point */
    bool is_read, is_written; /* what it leads to, if that is of floating point: by gw_launch_parts_look */
} gw_launch_part;
typedef GW_VEC(gw_launch_part) gw_launch_parts;

/* In the order of the launch's operands, from GW_LAUNCH_OPERANDS on. */
void gw_launch_parts_of(const gw_func *kernel, gw_launch_parts *out);
void gw_launch_parts_look(const gw_func *kernel, gw_launch_parts *parts);
/* Whether an op of the kernel's, or of a function with its parameters, is about the part. */
bool gw_launch_part_has(const gw_func *kernel, const gw_launch_part *part, gw_op op);
/* Whether an op fetches from the texture that the part is. */
bool gw_launch_part_fetches(const gw_func *kernel, const gw_launch_part *part, gw_op op);
/* What it leads to is (GW_TOUCH_...). */
bool gw_launch_part_is_touched(const gw_func *kernel, const gw_launch_part *part, unsigned how);

#endif
