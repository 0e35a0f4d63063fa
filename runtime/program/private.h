/*
 * private.h - what the parts of the runtime of programs share: blocks, streams, buffers, the run.
 */
#ifndef GW_PROGRAM_PRIVATE_H
#define GW_PROGRAM_PRIVATE_H

#include "gradwright/program.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

enum { no_stream = -1, all_streams = -2 };
enum { several_numbers = 1 }; /* gw_buffer.number: of more than one width, or not known */
enum { class_steps = 16, class_count = 64 * class_steps, space_count = GW_SPACE_HOST + 1 };

/* The streams that last wrote and read a piece of memory, by their numbers in the run, and when. Readers of
 * several streams are `all_streams`. */
typedef struct gw_use {
    int writer, reader;
    uint64_t written, read; /* ticks of the run */
} gw_use;

static inline gw_use gw_use_none(void) { return (gw_use){.writer = no_stream, .reader = no_stream}; }

/* ---- figures.c ---- */

/* What memory is used for. */
typedef enum gw_part { GW_PART_OWN, GW_PART_SHADOW, GW_PART_SAVED, GW_PART_WORK, GW_PART_COUNT } gw_part;

/* A call of the program, as the text that tells of it, with what was taken because of it. */
typedef struct gw_site {
    const char *what; /* null: no call was told of */
    size_t times, waits, taken[GW_PART_COUNT];
} gw_site;

/* A text of a call where it was found last: `site` is 1 more than its index, 0 of a free place. */
typedef struct gw_known {
    const char *what;
    size_t site;
} gw_known;

/* The figures of the run that a pool serves, or served last. */
typedef struct gw_ledger {
    gw_program_figures figures;
    size_t used[GW_PART_COUNT];
    gw_site *sites; /* in the order in which they were told of first; the first is for what no call caused */
    size_t site_count, site_room, now;
    gw_known *known; /* a hash table by address */
    size_t known_count, known_room;
} gw_ledger;

typedef struct gw_block gw_block;
void gw_ledger_begin(gw_pool *pool);
void gw_ledger_take(gw_program *run, gw_block *block, gw_part part);
void gw_ledger_give(gw_program *run, const gw_block *block);
void gw_ledger_save(gw_program *run, size_t bytes);
const char *gw_ledger_call(const gw_pool *pool); /* that is told of now; null: none */
void gw_ledger_print(const gw_pool *pool);       /* if the environment asks for it */
void gw_ledger_free(gw_ledger *ledger);

/* ---- pool.c ---- */

bool gw_space_is_counted(gw_space space); /* by limits, peaks and figures */

struct gw_block {
    struct gw_block *next_free, *next;
    void *at;
    size_t bytes;
    gw_space space;
    bool is_given; /* a part of the pool's `given` */
    unsigned int class;
    gw_use use;   /* in the run `run`; older ones are waited for by each stream when it joins a run */
    uint64_t run; /* 0: never used */
    bool used_before, apart;
    gw_part part; /* what it is used for now */
    bool listed;  /* among the run's saved contents, by age (spill.c) */
    struct gw_block *older, *younger;
};

typedef struct gw_event_list {
    cudaEvent_t *list;
    size_t count, room;
} gw_event_list;

/* A stream or event that a program created. */
typedef struct gw_handle {
    bool is_event;
    unsigned int flags;
    int priority;
    uint64_t run; /* which had it last */
    cudaStream_t stream;
    cudaEvent_t event;
} gw_handle;

/* A texture object that a program made. */
typedef struct gw_texture_kept {
    gw_program_texels of;
    unsigned long long object;
    gw_program_texture_end *end;
    uint64_t run; /* which asked for it last */
} gw_texture_kept;

/* An array of textures: width, height, pitch, format. */
typedef struct gw_texels_said {
    const void *at;
    unsigned long long said[4];
} gw_texels_said;

struct gw_pool {
    gw_block *free[2][space_count][class_count], *all; /* `free[1]`: of gw_block_take_apart */
    size_t held, used, peak, limit;
    char *given; /* memory of the caller's, of which so many bytes are left */
    size_t given_bytes, given_left;
    gw_event_list idle; /* events that nobody uses */
    gw_event_list ends; /* where the streams of the last runs were when those ended */
    gw_handle *handles;
    size_t handle_count, handle_room;
    gw_texture_kept *textures;
    size_t texture_count, texture_room;
    uint64_t run;
    bool busy, captured; /* a graph has blocks of this pool */
    bool spills;
    size_t spill_limit, spilled_most;
    cudaStream_t spill_stream;
    /* workspaces of the launches whose tapes are measured, in their order: the largest yet */
    size_t *measured, measured_count, measured_room;
    gw_ledger ledger;
};

/* A block of at least so many bytes, for work on stream `on` (no_stream: whoever gets it sees to the waiting).
 * Null after a failure, which the run has. */
gw_block *gw_block_take(gw_program *run, size_t bytes, gw_space space, int on, gw_part part);
/* The same for memory that no call tells the end of: never where a buffer of the program has ended its life in
 * this pool, since on the way back the address means that one (buffers.c). */
gw_block *gw_block_take_apart(gw_program *run, size_t bytes, gw_space space, int on);
void gw_block_give(gw_program *run, gw_block *block);
cudaEvent_t gw_event_take(gw_program *run);
cudaError_t gw_event_find(gw_pool *pool, cudaEvent_t *event); /* no failure of the run */
void gw_event_give(gw_pool *pool, cudaEvent_t event);
bool gw_event_push(gw_event_list *to, cudaEvent_t event);
/* Waits on the host for what earlier runs queued. */
void gw_pool_settle(gw_program *run);

/* ---- streams.c ---- */

typedef struct gw_lane {
    cudaStream_t stream;
    bool capturing;
    gw_block *work[space_count];
} gw_lane;

typedef struct gw_join {
    cudaEvent_t key, own;
} gw_join;

/* The stream's number in the run; it joins it. -1 after a failure. */
int gw_lane_of(gw_program *run, cudaStream_t stream);
/* Stream `on` is about to read or to write what was used so. */
void gw_use_read(gw_program *run, gw_use *use, int on);
void gw_use_write(gw_program *run, gw_use *use, int on);
/* Waits, and leaves the use as it is. */
void gw_use_wait(gw_program *run, const gw_use *use, int on);
bool gw_use_is_near(const gw_program *run, const gw_use *use, int on); /* nothing to wait for */
gw_use gw_use_all(gw_program *run);                                    /* by all streams until now */
void gw_lanes_join(gw_program *run, int on);                           /* waits for all others */
void gw_lanes_fork(gw_program *run, int from);                         /* all others wait for it */
void gw_lanes_wait(gw_program *run);                                   /* if the primal did */
void gw_lanes_end(gw_program *run);
bool gw_lane_is_captured(gw_program *run, cudaStream_t stream);

/* ---- buffers.c ---- */

/* What an entry of a buffer's log stands for. */
typedef enum gw_write_kind {
    GW_WRITE_TOLD, /* a call whose reverse will take it back */
    GW_WRITE_KEPT, /* contents that lay there at the mark below it */
    GW_WRITE_MARK  /* a mark; `from` is its number */
} gw_write_kind;

/* ---- origins.c ---- */

/* What made all that lies in a buffer, if it can be had again. */
typedef struct gw_origin {
    enum { GW_ORIGIN_NONE, GW_ORIGIN_COPY, GW_ORIGIN_FILL } kind;
    struct gw_buffer *of; /* COPY: of what, from which byte on, which was then its version */
    size_t shift;
    uint64_t version;
    int byte; /* FILL */
} gw_origin;

typedef struct gw_write {
    size_t from, to; /* what the call may overwrite, relative to the buffer */
    gw_block *saved; /* null: nobody needs it */
    size_t saved_from, saved_to;
    gw_origin origin; /* instead of `saved`: of all of the buffer */
    int lane;
    gw_write_kind kind;
    bool needed; /* what the buffer's members of these names were before */
    size_t gone_from, gone_to, mark_at;
} gw_write;

typedef struct gw_range {
    size_t from, to;
} gw_range;

enum { GW_TWINS_MOST = 7 };

typedef struct gw_places { /* bytes from a buffer's beginning */
    size_t *at;
    size_t count, room;
} gw_places;

typedef struct gw_buffer {
    char *base;
    size_t bytes; /* SIZE_MAX: not known */
    size_t reach; /* then: as far as copies have come */
    const char *name;
    bool given, looked_up, kept, released, overwritten, passive, varied, useful;
    gw_space space;
    gw_block *block; /* of a local allocation; null once it went back to the pool */
    gw_use before;   /* of that block: who used it for something else, in this run */

    char *shadow;
    gw_block *shadow_block; /* null: the caller's */
    char *outer;            /* the caller's, to which the end adds `shadow_block` */
    gw_program_adder *add;
    gw_block *twins[GW_TWINS_MOST]; /* further adjoints, zero between launches (gw_program_shadow_beside) */
    int twins_out;
    bool shadow_asked, shadow_looked_up;
    unsigned int ratio, number; /* bytes of the adjoint's numbers; 0: nobody said; `several_numbers` */
    gw_use shadow_use;
    gw_places integers, numbers; /* where calls take integers; where tangents were asked for */

    struct gw_buffer *along; /* what it changes by (along.c); null: nobody asked */
    bool along_is_new;       /* not cleared yet */
    bool zeros;              /* it is such memory, which nothing may be written to */
    gw_use along_use;

    /* Forward: whether some reverse needs what lies in the buffer, but for one range that was overwritten since
     * it was asked for; the calls that overwrote, in order. */
    bool needed;
    size_t gone_from, gone_to;
    gw_write *writes;
    size_t write_count, write_room;
    size_t hull_from, hull_to; /* of all that was overwritten */
    uint64_t version;          /* how often something else came to lie in it */
    gw_origin origin;

    /* Backward: the contents as they were lie in `where` (null: in the buffer), once `pending` are copied over
     * it, in this order; but for `lost`, which nobody saved. */
    gw_block *where;
    gw_origin stands; /* then, instead of in the buffer: where that comes from */
    gw_write *pending;
    size_t pending_count, pending_room;
    gw_range *lost;
    size_t lost_count, lost_room;
    gw_use home; /* backward, of the buffer itself */

    /* Marks: of the newest one in `writes`, its index + 1, 0: the buffer is younger than all. `born`: the same
     * in the run's births. */
    size_t mark_at, born;
    bool run_again;   /* what an unrecorded call wrote, so that it is written again on the way back */
    bool asleep;      /* the allocation was taken back by a mark, and comes again: only the adjoint is there */
    gw_block *result; /* of an output, what the forward run left in its hull */
} gw_buffer;

gw_space gw_space_of(gw_program *run, const void *at);
gw_buffer *gw_buffer_of(gw_program *run, const void *at);
/* Bytes of host memory without a size that copies have come to; 0: none, or another begins among them. */
size_t gw_buffer_reach(const gw_program *run, const gw_buffer *b);
gw_buffer *gw_buffer_known(gw_program *run, const void *at);     /* or null, without failure */
gw_buffer *gw_buffer_beginning(gw_program *run, const void *at); /* that begins there */
/* Sees that the size is known; fails otherwise. */
bool gw_buffer_is_sized(gw_program *run, gw_buffer *b);
void gw_buffer_free(gw_program *run, gw_buffer *b);
void gw_buffer_sleep(gw_program *run, gw_buffer *b); /* its memory and contents go, its adjoint stays */
bool gw_grow(gw_program *run, void **list, size_t *room, size_t count, size_t each);
const char *gw_buffer_name(const gw_buffer *b, char text[32]);

/* Whether what made the buffer's contents can make them again, once they are overwritten. */
bool gw_origin_holds(const gw_buffer *b);

/* ---- contents.c ---- */

void gw_contents_free(gw_program *run, gw_buffer *b);
bool gw_contents_are_needed(const gw_buffer *b);
void gw_contents_lose(gw_program *run, gw_buffer *b);
void gw_contents_rescue(gw_buffer *b); /* of a failed run: puts an input back, without streams */
bool gw_contents_are_taken_back(const gw_buffer *b);
/* Copies a range away on the entry's stream, into the entry. */
bool gw_contents_save(gw_program *run, gw_buffer *b, gw_write *w, gw_range r);
void gw_contents_add_gone(gw_buffer *b, size_t from, size_t to);
void gw_contents_add_hull(gw_buffer *b, size_t from, size_t to);
/* Brings the version to which the calls were taken back into the buffer itself, if it is not there. */
bool gw_contents_settle(gw_program *run, gw_buffer *b, int lane);
void gw_contents_drop(gw_program *run, gw_buffer *b); /* forgets that version */
/* Sees to it that the range is there again. */
bool gw_contents_find(gw_program *run, gw_buffer *b, size_t from, size_t to);
bool gw_contents_copy(gw_program *run, const gw_buffer *b, void *to, const void *from, size_t bytes, int lane);

/* ---- marks.c ---- */

typedef struct gw_mark {
    size_t births; /* allocations before it */
} gw_mark;

void gw_marks_write(gw_program *run, gw_buffer *b, size_t from, size_t to, int lane); /* unrecorded */
/* Whether marks have a say in the release of a buffer; it is done then. */
bool gw_marks_release(gw_program *run, gw_buffer *b);
/* The buffer that this allocation stands for, null: a new one. */
gw_buffer *gw_marks_birth(gw_program *run, size_t bytes, gw_space space);
void gw_marks_born(gw_program *run, gw_buffer *b);
void gw_marks_unborn(gw_program *run, gw_buffer *b);
/* Keeps an output that is about to be overwritten on the way back. */
bool gw_marks_keep_result(gw_program *run, gw_buffer *b, int lane);
void gw_marks_end(gw_program *run); /* outputs as the forward run left them */
void gw_marks_free(gw_program *run);

/* ---- spill.c ---- */

/* The block holds contents that were saved on that stream: older ones may go to the host for it. */
void gw_spill_add(gw_program *run, gw_block *block, int lane);
void gw_spill_drop(gw_program *run, gw_block *block); /* it holds none any more */
void gw_spill_ahead(gw_program *run);                 /* brings back what there is room for */
/* Brings it back for good; kernels may read it. */
bool gw_spill_take(gw_program *run, gw_block *block);

/* ---- shadows.c ---- */

void gw_shadow_add_outer(gw_program *run, gw_buffer *b);

/* ---- along.c ---- */

void gw_along_clear_all(gw_program *run); /* what was made, and is not cleared yet */
void gw_along_refuse_write(gw_program *run, const gw_buffer *zeros);

/* ---- handles.c ---- */

void gw_handles_free(gw_pool *pool); /* the device is done */

/* ---- textures.c ---- */

void gw_textures_free(gw_pool *pool); /* the device is done */
/* This run has made a texture object, or asked for one, over memory of the buffer. */
bool gw_texture_reads(const gw_program *run, const gw_buffer *b);
void gw_texels_free(gw_program *run);

/* ---- tapes.c ---- */

typedef struct gw_tape_kept {
    gw_block *block;
    size_t bytes;
} gw_tape_kept;

void gw_tapes_free(gw_program *run);

/* ---- program.c ---- */

struct gw_program {
    gw_pool *pool;
    bool own_pool, waited, along;
    gw_status status;
    cudaError_t error;
    char text[1024];
    uint64_t run, tick;
    size_t saved_bytes, measured; /* how many launches were measured */
    gw_block *youngest, *edge;    /* of saved contents; the oldest on the device, null: there is none */
    size_t resident, spilled;

    gw_buffer **sorted; /* by base */
    size_t sorted_count, sorted_room;
    gw_buffer **released; /* whose memory went back to the pool, in that order */
    size_t released_count, released_room;
    bool backward; /* what was told last was the reverse of a call */

    gw_mark *marks; /* innermost last */
    size_t mark_count, mark_room;
    bool unrecorded, restored; /* `restored`: memory is as at the innermost mark */
    gw_buffer **births;        /* allocated since the outermost mark, in that order; null: it is gone */
    size_t birth_count, birth_room, birth_at;
    gw_texels_said *texels; /* the youngest last */
    size_t texels_count, texels_room;
    gw_tape_kept *tapes; /* of launches that are not taken back, the last one last */
    size_t tape_count, tape_room;

    gw_lane *lanes;
    int lane_count, lane_last;
    size_t lane_room, waited_side;
    uint64_t *waited_for; /* [on * side + of]: the tick up to which `on` has waited for `of` */
    cudaEvent_t scratch;
    gw_join *joins;
    size_t join_count, join_room;
};

bool gw_run_is_dead(const gw_program *run);
/* Keeps the first failure. */
void gw_run_fail(gw_program *run, gw_status status, const char *format, ...)
    __attribute__((__format__(__printf__, 3, 4)));
/* A CUDA call of the runtime's own; true if it succeeded. */
bool gw_run_ok(gw_program *run, cudaError_t error, const char *call);

#endif
