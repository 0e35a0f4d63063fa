/* program_private.h - what the files of emit/program share among themselves. */
#ifndef GW_EMIT_PROGRAM_PRIVATE_H
#define GW_EMIT_PROGRAM_PRIVATE_H
#include "analysis/facts/parts.h"
#include "analysis/ir/device.h"
#include "analysis/ir/leaf.h"
#include "rewriters/emit/program/program.h"

/* ---- calls of a program ---- */
/* calls.c: of a copy or fill, what its last operand says of its cells; a call; false: it is another */
const char *gw_emit_program_cell(const gw_emitter *e, gw_op op);
bool gw_emit_program_call(gw_emitter *e, gw_op op);
void gw_emit_program_host(gw_emitter *e, gw_op op); /* host.c */
/* The function is the forward derivative of a program; a call of one that has tangents. */
static inline bool gw_emit_is_along(const gw_emitter *e) { return e->f->form == GW_FORM_JVP; }
static inline bool gw_emit_call_is_along(const gw_emitter *e, gw_op op) {
    return gw_emit_is_along(e) && !gw_device_is_passive(e->f, op);
}
void gw_emit_rule(gw_emitter *e, gw_op op); /* ruled.c: a call that has a pullback */
/* What figures and errors of a run call it (site.c). */
void gw_emit_site(gw_emitter *e, gw_op op);
void gw_emit_buffer_name(gw_emitter *e, gw_value address, const char *text);

/* The part of a struct that is called `object` and is this parameter of the kernel; caller frees. */
static inline char *gw_teller_leaf(const gw_func *kernel, uint32_t param, const char *object,
                                   const gw_leaf *leaf) {
    const gw_type type = gw_object_at(kernel, kernel->params.at[param].object)->type;
    return gw_emit_leaf(kernel->session, type, object, gw_cstr(kernel->session, leaf->path));
}

/* ---- structs among the arguments of launches (teller_struct.c) ---- */
/* At a launch: declares the struct and sets what is in it, from the operand `first` on; its name. */
char *gw_teller_make_struct(gw_emitter *e, const gw_func *kernel, const gw_param *p, gw_op op, uint32_t first);
/* Its adjoint, declared, or NULL where nobody asks for one; its results begin with *result, which goes on. */
char *gw_teller_ask_struct(gw_emitter *e, const gw_func *kernel, const gw_param *p, gw_op op, uint32_t *result);
void gw_teller_take_struct(gw_emitter *e, const gw_func *kernel, const gw_param *p, gw_op op, uint32_t *result,
                           const char *name);

/* Its tangent: the operands from *at on, which goes on, are those of its numbers. */
char *gw_teller_tangent_struct(gw_emitter *e, const gw_func *kernel, const gw_param *p, gw_op op, uint32_t *at);

typedef struct gw_told_pointer {
    const gw_launch_part *part;
    bool is_read_back, is_written;
} gw_told_pointer;
typedef void gw_teller_pointer(gw_emitter *e, const char *name, const gw_told_pointer *p, const void *context);
/* Each pointer of the struct; backward: the last one first. */
void gw_teller_each_pointer(gw_emitter *e, const gw_func *kernel, const gw_func *grad, uint32_t param,
                            bool backward, gw_teller_pointer *act, const void *context);

/* meeting.c: pointers of a launch that may lead into one buffer */
typedef struct gw_meeting_part {
    uint32_t param;
    gw_str path;         /* of a struct's pointer */
    char *name;          /* "in.first" */
    const char *numbers; /* "float", "double": all that it leads to; NULL: of several */
    bool is_written;
} gw_meeting_part;
typedef struct gw_meeting {
    const gw_func *kernel;
    const char *run;
    GW_VEC(gw_meeting_part) parts; /* those with adjoints */
    bool along;                    /* these are tangents: what is only read may be one for all that read it */
} gw_meeting;
void gw_meeting_find(const gw_func *kernel, const gw_func *grad, const char *run, gw_meeting *out);
void gw_meeting_free(gw_meeting *m);
/* When the pointer needs another adjoint than the first: "z == x || z == y"; NULL: never. */
char *gw_meeting_again(const gw_meeting *m, uint32_t param, const gw_leaf *leaf);
const char *gw_meeting_beside(const gw_meeting *m); /* the call that gives it */
/* "float", "double": all that the parameter leads to, if it has an adjoint; or NULL. */
const char *gw_meeting_numbers(const gw_meeting *m, uint32_t param);
void gw_meeting_apart(gw_emitter *e, const gw_meeting *m);
void gw_meeting_merge(gw_emitter *e, const gw_meeting *m, const char *stream);

typedef struct gw_told_struct {
    const gw_func *kernel, *grad;
    uint32_t param;
    const char *run, *stream;
    const char *made, *start; /* of tangents, the struct that has those of its numbers */
    const gw_meeting *meeting;
} gw_told_struct;
/* The struct as the launch's reverse reads it, and its adjoint: their names. */
const char *gw_teller_content(gw_emitter *e, gw_told_struct t);
const char *gw_teller_shadow(gw_emitter *e, gw_told_struct t);

/* ---- how a launch is told (launched.c, along.c) ---- */
typedef struct gw_told {
    gw_emitter *e;
    const gw_func *grad, *kernel; /* the gradient, NULL: there is none; the primal */
    const gw_func *first;         /* that runs instead of the kernel, where the gradient is in halves; NULL */
    int64_t request;
    const char *run, *grid, *block, *shared, *stream, *space;
    gw_meeting meeting;
    GW_VEC(gw_str) names, asked;   /* of the adjoints of numbers; of sizes that the gradient asks */
    GW_VEC(const char *) contents; /* of parameters: structs as the gradient is given them */
} gw_told;
/* The function's head, and its end. */
void gw_told_open(gw_told *t, gw_told_way way);
void gw_told_close(gw_told *t);
void gw_told_failed(const gw_told *t); /* nothing is launched after a failure */
void gw_told_writes(const gw_told *t); /* what the launch overwrites */
void gw_told_apart_textures(const gw_told *t);
/* The kernel as its launch spells it, and its launch. */
char *gw_told_primal(const gw_told *t);
void gw_told_start_primal(const gw_told *t, const char *kernel);
/* "const gw_status status = f_grad_launch(…);", and what became of it; frees the arguments. */
void gw_told_start(const gw_told *t, const gw_func *f, gw_emit_items *items, const char *what);
/* Its arguments: the launch's shape; the kernel's own, in memory as the program has it; "(type)d_x". */
void gw_told_add_shape(const gw_told *t, gw_emit_items *items);
void gw_told_add_own(const gw_told *t, gw_emit_items *items);
char *gw_told_shadow(const gw_told *t, const gw_param *x, const char *type);
char *gw_told_cast_type(const gw_told *t, const gw_param *p); /* as the derivative's signature has it */
gw_told_struct gw_told_struct_of(const gw_told *t, uint32_t param);

/* "gw_size_max(so_far, one)", or the one that there is; takes both. */
char *gw_teller_most(char *so_far, char *one);
/* How many cells there are behind a pointer of the struct: the one that the path in the struct goes through;
 * NULL: all that lead to integers. */
char *gw_teller_cells(const gw_func *kernel, uint32_t param, const char *run, const char *path, char *so_far);
#endif
