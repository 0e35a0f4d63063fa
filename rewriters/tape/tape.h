/* tape.h - where a derivative's tape lies, and how much of it there is. */
#ifndef GW_TAPE_H
#define GW_TAPE_H
#include "analysis/ir/ir.h"
#include "analysis/host_bounds/host_bounds.h"

/* tape.c: the host can tell how often the loops around the op run at most */
bool gw_tape_is_bounded(gw_func *f, gw_op op);
/* the kernel's tape, as it is now, or its rows go into a workspace */
bool gw_tape_takes_workspace(gw_func *f);

/* measure.c: adds to the session the kernel that measures the gradient's tape (GW_FORM_MEASURE), or says why
 * what its loops run for cannot be found without running it. */
typedef enum gw_unmeasured {
    GW_MEASURED,
    GW_UNMEASURED_WRITTEN,  /* made of what the function writes, of an atomic's result or a call's */
    GW_UNMEASURED_REVERSED, /* of what the reverse sweep alone has */
    GW_UNMEASURED_LEFT_OUT  /* the run does without (optional.h) */
} gw_unmeasured;
gw_unmeasured gw_measure_tape(const gw_func *grad);
const char *gw_unmeasured_text(gw_unmeasured why);
#endif
