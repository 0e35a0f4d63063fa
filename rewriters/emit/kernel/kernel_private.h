/* kernel_private.h - what the files of emit/kernel share among themselves, lowest first. */
#ifndef GW_EMIT_KERNEL_PRIVATE_H
#define GW_EMIT_KERNEL_PRIVATE_H
#include "rewriters/emit/kernel/kernel.h"

/* ---- parts of a launch (launch.c) ---- */
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
void gw_emit_declare_status(gw_kernel *k); /* unless it is */
void gw_emit_leave_unless_good(const gw_kernel *k);
char *gw_emit_step(const gw_kernel *k, const char *call, bool last); /* "status = f", "return f" */

/* ---- gradients beside this one (axes.c) ---- */
/* The same gradient coarsened along other axes (device/axes.c), and the choice of one by the
 * block's lengths: a launch that this one is not for is left to another, and so is the question how large its
 * workspace is. */
const gw_func *gw_emit_next_other(const gw_func *f, uint32_t *at); /* from the function *at on; NULL: no more */
/* One of them takes each launch that breaks an assumption of this one. */
bool gw_emit_has_any_launch(const gw_kernel *k);
void gw_emit_choose_launch(const gw_kernel *k);
void gw_emit_choose_bytes(const gw_kernel *k, gw_derived_part part);
void gw_emit_choose_measure(const gw_kernel *k, const gw_emit_params *launch); /* with these parameters */

/* ---- what a launch looks at first (checks.c) ---- */
/* Leaves a launch function of this name with a status if the launch breaks an assumption. */
void gw_emit_assumptions(const gw_kernel *k, const char *launch);
/* The same if an adjoint is null and its array is not. */
void gw_emit_null_check(gw_kernel *k);
void gw_emit_alignment_check(gw_kernel *k);

/* ---- tenants of the workspace ---- */
/* What the table of tenants names, one file for each; names are made in the current scope, and `bytes` and
 * `place` add to k->used. */

/* slots.c */
void gw_emit_slot_names(gw_kernel *k);
void gw_emit_slot_params(gw_kernel *k, gw_emit_params *list);
void gw_emit_slots_begin(gw_kernel *k);
void gw_emit_slots_bytes(gw_kernel *k);
void gw_emit_slots_place(gw_kernel *k);
void gw_emit_slots_arguments(const gw_kernel *k, gw_emit_items *items);
void gw_emit_slots_sum(gw_kernel *k, bool last);
/* exact.c */
void gw_emit_exact_ask(gw_kernel *k); /* adds what the caller has to say to k->told and k->cells */
void gw_emit_exact_names(gw_kernel *k);
void gw_emit_exact_params(gw_kernel *k, gw_emit_params *list);
void gw_emit_exact_bytes(gw_kernel *k);
void gw_emit_exact_place(gw_kernel *k);
void gw_emit_exact_arguments(const gw_kernel *k, gw_emit_items *items);
void gw_emit_exact_sum(gw_kernel *k, bool last);
/* settle.c */
void gw_emit_settle_ask(gw_kernel *k);
void gw_emit_settle_names(gw_kernel *k);
void gw_emit_settle_params(gw_kernel *k, gw_emit_params *list);
void gw_emit_settle_bytes(gw_kernel *k);
void gw_emit_settle_place(gw_kernel *k);
void gw_emit_settle_arguments(const gw_kernel *k, gw_emit_items *items);
/* copies.c */
void gw_emit_copy_names(gw_kernel *k);
void gw_emit_copy_params(gw_kernel *k, gw_emit_params *list);
void gw_emit_copies_begin(gw_kernel *k);
void gw_emit_copies_bytes(gw_kernel *k);
void gw_emit_copies_place(gw_kernel *k);
void gw_emit_copies_arguments(const gw_kernel *k, gw_emit_items *items);
void gw_emit_copies_sum(gw_kernel *k, bool last);
/* pack.c */
void gw_emit_records_params(gw_kernel *k, gw_emit_params *list);
void gw_emit_records_clear(gw_kernel *k);
void gw_emit_records_arguments(const gw_kernel *k, gw_emit_items *items);
void gw_emit_records_unpack(gw_kernel *k, bool last);
void gw_emit_unpack(gw_emitter *e, const gw_func *f); /* the kernel that adds the records, and their size */
void gw_emit_pack_bytes(gw_emitter *e, const gw_func *f, const char *tail); /* "HEAD TAIL" of the latter */

/* ---- the workspace (workspace.c) ---- */
void gw_emit_find_space(gw_kernel *k);
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

/* ---- a tape that is measured (measure.c) ---- */
void gw_emit_measure_heads(const gw_kernel *k);
/* The kernel, its launch, what it found in bytes, and the gradient that asks for all that itself. */
void gw_emit_measure(gw_kernel *k);
void gw_emit_measured_alloc(gw_kernel *k);
/* In the gradient's launch: measures, and leaves the device if the workspace does not do. */
void gw_emit_measure_start(gw_kernel *k);

/* ---- names (open.c) ---- */
void gw_emit_name_launch(gw_kernel *k); /* again, where the names were released */
/* Name of what says how much dynamic shared memory the derivative of a kernel takes; 0 if it has none. */
gw_str gw_emit_shared_bytes_name(const gw_func *f);
gw_launch_shape gw_emit_launch_shape(gw_emitter *e, const gw_func *grad);

/* cache.c: "begin" or "end" of the caches that the kernel adds to. */
void gw_emit_caches(gw_emitter *e, const char *what);
#endif
