/*
 * messages.h - the functions of gradwright/mpi.h: what derivatives call between processes.
 *
 * Included by generated text that calls them, and compiled with the user's MPI; weak, so that a program has
 * each once. One thread of a process calls them at a time.
 */
#ifndef GRADWRIGHT_EMITTED_MESSAGES_H
#define GRADWRIGHT_EMITTED_MESSAGES_H

#include <gradwright/mpi.h>

#ifndef GW_MPI_READING
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
#define GW_MPI_WEAK       __attribute__((weak))
/* What a number stands for: a pointer in one MPI, an int in another. */
#define GW_MPI_COMM(comm) ((MPI_Comm)(intptr_t)(comm))

/* ---- faults ---- */
GW_MPI_WEAK void gw_mpi_fail(const char *what, long long comm) {
    int rank = -1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "gradwright: process %d: %s\n", rank, what);
    fflush(stderr);
    MPI_Abort(GW_MPI_COMM(comm), 1);
}

GW_MPI_WEAK void *gw_mpi_memory(size_t bytes, long long comm) {
    void *p = calloc(bytes ? bytes : 1, 1);
    if (!p) gw_mpi_fail("out of memory for a message", comm);
    return p;
}

GW_MPI_WEAK int gw_mpi_refuse(int what, long long comm) {
    gw_mpi_fail(what ? "an operation of MPI that has no derivative (sum, max, min and prod have one)"
                     : "a datatype of MPI that is not the buffer's (MPI_DOUBLE, MPI_FLOAT or MPI_INT)",
                comm);
    return 1;
}

GW_MPI_WEAK int gw_mpi_abort(int code, long long comm) { return MPI_Abort(GW_MPI_COMM(comm), code); }

/* ---- what came before it was asked for, and what goes out ---- */
enum { GW_MPI_FORTH, GW_MPI_BACK }; /* of a stashed message: of the primal's, or an adjoint */
typedef struct gw_mpi_stashed {
    struct gw_mpi_stashed *next;
    long long comm;
    int way, peer, tag, number, bytes;
    void *data;
} gw_mpi_stashed;

/* Messages with one process, tag and communicator: how many went out, how many are asked for, how many came. */
typedef struct gw_mpi_line {
    struct gw_mpi_line *next;
    long long comm;
    int peer, tag, out, asked, came;
} gw_mpi_line;

typedef struct gw_mpi_sent {
    struct gw_mpi_sent *next;
    MPI_Request request;
    void *data;
} gw_mpi_sent;

typedef struct gw_mpi_asked {
    struct gw_mpi_asked *next;
    long long comm, type;
    int ticket, count, peer, tag, number;
} gw_mpi_asked;

typedef struct gw_mpi_state {
    gw_mpi_asked *asked;
    int tickets;
    gw_mpi_stashed *stashed;
    gw_mpi_line *lines;
    gw_mpi_sent *sent;
    int any; /* receives of MPI_ANY_SOURCE or MPI_ANY_TAG that are asked for and did not come */
    int is_ending_hooked;
} gw_mpi_state;
GW_MPI_WEAK gw_mpi_state gw_mpi_of_process;

GW_MPI_WEAK gw_mpi_line *gw_mpi_line_of(int peer, int tag, long long comm) {
    gw_mpi_line *l = gw_mpi_of_process.lines;
    while (l && (l->peer != peer || l->tag != tag || l->comm != comm))
        l = l->next;
    if (l) return l;
    l = (gw_mpi_line *)gw_mpi_memory(sizeof *l, comm);
    l->peer = peer, l->tag = tag, l->comm = comm, l->next = gw_mpi_of_process.lines;
    return gw_mpi_of_process.lines = l;
}

/* Lets go of what has gone out; of all, if it must. */
GW_MPI_WEAK void gw_mpi_let_go(int must) {
    for (gw_mpi_sent **at = &gw_mpi_of_process.sent; *at;) {
        gw_mpi_sent *s = *at;
        int is_gone = must;
        if (must)
            MPI_Wait(&s->request, MPI_STATUS_IGNORE);
        else
            MPI_Test(&s->request, &is_gone, MPI_STATUS_IGNORE);
        if (!is_gone) {
            at = &s->next;
            continue;
        }
        *at = s->next;
        free(s->data), free(s);
    }
}

/* MPI_Finalize calls it first: MPI_COMM_SELF loses its attributes. */
GW_MPI_WEAK int gw_mpi_at_end(MPI_Comm comm, int key, void *value, void *extra) {
    (void)comm, (void)key, (void)value, (void)extra;
    gw_mpi_let_go(1);
    while (gw_mpi_of_process.lines) {
        gw_mpi_line *l = gw_mpi_of_process.lines;
        gw_mpi_of_process.lines = l->next, free(l);
    }
    return MPI_SUCCESS;
}

/* The data become the run's. */
GW_MPI_WEAK void gw_mpi_post(void *data, int bytes, int peer, int tag, long long comm) {
    if (!gw_mpi_of_process.is_ending_hooked) {
        int key;
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, gw_mpi_at_end, &key, NULL);
        MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
        gw_mpi_of_process.is_ending_hooked = 1;
    }
    gw_mpi_sent *s = (gw_mpi_sent *)gw_mpi_memory(sizeof *s, comm);
    s->data = data, s->next = gw_mpi_of_process.sent, gw_mpi_of_process.sent = s;
    MPI_Isend(data, bytes, MPI_BYTE, peer, tag, GW_MPI_COMM(comm), &s->request);
    gw_mpi_let_go(0);
}

/* The stashed message's data, which become the caller's; NULL: none. */
GW_MPI_WEAK void *gw_mpi_unstash(int way, int peer, int tag, long long comm, int number, int *bytes) {
    for (gw_mpi_stashed **at = &gw_mpi_of_process.stashed; *at; at = &(*at)->next) {
        gw_mpi_stashed *s = *at;
        if (s->way != way || s->peer != peer || s->tag != tag || s->number != number || s->comm != comm)
            continue;
        void *data = s->data;
        *bytes = s->bytes, *at = s->next;
        free(s);
        return data;
    }
    return NULL;
}

GW_MPI_WEAK void gw_mpi_stash(int way, int peer, int tag, long long comm, int number, void *data, int bytes) {
    gw_mpi_stashed *s = (gw_mpi_stashed *)gw_mpi_memory(sizeof *s, comm);
    s->way = way, s->peer = peer, s->tag = tag, s->comm = comm, s->number = number, s->data = data;
    s->bytes = bytes, s->next = gw_mpi_of_process.stashed, gw_mpi_of_process.stashed = s;
}

GW_MPI_WEAK void *gw_mpi_take(int peer, int tag, long long comm, int *bytes) {
    MPI_Status status;
    MPI_Probe(peer, tag, GW_MPI_COMM(comm), &status);
    MPI_Get_count(&status, MPI_BYTE, bytes);
    void *data = gw_mpi_memory((size_t)*bytes, comm);
    MPI_Recv(data, *bytes, MPI_BYTE, peer, tag, GW_MPI_COMM(comm), MPI_STATUS_IGNORE);
    return data;
}

/* The tag of adjoints: the greatest. */
GW_MPI_WEAK int gw_mpi_back_tag(long long comm) {
    int *most = NULL, is_there = 0;
    MPI_Comm_get_attr(GW_MPI_COMM(comm), MPI_TAG_UB, &most, &is_there);
    return is_there ? *most : 32767;
}

/* In front of the adjoints of a message: which one it is. */
typedef struct gw_mpi_head {
    int tag, number;
} gw_mpi_head;

GW_MPI_WEAK void gw_mpi_stash_back(int peer, long long comm) {
    gw_mpi_head head;
    int came;
    void *data = gw_mpi_take(peer, gw_mpi_back_tag(comm), comm, &came);
    memcpy(&head, data, sizeof head);
    gw_mpi_stash(GW_MPI_BACK, peer, head.tag, comm, head.number, data, came);
}

/* ---- the way forth ---- */
GW_MPI_WEAK int gw_mpi_number_out(int peer, int tag, long long comm) {
    return gw_mpi_line_of(peer, tag, comm)->out++;
}

/* -1: which message it is only its coming says. */
GW_MPI_WEAK int gw_mpi_number_in(int peer, int tag, long long comm) {
    if (peer == MPI_ANY_SOURCE || tag == MPI_ANY_TAG) return gw_mpi_of_process.any++, -1;
    if (gw_mpi_of_process.any)
        gw_mpi_fail("a receive behind one of MPI_ANY_SOURCE or MPI_ANY_TAG that is not waited for yet", comm);
    return gw_mpi_line_of(peer, tag, comm)->asked++;
}

/* A part of a collective call that this process has not come to. */
GW_MPI_WEAK void gw_mpi_stash_part(int peer, int tag, long long comm) {
    gw_mpi_line *l = gw_mpi_line_of(peer, tag, comm);
    int came;
    void *data = gw_mpi_take(peer, tag, comm, &came);
    gw_mpi_stash(GW_MPI_FORTH, peer, tag, comm, l->came++, data, came);
}

/* Finds where the next message is from, which nobody has asked for by name. Adjoints of a process that is
 * further may come first. */
GW_MPI_WEAK void gw_mpi_look(int source, int tag, long long comm, int *from, int *with) {
    MPI_Status status;
    MPI_Probe(source, tag, GW_MPI_COMM(comm), &status);
    while (status.MPI_TAG >= gw_mpi_back_tag(comm) - 1) {
        if (status.MPI_TAG == gw_mpi_back_tag(comm))
            gw_mpi_stash_back(status.MPI_SOURCE, comm);
        else
            gw_mpi_stash_part(status.MPI_SOURCE, status.MPI_TAG, comm);
        MPI_Probe(source, tag, GW_MPI_COMM(comm), &status);
    }
    *from = status.MPI_SOURCE, *with = status.MPI_TAG;
    const gw_mpi_line *l = gw_mpi_line_of(*from, *with, comm);
    if (l->asked != l->came)
        gw_mpi_fail("MPI_ANY_SOURCE or MPI_ANY_TAG beside a receive that is not waited for yet", comm);
}

GW_MPI_WEAK int gw_mpi_source(int source, int tag, long long comm) {
    int from = source, with = tag;
    if (source == MPI_ANY_SOURCE) gw_mpi_look(source, tag, comm, &from, &with);
    return from;
}

GW_MPI_WEAK int gw_mpi_tag(int source, int tag, long long comm) {
    int from = source, with = tag;
    if (tag == MPI_ANY_TAG) gw_mpi_look(source, tag, comm, &from, &with);
    return with;
}

/* ---- what is asked for and received later ---- */
GW_MPI_WEAK int gw_mpi_ask(int count, long long type, int peer, int tag, long long comm) {
    gw_mpi_asked *a = (gw_mpi_asked *)gw_mpi_memory(sizeof *a, comm);
    a->ticket = ++gw_mpi_of_process.tickets, a->count = count, a->type = type, a->peer = peer, a->tag = tag,
    a->comm = comm;
    a->number = gw_mpi_number_in(peer, tag, comm);
    a->next = gw_mpi_of_process.asked, gw_mpi_of_process.asked = a;
    return a->ticket;
}

GW_MPI_WEAK gw_mpi_asked *gw_mpi_asked_of(int ticket) {
    gw_mpi_asked *a = gw_mpi_of_process.asked;
    while (a && a->ticket != ticket)
        a = a->next;
    if (!a)
        gw_mpi_fail("a request that was never made, or is waited for twice",
                    (long long)(intptr_t)MPI_COMM_WORLD);
    return a;
}

GW_MPI_WEAK int gw_mpi_asked_count(int ticket) { return gw_mpi_asked_of(ticket)->count; }
GW_MPI_WEAK long long gw_mpi_asked_type(int ticket) { return gw_mpi_asked_of(ticket)->type; }
GW_MPI_WEAK long long gw_mpi_asked_comm(int ticket) { return gw_mpi_asked_of(ticket)->comm; }

/* One of MPI_ANY_SOURCE or MPI_ANY_TAG gets what comes. */
GW_MPI_WEAK int gw_mpi_asked_source(int ticket) {
    gw_mpi_asked *a = gw_mpi_asked_of(ticket);
    if (a->number < 0) {
        gw_mpi_look(a->peer, a->tag, a->comm, &a->peer, &a->tag);
        gw_mpi_of_process.any--;
        a->number = gw_mpi_line_of(a->peer, a->tag, a->comm)->asked++;
    }
    return a->peer;
}

GW_MPI_WEAK int gw_mpi_asked_tag(int ticket) { return gw_mpi_asked_of(ticket)->tag; }

GW_MPI_WEAK int gw_mpi_asked_number(int ticket) {
    gw_mpi_asked *a = gw_mpi_asked_of(ticket), **at = &gw_mpi_of_process.asked;
    const int number = a->number;
    while (*at != a)
        at = &(*at)->next;
    *at = a->next;
    free(a);
    return number;
}

GW_MPI_WEAK void gw_mpi_send_bytes(const void *message, int bytes, int peer, int tag, long long comm) {
    void *data = gw_mpi_memory((size_t)bytes, comm);
    if (message) memcpy(data, message, (size_t)bytes);
    gw_mpi_post(data, bytes, peer, tag, comm);
}

/* Message number `number` of its line; earlier ones are kept for who asks for them. `each`: how many there are
 * of a number, its tangent behind the value. */
GW_MPI_WEAK void gw_mpi_receive_bytes(void *message, void *beside, int bytes, int peer, int tag, long long comm,
                                      int number, int each) {
    gw_mpi_line *l = gw_mpi_line_of(peer, tag, comm);
    int came = 0;
    void *data = gw_mpi_unstash(GW_MPI_FORTH, peer, tag, comm, number, &came);
    while (!data) {
        data = gw_mpi_take(peer, tag, comm, &came);
        if (l->came++ != number)
            gw_mpi_stash(GW_MPI_FORTH, peer, tag, comm, l->came - 1, data, came), data = NULL;
    }
    if (came != bytes * each)
        gw_mpi_fail("a message of another length than it is received with, or from a process that does not run "
                    "the same derivative",
                    comm);
    memcpy(message, data, (size_t)bytes);
    if (beside) memcpy(beside, (char *)data + bytes, (size_t)bytes);
    free(data);
}

/* ---- the way back ---- */
GW_MPI_WEAK void gw_mpi_send_back(const void *adjoints, int bytes, int peer, int tag, long long comm,
                                  int number) {
    const gw_mpi_head head = {tag, number};
    char *data = (char *)gw_mpi_memory(sizeof head + (size_t)bytes, comm);
    memcpy(data, &head, sizeof head);
    if (adjoints) memcpy(data + sizeof head, adjoints, (size_t)bytes);
    gw_mpi_post(data, (int)sizeof head + bytes, peer, gw_mpi_back_tag(comm), comm);
}

/* The adjoints behind a head; the caller frees the whole. */
GW_MPI_WEAK void *gw_mpi_take_back(int bytes, int peer, int tag, long long comm, int number) {
    int came = 0;
    void *data;
    while (!(data = gw_mpi_unstash(GW_MPI_BACK, peer, tag, comm, number, &came)))
        gw_mpi_stash_back(peer, comm);
    if (came != (int)sizeof(gw_mpi_head) + bytes)
        gw_mpi_fail("adjoints of another length than their message", comm);
    return data;
}

/* ---- what all know ---- */
GW_MPI_WEAK int gw_mpi_rank(long long comm) {
    int rank = 0;
    MPI_Comm_rank(GW_MPI_COMM(comm), &rank);
    return rank;
}
GW_MPI_WEAK int gw_mpi_size(long long comm) {
    int size = 1;
    MPI_Comm_size(GW_MPI_COMM(comm), &size);
    return size;
}
GW_MPI_WEAK int gw_mpi_own_tag(long long comm) { return gw_mpi_back_tag(comm) - 1; }
GW_MPI_WEAK int gw_mpi_is_null(int peer) { return peer == MPI_PROC_NULL; }
GW_MPI_WEAK int gw_mpi_barrier(long long comm) { return MPI_Barrier(GW_MPI_COMM(comm)); }
GW_MPI_WEAK void gw_mpi_barrier_back(long long comm) { MPI_Barrier(GW_MPI_COMM(comm)); }
/* Whether the process gets what a collective call gives to `of`, or to all. */
GW_MPI_WEAK int gw_mpi_gets(int of, long long comm) { return of < 0 || gw_mpi_rank(comm) == of; }

/* ---- datatypes ---- */
/* A type's numbers: where each lies, from the beginning of a buffer, found by packing their own places. */
typedef struct gw_mpi_layout {
    long long type;
    int kind, numbers, extent, *places; /* in numbers; of one item */
} gw_mpi_layout;
GW_MPI_WEAK gw_mpi_layout *gw_mpi_last_layout;
GW_MPI_WEAK int gw_mpi_layout_key = MPI_KEYVAL_INVALID;

/* A type has its layout as an attribute, which goes with it: another type may get its number. */
GW_MPI_WEAK int gw_mpi_drop_layout(MPI_Datatype type, int key, void *value, void *extra) {
    gw_mpi_layout *l = (gw_mpi_layout *)value;
    (void)type, (void)key, (void)extra;
    gw_mpi_last_layout = NULL;
    free(l->places), free(l);
    return MPI_SUCCESS;
}

GW_MPI_WEAK MPI_Datatype gw_mpi_type_of(long long type) {
    const MPI_Datatype own[] = {MPI_DATATYPE_NULL, MPI_DOUBLE, MPI_FLOAT, MPI_INT};
    return type >= 1 && type <= 3 ? own[type] : (MPI_Datatype)(intptr_t)type;
}

/* Whether all that the type is made of is the number. */
GW_MPI_WEAK int gw_mpi_is_of(MPI_Datatype type, MPI_Datatype number) {
    int integers, addresses, types, how, good = 1;
    if (type == number) return 1;
    MPI_Type_get_envelope(type, &integers, &addresses, &types, &how);
    if (how == MPI_COMBINER_NAMED) return 0;
    const long long world = (long long)(intptr_t)MPI_COMM_WORLD;
    int *is = (int *)gw_mpi_memory(sizeof(int) * (size_t)integers, world);
    MPI_Aint *as = (MPI_Aint *)gw_mpi_memory(sizeof(MPI_Aint) * (size_t)addresses, world);
    MPI_Datatype *ts = (MPI_Datatype *)gw_mpi_memory(sizeof(MPI_Datatype) * (size_t)types, world);
    MPI_Type_get_contents(type, integers, addresses, types, is, as, ts);
    for (int i = 0; i < types; i++) {
        int a, b, c, named;
        good &= gw_mpi_is_of(ts[i], number);
        MPI_Type_get_envelope(ts[i], &a, &b, &c, &named);
        if (named != MPI_COMBINER_NAMED) MPI_Type_free(&ts[i]);
    }
    free(is), free(as), free(ts);
    return good;
}

GW_MPI_WEAK const gw_mpi_layout *gw_mpi_layout_of(long long type, int kind) {
    gw_mpi_layout *l = gw_mpi_last_layout;
    int is_there = 0;
    if (l && l->type == type && l->kind == kind) return l;
    const long long world = (long long)(intptr_t)MPI_COMM_WORLD;
    const MPI_Datatype t = gw_mpi_type_of(type), number = gw_mpi_type_of(kind);
    if (gw_mpi_layout_key == MPI_KEYVAL_INVALID)
        MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, gw_mpi_drop_layout, &gw_mpi_layout_key, NULL);
    MPI_Type_get_attr(t, gw_mpi_layout_key, &l, &is_there);
    if (is_there && l->kind == kind) return gw_mpi_last_layout = l;
    const int each = kind == 1 ? (int)sizeof(double) : (int)sizeof(float);
    if (!gw_mpi_is_of(t, number)) gw_mpi_refuse(0, world);
    MPI_Aint low, extent, first, span;
    int bytes, at = 0;
    MPI_Type_get_extent(t, &low, &extent);
    MPI_Type_get_true_extent(t, &first, &span);
    MPI_Type_size(t, &bytes);
    if (extent % each || first < 0 || first % each) gw_mpi_refuse(0, world);
    /* what lies at byte b of the buffer is the number b / each, in its first four bytes */
    const MPI_Aint room = first + span;
    char *buffer = (char *)gw_mpi_memory((size_t)room, world),
         *packed = (char *)gw_mpi_memory((size_t)bytes, world);
    for (MPI_Aint b = 0; b + each <= room; b += each) {
        const int place = (int)(b / each);
        memcpy(buffer + b, &place, sizeof place);
    }
    MPI_Request request;
    MPI_Isend(buffer, 1, t, 0, 0, MPI_COMM_SELF, &request);
    MPI_Recv(packed, bytes / each, number, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    l = (gw_mpi_layout *)gw_mpi_memory(sizeof *l, world);
    l->type = type, l->kind = kind, l->numbers = bytes / each, l->extent = (int)(extent / each);
    l->places = (int *)gw_mpi_memory(sizeof(int) * (size_t)l->numbers, world);
    for (int k = 0; k < l->numbers; k++, at += each)
        memcpy(&l->places[k], packed + at, sizeof(int));
    free(buffer), free(packed);
    MPI_Type_set_attr(t, gw_mpi_layout_key, l);
    return gw_mpi_last_layout = l;
}

GW_MPI_WEAK int gw_mpi_numbers(int count, long long type, int kind) {
    return count * gw_mpi_layout_of(type, kind)->numbers;
}
GW_MPI_WEAK int gw_mpi_place(int k, long long type, int kind) {
    const gw_mpi_layout *l = gw_mpi_layout_of(type, kind);
    return k / l->numbers * l->extent + l->places[k % l->numbers];
}

/* ---- by type ---- */
#define GW_MPI_DEFINE_MESSAGES(T)                                                                              \
    GW_MPI_WEAK int gw_mpi_send_##T(const T *message, int count, int peer, int tag, long long comm,            \
                                    int number) {                                                              \
        (void)number;                                                                                          \
        gw_mpi_send_bytes(message, count *(int)sizeof(T), peer, tag, comm);                                    \
        return MPI_SUCCESS;                                                                                    \
    }                                                                                                          \
    GW_MPI_WEAK int gw_mpi_receive_##T(T *message, int count, int peer, int tag, long long comm, int number) { \
        gw_mpi_receive_bytes(message, NULL, count *(int)sizeof(T), peer, tag, comm, number, 1);                \
        return MPI_SUCCESS;                                                                                    \
    }

#define GW_MPI_DEFINE_DERIVATIVES(T)                                                                           \
    GW_MPI_WEAK void gw_mpi_send_##T##_back(const T *message, int count, int peer, int tag, long long comm,    \
                                            int number, T *d_message) {                                        \
        (void)message;                                                                                         \
        char *data = (char *)gw_mpi_take_back(count * (int)sizeof(T), peer, tag, comm, number);                \
        const T *d = (const T *)(void *)(data + sizeof(gw_mpi_head));                                          \
        for (int k = 0; d_message && k < count; k++)                                                           \
            d_message[k] += d[k];                                                                              \
        free(data);                                                                                            \
    }                                                                                                          \
    GW_MPI_WEAK void gw_mpi_receive_##T##_back(T *message, int count, int peer, int tag, long long comm,       \
                                               int number, T *d_message) {                                     \
        (void)message;                                                                                         \
        gw_mpi_send_back(d_message, count *(int)sizeof(T), peer, tag, comm, number);                           \
        for (int k = 0; d_message && k < count; k++)                                                           \
            d_message[k] = 0;                                                                                  \
    }                                                                                                          \
    GW_MPI_WEAK int gw_mpi_send_##T##_along(const T *message, int count, int peer, int tag, long long comm,    \
                                            int number, const T *t_message) {                                  \
        const size_t bytes = (size_t)count * sizeof(T);                                                        \
        char *both = (char *)gw_mpi_memory(2 * bytes, comm);                                                   \
        (void)number;                                                                                          \
        memcpy(both, message, bytes);                                                                          \
        if (t_message) memcpy(both + bytes, t_message, bytes);                                                 \
        gw_mpi_post(both, 2 * (int)bytes, peer, tag, comm);                                                    \
        return MPI_SUCCESS;                                                                                    \
    }                                                                                                          \
    GW_MPI_WEAK int gw_mpi_receive_##T##_along(T *message, int count, int peer, int tag, long long comm,       \
                                               int number, T *t_message) {                                     \
        gw_mpi_receive_bytes(message, t_message, count *(int)sizeof(T), peer, tag, comm, number, 2);           \
        return MPI_SUCCESS;                                                                                    \
    }

/* A collective call that is linear is itself on the tangents, and on the adjoints what is given for `back`:
 * from d_out of all processes to what is added to d_in. */
#define GW_MPI_DEFINE_LINEAR(T, name, ins, outs, forth, back)                                                  \
    GW_MPI_WEAK int gw_mpi_##name##_##T(const T *in, T *out, int count, int of, long long comm) {              \
        (void)of;                                                                                              \
        forth(T, in, out, count, of, comm);                                                                    \
        return MPI_SUCCESS;                                                                                    \
    }                                                                                                          \
    GW_MPI_WEAK int gw_mpi_##name##_##T##_along(const T *in, T *out, int count, int of, long long comm,        \
                                                const T *t_in, T *t_out) {                                     \
        T *zeros = t_in ? NULL : (T *)gw_mpi_memory((size_t)(ins) * sizeof(T), comm);                          \
        T *lost = t_out ? NULL : (T *)gw_mpi_memory((size_t)(outs) * sizeof(T), comm);                         \
        gw_mpi_##name##_##T(in, out, count, of, comm);                                                         \
        gw_mpi_##name##_##T(t_in ? t_in : zeros, t_out ? t_out : lost, count, of, comm);                       \
        free(zeros), free(lost);                                                                               \
        return MPI_SUCCESS;                                                                                    \
    }                                                                                                          \
    GW_MPI_WEAK void gw_mpi_##name##_##T##_back(const T *in, T *out, int count, int of, long long comm,        \
                                                T *d_in, T *d_out) {                                           \
        T *zeros = d_out ? NULL : (T *)gw_mpi_memory((size_t)(outs) * sizeof(T), comm);                        \
        T *d = (T *)gw_mpi_memory((size_t)(ins) * sizeof(T), comm);                                            \
        (void)in, (void)out, (void)of;                                                                         \
        back(T, (d_out ? d_out : zeros), d, count, of, comm);                                                  \
        for (int k = 0; d_in && k < (ins); k++)                                                                \
            d_in[k] += d[k];                                                                                   \
        for (int k = 0; d_out && k < (outs); k++)                                                              \
            d_out[k] = 0;                                                                                      \
        free(zeros), free(d);                                                                                  \
    }
#define GW_MPI_TYPE_double MPI_DOUBLE
#define GW_MPI_TYPE_float  MPI_FLOAT
#define GW_MPI_TYPE_int    MPI_INT
#define GW_MPI_TYPE(T)     GW_MPI_TYPE_##T
/* Who is `of` sends what it has, all have it then. */
#define GW_MPI_SHARE(T, from, to, n, of, comm)                                                                 \
    do {                                                                                                       \
        memcpy(to, from, (size_t)(n) * sizeof(T));                                                             \
        MPI_Bcast(to, n, GW_MPI_TYPE(T), of, GW_MPI_COMM(comm));                                               \
    } while (0)
#define GW_MPI_ADD(T, from, to, n, of, comm)                                                                   \
    do {                                                                                                       \
        if ((of) < 0)                                                                                          \
            MPI_Allreduce(from, to, n, GW_MPI_TYPE(T), MPI_SUM, GW_MPI_COMM(comm));                            \
        else                                                                                                   \
            MPI_Reduce(from, to, n, GW_MPI_TYPE(T), MPI_SUM, of, GW_MPI_COMM(comm));                           \
    } while (0)
#define GW_MPI_ADD_BACK(T, from, to, n, of, comm)                                                              \
    do {                                                                                                       \
        if ((of) < 0)                                                                                          \
            MPI_Allreduce(from, to, n, GW_MPI_TYPE(T), MPI_SUM, GW_MPI_COMM(comm));                            \
        else                                                                                                   \
            GW_MPI_SHARE(T, from, to, n, of, comm);                                                            \
    } while (0)
#define GW_MPI_COLLECT(T, from, to, n, of, comm)                                                               \
    do {                                                                                                       \
        if ((of) < 0)                                                                                          \
            MPI_Allgather(from, n, GW_MPI_TYPE(T), to, n, GW_MPI_TYPE(T), GW_MPI_COMM(comm));                  \
        else                                                                                                   \
            MPI_Gather(from, n, GW_MPI_TYPE(T), to, n, GW_MPI_TYPE(T), of, GW_MPI_COMM(comm));                 \
    } while (0)
#define GW_MPI_DEAL(T, from, to, n, of, comm)                                                                  \
    MPI_Scatter(from, n, GW_MPI_TYPE(T), to, n, GW_MPI_TYPE(T), of, GW_MPI_COMM(comm))
#define GW_MPI_COLLECT_BACK(T, from, to, n, of, comm)                                                          \
    do {                                                                                                       \
        if ((of) < 0)                                                                                          \
            MPI_Reduce_scatter_block(from, to, n, GW_MPI_TYPE(T), MPI_SUM, GW_MPI_COMM(comm));                 \
        else                                                                                                   \
            GW_MPI_DEAL(T, from, to, n, of, comm);                                                             \
    } while (0)
#define GW_MPI_CROSS(T, from, to, n, of, comm)                                                                 \
    MPI_Alltoall(from, n, GW_MPI_TYPE(T), to, n, GW_MPI_TYPE(T), GW_MPI_COMM(comm))
#define GW_MPI_PREFIX(T, from, to, n, of, comm)                                                                \
    MPI_Scan(from, to, n, GW_MPI_TYPE(T), MPI_SUM, GW_MPI_COMM(comm))
/* The adjoint of a prefix is a suffix: the same over the processes in the opposite order. */
#define GW_MPI_SUFFIX(T, from, to, n, of, comm)                                                                \
    do {                                                                                                       \
        MPI_Comm turned;                                                                                       \
        MPI_Comm_split(GW_MPI_COMM(comm), 0, -gw_mpi_rank(comm), &turned);                                     \
        MPI_Scan(from, to, n, GW_MPI_TYPE(T), MPI_SUM, turned);                                                \
        MPI_Comm_free(&turned);                                                                                \
    } while (0)

#define GW_MPI_DEFINE(T)                                                                                       \
    GW_MPI_DEFINE_MESSAGES(T)                                                                                  \
    GW_MPI_DEFINE_DERIVATIVES(T)                                                                               \
    GW_MPI_DEFINE_LINEAR(T, bcast, count, count, GW_MPI_SHARE, GW_MPI_ADD)                                     \
    GW_MPI_DEFINE_LINEAR(T, sum, count, count, GW_MPI_ADD, GW_MPI_ADD_BACK)                                    \
    GW_MPI_DEFINE_LINEAR(T, gather, count, gw_mpi_gets(of, comm) ? count *gw_mpi_size(comm) : 0,               \
                         GW_MPI_COLLECT, GW_MPI_COLLECT_BACK)                                                  \
    GW_MPI_DEFINE_LINEAR(T, scatter, gw_mpi_gets(of, comm) ? count *gw_mpi_size(comm) : 0, count, GW_MPI_DEAL, \
                         GW_MPI_COLLECT)                                                                       \
    GW_MPI_DEFINE_LINEAR(T, alltoall, count *gw_mpi_size(comm), count *gw_mpi_size(comm), GW_MPI_CROSS,        \
                         GW_MPI_CROSS)                                                                         \
    GW_MPI_DEFINE_LINEAR(T, scan, count, count, GW_MPI_PREFIX, GW_MPI_SUFFIX)
GW_MPI_DEFINE(double)
GW_MPI_DEFINE(float)

#define GW_MPI_DEFINE_WINNER(T, PAIR)                                                                          \
    GW_MPI_WEAK int gw_mpi_winner_##T(const T *in, int *who, int count, int is_least, long long comm) {        \
        typedef struct pair {                                                                                  \
            T number;                                                                                          \
            int rank;                                                                                          \
        } pair;                                                                                                \
        pair *own = (pair *)gw_mpi_memory(2 * (size_t)count * sizeof *own, comm), *best = own + count;         \
        for (int k = 0; k < count; k++)                                                                        \
            own[k].number = in[k], own[k].rank = gw_mpi_rank(comm);                                            \
        MPI_Allreduce(own, best, count, PAIR, is_least ? MPI_MINLOC : MPI_MAXLOC, GW_MPI_COMM(comm));          \
        for (int k = 0; k < count; k++)                                                                        \
            who[k] = best[k].rank;                                                                             \
        free(own);                                                                                             \
        return MPI_SUCCESS;                                                                                    \
    }
GW_MPI_DEFINE_WINNER(double, MPI_DOUBLE_INT)
GW_MPI_DEFINE_WINNER(float, MPI_FLOAT_INT)

GW_MPI_DEFINE_MESSAGES(int)
GW_MPI_WEAK int gw_mpi_bcast_int(const int *in, int *out, int count, int of, long long comm) {
    GW_MPI_SHARE(int, in, out, count, of, comm);
    return MPI_SUCCESS;
}
GW_MPI_WEAK int gw_mpi_gather_int(const int *in, int *out, int count, int of, long long comm) {
    GW_MPI_COLLECT(int, in, out, count, of, comm);
    return MPI_SUCCESS;
}

#ifdef __cplusplus
}
#endif
#endif
#endif
