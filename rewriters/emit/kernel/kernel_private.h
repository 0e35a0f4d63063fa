/* kernel_private.h - what the files of emit/kernel share among themselves, lowest first. */
#ifndef GW_EMIT_KERNEL_PRIVATE_H
#define GW_EMIT_KERNEL_PRIVATE_H
#include "rewriters/emit/kernel/kernel.h"

/* ---- parts of a launch (launch.c) ---- */
/* What a parameter of the gradient is called that is not hidden. */
gw_str gw_emit_param_name(const gw_kernel *k, uint32_t param);
/* "first, second" and the names of the primal's parameters, those that `wanted` holds (NULL: all); the caller
 * frees it. */
char *gw_emit_arguments(const gw_kernel *k, const char *first, const char *second, const bool *wanted);
/* Head of a function of grid, block and the primal's parameters; without names where nothing reads them;
 * `told`: with what the caller says beside them. */
void gw_emit_kernel_head(gw_kernel *k, const char *returns, const char *name, const char *tail, bool named,
                         const bool *wanted, bool told);
/* gw_emit_enter for a function of the kernel's parameters, under such a head: they have the kernel's names. */
void gw_emit_enter_beside(gw_kernel *k, const gw_func *f);
/* All that stands under a head with every parameter, and the end. */
void gw_emit_body_beside(gw_kernel *k, const gw_func *f);
/* Declares the shorter block of one that is coarsened. */
void gw_emit_own_block(gw_kernel *k);

/* What the caller says beside the primal's parameters, as parameters and as arguments behind others, each with
 * a comma in front; the caller frees that. */
void gw_emit_told_params(const gw_kernel *k, gw_emit_params *list);
char *gw_emit_told(const gw_kernel *k);
void gw_emit_size_params(const gw_kernel *k, gw_emit_params *list); /* of f_workspace_bytes */
void gw_emit_primal_params(const gw_kernel *k, gw_emit_params *list);
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

/* ---- tenants (tenants.def), a descriptor each ---- */
/* One of a tenant's: of the groups of rows, of the arrays with copies, ... */
typedef struct gw_tenant_one {
    const gw_kernel *k;
    gw_tenant tenant;
    uint32_t number;
} gw_tenant_one;
/* What the kernel, its launch and the size function write of them; what they do not need is NULL. */
typedef struct gw_emit_tenant {
    uint32_t (*count)(const gw_kernel *);         /* how many the gradient has; NULL: as the workspace says */
    const char *(*header)(const gw_session *);    /* of gradwright/emitted; NULL: nothing to include */
    /* Each has: its name, made in the current scope: in the kernel and in the launch. The type of the
     * kernel's parameter for it. What makes it in the launch, and from that what the size function sizes (NULL:
     * the same). What is placed beside it: where the array begins, and a comma. The caller frees the texts. */
    gw_str (*name)(gw_tenant_one);
    char *(*type)(gw_tenant_one);
    char *(*host)(gw_tenant_one);
    char *(*sized)(gw_tenant_one);
    char *(*beside)(gw_tenant_one);
    /* Functions of the header: where it ends in the workspace (NULL: it takes no room there), what gives it its
     * part, and what it is to the kernel ("": itself). */
    const char *end, *place, *inside;
    bool (*can_lack)(gw_tenant_one one); /* the kernel does without it; NULL: it cannot */
    /* All of them have these together. */
    void (*ask)(gw_kernel *);                      /* adds to k->told what the launch's caller has to say */
    void (*params)(gw_kernel *, gw_emit_params *); /* of the kernel, beside those with a type */
    void (*begin)(gw_kernel *);                    /* in the kernel, before all else */
    void (*finish)(gw_kernel *);                   /* in the kernel, behind all else */
    void (*prepare)(gw_kernel *);                  /* in the launch, where `place` is not enough */
    void (*arguments)(const gw_kernel *, gw_emit_items *); /* for the kernel's parameters, beside `inside` */
    void (*behind)(gw_kernel *, bool last);         /* consumes them behind the kernel; last: returns, too */
    enum { FIRST, SECOND, LAST } turn;             /* among those that run behind */
    void (*around)(gw_emitter *, const char *what); /* "begin" or "end" of the kernel's statements */
} gw_emit_tenant;
#define GW_TENANT(NAME, text) extern const gw_emit_tenant gw_emit_tenant_##text;
#include "rewriters/workspace/tenants.def"
static inline const char *gw_emit_one_name(gw_tenant_one one) {
    return gw_cstr(one.k->e->session, one.k->e->parts[one.tenant][one.number]);
}
/* pack.c */
void gw_emit_unpack(gw_emitter *e, const gw_func *f); /* the kernel that adds the records, and their size */
void gw_emit_pack_bytes(gw_emitter *e, const gw_func *f, const char *tail); /* "HEAD TAIL" of the latter */

/* ---- the workspace (workspace.c) ---- */
void gw_emit_find_space(gw_kernel *k);
void gw_emit_space_heads(gw_kernel *k); /* declarations of what follows */
void gw_emit_space_bytes(gw_kernel *k); /* functions that tell how much there must be */
/* In the kernel: its parameters, whose names are reserved in the current scope, and the head of its body. */
void gw_emit_space_params(gw_kernel *k, gw_emit_params *list);
void gw_emit_space_begin(gw_kernel *k);
void gw_emit_space_finish(gw_kernel *k); /* its end */
/* In the launch: leaves it if the workspace does not serve, and gives all their parts of it; what the kernel is
 * given; what runs behind the kernel, and whether anything does. */
void gw_emit_space_place(gw_kernel *k);
void gw_emit_space_arguments(const gw_kernel *k, gw_emit_items *items);
void gw_emit_space_behind(gw_kernel *k);
bool gw_emit_runs_behind(const gw_kernel *k);
void gw_emit_space_ask(gw_kernel *k); /* adds to k->told what the caller has to say */
/* "begin" and "end" of what stands around the kernel's statements. */
void gw_emit_space_around(gw_emitter *e, const char *what);
void gw_emit_free_parts(gw_emitter *e); /* their names */

/* ---- a tape that is measured (measure.c) ---- */
void gw_emit_measure_heads(const gw_kernel *k);
/* The kernel, its launch, what it found in bytes, and the gradient that asks for all that itself. */
void gw_emit_measure(gw_kernel *k);
bool gw_emit_has_alloc(const gw_emitter *e, const gw_func *grad); /* what a user asked for */
bool gw_emit_measures_bytes(const gw_emitter *e, const gw_func *grad); /* in f_workspace_bytes */
bool gw_emit_asks_shared_bytes(const gw_func *grad);                   /* there */
void gw_emit_alloc(gw_kernel *k);
/* In the gradient's launch: measures, and leaves the device if the workspace does not do. */
void gw_emit_measure_start(gw_kernel *k);

/* ---- adjoints that are new (fresh.c) ---- */
bool gw_emit_has_fresh(const gw_func *f);
void gw_emit_stored(gw_kernel *k); /* the function that says of a launch what it stores to */
void gw_emit_fresh(gw_kernel *k);  /* in the launch: clears those of which it does not store to all cells */
/* How many cells the sum of copies stores to, where it does (copies.c); NULL: it adds. The caller frees it. */
char *gw_emit_copied_cells(const gw_kernel *k, gw_object object);

/* ---- names (open.c) ---- */
void gw_emit_name_launch(gw_kernel *k); /* again, where the names were released */
/* Name of what says how much dynamic shared memory the derivative of a kernel takes; 0 if it has none. */
gw_str gw_emit_shared_bytes_name(const gw_func *f);
#endif
