/* Every call of MPI's that has a derivative, on as many processes as run this: the gradient of the sum of all
 * processes' results against central differences, and the forward derivative by the dot-product identity. Each
 * process has inputs of its own. */
#include <gradwright/gradwright.h>
#include <math.h>
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { N = 4 }; /* inputs of a process */

/* From one to the next around, by calls that wait, with an answer whose size is told first. */
GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x") double ring(const double *x, int n, MPI_Comm comm) {
    int rank, size, count = 2;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    double sent[N], got[N], s = 0;
    MPI_Status status;
    for (int i = 0; i < n; i++)
        sent[i] = x[i] * x[i] * (rank + 1);
    MPI_Send(&count, 1, MPI_INT, right, 1, comm);
    MPI_Recv(&count, 1, MPI_INT, left, 1, comm, MPI_STATUS_IGNORE);
    MPI_Send(sent, n, MPI_DOUBLE, right, 2, comm);
    MPI_Recv(got, n, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
    if (status.MPI_SOURCE == left && status.MPI_TAG == 2) s = x[0];
    for (int i = 0; i < count; i++)
        s += got[i] * got[n - 1 - i] * x[i];
    return s;
}

/* Two messages of one tag, waited for in the opposite order; none beyond the ends. */
GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x") double line(const double *x, int n, MPI_Comm comm) {
    int rank, size, count = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    const int right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL, left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    double first[2] = {1, 2}, second[2] = {3, 4}, cubes[2], s = 0;
    MPI_Request requests[4], late;
    for (int i = 0; i < 2; i++)
        cubes[i] = x[i] * x[i] * x[i];
    MPI_Irecv(first, 2, MPI_DOUBLE, left, 5, comm, &late);
    MPI_Irecv(second, 2, MPI_DOUBLE, left, 5, comm, &requests[count++]);
    if (right != MPI_PROC_NULL) MPI_Isend(x, 2, MPI_DOUBLE, right, 5, comm, &requests[count++]);
    MPI_Isend(cubes, 2, MPI_DOUBLE, right, 5, comm, &requests[count++]);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    MPI_Wait(&late, MPI_STATUS_IGNORE);
    for (int i = 0; i < 2; i++)
        s += first[i] * x[i + 2] + second[i] * second[i] * x[n - 1];
    return s;
}

/* Heat in a rod of several processes, in place, with what lies beyond the ends exchanged at each step. */
static void exchange(double *u, int n, int left, int right, MPI_Comm comm) {
    MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, left, 0, &u[n + 1], 1, MPI_DOUBLE, right, 0, comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&u[n], 1, MPI_DOUBLE, right, 1, &u[0], 1, MPI_DOUBLE, left, 1, comm, MPI_STATUS_IGNORE);
}
GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x") double heat(const double *x, int n, MPI_Comm comm) {
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    const int right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL, left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    double *u = (double *)malloc((size_t)(n + 2) * sizeof *u),
           *v = (double *)malloc((size_t)(n + 2) * sizeof *v);
    double energy = 0, whole;
    for (int i = 0; i < n + 2; i++)
        u[i] = 0;
    for (int i = 0; i < n; i++)
        u[i + 1] = x[i];
    for (int t = 0; t < 5; t++) {
        exchange(u, n, left, right, comm);
        for (int i = 1; i <= n; i++)
            v[i] = u[i] + 0.2 * (u[i - 1] - 2 * u[i] + u[i + 1]) * (1 + 0.1 * u[i] * u[i]);
        for (int i = 1; i <= n; i++)
            u[i] = v[i];
    }
    for (int i = 1; i <= n; i++)
        energy += u[i] * u[i];
    MPI_Allreduce(&energy, &whole, 1, MPI_DOUBLE, MPI_SUM, comm);
    free(u), free(v);
    return whole * energy;
}

/* The same over the marks of a checkpointed loop: its parts run, and communicate, once more. */
GW_GRADIENT("wrt x")
double marked(const double *x, int n, MPI_Comm comm) {
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    const int right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL, left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    double u[N + 2] = {0}, s = 0;
    for (int i = 0; i < n; i++)
        u[i + 1] = x[i];
    GW_CHECKPOINT(3)
    for (int t = 0; t < 8; t++) {
        double v[N + 2];
        exchange(u, N, left, right, comm);
        for (int i = 1; i <= N; i++)
            v[i] = sin(u[i - 1]) * 0.3 + u[i] * u[i + 1] * 0.1;
        for (int i = 1; i <= N; i++)
            u[i] = v[i] + x[i - 1];
    }
    for (int i = 1; i <= N; i++)
        s += u[i] * u[i];
    return s;
}

GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x") double turned(const double *x, int n, MPI_Comm comm) {
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    float part[2] = {(float)x[0], (float)(x[1] * x[1])};
    MPI_Sendrecv_replace(part, 2, MPI_FLOAT, (rank + 1) % size, 3, (rank + size - 1) % size, 3, comm,
                         MPI_STATUS_IGNORE);
    MPI_Barrier(comm);
    return part[0] * part[1] * x[n - 1];
}

/* By all: sums, greatest and least numbers with one winner each, products. */
GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x") double reduced(const double *x, int n, MPI_Comm comm) {
    int rank, all, most;
    MPI_Comm_rank(comm, &rank);
    MPI_Allreduce(&rank, &most, 1, MPI_INT, MPI_MAX, comm);
    MPI_Allreduce(&n, &all, 1, MPI_INT, MPI_SUM, comm);
    double own[N], sum[N] = {0}, greatest[N], least[N], product[N];
    for (int i = 0; i < n; i++)
        own[i] = x[i] * x[i];
    MPI_Reduce(own, sum, n, MPI_DOUBLE, MPI_SUM, most, comm);
    MPI_Allreduce(own, greatest, n, MPI_DOUBLE, MPI_MAX, comm);
    MPI_Allreduce(own, least, n, MPI_DOUBLE, MPI_MIN, comm);
    MPI_Allreduce(x, product, n, MPI_DOUBLE, MPI_PROD, comm);
    MPI_Allreduce(MPI_IN_PLACE, own, n, MPI_DOUBLE, MPI_SUM, comm);
    double s = 0;
    for (int i = 0; i < n; i++)
        s += sum[i] * sum[i] + greatest[i] * x[0] + least[i] * greatest[i] + product[i] + own[i] * x[i];
    return s * all;
}

/* From one to all, from all to one, from all to all. */
GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x") double spread(const double *x, int n, MPI_Comm comm) {
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    double shared[2] = {x[0] * x[1], x[2]}, s = 0;
    double *all = (double *)malloc((size_t)(2 * size) * sizeof *all),
           *crossed = (double *)malloc((size_t)(2 * size) * sizeof *crossed);
    MPI_Bcast(shared, 2, MPI_DOUBLE, size - 1, comm);
    MPI_Allgather(x, 2, MPI_DOUBLE, all, 2, MPI_DOUBLE, comm);
    for (int i = 0; i < 2 * size; i++)
        s += all[i] * shared[i % 2], all[i] *= all[i];
    MPI_Alltoall(all, 2, MPI_DOUBLE, crossed, 2, MPI_DOUBLE, comm);
    for (int i = 0; i < 2 * size; i++)
        s += crossed[i] * x[3];
    MPI_Gather(shared, 2, MPI_DOUBLE, all, 2, MPI_DOUBLE, 0, comm);
    if (rank == 0)
        for (int i = 0; i < 2 * size; i++)
            all[i] *= all[i] * x[n - 1];
    double part[2], before[1], up_to[1] = {x[0] * x[3]};
    MPI_Scatter(all, 2, MPI_DOUBLE, part, 2, MPI_DOUBLE, 0, comm);
    MPI_Scan(up_to, before, 1, MPI_DOUBLE, MPI_SUM, comm);
    free(all), free(crossed);
    return s + part[0] * part[1] + before[0] * before[0];
}

/* One sends, all others take: what one of them sends back has no derivative, and is answered all the same. */
GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x") double sided(const double *x, int n, MPI_Comm comm) {
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    double got = 0, s = 0;
    const double one = 1;
    if (rank == 0) {
        for (int to = 1; to < size; to++)
            MPI_Send(&x[to % n], 1, MPI_DOUBLE, to, to, comm);
        for (int from = 1; from < size; from++) {
            MPI_Recv(&got, 1, MPI_DOUBLE, from, 9, comm, MPI_STATUS_IGNORE);
            s += got * x[0];
        }
    } else {
        MPI_Recv(&got, 1, MPI_DOUBLE, 0, rank, comm, MPI_STATUS_IGNORE);
        MPI_Send(&one, 1, MPI_DOUBLE, 0, 9, comm);
        s = got * got * x[1];
    }
    return s;
}

/* A communicator in a struct, calls that are checked. */
typedef struct grid {
    MPI_Comm comm;
    int steps;
} grid;
static int checked(int status) {
    if (status != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, status);
    return status;
}
GW_GRADIENT("wrt x")
double member(const double *x, const grid *g) {
    double s = x[0] * x[0], t, next;
    checked(MPI_Allreduce(&s, &t, 1, MPI_DOUBLE, MPI_SUM, g->comm));
    for (int i = 0; i < g->steps; i++) {
        if (MPI_Allreduce(&t, &next, 1, MPI_DOUBLE, MPI_SUM, g->comm) != MPI_SUCCESS) exit(1);
        t = next * x[1] * 0.3;
    }
    return t;
}

/* As many requests as there are neighbours. */
GW_GRADIENT("wrt x")
double neighbours(const double *x, int n, MPI_Comm comm) {
    int rank, size, count = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Request requests[26];
    double got[26], s = 0;
    for (int p = 0; p < size; p++)
        if (p != rank) MPI_Irecv(&got[p], 1, MPI_DOUBLE, p, 0, comm, &requests[count++]);
    for (int p = 0; p < size; p++)
        if (p != rank) MPI_Send(&x[p % n], 1, MPI_DOUBLE, p, 0, comm);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    for (int p = 0; p < size; p++)
        if (p != rank) s += got[p] * got[p] * x[0];
    return s;
}

/* The caller's memory, in place, each number of a step made of those before it. */
GW_GRADIENT("u wrt u")
void in_place(double *u, int n, MPI_Comm comm) {
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    const int right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL, left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    for (int t = 0; t < 3; t++) {
        MPI_Request requests[4];
        MPI_Status statuses[4];
        MPI_Irecv(&u[0], 1, MPI_DOUBLE, left, 0, comm, &requests[0]);
        MPI_Irecv(&u[n - 1], 1, MPI_DOUBLE, right, 1, comm, &requests[1]);
        MPI_Isend(&u[1], 1, MPI_DOUBLE, left, 1, comm, &requests[2]);
        MPI_Isend(&u[n - 2], 1, MPI_DOUBLE, right, 0, comm, &requests[3]);
        MPI_Waitall(4, requests, statuses);
        for (int i = 1; i < n - 1; i++)
            u[i] = 0.5 * u[i] * u[i - 1] + 0.2 * u[i + 1];
    }
}

/* Columns of a table, by a datatype that was made outside. */
GW_GRADIENT("wrt x")
GW_DERIVATIVE("wrt x") double columns(const double *x, int n, MPI_Datatype column, MPI_Comm comm) {
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    double u[6], got[6] = {0}, s = 0;
    MPI_Request requests[2];
    for (int i = 0; i < 6; i++)
        u[i] = x[i % n] * x[(i + 1) % n];
    MPI_Irecv(&got[1], 1, column, right, 0, comm, &requests[0]);
    MPI_Isend(&u[2], 1, column, left, 0, comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Sendrecv(u, 1, column, right, 1, &got[2], 2, MPI_DOUBLE, left, 1, comm, MPI_STATUS_IGNORE);
    for (int i = 0; i < 6; i++)
        s += got[i] * got[i] * (i + 1) * x[0];
    return s;
}

/* Parts that differ in length. */
GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x") double parts(const double *x, int n, MPI_Comm comm) {
    int rank, size, all = 0, counts[8], places[8], ones[8], steps[8];
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int r = 0; r < size; r++) {
        counts[r] = 1 + r % 2, places[r] = all, all += counts[r];
        ones[r] = 1, steps[r] = r;
    }
    double *a = (double *)malloc((size_t)all * sizeof(double)),
           *b = (double *)malloc((size_t)all * sizeof(double)),
           *c = (double *)malloc((size_t)size * sizeof(double)), s = 0, own[2], sums[2], sum[1];
    MPI_Allgatherv(x, counts[rank], MPI_DOUBLE, a, counts, places, MPI_DOUBLE, comm);
    for (int i = 0; i < all; i++)
        a[i] *= a[i], b[i] = 0;
    MPI_Scatterv(a, counts, places, MPI_DOUBLE, own, counts[rank], MPI_DOUBLE, size - 1, comm);
    MPI_Gatherv(own, counts[rank], MPI_DOUBLE, b, counts, places, MPI_DOUBLE, 0, comm);
    MPI_Alltoallv(a, ones, steps, MPI_DOUBLE, c, ones, steps, MPI_DOUBLE, comm);
    MPI_Reduce_scatter(a, sums, counts, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Reduce_scatter_block(c, sum, 1, MPI_DOUBLE, MPI_SUM, comm);
    for (int i = 0; i < all; i++)
        s += b[i] * b[i] + a[i] * x[2];
    for (int i = 0; i < size; i++)
        s += c[i] * x[1];
    for (int i = 0; i < counts[rank]; i++)
        s += sums[i] * sums[i] * own[i];
    free(a), free(b), free(c);
    return s + sum[0] * x[n - 1];
}

GW_SPLIT_GRADIENT("wrt x")
double halves(const double *x, int n, MPI_Comm comm) {
    double s = x[0] * x[n - 1], all;
    MPI_Allreduce(&s, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
    return all * all;
}

#include "calls.grad.h"

#include "check.h"

static double of_member(const double *x, int n, MPI_Comm comm) {
    const grid g = {comm, 3};
    (void)n;
    return member(x, &g);
}
static double of_in_place(const double *x, int n, MPI_Comm comm) {
    double u[N], s = 0;
    memcpy(u, x, sizeof u);
    in_place(u, n, comm);
    for (int i = 0; i < n; i++)
        s += u[i] * (i + 1);
    return s;
}

static MPI_Datatype column;
static double of_columns(const double *x, int n, MPI_Comm comm) { return columns(x, n, column, comm); }
static gw_status of_columns_grad(const double *x, int n, MPI_Comm comm, double *d_x) {
    return columns_grad(x, n, column, comm, d_x);
}
static double of_columns_jvp(const double *x, int n, MPI_Comm comm, const double *t_x, double *t_return) {
    return columns_jvp(x, n, column, comm, t_x, t_return);
}

/* Gradients of other signatures. */
static int others(int rank) {
    double x[N], d[N] = {0}, value;
    const grid g = {MPI_COMM_WORLD, 3};
    int bad = 0;
    start(x, rank);
    bad |= member_grad(x, &g, d) != GW_OK || differs("member", of_member, x, d, 1e-6);
    for (int i = 0; i < N; i++)
        d[i] = i + 1;
    bad |= in_place_grad(x, N, MPI_COMM_WORLD, d) != GW_OK || differs("in_place", of_in_place, x, d, 1e-6);
    memset(d, 0, sizeof d);
    gw_host_tape tape = GW_HOST_TAPE;
    bad |= halves_fwd(x, N, MPI_COMM_WORLD, &value, &tape) != GW_OK;
    bad |= halves_bwd(x, N, MPI_COMM_WORLD, 1, d, &tape) != GW_OK || differs("halves", halves, x, d, 1e-6);
    gw_host_tape_free(&tape);
    return bad;
}

/* What must end all processes: one of them is killed, or asks for another derivative than the others. */
static void end(const char *how, int rank) {
    double x[N] = {1, 2, 3, 4}, d[N] = {0}, t_return;
    if (strcmp(how, "killed") == 0 && rank == 1) raise(SIGKILL);
    if (strcmp(how, "other") == 0 && rank == 1)
        ring_jvp(x, N, MPI_COMM_WORLD, x, &t_return);
    else
        ring_grad(x, N, MPI_COMM_WORLD, d);
}

int main(int argc, char **argv) {
    int rank, bad = 0, any = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1) end(argv[1], rank);
    CHECK(ring, 1e-7);
    CHECK(line, 1e-7);
    CHECK(heat, 1e-7);
    CHECK(marked, 1e-7);
    CHECK(turned, 1e-3);
    CHECK(reduced, 1e-6);
    CHECK(spread, 1e-6);
    CHECK(sided, 1e-7);
    CHECK(neighbours, 1e-6);
    for (int stride = 3; stride > 1; stride--) { /* the second type may get the number of the first */
        MPI_Type_vector(2, 1, stride, MPI_DOUBLE, &column);
        MPI_Type_commit(&column);
        CHECK(of_columns, 1e-6);
        ALONG(of_columns);
        MPI_Type_free(&column);
    }
    CHECK(parts, 1e-6);
    ALONG(parts);
    bad |= others(rank);
    ALONG(ring);
    ALONG(line);
    ALONG(heat);
    ALONG(turned);
    ALONG(reduced);
    ALONG(spread);
    ALONG(sided);
    MPI_Allreduce(&bad, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return any;
}
