/*
 * heat_mpi.c - which conductivity does a plate have? It is cut into rows of cells, a part for each process,
 * which exchange the rows at their ends before every step. The loss is how far the plate is, in the end, from
 * what was seen; its gradient with respect to all conductivities is one call on each process, that runs the
 * exchanges backwards.
 *
 *     CC=mpicc gwcc -O2 [-fopenmp] heat_mpi.c -o heat_mpi && mpirun -n 4 ./heat_mpi [--side N] [--steps N]
 *
 * It checks itself: the same plate on one process alone has the same gradient, to the bit, and a derivative
 * along one direction is that of central differences. Then it descends, and says by how much the loss falls.
 */
#include <gradwright/gradwright.h>

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* This process's rows of the plate, `columns` wide, are told of by the rows above and below them. */
static void exchange(double *u, int rows, int columns, int above, int below, MPI_Comm comm) {
    MPI_Request requests[4];
    MPI_Irecv(&u[0], columns, MPI_DOUBLE, above, 0, comm, &requests[0]);
    MPI_Irecv(&u[(rows + 1) * columns], columns, MPI_DOUBLE, below, 1, comm, &requests[1]);
    MPI_Isend(&u[columns], columns, MPI_DOUBLE, above, 1, comm, &requests[2]);
    MPI_Isend(&u[rows * columns], columns, MPI_DOUBLE, below, 0, comm, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

/* Half the sum of squares of what this process's rows differ from `seen` after so many steps from `start`, in
 * units of temperature; conductivities have no unit (time steps over squares of cells). The edge is kept at 0.
 */
GW_GRADIENT("wrt conductivity")
double misfit(const double *conductivity, const double *start, const double *seen, int rows, int columns,
              int steps, MPI_Comm comm) {
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    const int above = rank > 0 ? rank - 1 : MPI_PROC_NULL, below = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    const size_t cells = (size_t)(rows + 2) * (size_t)columns;
    double *u = (double *)malloc(cells * sizeof(double)), *next = (double *)malloc(cells * sizeof(double));
    for (size_t i = 0; i < cells; i++)
        u[i] = 0, next[i] = 0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            u[(r + 1) * columns + c] = start[r * columns + c];
    GW_CHECKPOINT(10)
    for (int t = 0; t < steps; t++) {
        exchange(u, rows, columns, above, below, comm);
#pragma omp parallel for
        for (int r = 1; r <= rows; r++)
            for (int c = 1; c < columns - 1; c++) {
                const int i = r * columns + c;
                next[i] = u[i] + conductivity[(r - 1) * columns + c] *
                                     (u[i - columns] + u[i + columns] + u[i - 1] + u[i + 1] - 4 * u[i]);
            }
#pragma omp parallel for
        for (int r = 1; r <= rows; r++)
            for (int c = 1; c < columns - 1; c++)
                u[r * columns + c] = next[r * columns + c];
    }
    double loss = 0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) {
            const double by = u[(r + 1) * columns + c] - seen[r * columns + c];
            loss += 0.5 * by * by;
        }
    free(u), free(next);
    return loss;
}

#include "heat_mpi.grad.h"

static double of_all(double own) {
    double all;
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

/* Cell (row, column) of the whole plate. */
static double true_conductivity(int row, int column, int side) {
    const double x = (double)column / side - 0.6, y = (double)row / side - 0.4;
    return x * x + y * y < 0.04 ? 0.05 : 0.2;
}
static double first_temperature(int row, int column, int side) {
    return sin(7.0 * column / side) * cos(5.0 * row / side) + 1;
}

/* The last temperatures of the whole plate under its true conductivity. */
static void see(double *seen, int side, int steps) {
    const size_t cells = (size_t)side * (size_t)side;
    double *u = (double *)calloc(cells, sizeof(double)), *next = (double *)calloc(cells, sizeof(double));
    for (int r = 0; r < side; r++)
        for (int c = 0; c < side; c++)
            u[r * side + c] = first_temperature(r, c, side);
    for (int t = 0; t < steps; t++) {
        memcpy(next, u, cells * sizeof(double));
        for (int r = 0; r < side; r++)
            for (int c = 1; c < side - 1; c++) {
                const double above = r > 0 ? u[(r - 1) * side + c] : 0,
                             below = r + 1 < side ? u[(r + 1) * side + c] : 0;
                const double at = u[r * side + c];
                next[r * side + c] += true_conductivity(r, c, side) *
                                      (above + below + u[r * side + c - 1] + u[r * side + c + 1] - 4 * at);
            }
        memcpy(u, next, cells * sizeof(double));
    }
    memcpy(seen, u, cells * sizeof(double));
    free(u), free(next);
}

int main(int argc, char **argv) {
    int side = 24, steps = 40, rank, size, bad = 0, any = 0;
    MPI_Init(&argc, &argv);
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--side") == 0)
            side = atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--steps") == 0)
            steps = atoi(argv[i + 1]);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (side < 4 || side % size != 0 || steps < 1) {
        if (rank == 0)
            fprintf(stderr, "heat_mpi: %d rows are not to be had by %d processes alike\n", side, size);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const int rows = side / size, first = rank * rows, own = rows * side, cells = side * side;
    double *k = (double *)malloc((size_t)cells * sizeof(double)),
           *u = (double *)malloc((size_t)cells * sizeof(double)),
           *seen = (double *)malloc((size_t)cells * sizeof(double)),
           *d = (double *)calloc((size_t)own, sizeof(double)),
           *whole = (double *)calloc((size_t)cells, sizeof(double));
    for (int i = 0; i < cells; i++)
        k[i] = 0.15, u[i] = first_temperature(i / side, i % side, side);
    see(seen, side, steps);
    double *mine = k + first * side;
    const double *from = u + first * side, *to = seen + first * side;

    /* The plate on this process alone. */
    bad |= misfit_grad(mine, from, to, rows, side, steps, MPI_COMM_WORLD, d) != GW_OK;
    bad |= misfit_grad(k, u, seen, side, side, steps, MPI_COMM_SELF, whole) != GW_OK;
    double apart = 0, most = 0;
    for (int i = 0; i < own; i++)
        apart = fmax(apart, fabs(d[i] - whole[first * side + i]));
    for (int i = 0; i < cells; i++)
        most = fmax(most, fabs(whole[i]));
    apart /= most;
    MPI_Allreduce(MPI_IN_PLACE, &apart, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);

    /* Along one direction. */
    double slope = 0, f[2];
    for (int i = 0; i < own; i++)
        slope += d[i] * sin(i + rank);
    for (int s = 0; s < 2; s++) {
        for (int i = 0; i < own; i++)
            mine[i] = 0.15 + (s ? 1e-6 : -1e-6) * sin(i + rank);
        f[s] = of_all(misfit(mine, from, to, rows, side, steps, MPI_COMM_WORLD));
    }
    slope = of_all(slope);
    const double error = fabs((f[1] - f[0]) / 2e-6 - slope) / fabs(slope);
    for (int i = 0; i < own; i++)
        mine[i] = 0.15;

    /* By gradient descent: a step that does not lessen the loss is taken back, and halved. */
    double loss = of_all(misfit(mine, from, to, rows, side, steps, MPI_COMM_WORLD)), rate = 1e-3;
    const double begin = loss;
    for (int it = 0; it < 60; it++) {
        memset(d, 0, (size_t)own * sizeof(double));
        bad |= misfit_grad(mine, from, to, rows, side, steps, MPI_COMM_WORLD, d) != GW_OK;
        for (int i = 0; i < own; i++)
            mine[i] -= rate * d[i];
        const double now = of_all(misfit(mine, from, to, rows, side, steps, MPI_COMM_WORLD));
        if (now < loss) {
            loss = now, rate *= 1.3;
            continue;
        }
        for (int i = 0; i < own; i++)
            mine[i] += rate * d[i];
        rate *= 0.5;
    }
    bad |= !(apart < 1e-14) || !(error < 1e-6) || !(loss < 0.2 * begin);
    if (rank == 0)
        printf("%d processes: %.1e from one alone, %.1e from differences, loss %.4g to %.4g\n", size, apart,
               error, begin, loss);
    MPI_Allreduce(&bad, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    free(k), free(u), free(seen), free(d), free(whole);
    MPI_Finalize();
    return any;
}
