/*
 * openmp.c - gradients of loops that threads of OpenMP share out: time by one thread and by two, beside the
 * primal's. What iterations of all three meet in is added by omp atomic.
 *
 *     gradwright openmp.c -o openmp.grad.h -- -fopenmp
 *     gcc -O3 -march=native -fopenmp -Iinclude openmp.c build/lib/libgwruntime.a -lm -o openmp
 *     OMP_NUM_THREADS=2 ./openmp
 */
#include <gradwright/gradwright.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BODIES = 4000, CELLS = 2000000, ROWS = 300000, IN_ROW = 16, REPEATS = 5 };

GW_GRADIENT("y wrt x")
void n_body(double *restrict y, const double *restrict x, int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double force = 0;
        for (int j = 0; j < n; j++) {
            const double apart = x[i] - x[j];
            force += apart / sqrt(apart * apart + 0.01);
        }
        y[i] = force;
    }
}

GW_GRADIENT("y wrt x")
void stencil(double *restrict y, const double *restrict x, int n) {
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++) y[i] = exp(-x[i] * x[i]) * sin(x[i - 1] * x[i + 1]);
}

GW_GRADIENT("y wrt x, a")
void product(double *restrict y, const double *restrict x, const double *restrict a, const int *restrict column,
             int rows) {
#pragma omp parallel for
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int k = 0; k < IN_ROW; k++) sum += a[i * IN_ROW + k] * x[column[i * IN_ROW + k]];
        y[i] = sum * sum;
    }
}

#include "openmp.grad.h"

static double seconds(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#define BEST(name, call)                                                                                       \
    do {                                                                                                       \
        double best = 1e9;                                                                                     \
        for (int turn = 0; turn < REPEATS; turn++) {                                                           \
            const double begin = seconds();                                                                    \
            call;                                                                                              \
            const double took = seconds() - begin;                                                             \
            best = took < best ? took : best;                                                                  \
        }                                                                                                      \
        printf("%-18s %8.2f ms\n", name, 1e3 * best);                                                          \
    } while (0)

int main(void) {
    double *x = malloc(CELLS * sizeof *x), *y = malloc(CELLS * sizeof *y);
    double *d_x = calloc(CELLS, sizeof *d_x), *d_y = calloc(CELLS, sizeof *d_y);
    double *a = malloc(ROWS * IN_ROW * sizeof *a), *d_a = calloc(ROWS * IN_ROW, sizeof *d_a);
    int *column = malloc(ROWS * IN_ROW * sizeof *column);
    if (!x || !y || !a || !d_x || !d_y || !d_a || !column) return 1;
    for (int i = 0; i < CELLS; i++) x[i] = 0.3 + (i % 1000) * 1e-3, d_y[i] = 1;
    for (int i = 0; i < ROWS * IN_ROW; i++) column[i] = (int)(i * 2654435761u % ROWS), a[i] = 0.1;
    BEST("n_body", n_body(y, x, BODIES));
    BEST("n_body_grad", n_body_grad(y, x, BODIES, d_y, d_x));
    BEST("stencil", stencil(y, x, CELLS));
    BEST("stencil_grad", stencil_grad(y, x, CELLS, d_y, d_x));
    BEST("product", product(y, x, a, column, ROWS));
    BEST("product_grad", (void)product_grad(y, x, a, column, ROWS, d_y, d_x, d_a));
    free(x), free(y), free(a), free(d_x), free(d_y), free(d_a), free(column);
    return 0;
}
