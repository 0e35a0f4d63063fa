/*
 * random_host.h - checks derivatives of random functions of the host, C or C++, whose tables are in the
 * program.
 *
 * The rule of what is expected is that of tests/support/check.cuh: with the adjoints s on entry and L the sum
 * of s times the value on exit over all named cells (and the value returned), the adjoint on exit is dL/d(value
 * on entry). A cell is right, at a kink or wrong as random_check.cuh says. A function of several precisions is
 * compared with the gradient of the same function in double, whose own gradient is checked by differences.
 *
 * Everything is compiled once: a case is a row of function pointers and of its arguments' shapes.
 */
#ifndef GW_TESTS_RANDOM_HOST_H
#define GW_TESTS_RANDOM_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A real number in an element: where it is, and whether it is a float, a double or a long double by its size.
 */
typedef struct host_cell {
    size_t offset, size;
} host_cell;

typedef struct host_argument {
    size_t element, count; /* bytes of an element, number of elements; by value: one element */
    const host_cell *cells;
    int cell_count; /* real numbers in an element */
    bool active;    /* named in the request: it has an adjoint */
    double low, high;
    const void *initial; /* the bytes on entry; null: real cells are random in low..high, all else is 0 */
} host_argument;

enum { HOST_DIRECTIONS = 3 };

typedef struct host_case {
    const char *name;
    uint64_t seed;
    const host_argument *arguments;
    int count;
    bool returns;
    void (*primal)(void **values, double *result);
    int (*gradient)(void **values, void **adjoints); /* a gw_status; null: forward mode only */
    void (*forward)(void **values, void **tangents, double *result, double *moved);
    /* f_jvps in HOST_DIRECTIONS: blocks of tangents; null: none */
    void (*several)(void **values, void **blocks, double *result, double *moved);
    const struct host_case *wide; /* of several precisions: the same in double */
} host_case;

/* Arguments: the number of the first case. A line before and one after each case, so that a program which a
 * case ends can be begun again behind it. */
int host_run(const host_case *const *cases, int count, int argc, char **argv);

#ifdef __cplusplus
}
#endif
#endif
