/*
 * program.h - what the gradient of a host program (kernel launches, device memory, copies, streams, loops)
 * tells the runtime, and gets from it. For C17 and C++; program.cuh has the copies, which need kernels.
 *
 * A gradient `simulate_grad` runs the program forward, then backward, last call first. Forward it tells of each
 * call what its reverse reads (gw_program_reads), then what it may overwrite (gw_program_writes): contents that
 * a reverse still needs are copied away before, on the call's stream, and nothing else is. Backward it asks
 * where those contents lie now (gw_program_content), and where the adjoint lies (gw_program_shadow).
 *
 *     gw_program *run = gw_program_begin(pool);
 *     gw_program_given(run, u, d_u, bytes);
 *     for (k = 0; k < steps; k++) {
 *         gw_program_reads(run, u);
 *         gw_program_writes(run, v, 0, stream);
 *         step<<<grid, block, 0, stream>>>(v, u, n); swap(u, v);
 *     }
 *     for (k = steps; k-- > 0;) {
 *         swap(u, v);
 *         gw_program_unwrite(run, v);
 *         step_grad_launch(grid, block, 0, stream, v, gw_program_content(run, u, stream), n,
 *                          gw_program_shadow(run, v, stream), gw_program_shadow(run, u, stream), 0, 0);
 *     }
 *     return gw_program_end(run);
 *
 * Ownership. A gw_program lives from gw_program_begin to gw_program_end, and holds what it allocates until
 * then; a gw_pool keeps the blocks for the next run. Pointers that are given stay the caller's, as do streams
 * and events, which must live until gw_program_end. Blocks of a pool belong to its one run: a pool serves one
 * run at a time, and one thread.
 *
 * Errors. The first failure is kept; every function is a no-op then that returns null, 0 or the kept error.
 * gw_program_end gives everything back on every path and returns the status, and gw_last_error has the text:
 * the call's, and the adjoints of the caller that are not as they were. A run that failed puts inputs back too,
 * as far as the device still answers; it waits for the device for that.
 *
 * Streams. All that is done is queued on the stream that is named in a call. Where the reverse uses a shadow or
 * a saved block on another stream than before, that stream waits by an event; so it does where it takes over a
 * block of the pool. Nothing waits on the host but gw_program_end after calls with `waits`
 * (gw_program_waited), copies of pageable memory, and what hands out memory that the host writes to.
 *
 * Graphs. A run may be captured, from begin to end: run it once without (nothing is allocated then), wait for
 * that, capture. The graph uses the pool's blocks from then on: while it is in use, the pool serves no other
 * run that may be on the device at the same time, and gw_pool_free comes after its last launch.
 */
#ifndef GRADWRIGHT_PROGRAM_H
#define GRADWRIGHT_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "gradwright/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As in CUDA's headers, which need not be there. */
struct CUstream_st;
struct CUevent_st;
typedef struct CUstream_st *gw_stream; /* cudaStream_t */
typedef struct CUevent_st *gw_event;   /* cudaEvent_t */

typedef enum gw_space {
    GW_SPACE_DEVICE,  /* cudaMalloc */
    GW_SPACE_MANAGED, /* cudaMallocManaged */
    GW_SPACE_PINNED,  /* cudaMallocHost, or registered: kernels reach it too */
    GW_SPACE_HOST     /* malloc, the stack */
} gw_space;

/* ---- pools ---- */

typedef struct gw_pool gw_pool;

/* GW_ERROR_MEMORY if there is no memory for it; *gw_made is null then. */
gw_status gw_pool_make(gw_pool **gw_made);
/* One that takes device memory from there first: what does not fit is allocated, so that any size does, also 0.
 * The memory is the caller's, and in use until gw_pool_free. */
gw_status gw_pool_make_over(gw_pool **gw_made, void *gw_at, size_t gw_bytes);
/* So many bytes in blocks as pools have them (0 for less than 0), with some to spare. */
size_t gw_pool_room(double gw_bytes);
/* Bytes from there to the end of the allocation; 0: nobody knows. */
size_t gw_allocated_from(const void *gw_at);
/* Waits for the device and frees every block. Null is allowed. */
void gw_pool_free(gw_pool *gw_whose);
/* At most so many bytes of device and managed memory, 0: no limit. Blocks that nobody uses are freed for it;
 * what still does not fit fails with GW_ERROR_MEMORY and says bytes wanted, held and allowed. */
void gw_pool_limit(gw_pool *gw_whose, size_t gw_device_bytes);
/* Contents that the way back needs and that are more than so many bytes of device memory go to pinned memory,
 * oldest first, on a stream of the pool's own, and come back ahead of use. Such a run cannot be captured. */
gw_status gw_pool_spill(gw_pool *gw_whose, size_t gw_device_bytes);
/* The most bytes that were there at once, since the pool was made. */
size_t gw_pool_spilled(const gw_pool *gw_whose);
/* The most bytes of device and managed memory that were in use at once, since the pool was made. */
size_t gw_pool_peak(const gw_pool *gw_whose);
/* Bytes of device and managed memory that the pool has allocated, in use or not. */
size_t gw_pool_held(const gw_pool *gw_whose);

/* What a run took. Bytes are those of device and managed memory, as blocks have them: each is at most 1/16
 * larger than what was asked for, and no smaller than 256. `peak` is the sum of the four below it, which are of
 * the moment when that was reached first. */
typedef struct gw_program_figures {
    size_t peak;               /* the most that was in use at once, and of that: */
    size_t own;                /* what the program allocates, */
    size_t shadows;            /* adjoints that the caller did not give, */
    size_t saved;              /* contents that were overwritten, and tapes that launches leave, */
    size_t work;               /* workspaces with the tapes of kernels, and what copies need */
    size_t saves, saved_bytes; /* copies of contents in all, and the bytes of them that were asked for */
    size_t calls;              /* told of going forward (gw_program_call) */
    size_t waits;              /* for a stream, by the host, and not the program's own */
} gw_program_figures;

/* The figures of the run that the pool served last, or serves. */
void gw_pool_figures(const gw_pool *gw_whose, gw_program_figures *gw_out);
/* The same as a table, a line for each call of the program that something was taken for. With
 * GW_PROGRAM_REPORT=1 in the environment gw_program_end prints it to stderr. */
void gw_pool_print(const gw_pool *gw_whose, FILE *gw_to);

/* ---- a run ---- */

typedef struct gw_program gw_program;

/* Null pool: one of its own, which the end frees. Null if there is no memory at all: every function takes that
 * as a run that failed. */
gw_program *gw_program_begin(gw_pool *gw_from);
/* The run is that of a forward derivative, which has no way back: tangents lie where adjoints lie else, nothing
 * is saved, and what the program frees goes back to the pool, its tangents too. Told before anything else. */
void gw_program_along(gw_program *gw_run);
/* Puts inputs back that still are to be, gives all blocks back to the pool, frees the run, returns its
 * status. */
gw_status gw_program_end(gw_program *gw_run);
int gw_program_failed(const gw_program *gw_run);
/* The cudaError_t of the first failure: cudaErrorUnknown (999) if it was none of CUDA's, 0 if nothing
 * failed. */
int gw_program_error(const gw_program *gw_run);
/* Keeps the first `gw_error` that is not cudaSuccess, with `gw_what` ("cudaMalloc at heat.cu:12"), which is
 * only read during the call. Returns gw_error. */
int gw_program_check(gw_program *gw_run, int gw_error, const char *gw_what);
/* The same for what a launcher returned, with the text of gw_last_error. Returns gw_result. */
gw_status gw_program_check_status(gw_program *gw_run, gw_status gw_result, const char *gw_what);
/* The primal waits for the device here, or for a stream: so does gw_program_end then, for all streams that were
 * named. */
void gw_program_waited(gw_program *gw_run);
/* Bytes that gw_program_writes has copied away so far. */
size_t gw_program_saved_bytes(const gw_program *gw_run);

/* ---- memory of the caller ---- */

/* A pointer of the caller and where its adjoint begins. `gw_bytes` 0: to the end of its allocation, which is
 * looked up when needed (device, managed and pinned memory; host memory has no size then, and cannot be saved).
 * `gw_shadow` null: it carries no adjoint; one is made, and thrown away at the end, if it is asked for. A
 * pointer belongs to the buffer that begins closest before it, so that two given pointers may lie in one
 * allocation: the end of one may be the other's beginning. Given twice: with one adjoint only. */
void gw_program_given(gw_program *gw_run, const void *gw_at, void *gw_shadow, size_t gw_bytes);
/* A pointer of the caller whose memory has no derivative: where another such one begins, or nothing that was
 * given before. Else the gradient would lack what comes by way of it, which is an error. So it would where
 * inputs reach one of two (gw_varied) and outputs need the other (gw_useful). */
void gw_program_apart_from(gw_program *gw_run, const void *gw_at, const char *gw_name, bool gw_varied,
                           bool gw_useful);
/* What the next call takes for integers, in a piece of memory that may hold floating-point numbers with a
 * derivative, too. That such numbers begin there is an error: their bits would be moved or overwritten without
 * their derivative. */
void gw_program_integers(gw_program *gw_run, const void *gw_at);
/* The adjoint of a vector has as many elements as that. */
void gw_program_alike(gw_program *gw_run, const char *gw_adjoint, size_t gw_count, const char *gw_primal,
                      size_t gw_primal_count);
/* What errors call it; the text must outlive the run. */
void gw_program_named(gw_program *gw_run, const void *gw_at, const char *gw_name);
/* Its lifetime ends (a variable of the host in a block). Nothing of it is put back. */
void gw_program_forget(gw_program *gw_run, const void *gw_at);
/* An input: what the program overwrites of it is put back once the reverse of the first such call was told.
 * Told before the first call.
 *
 * The adjoint of an overwritten cell is consumed, so that one of the caller to which earlier gradients added
 * would be lost. With gw_program_keep_added an input that is overwritten has an adjoint of its own, zero at
 * first, which gw_program_end adds to the caller's with `gw_add`, on the stream that was named first in the run
 * (gw_program_input in program.cuh gives it). Until then the caller's is as it was. `gw_add` gets the bytes and
 * the kind of memory, and zeroes nothing. */
typedef gw_status gw_program_adder(void *gw_to, const void *gw_from, size_t gw_bytes, gw_space gw_where,
                                   gw_stream gw_on);
void gw_program_keep(gw_program *gw_run, const void *gw_at);
void gw_program_keep_added(gw_program *gw_run, const void *gw_at, gw_program_adder *gw_add);

/* ---- both ways ---- */

/* What is told next is of this call ("step at heat.cu:12"): figures are kept for each such text, which must
 * outlive the pool. Forward, and of its reverse. */
void gw_program_call(gw_program *gw_run, const char *gw_what);
void gw_program_uncall(gw_program *gw_run, const char *gw_what);
/* The host has waited for a stream, for a reverse: counted. */
void gw_program_awaited(gw_program *gw_run);

/* ---- forward ---- */

/* Memory of the program's own allocation. Null on failure, and of 0 bytes. */
void *gw_program_alloc(gw_program *gw_run, size_t gw_bytes, gw_space gw_where);
/* The program frees it. What the reverse may need of it stays; device memory that it does not need goes back to
 * the pool. gw_program_unalloc comes in any case. */
void gw_program_release(gw_program *gw_run, void *gw_at);
/* The reverse of the call that is being told reads the buffer of `gw_at` as it is before that call. All reads
 * of a call come before its writes. */
void gw_program_reads(gw_program *gw_run, const void *gw_at);
/* The call may overwrite: with bytes 0 the whole buffer of `gw_at`, else so many from there on. It is queued on
 * `gw_on` afterwards. */
void gw_program_writes(gw_program *gw_run, void *gw_at, size_t gw_bytes, gw_stream gw_on);

/* What the buffer at `gw_at` changes by lies in that at `gw_tangents`, an error where that is null and has a
 * name; else in memory of its own, zeros, which goes with it. gw_program_beside is where the tangents of
 * `gw_at` lie, for a call on that stream. */
void gw_program_pair(gw_program *gw_run, const void *gw_at, void *gw_tangents, const char *gw_name);
void *gw_program_beside(gw_program *gw_run, const void *gw_at, gw_stream gw_on);

/* So many bytes for the tape of the launch that is being told, on that stream: the first half of the kernel's
 * split gradient runs in its place. The tape is kept until gw_program_untape. */
void *gw_program_tape(gw_program *gw_run, size_t gw_bytes, gw_stream gw_on);

/* The same of a copy within memory that kernels reach, and of a fill with a byte. Where the call makes all of a
 * buffer, that is not saved before it is overwritten if the source of the copy is kept anyway, or by fills. */
void gw_program_writes_copy(gw_program *gw_run, void *gw_to, const void *gw_from, size_t gw_bytes,
                            gw_stream gw_on);
void gw_program_writes_fill(gw_program *gw_run, void *gw_to, int gw_byte, size_t gw_bytes, gw_stream gw_on);
/* The call reads so many bytes there. Told of copies, so that memory of the host whose size nobody says has an
 * adjoint as far as calls come. */
void gw_program_reaches(gw_program *gw_run, const void *gw_at, size_t gw_bytes);

/* An array of textures that the program made: memory whose rows lie a pitch apart; and what that said: 0 the
 * width, 1 the height, 2 the pitch, 3 the format. */
void gw_program_texels_are(gw_program *gw_run, const void *gw_at, unsigned long long gw_width,
                           unsigned long long gw_height, unsigned long long gw_pitch,
                           unsigned long long gw_format);
unsigned long long gw_program_texels_of(gw_program *gw_run, const void *gw_at, int gw_which);
/* A texture object of the program's: the memory that it is over, and numbers that say how that is read. It
 * lives as long as the pool. None is found: 0. */
typedef struct gw_program_texels {
    const void *at;
    unsigned long long as[5];
} gw_program_texels;
typedef void gw_program_texture_end(unsigned long long gw_object);
unsigned long long gw_program_texture_found(gw_program *gw_run, const gw_program_texels *gw_of);
void gw_program_texture_add(gw_program *gw_run, const gw_program_texels *gw_of, unsigned long long gw_object,
                            gw_program_texture_end *gw_end);
const void *gw_program_texture(gw_program *gw_run, unsigned long long gw_object); /* null: it is another's */

/* cudaStreamCreateWithPriority and cudaEventCreateWithFlags of the program: they live until the run ends, which
 * has work on them on the way back, and then belong to the pool. Null on failure. */
gw_stream gw_program_stream(gw_program *gw_run, unsigned int gw_flags, int gw_priority);
gw_event gw_program_event(gw_program *gw_run, unsigned int gw_flags);
void gw_program_record(gw_program *gw_run, gw_event gw_what, gw_stream gw_on);
void gw_program_wait(gw_program *gw_run, gw_stream gw_on, gw_event gw_what);
void gw_program_sync_event(gw_program *gw_run, gw_event gw_what);
/* A vector of the caller's ends as it began: where its elements are, and how many. */
void gw_program_unmoved(gw_program *gw_run, const void *gw_now, const void *gw_before, size_t gw_count,
                        size_t gw_count_before, const char *gw_name);
/* The program ends the process: the run fails, if it has not yet. */
void gw_program_stop(gw_program *gw_run, const char *gw_where);

/* ---- parts that run again ----
 *
 * A part of the program that is not recorded: nothing is kept of its calls but, once, what they overwrite.
 *
 *     gw_program_mark(run);                    forward: tell of the calls of the part as ever, and run them
 *     gw_program_log(run);
 *     ...
 *     gw_program_restore(run);                 backward, when all calls behind the part were taken back
 *     gw_program_unmark(run);
 *     gw_program_log(run);                     then the part again, forward and backward
 *
 * Marks are a stack. Between a restore and its unmark parts may run unrecorded, with marks of their own (so
 * that few marks serve a long loop). A part does the same calls each time that it runs: allocations too, whose
 * addresses may be others. The host has its own variables to put back. Host memory that the host itself writes
 * to is told of by gw_program_writes, before. Outputs have the values of the forward run again at the end. */
void gw_program_mark(gw_program *gw_run);
/* From now on calls are recorded. */
void gw_program_log(gw_program *gw_run);
/* Memory is as it was at the last mark; calls are not recorded from now on. */
void gw_program_restore(gw_program *gw_run);
/* The last mark goes; of a restore just before. */
void gw_program_unmark(gw_program *gw_run);

/* ---- backward: the calls in the opposite order, first its unwrites, last write first ---- */

void gw_program_unwrite(gw_program *gw_run, void *gw_at);
/* The place where that lies now to which `gw_at` led when the call ran; for work on `gw_on` that only reads. An
 * error, and null, if its reads were not told. */
const void *gw_program_content(gw_program *gw_run, const void *gw_at, gw_stream gw_on);
/* The same, put into the memory itself, for kernels that know it by a name. The end of the run puts there what
 * the forward run left. */
void gw_program_settle(gw_program *gw_run, const void *gw_at, gw_stream gw_on);
/* The adjoint of what `gw_at` leads to, in the same kind of memory; zeroed, on that stream, when it is made. */
void *gw_program_shadow(gw_program *gw_run, const void *gw_at, gw_stream gw_on);
/* The same where an adjoint is `gw_ratio` times as wide as its primal (half and bfloat16: 2). One ratio for one
 * buffer. */
void *gw_program_shadow_wide(gw_program *gw_run, const void *gw_at, unsigned int gw_ratio, gw_stream gw_on);
/* The same, whose adjoints are numbers of so many bytes (4: float, 8: double; of gw_program_shadow it is not
 * known): copies of bytes move them. */
void *gw_program_shadow_of(gw_program *gw_run, const void *gw_at, unsigned int gw_ratio, unsigned int gw_number,
                           gw_stream gw_on);
/* What was said of all of the buffer; 0: nothing, or several. */
unsigned int gw_program_shadow_number(gw_program *gw_run, const void *gw_at);
/* Said before anybody asks for the adjoint. */
void gw_program_shadow_holds(gw_program *gw_run, const void *gw_at, unsigned int gw_number);
/* How many times as wide as its primal the adjoint is that there is of the buffer so far; 0: there is none. */
unsigned int gw_program_shadow_ratio(gw_program *gw_run, const void *gw_at);
/* Memory of the caller without an adjoint that the program has not written to: adjoints of it are nobody's. */
int gw_program_is_constant(gw_program *gw_run, const void *gw_at);
/* The second adjoint, or third, of a pointer that a launch takes twice (`gw_again`): zeros, which
 * gw_program_merge (program.cuh) adds to the first behind the launch; gw_program_take_twin says how many bytes
 * it has, from where on. */
void *gw_program_shadow_beside(gw_program *gw_run, const void *gw_at, int gw_again, unsigned int gw_number,
                               gw_stream gw_on);
void *gw_program_take_twin(gw_program *gw_run, const void *gw_at, gw_stream gw_on, size_t *gw_bytes,
                           void **gw_first);
/* Whether two pointers lead into one buffer: of algorithms, which may take ranges that overlap. */
int gw_program_meets(gw_program *gw_run, const void *gw_one, const void *gw_other);
/* Two parameters of a launch that may not be one pointer: an error if they are, which `gw_what` explains. */
void gw_program_apart(gw_program *gw_run, const void *gw_one, const void *gw_other, const char *gw_what);
/* The memory that the adjoint lies in; GW_SPACE_HOST after a failure. */
gw_space gw_program_shadow_space(gw_program *gw_run, const void *gw_at);
/* For work that is queued on `gw_on` until the next call with that stream (and that kind of memory). */
void *gw_program_workspace(gw_program *gw_run, size_t gw_bytes, gw_stream gw_on);
void *gw_program_staging(gw_program *gw_run, size_t gw_bytes, gw_space gw_where, gw_stream gw_on);
/* How many cells of so many bytes there are from there on, as far as the buffer goes: what a launch asks that
 * must know how long an array is. 0 of a null pointer. */
size_t gw_program_cells(gw_program *gw_run, const void *gw_at, size_t gw_cell_bytes);
/* The workspace of a launch whose tape is measured, for which its stream is awaited. gw_program_recall is 0
 * then; where that stream is captured, nothing can be awaited, and it is what the launch of the same number
 * took at most in earlier runs of the pool (an error if there was none). gw_program_remember takes what was
 * measured, SIZE_MAX if that failed, and returns it. */
size_t gw_program_recall(gw_program *gw_run, gw_stream gw_on);
size_t gw_program_remember(gw_program *gw_run, size_t gw_bytes);
/* The tape that the launch left, and how long it is; gw_program_untape, behind the work that reads it, gives it
 * back. */
void *gw_program_last_tape(gw_program *gw_run, size_t *gw_bytes, gw_stream gw_on);
void gw_program_untape(gw_program *gw_run);
/* The reverse of gw_program_alloc: shadow, block and saved contents go back to the pool. */
void gw_program_unalloc(gw_program *gw_run, void *gw_at);
/* Reverses of cudaStreamWaitEvent(gw_on, gw_what) and cudaEventRecord(gw_what, gw_on). */
void gw_program_unwait(gw_program *gw_run, gw_stream gw_on, gw_event gw_what);
void gw_program_unrecord(gw_program *gw_run, gw_event gw_what, gw_stream gw_on);

#ifdef __cplusplus
}
#endif
#endif
