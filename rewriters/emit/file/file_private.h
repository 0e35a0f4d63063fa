/* file_private.h - what the files of emit/file share among themselves. */
#ifndef GW_EMIT_FILE_PRIVATE_H
#define GW_EMIT_FILE_PRIVATE_H
#include "rewriters/emit/text/text.h"

/* ---- a table of what a program that loads the text calls (gradwright/emitted/exported.h) ---- */
typedef struct gw_emit_part {
    const char *role; /* "primal", "adjoint", "grid", ... */
    gw_str name;
    const char *type;
    const gw_param *param; /* NULL: of the launch */
} gw_emit_part;
typedef struct gw_emit_export {
    const gw_func *f;
    const char *form, *function, *result, *code; /* code: of the result's type */
    char *name, *call;                           /* "a::f_grad<3>"; what the text calls */
    bool is_part;                                /* made for a matrix or a bound, beside what is asked for */
    GW_VEC(gw_emit_part) parts;
} gw_emit_export;
typedef struct gw_emit_table {
    gw_emitter *e;
    uint32_t count;
    gw_text rows;
} gw_emit_table;
void gw_emit_export_row(gw_emit_table *t, gw_emit_export *x); /* frees what is in it */
void gw_emit_export_kernel(gw_emit_table *t, const gw_func *grad, const gw_func *bound); /* exported_kernel.c */
char *gw_emit_export_name(const gw_func *f); /* "a::f_grad<3>"; the caller frees it */
/* "f4", "i8", "u1", "b1", "h2", "bh2"; of a struct "V12". */
void gw_emit_export_code(const gw_session *s, gw_type t, gw_text *out);
/* "gradient", "hvp", ...; NULL: none that is shown */
const char *gw_emit_export_form(const gw_func *f);
const char *gw_emit_export_role(const gw_func *f, const gw_param *p);
char *gw_emit_outside(const gw_func *f, const char *name); /* with its namespace; takes nothing, caller frees */
void gw_emit_exports(gw_emitter *e);

/* ---- a text of its own (standalone.c) ---- */
void gw_emit_include(gw_emitter *e, const char *path, const char *from); /* as seen from the folder of `from` */
void gw_emit_declarations_head(gw_emitter *e);
#endif
