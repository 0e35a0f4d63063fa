/* instances_private.h - n threads of the primal, neighbours along one axis, that one thread stands for: its
 * instances. */
#ifndef GW_INSTANCES_PRIVATE_H
#define GW_INSTANCES_PRIVATE_H
#include "analysis/ir/ir.h"

typedef struct gw_instances {
    const gw_func *f;
    unsigned axis;
    bool *value;  /* may differ from instance to instance */
    bool *object; /* LOCAL and TAPE: each instance needs one of its own */
    bool *region; /* is run for some instances, or not equally often */
    bool changed;
} gw_instances;

void gw_instances_new(gw_instances *s, const gw_func *f, unsigned axis);
void gw_instances_free(gw_instances *s);
/* Whether instances may disagree about which region of the branch or loop runs, or how often. */
bool gw_instances_diverge(const gw_instances *s, gw_op op);
#endif
