/* kernel.h - a kernel's gradient as it is written, and what programs and the file take from here. */
#ifndef GW_EMIT_KERNEL_H
#define GW_EMIT_KERNEL_H
#include "rewriters/emit/text/text.h"

/* A size that the launch asks of its caller: how many cells the array of an exact addition has; of: 0: how many
 * positions its lists. */
typedef struct gw_asked_size {
    gw_str name;
    gw_op of;
} gw_asked_size;
typedef GW_VEC(gw_asked_size) gw_asked_sizes;

typedef struct gw_kernel {
    gw_emitter *e;
    const gw_func *grad, *bound, *check;
    const gw_func *measure;       /* measures its tape; NULL: the host bounds it, or there is none */
    uint32_t tenants[GW_TENANTS]; /* how many of each */
    bool workspace, behind_tape;  /* it takes one; there is more in it than the tape */
    bool spare;                   /* it can do without: copies that nobody asked for are all that is in it */
    uint32_t counted;      /* numbers that `bound` tells, behind the tape's two */
    bool whole;            /* it is a template, for blocks of whole warps and for others */
    /* the kernel is not what callers launch: it takes a workspace, others run before it, or it is coarsened */
    bool is_private;
    char *name;            /* saxpy_grad, render_grad<3> */
    char *launch;          /* saxpy_grad_launch, render_grad_launch<3> */
    char *kernel;          /* the one that is launched */
    char *bytes;           /* saxpy_workspace_bytes, of a split gradient saxpy_tape_bytes */
    /* of rows: the same; of a second half, saxpy_bwd_workspace_bytes; of a tape that is measured,
     * saxpy_grad_bytes_beside_tape */
    char *own_bytes;
    /* saxpy_shared_bytes, where the size of its shared memory is the launch's; else NULL */
    char *shared;
    const char *needs, *slots; /* of check and bound */
    gw_emit_params params; /* the gradient's, as a caller sees them */
    bool *checked_params;  /* those that the check reads */
    /* what the kernel is launched with: shorter than the caller's block if it is coarsened */
    const char *own_block;
    const char *grid, *block, *shared_bytes, *stream, *records, *positions, *space, *space_bytes;
    /* the workspace in which all but the tape is: the same, or a second half's own */
    const char *own_space, *own_space_bytes;
    /* what the caller of the launch and of the size function says beside the primal's parameters: positions,
     * and how many cells arrays have; cells: of each array of exact sums (0: the host knows), of each shared
     * one */
    gw_asked_sizes told;
    gw_names cells, shared_cells;
    const char *status; /* of the launch, where it has been declared */
    const char *counts; /* what `bound` tells, in the function that is written; NULL where nobody asks */
    const char *used;   /* there: how many bytes those take that have their part already */
    gw_str tape_name;   /* of the kernel's parameter */
    char *tape;         /* in the launch: what the kernel is given for it */
    uint32_t names;     /* how many were reserved when it was opened */
} gw_kernel;

/* ---- what there is to one (open.c) ---- */
/* Finds out and names all that is said of a kernel whose emitter, gradient and bound are set; its names stay
 * reserved until it is closed. */
void gw_kernel_open(gw_kernel *k);
void gw_kernel_close(gw_kernel *k);
/* What the launch of a gradient asks; the caller frees the list. */
void gw_emit_asked_sizes(gw_emitter *e, const gw_func *grad, gw_asked_sizes *out);
gw_launch_shape gw_emit_launch_shape(gw_emitter *e, const gw_func *grad);
/* A forward derivative needs no workspace, and its launch takes none. */
static inline bool gw_takes_space(const gw_kernel *k) { return k->grad->form != GW_FORM_JVP; }

/* ---- its text (kernel.c) ---- */
void gw_emit_kernel(gw_emitter *e, const gw_func *grad, const gw_func *bound, const gw_func *check);
void gw_emit_kernel_declaration(gw_emitter *e, const gw_func *grad, const gw_func *bound);
/* A kernel that no caller launches. */
void gw_emit_private_kernel(gw_emitter *e, const gw_func *f, gw_str name);
/* template.c: the templates that the derivatives of f's template specialise, unless they are there */
void gw_emit_primary(gw_emitter *e, const gw_func *f);
void gw_emit_space_headers(const gw_session *s, gw_text *out); /* workspace.c: includes what the tenants need */
#endif
