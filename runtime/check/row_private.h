/* row_private.h - a row under check: shared by the files of libgwcheck that check rows (contract: row.h). */
#ifndef GW_CHECK_ROW_PRIVATE_H
#define GW_CHECK_ROW_PRIVATE_H

#include "check_private.h"
#include "row.h"

#include "gradwright/runtime.h"

/* ---- row_device.c: memory of the device and launches ---- */
void *gw_row_allocate(size_t bytes); /* exactly, so that memcheck sees the first byte beyond; 0: null */
void gw_row_free(void *memory);
void gw_row_copy(void *to, const void *from, size_t bytes); /* done when it returns, for every stream */
void gw_row_fill(void *memory, int byte, size_t bytes);
void gw_row_start(void (*kernel)(void), const gw_row_launch *where, void **values);
/* A checked program's launches are watched by the CPU device, which they are unless this says otherwise. */
void gw_row_watch(bool is_watched);
/* What has failed since it was last asked, launches included; null: nothing. */
const char *gw_row_failure(void);

/* ---- row_state.c ---- */
typedef struct gw_row_bytes {
    void *at;
    size_t size;
} gw_row_bytes;

/* The arguments of a row's kernel, or of its reference. */
typedef struct gw_row_state {
    const gw_row *row;
    const gw_row_function *kernel;
    const gw_row_test *test;
    gw_check c; /* values: on entry */
    gw_check_function f;
    double *direction;     /* of each place */
    unsigned char **along; /* tangents of what is passed by value; null elsewhere */
    bool is_single;
} gw_row_state;

bool gw_row_begin(gw_row_state *s, const gw_row *row, const gw_row_function *kernel, const gw_row_test *test);
void gw_row_end(gw_row_state *s);
void gw_row_fail(const gw_row_state *s, const char *format, ...);
double *gw_row_numbers(const gw_row_state *s); /* room for one of each place */
unsigned char **gw_row_shadows(const gw_row_state *s,
                               size_t times); /* as the adjoints, so many times as large */
void gw_row_free_shadows(const gw_row_state *s, unsigned char **shadows);
gw_row_bytes gw_row_make_bytes(size_t size);
void gw_row_put_seeds(gw_row_state *s); /* what adjoints are before a gradient runs */
/* First and last place of a parameter. */
size_t gw_row_first(const gw_row_state *s, size_t param);

/* ---- row_calls.c: false behind a failure that is reported ---- */
void gw_row_run_primal(const gw_row_state *s);
bool gw_row_size(const gw_row_state *s, const gw_row_function *f, const gw_row_function *measure, size_t *out);
bool gw_row_second_size(const gw_row_state *s, unsigned char *const *tangents, size_t *out);
typedef struct gw_row_call {
    const gw_row_function *f;
    unsigned char *const *tangents, *const *adjoints, *const *adjoint_tangents, *const *blocks; /* null: none */
    const gw_row_bytes *space;
    bool is_told;
} gw_row_call;
/* Its status, and whether it could be called at all. */
bool gw_row_call_status(const gw_row_state *s, gw_row_call call, gw_status *status);
bool gw_row_launched(const gw_row_state *s, gw_row_call call); /* GW_OK, and nothing failed on the device */

/* ---- row.c ---- */
void gw_row_exit_values(gw_row_state *s, double *out);
void gw_row_compare(const gw_row_state *s, size_t param, const double *got, const double *want,
                    double tolerance, double noise, double *worst);
void gw_row_compare_exit(const gw_row_state *s, const char *what, const double *got, const double *want,
                         double tolerance);
void gw_row_primal_bytes(const gw_row_state *s);

#endif
