/* Derivatives of what all processes compute together, against central differences of the sum of their results,
 * and forward against reverse by the dot-product identity. Below the functions: N is how many inputs each
 * process has, `rank` and `bad` are the caller's. */
#include <math.h>
#include <stdio.h>

typedef double function(const double *x, int n, MPI_Comm comm);

static double of_all(function *f, const double *x) {
    double own = f(x, N, MPI_COMM_WORLD), all;
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static void start(double *x, int rank) {
    for (int i = 0; i < N; i++)
        x[i] = 0.7 + 0.3 * i - 0.25 * rank + 0.1 * ((i + rank) % 3);
}

static int differs(const char *name, function *f, double *x, const double *d, double allowed) {
    int rank, size, bad = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int who = 0; who < size; who++)
        for (int i = 0; i < N; i++) {
            const double h = allowed > 1e-5 ? 1e-2 : 1e-5, at = x[i];
            double up, down;
            if (who == rank) x[i] = at + h;
            up = of_all(f, x);
            if (who == rank) x[i] = at - h;
            down = of_all(f, x);
            x[i] = at;
            const double want = (up - down) / (2 * h);
            if (who != rank || fabs(d[i] - want) <= allowed * (1 + fabs(want))) continue;
            printf("%s: process %d of %d: d_x[%d] is %.9g, by differences %.9g\n", name, rank, size, i, d[i],
                   want);
            bad = 1;
        }
    return bad;
}

#define CHECK(f, allowed)                                                                                      \
    do {                                                                                                       \
        double x[N], d[N] = {0};                                                                               \
        start(x, rank);                                                                                        \
        bad |= f##_grad(x, N, MPI_COMM_WORLD, d) != GW_OK;                                                     \
        bad |= differs(#f, f, x, d, allowed);                                                                  \
    } while (0)

/* The sum over processes of <gradient, direction> is the sum of their forward derivatives. */
#define ALONG(f)                                                                                               \
    do {                                                                                                       \
        double x[N], t[N], d[N] = {0}, t_return = 0, pair[2] = {0}, both[2];                                   \
        for (int i = 0; i < N; i++)                                                                            \
            x[i] = 0.4 + 0.2 * i + 0.3 * rank, t[i] = 1.0 / (1 + i + rank);                                    \
        f##_jvp(x, N, MPI_COMM_WORLD, t, &t_return);                                                           \
        bad |= f##_grad(x, N, MPI_COMM_WORLD, d) != GW_OK;                                                     \
        for (int i = 0; i < N; i++)                                                                            \
            pair[0] += d[i] * t[i];                                                                            \
        pair[1] = t_return;                                                                                    \
        MPI_Allreduce(pair, both, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);                                     \
        if (fabs(both[0] - both[1]) > 1e-5 * (1 + fabs(both[0])))                                              \
            bad = 1, printf("%s: forward %.9g, reverse %.9g\n", #f, both[1], both[0]);                         \
    } while (0)
