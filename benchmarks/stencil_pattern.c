/* The first call of a sparse Jacobian, of which f_jacobian_pattern names the entries or carries bits: the
 * 5-point stencil of a square of points. The side is the argument, 1,000 if there is none. */
#define _POSIX_C_SOURCE 200809L
#include <gradwright/gradwright.h>
#include <gradwright/sparse.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

GW_JACOBIAN("sparse y[0:n * n] wrt x[0:n * n]")
void stencil(double *y, const double *x, int n) {
    for (int i = 0; i < n * n; i++) y[i] = x[i];
    for (int r = 1; r < n - 1; r++)
        for (int c = 1; c < n - 1; c++) {
            const int i = r * n + c;
            y[i] = x[i - n] + x[i + n] + x[i - 1] + x[i + 1] - 4 * x[i] * x[i];
        }
}

/* The place of its outputs is read, so their pattern is found at run time. */
GW_JACOBIAN("sparse y[0:n * n] wrt x[0:n * n]")
void by_bits(double *y, const double *x, const int *zero, int n) { stencil(y + zero[0], x, n); }

#include "stencil_pattern.grad.h"

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double best_of(double best, double taken) { return best < taken ? best : taken; }

int main(int count, char **argument) {
    const int n = count > 1 ? atoi(argument[1]) : 1000, zero[1] = {0};
    const size_t cells = (size_t)n * (size_t)n;
    double *x = malloc(cells * sizeof *x), *y = malloc(cells * sizeof *y);
    double first[2] = {1e9, 1e9}, again[2] = {1e9, 1e9};
    int entries[2] = {0, 0};
    if (!x || !y) return 1;
    for (size_t i = 0; i < cells; i++) x[i] = (double)(i % 7);
    for (int round = 0; round < 5; round++)
        for (int bits = 0; bits < 2; bits++) {
            gw_sparse j = GW_SPARSE;
            for (int call = 0; call < 2; call++) {
                const double begun = seconds();
                const gw_status status =
                    bits ? by_bits_jacobian(y, x, zero, n, &j) : stencil_jacobian(y, x, n, &j);
                if (status != GW_OK) return 1;
                double *const best = call ? &again[bits] : &first[bits];
                *best = best_of(*best, seconds() - begun);
            }
            entries[bits] = j.entries;
            gw_sparse_free(&j);
        }
    printf("%d entries; first call, entries named %.0f ms, bits %.0f ms; later calls %.0f ms, %.0f ms\n",
           entries[0], 1e3 * first[0], 1e3 * first[1], 1e3 * again[0], 1e3 * again[1]);
    free(x), free(y);
    return entries[0] != entries[1];
}
