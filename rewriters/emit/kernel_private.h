/* emit/kernel.h - a kernel's gradient as it is written: shared by emit/kernel.c and emit/workspace.c. */
#ifndef GW_EMIT_KERNEL_PRIVATE_H
#define GW_EMIT_KERNEL_PRIVATE_H
#include "rewriters/emit/emit_private.h"
#include "rewriters/workspace/workspace.h"

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
    uint32_t lists;        /* groups of rows at positions of a list whose length the caller says */
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
    GW_VEC(gw_str) cells, settled_cells;
    const char *status; /* of the launch, where it has been declared */
    const char *counts; /* what `bound` tells, in the function that is written; NULL where nobody asks */
    const char *used;   /* there: how many bytes those take that have their part already */
    gw_str tape_name;   /* of the kernel's parameter */
    char *tape;         /* in the launch: what the kernel is given for it */
    uint32_t names;     /* how many were reserved when it was opened */
} gw_kernel;

/* Finds out and names all that is said of a kernel whose emitter, gradient and bound are set; its names stay
 * reserved until it is closed. */
void gw_kernel_open(gw_kernel *k);
void gw_kernel_close(gw_kernel *k);
void gw_emit_name_launch(gw_kernel *k); /* again, where the names were released */

/* emit/kernel.c */

/* "first, second" and the names of the primal's parameters, those that `wanted` holds (NULL: all); the caller
 * frees it. */
char *gw_emit_arguments(const gw_kernel *k, const char *first, const char *second, const bool *wanted);
/* Head of a function of grid, block and the primal's parameters; without names where nothing reads them;
 * `told`: with what the caller says beside them. */
void gw_emit_kernel_head(gw_kernel *k, const char *returns, const char *name, const char *tail, bool named,
                         const bool *wanted, bool told);
/* Declares the shorter block of one that is coarsened. */
void gw_emit_own_block(gw_kernel *k);

/* What the caller says beside the primal's parameters, as parameters and as arguments behind others, each with
 * a comma in front; the caller frees that. */
void gw_emit_told_params(const gw_kernel *k, gw_emit_params *list);
char *gw_emit_told(const gw_kernel *k);
void gw_emit_launch_params(const gw_kernel *k, gw_emit_params *list);

/* What the launch of a gradient asks; the caller frees the list. */
void gw_emit_asked_sizes(gw_emitter *e, const gw_func *grad, gw_asked_sizes *out);

/* emit/axes.c: the same gradient coarsened along other axes (device/axes.c), and the choice of one by the
 * block's lengths: a launch that this one is not for is left to another, and so is the question how large its
 * workspace is. */
const gw_func *gw_emit_next_other(const gw_func *f, uint32_t *at); /* from the function *at on; NULL: no more */
/* One of them takes each launch that breaks an assumption of this one. */
bool gw_emit_has_any_launch(const gw_kernel *k);
void gw_emit_choose_launch(const gw_kernel *k);
void gw_emit_choose_bytes(const gw_kernel *k, gw_derived_part part);
void gw_emit_choose_measure(const gw_kernel *k, const gw_emit_params *launch); /* with these parameters */

/* emit/workspace.c */

/* A forward derivative needs no workspace, and its launch takes none. */
static inline bool gw_takes_space(const gw_kernel *k) { return k->grad->form != GW_FORM_JVP; }
void gw_emit_find_space(gw_kernel *k);
void gw_emit_space_headers(const gw_session *s, gw_text *out); /* includes what the tenants need */
void gw_emit_space_heads(gw_kernel *k); /* declarations of what follows */
void gw_emit_space_bytes(gw_kernel *k); /* functions that tell how much there must be */
/* In the kernel: its parameters, whose names are reserved in the current scope, and the head of its body. */
void gw_emit_space_params(gw_kernel *k, gw_emit_params *list);
void gw_emit_space_begin(gw_kernel *k);
/* In the launch: leaves it if the workspace does not serve, and gives all their parts of it; what the kernel is
 * given; what runs behind the kernel, and whether anything does. */
void gw_emit_space_place(gw_kernel *k);
void gw_emit_space_arguments(const gw_kernel *k, gw_emit_items *items);
void gw_emit_space_behind(gw_kernel *k);
bool gw_emit_runs_behind(const gw_kernel *k);

/* emit/measure.c: a tape that is measured. */
void gw_emit_measure_heads(const gw_kernel *k);
/* The kernel, its launch, what it found in bytes, and the gradient that asks for all that itself. */
void gw_emit_measure(gw_kernel *k);
void gw_emit_measured_alloc(gw_kernel *k);
/* In the gradient's launch: measures, and leaves the device if the workspace does not do. */
void gw_emit_measure_start(gw_kernel *k);

gw_launch_shape gw_emit_launch_shape(gw_emitter *e, const gw_func *grad);
/* A kernel that no caller launches, as text. */
void gw_emit_private_kernel(gw_emitter *e, const gw_func *f, gw_str name);
/* Leaves a launch function of this name with a status if the launch breaks an assumption. */
void gw_emit_assumptions(const gw_kernel *k, const char *launch);

/* What the table of tenants names, one file for each; names are made in the current scope, and `bytes` and
 * `place` add to k->used. */

/* emit/slots.c */
void gw_emit_slot_names(gw_kernel *k);
void gw_emit_slot_params(gw_kernel *k, gw_emit_params *list);
void gw_emit_slots_begin(gw_kernel *k);
void gw_emit_slots_bytes(gw_kernel *k);
void gw_emit_slots_place(gw_kernel *k);
void gw_emit_slots_arguments(const gw_kernel *k, gw_emit_items *items);
void gw_emit_slots_sum(gw_kernel *k, bool last);
/* emit/exact.c */
void gw_emit_exact_ask(gw_kernel *k); /* adds what the caller has to say to k->told and k->cells */
void gw_emit_exact_names(gw_kernel *k);
void gw_emit_exact_params(gw_kernel *k, gw_emit_params *list);
void gw_emit_exact_bytes(gw_kernel *k);
void gw_emit_exact_place(gw_kernel *k);
void gw_emit_exact_arguments(const gw_kernel *k, gw_emit_items *items);
void gw_emit_exact_sum(gw_kernel *k, bool last);
/* emit/settle.c */
void gw_emit_settle_ask(gw_kernel *k);
void gw_emit_settle_names(gw_kernel *k);
void gw_emit_settle_params(gw_kernel *k, gw_emit_params *list);
void gw_emit_settle_bytes(gw_kernel *k);
void gw_emit_settle_place(gw_kernel *k);
void gw_emit_settle_arguments(const gw_kernel *k, gw_emit_items *items);
/* emit/copies.c */
void gw_emit_copy_names(gw_kernel *k);
/* cache.c: "begin" or "end" of the caches that the kernel adds to. */
void gw_emit_caches(gw_emitter *e, const char *what);
void gw_emit_copy_params(gw_kernel *k, gw_emit_params *list);
void gw_emit_copies_begin(gw_kernel *k);
void gw_emit_copies_bytes(gw_kernel *k);
void gw_emit_copies_place(gw_kernel *k);
void gw_emit_copies_arguments(const gw_kernel *k, gw_emit_items *items);
void gw_emit_copies_sum(gw_kernel *k, bool last);
/* emit/pack.c */
void gw_emit_records_params(gw_kernel *k, gw_emit_params *list);
void gw_emit_records_clear(gw_kernel *k);
void gw_emit_records_arguments(const gw_kernel *k, gw_emit_items *items);
void gw_emit_records_unpack(gw_kernel *k, bool last);

/* emit/kernel.c: the launch's status. */
void gw_emit_declare_status(gw_kernel *k); /* unless it is */
void gw_emit_leave_unless_good(const gw_kernel *k);
char *gw_emit_step(const gw_kernel *k, const char *call, bool last); /* "status = f", "return f" */
/* emit/null.c: leaves the launch with a status if an adjoint is null and its array is not */
void gw_emit_null_check(gw_kernel *k);
void gw_emit_alignment_check(gw_kernel *k);
#endif
