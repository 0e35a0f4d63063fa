/*
 * check.h - what a harness that gwcheck writes hands to libgwcheck: for each derivative the parameters of its
 * function, and calls of the function, its gradient and its forward derivative on buffers of the library's.
 *
 * C17 and C++14. One rule says what is expected of a gradient: with the adjoints `s` on entry and
 * L = sum over all named parameters of s * (value on exit), the adjoint on exit is dL/d(value on entry).
 */
#ifndef GRADWRIGHT_CHECK_H
#define GRADWRIGHT_CHECK_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gw_check_number {
    GW_CHECK_REAL,
    GW_CHECK_SIGNED,
    GW_CHECK_UNSIGNED,
    GW_CHECK_BOOL
} gw_check_number;

/* A number in each element of a parameter; name: behind the element's, ".x". */
typedef struct gw_check_cell {
    size_t offset;
    size_t bytes;
    gw_check_number number;
    const char *name;
    int active; /* of a named parameter: the request is about this member */
    int has_range;
    double low, high;
} gw_check_cell;

typedef enum gw_check_role {
    GW_CHECK_ARRAY,
    GW_CHECK_VALUE,
    GW_CHECK_RESULT /* what the function returns */
} gw_check_role;

typedef enum gw_check_content {
    GW_CHECK_ANY,
    GW_CHECK_INJECTIVE, /* promised of a list: no two entries are equal */
    GW_CHECK_SORTED,
    GW_CHECK_RANGES /* pairs, disjoint and in order */
} gw_check_content;

typedef struct gw_check_param {
    const char *name;
    gw_check_role role;
    int named; /* it has an adjoint */
    int input; /* derivatives by it are asked for */
    int output; /* derivatives of it are */
    int fresh; /* its adjoint is stored, whatever stood in it */
    size_t element;
    const gw_check_cell *cells;
    size_t cell_count;
    gw_check_content content;
    /* the library's, but for `count` that gw_check_size sets */
    size_t count;
    unsigned char *data;   /* in the device's memory, with guards around it */
    unsigned char *shadow; /* of a named one: its adjoint or tangent */
} gw_check_param;

/* A call returns NULL, or what went wrong. */
typedef const char *gw_check_call(gw_check_param *params);

typedef struct gw_check_function {
    const char *name, *request;
    gw_check_param *params;
    size_t count;
    void (*set)(gw_check_param *params);  /* values that the user gives */
    void (*size)(gw_check_param *params); /* counts of arrays, from the values; 0: not given */
    gw_check_call *primal, *gradient;
    gw_check_call *forward; /* NULL: there is none */
    int seed_is_one;        /* of what it returns */
    int gradient_runs_it;   /* a program: what it writes is there behind its gradient too */
} gw_check_function;

typedef struct gw_check_device {
    void *(*allocate)(size_t bytes);
    void (*release)(void *memory);
    const char *(*finish)(void); /* waits; NULL, or the error of what ran */
    void (*reset)(void);         /* behind an error, when all memory is released: the next function may run */
    int orders_threads;          /* the CPU device */
} gw_check_device;

/* Stands on standard error before "NAME: REQUEST", where the results are of a checked build. */
#define GW_CHECK_MARK "== gwcheck == "

/* Arguments: the file of results, a folder of inputs ("" for none), a seed, and "all" or "once". */
int gw_check_main(int count, char **words, const gw_check_function *functions, size_t function_count,
                  const gw_check_device *device);

#ifdef __cplusplus
}
#endif
#endif
