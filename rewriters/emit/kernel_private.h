/* emit/kernel.h - a kernel's gradient as it is written: shared by emit/kernel.c and emit/workspace.c. */
#ifndef GW_EMIT_KERNEL_PRIVATE_H
#define GW_EMIT_KERNEL_PRIVATE_H
#include "rewriters/emit/emit_private.h"

typedef struct gw_kernel {
    gw_emitter *e;
    const gw_func *grad, *bound, *check;
    bool workspace, tape;  /* it takes one; the tape is in it */
    uint32_t groups;       /* of additions whose rows are in it */
    uint32_t lists;        /* of these, at positions of a list whose length the caller says */
    uint32_t copied;       /* arrays that have copies in it */
    uint32_t counted;      /* groups for which `bound` tells how many rows a thread has, and these arrays */
    bool whole;            /* it is a template, for blocks of whole warps and for others */
    /* the kernel is not what callers launch: it takes a workspace, others run before it, or it is coarsened */
    bool is_private;
    char *name;            /* saxpy_grad, render_grad<3> */
    char *launch;          /* saxpy_grad_launch, render_grad_launch<3> */
    char *kernel;          /* the one that is launched */
    char *bytes;           /* saxpy_workspace_bytes, of a split gradient saxpy_tape_bytes */
    char *own_bytes;       /* of rows: the same; of a second half, saxpy_bwd_workspace_bytes */
    /* saxpy_shared_bytes, where the size of its shared memory is the launch's; else NULL */
    char *shared;
    const char *needs, *slots; /* of check and bound */
    gw_emit_params params; /* the gradient's, as a caller sees them */
    bool *checked_params;  /* those that the check reads */
    /* what the kernel is launched with: shorter than the caller's block if it is coarsened */
    const char *own_block;
    const char *grid, *block, *shared_bytes, *stream, *records, *positions, *space, *space_bytes;
    const char *rows_space, *rows_bytes; /* the workspace in which rows are: the same, or a second half's own */
    const char *status; /* of the launch, where it has been declared */
} gw_kernel;

/* emit/kernel.c */

/* "first, second" and the names of the primal's parameters, those that `wanted` holds (NULL: all); the caller
 * frees it. */
char *gw_emit_arguments(const gw_kernel *k, const char *first, const char *second, const bool *wanted);
/* Head of a function of grid, block and the primal's parameters; without names where nothing reads them; `last`
 * behind them (NULL: nothing). */
void gw_emit_kernel_head(gw_kernel *k, const char *returns, const char *name, const char *tail, bool named,
                         const bool *wanted, const char *last);
/* Declares the shorter block of one that is coarsened. */
void gw_emit_own_block(gw_kernel *k);

void gw_emit_launch_params(const gw_kernel *k, gw_emit_params *list);

/* emit/axes.c: the same gradient coarsened along other axes (device/axes.c), and the choice of one by the
 * block's lengths: a launch that this one is not for is left to another, and so is the question how large its
 * workspace is. */
void gw_emit_other_axes(gw_emitter *e, const gw_func *grad);
bool gw_emit_others_take_space(const gw_kernel *k);
void gw_emit_choose_launch(const gw_kernel *k);
void gw_emit_choose_bytes(const gw_kernel *k, gw_derived_part part);

/* emit/workspace.c */

/* A forward derivative needs no workspace, and its launch takes none. */
static inline bool gw_takes_space(const gw_kernel *k) { return k->grad->form != GW_FORM_JVP; }
/* Rows, or copies, which are where rows are. */
static inline bool gw_has_rows(const gw_kernel *k) { return k->groups || k->copied; }
void gw_emit_find_space(gw_kernel *k);
void gw_emit_space_heads(gw_kernel *k); /* declarations of what follows */
void gw_emit_space_bytes(gw_kernel *k); /* functions that tell how much there must be */
/* Leaves the launch function if the workspace does not serve, and gives groups their parts of it; returns the
 * tape's text, NULL without one. */
char *gw_emit_space_check(gw_kernel *k);
/* emit/null.c: leaves the launch with a status if an adjoint is null and its array is not */
void gw_emit_null_check(gw_kernel *k);
#endif
