// Calls with effects where they would be performed again, and what of MPI has no derivative.
#include <gradwright/gradwright.h>
#include <mpi.h>

GW_GRADIENT("wrt x")
double falling(const double *x, int n, MPI_Comm comm) {
#ifdef OBEYED
    double product = 1, all;
    for (int i = n; i > 0; i--) {
        MPI_Allreduce(&x[i - 1], &all, 1, MPI_DOUBLE, MPI_SUM, comm);
        product *= all;
    }
    return product;
#else
    double all;
    if (n == 0) return 1;
    MPI_Allreduce(&x[n - 1], &all, 1, MPI_DOUBLE, MPI_SUM, comm);
    return all * falling(x, n - 1, comm);
#endif
}

#ifdef OBEYED
GW_GRADIENT("y wrt x")
#else
GW_JACOBIAN("y[0:2] wrt x[0:2]")
#endif
void shared(double *y, const double *x, MPI_Comm comm) {
    MPI_Allreduce(x, y, 2, MPI_DOUBLE, MPI_SUM, comm);
    for (int i = 0; i < 2; i++) y[i] *= y[i];
}

#ifdef OBEYED
GW_GRADIENT("wrt x")
double told(const double *x, int n, MPI_Comm comm) {
    MPI_Bcast(&n, 1, MPI_INT, 0, comm);
#else
GW_GRADIENT("wrt x")
double told(const double *x, long n, MPI_Comm world) {
    MPI_Comm comm;
    MPI_Comm_dup(world, &comm);
    MPI_Bcast(&n, 1, MPI_LONG, 0, comm);
#endif
    return x[0] * double(n);
}
// obeys: unsupported
// says: effects.cpp:17:5: error: a call with effects (GW_ORDERED) in a function that calls itself cannot be differentiated yet [unsupported]
// says:     MPI_Allreduce(&x[n - 1], &all, 1, MPI_DOUBLE, MPI_SUM, comm);
// says:     ^
// says:   way out: write a loop in its place
// says: effects.cpp:28:5: error: a call with effects (GW_ORDERED), in a matrix of derivatives, cannot be differentiated yet [unsupported]
// says:     MPI_Allreduce(x, y, 2, MPI_DOUBLE, MPI_SUM, comm);
// says:     ^
// says:   way out: ask for GW_GRADIENT or GW_DERIVATIVE, for each row or direction that is meant
// says: effects.cpp:40:5: error: MPI_Comm_dup cannot be differentiated yet [unsupported]
// says:     MPI_Comm_dup(world, &comm);
// says:     ^
// says:   way out: do it outside of the function, or by what docs/guide/ranks.md lists
// says: effects.cpp:41:5: error: a message of anything but double, float and int cannot be differentiated yet [unsupported]
// says:     MPI_Bcast(&n, 1, MPI_LONG, 0, comm);
// says:     ^
// says:   way out: pass a pointer to one of these, cast where the buffer is one of void
