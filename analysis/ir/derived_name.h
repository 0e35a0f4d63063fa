/* derived_name.h - a part of ir.h: names of what is emitted. */
#ifndef GW_DERIVED_NAME_H
#define GW_DERIVED_NAME_H
#include "analysis/ir/ir.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- names of what is emitted (derived_name.c): no other place makes one ---- */
typedef enum gw_derived_part {
    GW_DERIVED_LAUNCH,
    GW_DERIVED_KERNEL, /* of a gradient that needs a workspace, or other kernels before it */
    GW_DERIVED_BODY,   /* what such a kernel and one that needs none have in common */
    GW_DERIVED_GATHER, /* such a kernel */
    GW_DERIVED_BEHIND, /* one that runs behind */
    GW_DERIVED_NEEDS,
    GW_DERIVED_WORKSPACE_BYTES,
    GW_DERIVED_OWN_WORKSPACE_BYTES, /* of the second half of a split gradient */
    GW_DERIVED_TAPE_BYTES,          /* of a split gradient */
    GW_DERIVED_BESIDE,              /* of a tape that is measured: bytes of all that stands before its slots */
    GW_DERIVED_MEASURE_LAUNCH,
    GW_DERIVED_MEASURE_HALF_LAUNCH, /* of the first half of a split gradient */
    GW_DERIVED_MEASURED_BYTES,
    GW_DERIVED_MEASURED_TAPE,    /* of a split gradient */
    GW_DERIVED_ALLOC,            /* measures, allocates, runs and frees */
    GW_DERIVED_SHARED_BYTES,     /* of a kernel's gradient, given the primal's */
    GW_DERIVED_OWN_SHARED_BYTES, /* of its forward derivative, of the halves of its split gradient */
    GW_DERIVED_UNPACK,           /* kernel behind a gradient with a pack */
    GW_DERIVED_PACK_BYTES,       /* of its records */
    GW_DERIVED_ON,               /* of a host function's gradient: with the caller's own tape */
    GW_DERIVED_IN                /* of a program's: with memory of the caller's, a gw_pool */
} gw_derived_part;
/* The one rule for parameters and variables that are made: a wish that is taken gets the first free number from
 * 2 on behind it, "d_x_2". */
typedef bool gw_name_test(const void *context, gw_str name);
gw_str gw_free_name(gw_session *s, const char *wish, gw_name_test *is_taken, const void *context);
/* What a request, named or not (NULL), on a function makes: f and form GRAD -> "f_grad". The caller frees
 * it. */
char *gw_derived_text(const char *function, const char *request, gw_form form);
char *gw_derived_part_text(const char *function, const char *request, gw_form form, gw_derived_part part);
gw_str gw_derived_name(const gw_func *primal, uint32_t request, gw_form form);
gw_str gw_derived_symbol(const gw_func *primal, uint32_t request, gw_form form);
gw_str gw_derived_part_name(const gw_func *derivative, gw_derived_part part);
/* Callers do not call it: its name has the function's tag, so that each instance of a template has its own. */
bool gw_derived_is_private(gw_derived_part part);
/* The name of what tells how a kernel that a program launches is launched: forward or backward with the
 * gradient of that request (device.h), along with tangents by its forward derivative. */
typedef enum gw_told_way { GW_TOLD_FORWARD, GW_TOLD_BACKWARD, GW_TOLD_ALONG } gw_told_way;
gw_str gw_derived_launch_name(const gw_func *kernel, int64_t request, gw_told_way way);
/* "transform" for gw_transform_of_pairs of gradwright/algorithms/each: what a user knows it by. */
const char *gw_algorithm_name(const char *name);
const char *gw_kernel_shown(const gw_func *kernel);
/* The name of a copy of a kernel that is_unspoken. */
gw_str gw_derived_copy_name(const gw_func *kernel);

#ifdef __cplusplus
}
#endif
#endif
