/* program_private.h - what the files of emit/program share among themselves. */
#ifndef GW_EMIT_PROGRAM_PRIVATE_H
#define GW_EMIT_PROGRAM_PRIVATE_H
#include "analysis/ir/leaf.h"
#include "rewriters/emit/program/program.h"

/* ---- calls of a program ---- */
/* calls.c: of a copy or fill, what its last operand says of its cells; a call; false: it is another */
const char *gw_emit_program_cell(const gw_emitter *e, gw_op op);
bool gw_emit_program_call(gw_emitter *e, gw_op op);
void gw_emit_program_host(gw_emitter *e, gw_op op); /* host.c */
void gw_emit_rule(gw_emitter *e, gw_op op); /* ruled.c: a call that has a pullback */
/* What figures and errors of a run call it (site.c). */
void gw_emit_site(gw_emitter *e, gw_op op);
void gw_emit_buffer_name(gw_emitter *e, gw_value address, const char *text);

/* ---- structs among the arguments of launches (teller_struct.c) ---- */
/* At a launch: declares the struct and sets what is in it, from the operand `first` on; its name. */
char *gw_teller_make_struct(gw_emitter *e, const gw_func *kernel, const gw_param *p, gw_op op, uint32_t first);
/* Its adjoint, declared, or NULL where nobody asks for one; its results begin with *result, which goes on. */
char *gw_teller_ask_struct(gw_emitter *e, const gw_func *kernel, const gw_param *p, gw_op op, uint32_t *result);
void gw_teller_take_struct(gw_emitter *e, const gw_func *kernel, const gw_param *p, gw_op op, uint32_t *result,
                           const char *name);

typedef struct gw_told_pointer {
    const gw_leaf *leaf;
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
} gw_meeting;
void gw_meeting_find(const gw_func *kernel, const gw_func *grad, const char *run, gw_meeting *out);
void gw_meeting_free(gw_meeting *m);
/* When the pointer needs another adjoint than the first: "z == x || z == y"; NULL: never. */
char *gw_meeting_again(const gw_meeting *m, uint32_t param, const gw_leaf *leaf);
/* "float", "double": all that the parameter leads to, if it has an adjoint; or NULL. */
const char *gw_meeting_numbers(const gw_meeting *m, uint32_t param);
void gw_meeting_apart(gw_emitter *e, const gw_meeting *m);
void gw_meeting_merge(gw_emitter *e, const gw_meeting *m, const char *stream);

typedef struct gw_told_struct {
    const gw_func *kernel, *grad;
    uint32_t param;
    const char *run, *stream;
    const char *made;
    const gw_meeting *meeting;
} gw_told_struct;
/* The struct as the launch's reverse reads it, and its adjoint: their names. */
const char *gw_teller_content(gw_emitter *e, gw_told_struct t);
const char *gw_teller_shadow(gw_emitter *e, gw_told_struct t);

/* "gw_size_max(so_far, one)", or the one that there is; takes both. */
char *gw_teller_most(char *so_far, char *one);
/* How many cells there are behind a pointer of the struct: the one that the path in the struct goes through;
 * NULL: all that lead to integers. */
char *gw_teller_cells(const gw_func *kernel, uint32_t param, const char *run, const char *path, char *so_far);
#endif
