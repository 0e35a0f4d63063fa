/*
 * mpi.h - messages between processes, as derivatives send them: of floats or doubles, in one block, with rules.
 *
 * A source that includes <mpi.h> is read with mpi/mpi.h in its place, in which MPI's functions have bodies over
 * those that are declared here. What is generated includes emitted/messages.h, which has these.
 *
 * The reverse of a call communicates the other way, in the opposite order (Utke et al., "Toward adjoinable
 * MPI", IPDPS 2009, section 3): who sent receives the adjoint of what he sent, and adds it; who received sends
 * the adjoint of what came in. What goes back is sent at once and waited for by nobody, so that the way back
 * waits in no circle where the way forth does not. It has a tag of its own, the greatest that there is, and
 * says of which message it is the adjoint, so that nothing depends on the order in which requests were waited
 * for.
 *
 * All calls are GW_ORDERED. Arrays are the caller's; a null pointer to adjoints or tangents stands for zeros.
 * Counts are of numbers. A communicator is given as a number, (long long)comm. A fault ends all processes by
 * MPI_Abort, after a line on standard error.
 */
#ifndef GRADWRIGHT_MPI_H
#define GRADWRIGHT_MPI_H

#ifndef GW_MPI_READING
#include <mpi.h>
#endif
#include <gradwright/gradwright.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The number of the next message to (from) the process. Both ends count alike, since MPI keeps the order of
 * messages between two processes with one tag. */
GW_ORDERED int gw_mpi_number_out(int peer, int tag, long long comm);
GW_ORDERED int gw_mpi_number_in(int peer, int tag, long long comm);
/* The process that the next message comes from that fits, and its tag: MPI_ANY_SOURCE, MPI_ANY_TAG. */
GW_ORDERED int gw_mpi_source(int source, int tag, long long comm);
GW_ORDERED int gw_mpi_tag(int source, int tag, long long comm);
/* Asks for a message of so many numbers, which is received later: a ticket. What it was asked with; where it
 * comes from is known when it is there; `number` gives the ticket back, and is asked last. */
GW_ORDERED int gw_mpi_ask(int count, long long type, int peer, int tag, long long comm);
GW_ORDERED int gw_mpi_asked_count(int ticket);
GW_ORDERED long long gw_mpi_asked_type(int ticket);
GW_ORDERED long long gw_mpi_asked_comm(int ticket);
GW_ORDERED int gw_mpi_asked_source(int ticket);
GW_ORDERED int gw_mpi_asked_tag(int ticket);
GW_ORDERED int gw_mpi_asked_number(int ticket);
/* Ends all processes: what MPI is given is no such type or operation. Returns only where it is read. */
GW_ORDERED int gw_mpi_refuse(int what, long long comm);
GW_ORDERED int gw_mpi_abort(int code, long long comm);
GW_ORDERED int gw_mpi_barrier(long long comm);
GW_DERIVATIVE_OF("pullback of gw_mpi_barrier") void gw_mpi_barrier_back(long long comm);
GW_NONDIFFERENTIABLE int gw_mpi_rank(long long comm);
GW_NONDIFFERENTIABLE int gw_mpi_size(long long comm);
GW_NONDIFFERENTIABLE int gw_mpi_own_tag(long long comm); /* of parts that differ in length */
/* A datatype over numbers of one kind (1: double, 2: float, 3: int) tells how many `count` of it have, and
 * where number k lies behind the buffer's beginning, in numbers. */
GW_NONDIFFERENTIABLE int gw_mpi_numbers(int count, long long type, int kind);
GW_NONDIFFERENTIABLE int gw_mpi_place(int k, long long type, int kind);
GW_NONDIFFERENTIABLE int gw_mpi_is_null(int peer); /* MPI_PROC_NULL, with which nothing is exchanged */

/* From one process to another, or back. */
#define GW_MPI_MESSAGE(T, name, CONST)                                                                         \
    GW_ORDERED int gw_mpi_##name##_##T(CONST T *message, int count, int peer, int tag, long long comm,         \
                                       int number);                                                            \
    GW_DERIVATIVE_OF("pullback of gw_mpi_" #name "_" #T)                                                       \
    void gw_mpi_##name##_##T##_back(CONST T *message, int count, int peer, int tag, long long comm,            \
                                    int number, T *d_message);                                                 \
    GW_DERIVATIVE_OF("jvp of gw_mpi_" #name "_" #T)                                                            \
    int gw_mpi_##name##_##T##_along(CONST T *message, int count, int peer, int tag, long long comm,            \
                                    int number, CONST T *t_message);

/* By all processes of a communicator: `of` is the process that gives or gets, -1: all get. */
#define GW_MPI_COLLECTIVE(T, name)                                                                             \
    GW_ORDERED int gw_mpi_##name##_##T(const T *in, T *out, int count, int of, long long comm);                \
    GW_DERIVATIVE_OF("pullback of gw_mpi_" #name "_" #T)                                                       \
    void gw_mpi_##name##_##T##_back(const T *in, T *out, int count, int of, long long comm, T *d_in,           \
                                    T *d_out);                                                                 \
    GW_DERIVATIVE_OF("jvp of gw_mpi_" #name "_" #T)                                                            \
    int gw_mpi_##name##_##T##_along(const T *in, T *out, int count, int of, long long comm, const T *t_in,     \
                                    T *t_out);

/* bcast: out has what process `of` has in `in`. sum: of all processes' numbers. gather: what each has, in the
 * order of ranks; scatter: its part, of `count`, for each. alltoall: part k to process k. scan: the sum of the
 * numbers of processes up to this one. */
#define GW_MPI_FUNCTIONS(T)                                                                                    \
    GW_MPI_MESSAGE(T, send, const)                                                                             \
    GW_MPI_MESSAGE(T, receive, )                                                                               \
    GW_MPI_COLLECTIVE(T, bcast)                                                                                \
    GW_MPI_COLLECTIVE(T, sum)                                                                                  \
    GW_MPI_COLLECTIVE(T, gather)                                                                               \
    GW_MPI_COLLECTIVE(T, scatter)                                                                              \
    GW_MPI_COLLECTIVE(T, alltoall)                                                                             \
    GW_MPI_COLLECTIVE(T, scan)

GW_MPI_FUNCTIONS(double)
GW_MPI_FUNCTIONS(float)

/* Integers have no derivative: what is received is kept for the way back where that needs it. */
GW_ORDERED int gw_mpi_send_int(const int *message, int count, int peer, int tag, long long comm, int number);
GW_ORDERED int gw_mpi_receive_int(int *message, int count, int peer, int tag, long long comm, int number);
GW_ORDERED int gw_mpi_bcast_int(const int *in, int *out, int count, int of, long long comm);
/* The process that has the greatest number, or the least: the first of several. */
GW_ORDERED GW_NONDIFFERENTIABLE int gw_mpi_winner_double(const double *in, int *who, int count, int is_least,
                                                         long long comm);
GW_ORDERED GW_NONDIFFERENTIABLE int gw_mpi_winner_float(const float *in, int *who, int count, int is_least,
                                                        long long comm);
GW_ORDERED int gw_mpi_gather_int(const int *in, int *out, int count, int of, long long comm);

#ifdef __cplusplus
}
#endif
#endif
