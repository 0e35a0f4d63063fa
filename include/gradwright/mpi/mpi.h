/*
 * mpi/mpi.h - MPI as it is read: bodies over messages that have derivatives (gradwright/mpi.h). A program is
 * compiled with the header of its MPI.
 *
 * Handles are numbers here, whose names the text keeps. What is not declared cannot be in a derivative:
 * one-sided calls, files, packing, non-blocking collectives. What is sent has left when the call returns, also
 * by MPI_Isend; what MPI_Irecv asks for is received where it is waited for.
 */
#ifndef GRADWRIGHT_MPI_MPI_H
#define GRADWRIGHT_MPI_MPI_H
#define GW_MPI_READING
#include <stddef.h>
#include <stdlib.h>

#define GW_MPI_NAMED __attribute__((annotate("gradwright:for_another")))
typedef long long MPI_Comm GW_MPI_NAMED;
typedef long long MPI_Datatype GW_MPI_NAMED;
typedef long long MPI_Op GW_MPI_NAMED;
typedef struct MPI_Status {
    int MPI_SOURCE, MPI_TAG, MPI_ERROR;
} MPI_Status;
/* A place for what is received when it is waited for: one of the pointers, or none. */
typedef struct gw_mpi_request {
    int ticket;
    double *doubles;
    float *floats;
    int *ints;
} MPI_Request;

#include <gradwright/mpi.h>

#ifdef __cplusplus
extern "C" {
#endif
extern const MPI_Comm MPI_COMM_WORLD, MPI_COMM_SELF, MPI_COMM_NULL;
extern const int MPI_PROC_NULL, MPI_ANY_SOURCE, MPI_ANY_TAG;
double MPI_Wtime(void);
double MPI_Wtick(void);
#ifdef __cplusplus
}
#endif
enum { MPI_SUCCESS = 0 };
enum { MPI_DOUBLE = 1, MPI_FLOAT = 2, MPI_INT = 3 };
enum { MPI_SUM = 1, MPI_MAX = 2, MPI_MIN = 3, MPI_PROD = 4 };
#include <gradwright/mpi/rest.h>
#define MPI_STATUS_IGNORE   ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)
#define MPI_REQUEST_NULL    ((MPI_Request){0})
typedef struct gw_mpi_in_place gw_mpi_in_place;
#define MPI_IN_PLACE ((gw_mpi_in_place *)0)

/* One function for each type: in C chosen by a macro, in C++ overloaded. */
#ifdef __cplusplus
#define GW_MPI_NAME(name, T)         gw_read_##name
#define GW_MPI_SPECIAL(name, how, T) gw_read_##name
#define GW_MPI_OF(buffer, name)      gw_read_##name
#define GW_MPI_FLOATS(buffer, name)  gw_read_##name
#else
#define GW_MPI_NAME(name, T)         gw_read_##name##_##T
#define GW_MPI_SPECIAL(name, how, T) gw_read_##name##_##how##_##T
#define GW_MPI_OF(buffer, name)                                                                                \
    _Generic((buffer), double *: gw_read_##name##_double, const double *: gw_read_##name##_double,             \
             float *: gw_read_##name##_float, const float *: gw_read_##name##_float,                           \
             int *: gw_read_##name##_int, const int *: gw_read_##name##_int,                                   \
             default: MPI_buffer_of_another_type)
#define GW_MPI_FLOATS(buffer, name)                                                                            \
    _Generic((buffer), double *: gw_read_##name##_double, const double *: gw_read_##name##_double,             \
             float *: gw_read_##name##_float, const float *: gw_read_##name##_float,                           \
             default: MPI_buffer_of_another_type)
#endif
#define GW_MPI_HERE static inline __attribute__((unused)) int

GW_MPI_HERE MPI_Comm_rank(MPI_Comm comm, int *rank) { return *rank = gw_mpi_rank(comm), MPI_SUCCESS; }
GW_MPI_HERE MPI_Comm_size(MPI_Comm comm, int *size) { return *size = gw_mpi_size(comm), MPI_SUCCESS; }
GW_MPI_HERE MPI_Barrier(MPI_Comm comm) { return gw_mpi_barrier(comm); }
GW_MPI_HERE MPI_Abort(MPI_Comm comm, int code) {
    gw_mpi_abort(code, comm);
    exit(code);
}

/* ---- from one process to another ---- */
#define GW_MPI_MESSAGES(T, TYPE, pointer)                                                                      \
    GW_MPI_HERE GW_MPI_NAME(put, T)(const T *from, int count, MPI_Datatype type, int to, int tag,              \
                                    MPI_Comm comm) {                                                           \
        if (gw_mpi_is_null(to)) return MPI_SUCCESS;                                                            \
        const int n = type == TYPE ? count : gw_mpi_numbers(count, type, TYPE);                                \
        T *message = (T *)malloc(n * sizeof(T));                                                               \
        if (type == TYPE)                                                                                      \
            for (int k = 0; k < n; k++)                                                                        \
                message[k] = from[k];                                                                          \
        else                                                                                                   \
            for (int k = 0; k < n; k++)                                                                        \
                message[k] = from[gw_mpi_place(k, type, TYPE)];                                                \
        gw_mpi_send_##T(message, n, to, tag, comm, gw_mpi_number_out(to, tag, comm));                          \
        free(message);                                                                                         \
        return MPI_SUCCESS;                                                                                    \
    }                                                                                                          \
    GW_MPI_HERE GW_MPI_NAME(take, T)(T * to, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,       \
                                     int number, MPI_Status *status) {                                         \
        T *message = (T *)malloc(n * sizeof(T));                                                               \
        gw_mpi_receive_##T(message, n, from, tag, comm, number);                                               \
        if (type == TYPE)                                                                                      \
            for (int k = 0; k < n; k++)                                                                        \
                to[k] = message[k];                                                                            \
        else                                                                                                   \
            for (int k = 0; k < n; k++)                                                                        \
                to[gw_mpi_place(k, type, TYPE)] = message[k];                                                  \
        free(message);                                                                                         \
        if (status) status->MPI_SOURCE = from, status->MPI_TAG = tag, status->MPI_ERROR = MPI_SUCCESS;         \
        return MPI_SUCCESS;                                                                                    \
    }                                                                                                          \
    GW_MPI_HERE GW_MPI_NAME(get, T)(T * to, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,    \
                                    MPI_Status *status) {                                                      \
        if (gw_mpi_is_null(from)) return MPI_SUCCESS;                                                          \
        const int n = type == TYPE ? count : gw_mpi_numbers(count, type, TYPE);                                \
        const int source = gw_mpi_source(from, tag, comm), with = gw_mpi_tag(source, tag, comm);               \
        return GW_MPI_NAME(take, T)(to, n, type, source, with, comm, gw_mpi_number_in(source, with, comm),     \
                                    status);                                                                   \
    }                                                                                                          \
    GW_MPI_HERE GW_MPI_NAME(post, T)(T * to, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,   \
                                     MPI_Request *request) {                                                   \
        request->doubles = 0, request->floats = 0, request->ints = 0;                                          \
        if (gw_mpi_is_null(from)) return MPI_SUCCESS;                                                          \
        request->pointer = to;                                                                                 \
        request->ticket =                                                                                      \
            gw_mpi_ask(type == TYPE ? count : gw_mpi_numbers(count, type, TYPE), type, from, tag, comm);       \
        return MPI_SUCCESS;                                                                                    \
    }                                                                                                          \
    GW_MPI_HERE GW_MPI_NAME(begin, T)(const T *from, int count, MPI_Datatype type, int to, int tag,            \
                                      MPI_Comm comm, MPI_Request *request) {                                   \
        request->doubles = 0, request->floats = 0, request->ints = 0;                                          \
        return GW_MPI_NAME(put, T)(from, count, type, to, tag, comm);                                          \
    }                                                                                                          \
    GW_MPI_HERE GW_MPI_NAME(exchange, T)(const T *from, int n, MPI_Datatype type, int to, int tag, T *into,    \
                                         int m, MPI_Datatype other, int source, int with, MPI_Comm comm,       \
                                         MPI_Status *status) {                                                 \
        GW_MPI_NAME(put, T)(from, n, type, to, tag, comm);                                                     \
        return GW_MPI_NAME(get, T)(into, m, other, source, with, comm, status);                                \
    }                                                                                                          \
    GW_MPI_HERE GW_MPI_NAME(replace, T)(T * at, int n, MPI_Datatype type, int to, int tag, int source,         \
                                        int with, MPI_Comm comm, MPI_Status *status) {                         \
        GW_MPI_NAME(put, T)(at, n, type, to, tag, comm);                                                       \
        return GW_MPI_NAME(get, T)(at, n, type, source, with, comm, status);                                   \
    }                                                                                                          \
    GW_MPI_HERE GW_MPI_NAME(finish, T)(T * to, int ticket, MPI_Status *status) {                               \
        const int count = gw_mpi_asked_count(ticket), source = gw_mpi_asked_source(ticket),                    \
                  tag = gw_mpi_asked_tag(ticket);                                                              \
        const long long comm = gw_mpi_asked_comm(ticket), type = gw_mpi_asked_type(ticket);                    \
        return GW_MPI_NAME(take, T)(to, count, type, source, tag, comm, gw_mpi_asked_number(ticket), status);  \
    }
GW_MPI_MESSAGES(double, MPI_DOUBLE, doubles)
GW_MPI_MESSAGES(float, MPI_FLOAT, floats)
GW_MPI_MESSAGES(int, MPI_INT, ints)

GW_MPI_HERE MPI_Wait(MPI_Request *request, MPI_Status *status) {
    if (request->doubles) GW_MPI_NAME(finish, double)(request->doubles, request->ticket, status);
    if (request->floats) GW_MPI_NAME(finish, float)(request->floats, request->ticket, status);
    if (request->ints) GW_MPI_NAME(finish, int)(request->ints, request->ticket, status);
    request->doubles = 0, request->floats = 0, request->ints = 0;
    return MPI_SUCCESS;
}
GW_MPI_HERE MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses) {
    for (int i = 0; i < count; i++) {
        if (statuses)
            MPI_Wait(&requests[i], &statuses[i]);
        else
            MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    }
    return MPI_SUCCESS;
}
#define MPI_Send(from, ...)           GW_MPI_OF(from, put)(from, __VA_ARGS__)
#define MPI_Ssend(from, ...)          GW_MPI_OF(from, put)(from, __VA_ARGS__)
#define MPI_Rsend(from, ...)          GW_MPI_OF(from, put)(from, __VA_ARGS__)
#define MPI_Bsend(from, ...)          GW_MPI_OF(from, put)(from, __VA_ARGS__)
#define MPI_Recv(to, ...)             GW_MPI_OF(to, get)(to, __VA_ARGS__)
#define MPI_Isend(from, ...)          GW_MPI_OF(from, begin)(from, __VA_ARGS__)
#define MPI_Irecv(to, ...)            GW_MPI_OF(to, post)(to, __VA_ARGS__)
#define MPI_Sendrecv(from, ...)       GW_MPI_OF(from, exchange)(from, __VA_ARGS__)
#define MPI_Sendrecv_replace(at, ...) GW_MPI_OF(at, replace)(at, __VA_ARGS__)

/* ---- of all processes ---- */
/* A greatest or least number is the sum of what its winner has and zeros; a product is made of all numbers. */
#define GW_MPI_COLLECTIVES(T, TYPE)                                                                            \
    GW_MPI_HERE GW_MPI_NAME(share, T)(T * at, int count, MPI_Datatype type, int root, MPI_Comm comm) {         \
        if (type != TYPE) return gw_mpi_refuse(0, comm);                                                       \
        T *in = (T *)malloc(count * sizeof(T)), *out = (T *)malloc(count * sizeof(T));                         \
        for (int k = 0; k < count; k++)                                                                        \
            in[k] = at[k];                                                                                     \
        gw_mpi_bcast_##T(in, out, count, root, comm);                                                          \
        for (int k = 0; k < count; k++)                                                                        \
            at[k] = out[k];                                                                                    \
        free(in), free(out);                                                                                   \
        return MPI_SUCCESS;                                                                                    \
    }                                                                                                          \
    GW_MPI_HERE GW_MPI_NAME(reduce_to, T)(const T *from, T *to, int count, MPI_Datatype type, MPI_Op op,       \
                                          int root, MPI_Comm comm) {                                           \
        if (type != TYPE) return gw_mpi_refuse(0, comm);                                                       \
        const int rank = gw_mpi_rank(comm), size = gw_mpi_size(comm), gets = root < 0 || rank == root;         \
        T *in = (T *)malloc(count * sizeof(T));                                                                \
        for (int k = 0; k < count; k++)                                                                        \
            in[k] = from[k];                                                                                   \
        if (op == MPI_PROD) {                                                                                  \
            T *all = (T *)malloc(count * (gets ? size : 0) * sizeof(T));                                       \
            gw_mpi_gather_##T(in, all, count, root, comm);                                                     \
            if (gets)                                                                                          \
                for (int k = 0; k < count; k++) {                                                              \
                    T product = 1;                                                                             \
                    for (int r = 0; r < size; r++)                                                             \
                        product *= all[r * count + k];                                                         \
                    to[k] = product;                                                                           \
                }                                                                                              \
            free(in), free(all);                                                                               \
            return MPI_SUCCESS;                                                                                \
        }                                                                                                      \
        if (op == MPI_MAX || op == MPI_MIN) {                                                                  \
            int *who = (int *)malloc(count * sizeof(int));                                                     \
            gw_mpi_winner_##T(in, who, count, op == MPI_MIN, comm);                                            \
            for (int k = 0; k < count; k++)                                                                    \
                if (who[k] != rank) in[k] = 0;                                                                 \
            free(who);                                                                                         \
        } else if (op != MPI_SUM) {                                                                            \
            return gw_mpi_refuse(1, comm);                                                                     \
        }                                                                                                      \
        T *out = (T *)malloc(count * sizeof(T));                                                               \
        gw_mpi_sum_##T(in, out, count, root, comm);                                                            \
        if (gets)                                                                                              \
            for (int k = 0; k < count; k++)                                                                    \
                to[k] = out[k];                                                                                \
        free(in), free(out);                                                                                   \
        return MPI_SUCCESS;                                                                                    \
    }                                                                                                          \
    GW_MPI_HERE GW_MPI_NAME(reduce, T)(const T *from, T *to, int count, MPI_Datatype type, MPI_Op op,          \
                                       int root, MPI_Comm comm) {                                              \
        return GW_MPI_NAME(reduce_to, T)(from, to, count, type, op, root, comm);                               \
    }                                                                                                          \
    GW_MPI_HERE GW_MPI_NAME(reduce_all, T)(const T *from, T *to, int count, MPI_Datatype type, MPI_Op op,      \
                                           MPI_Comm comm) {                                                    \
        return GW_MPI_NAME(reduce_to, T)(from, to, count, type, op, -1, comm);                                 \
    }                                                                                                          \
    GW_MPI_HERE GW_MPI_NAME(scan, T)(const T *from, T *to, int count, MPI_Datatype type, MPI_Op op,            \
                                     MPI_Comm comm) {                                                          \
        if (type != TYPE || op != MPI_SUM) return gw_mpi_refuse(type == TYPE, comm);                           \
        T *in = (T *)malloc(count * sizeof(T)), *out = (T *)malloc(count * sizeof(T));                         \
        for (int k = 0; k < count; k++)                                                                        \
            in[k] = from[k];                                                                                   \
        gw_mpi_scan_##T(in, out, count, -1, comm);                                                             \
        for (int k = 0; k < count; k++)                                                                        \
            to[k] = out[k];                                                                                    \
        free(in), free(out);                                                                                   \
        return MPI_SUCCESS;                                                                                    \
    }                                                                                                          \
    GW_MPI_HERE GW_MPI_NAME(gather_to, T)(const T *from, int n, MPI_Datatype type, T *to, int m, int root,     \
                                          MPI_Comm comm) {                                                     \
        if (type != TYPE) return gw_mpi_refuse(0, comm);                                                       \
        const int rank = gw_mpi_rank(comm), gets = root < 0 || rank == root,                                   \
                  all = gets ? m * gw_mpi_size(comm) : 0;                                                      \
        T *in = (T *)malloc(n * sizeof(T)), *out = (T *)malloc(all * sizeof(T));                               \
        for (int k = 0; k < n; k++)                                                                            \
            in[k] = from[k];                                                                                   \
        gw_mpi_gather_##T(in, out, n, root, comm);                                                             \
        for (int k = 0; k < all; k++)                                                                          \
            to[k] = out[k];                                                                                    \
        free(in), free(out);                                                                                   \
        return MPI_SUCCESS;                                                                                    \
    }                                                                                                          \
    GW_MPI_HERE GW_MPI_NAME(gather, T)(const T *from, int n, MPI_Datatype type, T *to, int m,                  \
                                       MPI_Datatype other, int root, MPI_Comm comm) {                          \
        (void)other;                                                                                           \
        return GW_MPI_NAME(gather_to, T)(from, n, type, to, m, root, comm);                                    \
    }                                                                                                          \
    GW_MPI_HERE GW_MPI_NAME(gather_all, T)(const T *from, int n, MPI_Datatype type, T *to, int m,              \
                                           MPI_Datatype other, MPI_Comm comm) {                                \
        (void)type;                                                                                            \
        return GW_MPI_NAME(gather_to, T)(from, n, other, to, m, -1, comm);                                     \
    }                                                                                                          \
    GW_MPI_HERE GW_MPI_NAME(scatter, T)(const T *from, int n, MPI_Datatype type, T *to, int m,                 \
                                        MPI_Datatype other, int root, MPI_Comm comm) {                         \
        (void)type;                                                                                            \
        if (other != TYPE) return gw_mpi_refuse(0, comm);                                                      \
        const int all = gw_mpi_rank(comm) == root ? m * gw_mpi_size(comm) : 0;                                 \
        T *in = (T *)malloc(all * sizeof(T)), *out = (T *)malloc(m * sizeof(T));                               \
        for (int k = 0; k < all; k++)                                                                          \
            in[k] = from[k];                                                                                   \
        gw_mpi_scatter_##T(in, out, m, root, comm);                                                            \
        for (int k = 0; k < m; k++)                                                                            \
            to[k] = out[k];                                                                                    \
        free(in), free(out);                                                                                   \
        return MPI_SUCCESS;                                                                                    \
    }                                                                                                          \
    GW_MPI_HERE GW_MPI_NAME(cross, T)(const T *from, int n, MPI_Datatype type, T *to, int m,                   \
                                      MPI_Datatype other, MPI_Comm comm) {                                     \
        (void)type;                                                                                            \
        if (other != TYPE) return gw_mpi_refuse(0, comm);                                                      \
        const int all = m * gw_mpi_size(comm);                                                                 \
        T *in = (T *)malloc(all * sizeof(T)), *out = (T *)malloc(all * sizeof(T));                             \
        for (int k = 0; k < all; k++)                                                                          \
            in[k] = from[k];                                                                                   \
        gw_mpi_alltoall_##T(in, out, m, -1, comm);                                                             \
        for (int k = 0; k < all; k++)                                                                          \
            to[k] = out[k];                                                                                    \
        free(in), free(out);                                                                                   \
        return MPI_SUCCESS;                                                                                    \
    }
#define GW_MPI_PLACES(T, TYPE)                                                                                 \
    GW_MPI_HERE GW_MPI_SPECIAL(reduce_all, placed, T)(gw_mpi_in_place * none, T * to, int count,               \
                                                      MPI_Datatype type, MPI_Op op, MPI_Comm comm) {           \
        (void)none;                                                                                            \
        return GW_MPI_NAME(reduce_to, T)(to, to, count, type, op, -1, comm);                                   \
    }                                                                                                          \
    GW_MPI_HERE GW_MPI_SPECIAL(reduce, placed, T)(gw_mpi_in_place * none, T * to, int count,                   \
                                                  MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {     \
        (void)none;                                                                                            \
        return GW_MPI_NAME(reduce_to, T)(to, to, count, type, op, root, comm);                                 \
    }                                                                                                          \
    GW_MPI_HERE GW_MPI_SPECIAL(scan, placed, T)(gw_mpi_in_place * none, T * to, int count, MPI_Datatype type,  \
                                                MPI_Op op, MPI_Comm comm) {                                    \
        (void)none;                                                                                            \
        return GW_MPI_NAME(scan, T)(to, to, count, type, op, comm);                                            \
    }                                                                                                          \
    GW_MPI_HERE GW_MPI_SPECIAL(cross, placed, T)(gw_mpi_in_place * none, int n, MPI_Datatype other, T *to,     \
                                                 int m, MPI_Datatype type, MPI_Comm comm) {                    \
        (void)none, (void)n, (void)other;                                                                      \
        return GW_MPI_NAME(cross, T)(to, m, type, to, m, type, comm);                                          \
    }                                                                                                          \
    GW_MPI_HERE GW_MPI_SPECIAL(gather_all, placed, T)(gw_mpi_in_place * none, int n, MPI_Datatype other,       \
                                                      T *to, int m, MPI_Datatype type, MPI_Comm comm) {        \
        (void)none, (void)n, (void)other;                                                                      \
        return GW_MPI_NAME(gather_to, T)(to + gw_mpi_rank(comm) * m, m, type, to, m, -1, comm);                \
    }                                                                                                          \
    GW_MPI_HERE GW_MPI_SPECIAL(gather, placed, T)(gw_mpi_in_place * none, int n, MPI_Datatype other, T *to,    \
                                                  int m, MPI_Datatype type, int root, MPI_Comm comm) {         \
        (void)none, (void)n, (void)other;                                                                      \
        return GW_MPI_NAME(gather_to, T)(to + gw_mpi_rank(comm) * m, m, type, to, m, root, comm);              \
    }                                                                                                          \
    GW_MPI_HERE GW_MPI_SPECIAL(scatter, placed, T)(const T *from, int n, MPI_Datatype type,                    \
                                                   gw_mpi_in_place *none, int m, MPI_Datatype other, int root, \
                                                   MPI_Comm comm) {                                            \
        T *lost = (T *)malloc(n * sizeof(T));                                                                  \
        (void)none, (void)m, (void)other;                                                                      \
        GW_MPI_NAME(scatter, T)(from, n, type, lost, n, type, root, comm);                                     \
        free(lost);                                                                                            \
        return MPI_SUCCESS;                                                                                    \
    }
#define GW_MPI_LOSSES(T, TYPE, nothing)                                                                        \
    GW_MPI_HERE GW_MPI_SPECIAL(reduce, lost, T)(const T *from, nothing none, int count, MPI_Datatype type,     \
                                                MPI_Op op, int root, MPI_Comm comm) {                          \
        T *lost = (T *)malloc(count * sizeof(T));                                                              \
        (void)none;                                                                                            \
        GW_MPI_NAME(reduce_to, T)(from, lost, count, type, op, root, comm);                                    \
        free(lost);                                                                                            \
        return MPI_SUCCESS;                                                                                    \
    }                                                                                                          \
    GW_MPI_HERE GW_MPI_SPECIAL(gather, lost, T)(const T *from, int n, MPI_Datatype type, nothing none, int m,  \
                                                MPI_Datatype other, int root, MPI_Comm comm) {                 \
        T *lost = (T *)malloc(m * gw_mpi_size(comm) * sizeof(T));                                              \
        (void)none, (void)other;                                                                               \
        GW_MPI_NAME(gather_to, T)(from, n, type, lost, m, root, comm);                                         \
        free(lost);                                                                                            \
        return MPI_SUCCESS;                                                                                    \
    }                                                                                                          \
    GW_MPI_HERE GW_MPI_SPECIAL(scatter, lost, T)(nothing none, int n, MPI_Datatype other, T *to, int m,        \
                                                 MPI_Datatype type, int root, MPI_Comm comm) {                 \
        T *lost = (T *)malloc(m * gw_mpi_size(comm) * sizeof(T));                                              \
        (void)none;                                                                                            \
        for (int k = 0; k < m * gw_mpi_size(comm); k++)                                                        \
            lost[k] = 0;                                                                                       \
        GW_MPI_NAME(scatter, T)(lost, n, other, to, m, type, root, comm);                                      \
        free(lost);                                                                                            \
        return MPI_SUCCESS;                                                                                    \
    }
/* Parts that differ in length are messages of their own. */
#define GW_MPI_PARTS(T, TYPE)                                                                                  \
    GW_MPI_HERE GW_MPI_NAME(cross_parts, T)(const T *from, const int *counts, const int *places,               \
                                            MPI_Datatype type, T *to, const int *others,                       \
                                            const int *other_places, MPI_Datatype other, MPI_Comm comm) {      \
        const int size = gw_mpi_size(comm), tag = gw_mpi_own_tag(comm);                                        \
        for (int r = 0; r < size; r++)                                                                         \
            GW_MPI_NAME(put, T)(from + places[r], counts[r], type, r, tag, comm);                              \
        for (int r = 0; r < size; r++)                                                                         \
            GW_MPI_NAME(get, T)(to + other_places[r], others[r], other, r, tag, comm, MPI_STATUS_IGNORE);      \
        return MPI_SUCCESS;                                                                                    \
    }                                                                                                          \
    GW_MPI_HERE GW_MPI_NAME(gather_all_parts, T)(const T *from, int n, MPI_Datatype type, T *to,               \
                                                 const int *counts, const int *places, MPI_Datatype other,     \
                                                 MPI_Comm comm) {                                              \
        const int size = gw_mpi_size(comm), tag = gw_mpi_own_tag(comm);                                        \
        for (int r = 0; r < size; r++)                                                                         \
            GW_MPI_NAME(put, T)(from, n, type, r, tag, comm);                                                  \
        for (int r = 0; r < size; r++)                                                                         \
            GW_MPI_NAME(get, T)(to + places[r], counts[r], other, r, tag, comm, MPI_STATUS_IGNORE);            \
        return MPI_SUCCESS;                                                                                    \
    }                                                                                                          \
    GW_MPI_HERE GW_MPI_NAME(gather_parts, T)(const T *from, int n, MPI_Datatype type, T *to,                   \
                                             const int *counts, const int *places, MPI_Datatype other,         \
                                             int root, MPI_Comm comm) {                                        \
        const int size = gw_mpi_size(comm), tag = gw_mpi_own_tag(comm);                                        \
        GW_MPI_NAME(put, T)(from, n, type, root, tag, comm);                                                   \
        if (gw_mpi_rank(comm) == root)                                                                         \
            for (int r = 0; r < size; r++)                                                                     \
                GW_MPI_NAME(get, T)(to + places[r], counts[r], other, r, tag, comm, MPI_STATUS_IGNORE);        \
        return MPI_SUCCESS;                                                                                    \
    }                                                                                                          \
    GW_MPI_HERE GW_MPI_NAME(scatter_parts, T)(const T *from, const int *counts, const int *places,             \
                                              MPI_Datatype type, T *to, int n, MPI_Datatype other, int root,   \
                                              MPI_Comm comm) {                                                 \
        const int size = gw_mpi_size(comm), tag = gw_mpi_own_tag(comm);                                        \
        if (gw_mpi_rank(comm) == root)                                                                         \
            for (int r = 0; r < size; r++)                                                                     \
                GW_MPI_NAME(put, T)(from + places[r], counts[r], type, r, tag, comm);                          \
        return GW_MPI_NAME(get, T)(to, n, other, root, tag, comm, MPI_STATUS_IGNORE);                          \
    }                                                                                                          \
    GW_MPI_HERE GW_MPI_NAME(reduce_parts, T)(const T *from, T *to, const int *counts, MPI_Datatype type,       \
                                             MPI_Op op, MPI_Comm comm) {                                       \
        const int rank = gw_mpi_rank(comm), size = gw_mpi_size(comm);                                          \
        int all = 0, first = 0;                                                                                \
        for (int r = 0; r < size; r++) {                                                                       \
            if (r == rank) first = all;                                                                        \
            all += counts[r];                                                                                  \
        }                                                                                                      \
        T *whole = (T *)malloc(all * sizeof(T));                                                               \
        GW_MPI_NAME(reduce_to, T)(from, whole, all, type, op, -1, comm);                                       \
        for (int k = 0; k < counts[rank]; k++)                                                                 \
            to[k] = whole[first + k];                                                                          \
        free(whole);                                                                                           \
        return MPI_SUCCESS;                                                                                    \
    }                                                                                                          \
    GW_MPI_HERE GW_MPI_NAME(reduce_block, T)(const T *from, T *to, int n, MPI_Datatype type, MPI_Op op,        \
                                             MPI_Comm comm) {                                                  \
        const int rank = gw_mpi_rank(comm), all = n * gw_mpi_size(comm);                                       \
        T *whole = (T *)malloc(all * sizeof(T));                                                               \
        GW_MPI_NAME(reduce_to, T)(from, whole, all, type, op, -1, comm);                                       \
        for (int k = 0; k < n; k++)                                                                            \
            to[k] = whole[rank * n + k];                                                                       \
        free(whole);                                                                                           \
        return MPI_SUCCESS;                                                                                    \
    }
GW_MPI_COLLECTIVES(double, MPI_DOUBLE)
GW_MPI_COLLECTIVES(float, MPI_FLOAT)
GW_MPI_PARTS(double, MPI_DOUBLE)
GW_MPI_PARTS(float, MPI_FLOAT)
GW_MPI_PLACES(double, MPI_DOUBLE)
GW_MPI_PLACES(float, MPI_FLOAT)
#ifdef __cplusplus
GW_MPI_LOSSES(double, MPI_DOUBLE, long)
GW_MPI_LOSSES(double, MPI_DOUBLE, decltype(nullptr))
GW_MPI_LOSSES(float, MPI_FLOAT, long)
GW_MPI_LOSSES(float, MPI_FLOAT, decltype(nullptr))
#else
GW_MPI_LOSSES(double, MPI_DOUBLE, void *)
GW_MPI_LOSSES(float, MPI_FLOAT, void *)
#endif

/* Integers have no derivative: they are shared and gathered as they are. */
GW_MPI_HERE GW_MPI_NAME(share, int)(int *at, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    if (type != MPI_INT) return gw_mpi_refuse(0, comm);
    int *in = (int *)malloc(count * sizeof(int)), *out = (int *)malloc(count * sizeof(int));
    for (int k = 0; k < count; k++)
        in[k] = at[k];
    gw_mpi_bcast_int(in, out, count, root, comm);
    for (int k = 0; k < count; k++)
        at[k] = out[k];
    free(in), free(out);
    return MPI_SUCCESS;
}
GW_MPI_HERE GW_MPI_NAME(reduce_all, int)(const int *from, int *to, int count, MPI_Datatype type, MPI_Op op,
                                         MPI_Comm comm) {
    if (type != MPI_INT) return gw_mpi_refuse(0, comm);
    const int size = gw_mpi_size(comm);
    int *in = (int *)malloc(count * sizeof(int)), *all = (int *)malloc(count * size * sizeof(int));
    for (int k = 0; k < count; k++)
        in[k] = from[k];
    gw_mpi_gather_int(in, all, count, -1, comm);
    for (int k = 0; k < count; k++) {
        int x = all[k];
        for (int r = 1; r < size; r++) {
            const int y = all[r * count + k];
            if (op == MPI_SUM)
                x += y;
            else if (op == MPI_PROD)
                x *= y;
            else if (op == MPI_MAX)
                x = y > x ? y : x;
            else if (op == MPI_MIN)
                x = y < x ? y : x;
            else
                return gw_mpi_refuse(1, comm);
        }
        to[k] = x;
    }
    free(in), free(all);
    return MPI_SUCCESS;
}
GW_MPI_HERE GW_MPI_SPECIAL(reduce_all, placed, int)(gw_mpi_in_place *none, int *to, int count,
                                                    MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    (void)none;
    return GW_MPI_NAME(reduce_all, int)(to, to, count, type, op, comm);
}
#define MPI_Bcast(at, ...) GW_MPI_OF(at, share)(at, __VA_ARGS__)
/* MPI_IN_PLACE stands for what is given on the other side; a null pointer for what another process gives or
 * gets. */
#ifdef __cplusplus
#define GW_MPI_PLACED(buffer, table, other, name) gw_read_##name
#define GW_MPI_LOST(buffer, other, name)          gw_read_##name
#else
#define GW_MPI_PLACED(buffer, table, other, name)                                                              \
    _Generic((buffer), gw_mpi_in_place * : table(other, name##_placed), default : table(other, name))
#define GW_MPI_LOST(buffer, other, name)                                                                       \
    _Generic((buffer), void *: GW_MPI_FLOATS(other, name##_lost),                                              \
             default: _Generic((other), gw_mpi_in_place *: GW_MPI_FLOATS(buffer, name##_placed),               \
                               default: GW_MPI_FLOATS(other, name)))
#endif
#define MPI_Allreduce(from, to, ...) GW_MPI_PLACED(from, GW_MPI_OF, to, reduce_all)(from, to, __VA_ARGS__)
#define MPI_Scan(from, to, ...)      GW_MPI_PLACED(from, GW_MPI_FLOATS, to, scan)(from, to, __VA_ARGS__)
#define MPI_Alltoall(from, n, type, to, ...)                                                                   \
    GW_MPI_PLACED(from, GW_MPI_FLOATS, to, cross)(from, n, type, to, __VA_ARGS__)
#define MPI_Allgather(from, n, type, to, ...)                                                                  \
    GW_MPI_PLACED(from, GW_MPI_FLOATS, to, gather_all)(from, n, type, to, __VA_ARGS__)
#define MPI_Alltoallv(from, ...)  GW_MPI_FLOATS(from, cross_parts)(from, __VA_ARGS__)
#define MPI_Allgatherv(from, ...) GW_MPI_FLOATS(from, gather_all_parts)(from, __VA_ARGS__)
#define MPI_Gatherv(from, ...)    GW_MPI_FLOATS(from, gather_parts)(from, __VA_ARGS__)
#define MPI_Scatterv(from, counts, places, type, to, ...)                                                      \
    GW_MPI_FLOATS(to, scatter_parts)(from, counts, places, type, to, __VA_ARGS__)
#define MPI_Reduce_scatter(from, ...)       GW_MPI_FLOATS(from, reduce_parts)(from, __VA_ARGS__)
#define MPI_Reduce_scatter_block(from, ...) GW_MPI_FLOATS(from, reduce_block)(from, __VA_ARGS__)
#define MPI_Reduce(from, to, ...)           GW_MPI_LOST(to, from, reduce)(from, to, __VA_ARGS__)
#define MPI_Gather(from, n, type, to, ...)  GW_MPI_LOST(to, from, gather)(from, n, type, to, __VA_ARGS__)
#define MPI_Scatter(from, n, type, to, ...) GW_MPI_LOST(from, to, scatter)(from, n, type, to, __VA_ARGS__)
#ifdef __cplusplus
#define GW_MPI_OTHERS(name)                                                                                    \
    static inline int gw_read_##name(const void *, ...) { return MPI_buffer_of_another_type(); }
GW_MPI_OTHERS(put)
GW_MPI_OTHERS(get)
GW_MPI_OTHERS(begin)
GW_MPI_OTHERS(post)
GW_MPI_OTHERS(exchange)
GW_MPI_OTHERS(replace)
GW_MPI_OTHERS(share)
GW_MPI_OTHERS(reduce)
GW_MPI_OTHERS(reduce_all)
GW_MPI_OTHERS(scan)
GW_MPI_OTHERS(gather)
GW_MPI_OTHERS(gather_all)
GW_MPI_OTHERS(scatter)
GW_MPI_OTHERS(cross)
GW_MPI_OTHERS(reduce_block)
GW_MPI_OTHERS(reduce_parts)
GW_MPI_OTHERS(scatter_parts)
GW_MPI_OTHERS(gather_parts)
GW_MPI_OTHERS(gather_all_parts)
GW_MPI_OTHERS(cross_parts)
#undef GW_MPI_OTHERS
#endif
#endif
