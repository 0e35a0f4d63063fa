/*
 * buffers.c - which buffer a pointer leads into: what the caller gave, and what the program allocates.
 *
 * The buffers lie in a list sorted by address. A pointer belongs to the one that begins closest before it, and
 * must lie inside it or at its end; any other pointer is an error, as nothing is known of its adjoint. Sizes
 * that were not given come from the driver, which knows each allocation's.
 *
 * An address at which one buffer ends may be where another began that was released meanwhile, as allocations
 * lie side by side: on the way back the other one is meant, going forward the former, since released memory is
 * not used. Memory of the host whose end nobody knows comes last, unless it begins there.
 *
 * A released buffer whose memory went back to the pool leaves the list, since another one may get the same
 * address. On the way back the youngest such buffer is the one that is meant: those that had the address after
 * it were taken away by gw_program_unalloc before.
 */
#include "private.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool gw_grow(gw_program *run, void **list, size_t *room, size_t count, size_t each) {
    if (count < *room) return true;
    const size_t wider = *room ? 2 * *room : 8;
    void *bigger = realloc(*list, wider * each);
    if (!bigger) {
        gw_run_fail(run, GW_ERROR_MEMORY, "no host memory for the log of a program");
        return false;
    }
    *list = bigger;
    *room = wider;
    return true;
}

const char *gw_buffer_name(const gw_buffer *b, char text[32]) {
    if (b->name) return b->name;
    snprintf(text, 32, "%p", (void *)b->base);
    return text;
}

/* ---- what CUDA knows of an address ---- */

/* The driver's function is asked of the process, so that this library needs neither the driver to link nor one
 * of the two names that the runtime has for asking (CUDA 13 took one away). */
typedef int range_function(unsigned long long *base, size_t *bytes, unsigned long long at);

static range_function *range_of(void) {
    void *found = dlsym(RTLD_DEFAULT, "cuMemGetAddressRange_v2");
    if (!found) {
        void *driver =
            dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL); /* CUDA's runtime keeps it open as well */
        found = driver ? dlsym(driver, "cuMemGetAddressRange_v2") : NULL;
    }
    range_function *function = NULL;
    memcpy(&function, &found, sizeof function);
    return function;
}

size_t gw_allocated_from(const void *at) {
    static range_function *function; /* the same whoever finds it */
    if (!function) function = range_of();
    unsigned long long base = 0;
    size_t bytes = 0;
    if (!function || function(&base, &bytes, (unsigned long long)(uintptr_t)at) != 0) return 0;
    return (size_t)(base + bytes - (uintptr_t)at);
}

gw_space gw_space_of(gw_program *run, const void *at) {
    union {
        struct cudaPointerAttributes known;
        char of_later_versions[512]; /* CUDA 13's is longer */
    } a;
    memset(&a, 0, sizeof a);
    if (!gw_run_ok(run, cudaPointerGetAttributes(&a.known, at), "cudaPointerGetAttributes"))
        return GW_SPACE_HOST;
    switch (a.known.type) {
    case cudaMemoryTypeDevice:
        return GW_SPACE_DEVICE;
    case cudaMemoryTypeManaged:
        return GW_SPACE_MANAGED;
    case cudaMemoryTypeHost:
        return GW_SPACE_PINNED;
    case cudaMemoryTypeUnregistered:
        break;
    }
    return GW_SPACE_HOST;
}

/* ---- the list ---- */

/* How many begin at or before the address. */
static size_t position(const gw_program *run, const void *at) {
    size_t low = 0, high = run->sorted_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if ((uintptr_t)run->sorted[middle]->base <= (uintptr_t)at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* What the caller gave ends where the pool's part of the same allocation begins. */
static void cut_at_pool(const gw_program *run, gw_buffer *b) {
    const size_t distance = (size_t)((uintptr_t)run->pool->given - (uintptr_t)b->base);
    const bool before = run->pool->given && (uintptr_t)run->pool->given > (uintptr_t)b->base;
    if (before && b->bytes != SIZE_MAX && b->bytes > distance) b->bytes = distance;
}

/* A given buffer of known size ends where the next given one begins; others once they are looked up. */
static void cut_at_next(gw_program *run, size_t index) {
    gw_buffer *b = run->sorted[index];
    if (b->given) cut_at_pool(run, b);
    if (!b->given || index + 1 == run->sorted_count || !run->sorted[index + 1]->given) return;
    const size_t distance = (size_t)(run->sorted[index + 1]->base - b->base);
    if (b->bytes != SIZE_MAX && b->bytes > distance) b->bytes = distance;
}

static bool insert(gw_program *run, gw_buffer *b) {
    if (!gw_grow(run, (void **)&run->sorted, &run->sorted_room, run->sorted_count, sizeof *run->sorted))
        return false;
    const size_t at = position(run, b->base);
    memmove(run->sorted + at + 1, run->sorted + at, (run->sorted_count - at) * sizeof *run->sorted);
    run->sorted[at] = b;
    run->sorted_count++;
    cut_at_next(run, at);
    if (at) cut_at_next(run, at - 1);
    return true;
}

static void take_out(gw_program *run, const gw_buffer *b) {
    size_t at = position(run, b->base);
    while (at && run->sorted[at - 1] != b)
        at--;
    if (!at) return;
    memmove(run->sorted + at - 1, run->sorted + at, (run->sorted_count - at) * sizeof *run->sorted);
    run->sorted_count--;
}

static void look_up(gw_program *run, gw_buffer *b, size_t index) {
    b->looked_up = true;
    b->space = gw_space_of(run, b->base);
    if (b->bytes != SIZE_MAX || b->space == GW_SPACE_HOST) return;
    const size_t bytes = gw_allocated_from(b->base);
    if (bytes) b->bytes = bytes;
    cut_at_next(run, index);
}

static bool holds(const gw_buffer *b, const void *at) {
    return (size_t)((const char *)at - b->base) <= b->bytes;
}

/* Not only by its end. */
static bool is_inside(const gw_buffer *b, const void *at) {
    const size_t offset = (size_t)((const char *)at - b->base);
    return offset == 0 || offset < b->bytes;
}

/* The youngest of those whose memory went back to the pool; it is in the list again. */
static gw_buffer *bring_back(gw_program *run, const void *at, bool with_ends) {
    for (size_t i = run->released_count; i-- > 0;) {
        gw_buffer *b = run->released[i];
        if ((uintptr_t)at < (uintptr_t)b->base || !holds(b, at)) continue;
        if (!with_ends && !is_inside(b, at)) continue;
        memmove(run->released + i, run->released + i + 1,
                (run->released_count - i - 1) * sizeof *run->released);
        run->released_count--;
        if (insert(run, b)) return b;
        run->released[run->released_count++] = b; /* there is room: it was there */
        return NULL;
    }
    return NULL;
}

gw_buffer *gw_buffer_of(gw_program *run, const void *at) {
    const size_t after = position(run, at);
    gw_buffer *ends = NULL, *open = NULL; /* there, or nobody knows where: what lies there comes first */
    if (after) {
        gw_buffer *b = run->sorted[after - 1];
        if (!b->looked_up) look_up(run, b, after - 1);
        const bool is_sized = b->bytes != SIZE_MAX, told = is_inside(b, at) || !run->backward;
        if (b->base == (const char *)at || (is_sized && holds(b, at) && told)) return b;
        if (!is_sized)
            open = b;
        else if (holds(b, at))
            ends = b;
    }
    gw_buffer *b = bring_back(run, at, false);
    if (!b) b = ends;
    if (!b) b = bring_back(run, at, true);
    if (!b) b = open;
    if (!b)
        gw_run_fail(run, GW_ERROR_ARGUMENT, "the address %p lies in no buffer of the program or of its caller",
                    at);
    return b;
}

gw_buffer *gw_buffer_known(gw_program *run, const void *at) {
    const size_t after = position(run, at);
    gw_buffer *b = after ? run->sorted[after - 1] : NULL;
    if (b && !b->looked_up) look_up(run, b, after - 1);
    return b && b->bytes != SIZE_MAX && is_inside(b, at) ? b : NULL;
}

gw_buffer *gw_buffer_beginning(gw_program *run, const void *at) {
    gw_buffer *b = gw_buffer_of(run, at);
    if (!b || b->base == (const char *)at) return b;
    gw_run_fail(run, GW_ERROR_ARGUMENT, "no buffer begins at %p", at);
    return NULL;
}

void gw_program_reaches(gw_program *run, const void *at, size_t bytes) {
    if (gw_run_is_dead(run) || !at || !bytes) return;
    const size_t after = position(run, at);
    gw_buffer *b = after ? run->sorted[after - 1] : NULL;
    if (!b || !b->given) return;
    if (!b->looked_up) look_up(run, b, after - 1);
    const size_t end = (size_t)((const char *)at - b->base) + bytes;
    if (b->bytes == SIZE_MAX && b->reach < end) b->reach = end;
}

size_t gw_buffer_reach(const gw_program *run, const gw_buffer *b) {
    const size_t after = position(run, b->base);
    const gw_buffer *next = after < run->sorted_count ? run->sorted[after] : NULL;
    return next && b->reach > (size_t)(next->base - b->base) ? 0 : b->reach;
}

bool gw_buffer_is_sized(gw_program *run, gw_buffer *b) {
    if (b->bytes != SIZE_MAX) return true;
    char text[32];
    gw_run_fail(run, GW_ERROR_ARGUMENT, "the size of the host memory %s is not known, and is needed here",
                gw_buffer_name(b, text));
    return false;
}

static void give_block(gw_program *run, gw_buffer *b) {
    if (!b->block) return;
    b->block->use = gw_use_all(run);
    gw_block_give(run, b->block);
    b->block = NULL;
}

void gw_buffer_free(gw_program *run, gw_buffer *b) {
    gw_contents_free(run, b);
    gw_block_give(run, b->shadow_block);
    for (int i = 0; i < GW_TWINS_MOST; i++)
        gw_block_give(run, b->twins[i]);
    gw_block_give(run, b->result);
    give_block(run, b);
    free(b->integers.at);
    free(b->numbers.at);
    free(b->writes);
    free(b->pending);
    free(b->lost);
    free(b);
}

static void take_from_released(gw_program *run, const gw_buffer *b) {
    size_t kept = 0;
    for (size_t i = 0; i < run->released_count; i++)
        if (run->released[i] != b) run->released[kept++] = run->released[i];
    run->released_count = kept;
}

void gw_buffer_sleep(gw_program *run, gw_buffer *b) {
    if (b->asleep) return;
    take_out(run, b);
    take_from_released(run, b);
    gw_contents_free(run, b);
    give_block(run, b);
    b->lost_count = 0;
    b->needed = b->released = false;
    b->gone_from = b->gone_to = b->hull_from = b->hull_to = 0;
    b->home = gw_use_none();
    b->origin = (gw_origin){0};
    b->version++;
    b->along = NULL; /* it sleeps too */
    b->along_is_new = false;
    b->asleep = true;
}

static gw_buffer *make(gw_program *run) {
    gw_buffer *b = calloc(1, sizeof *b);
    if (!b) {
        gw_run_fail(run, GW_ERROR_MEMORY, "no host memory for a buffer of a program");
        return NULL;
    }
    b->home = b->before = b->shadow_use = b->along_use = gw_use_none();
    return b;
}

/* ---- the caller's ---- */

/* Told before: nothing is lost by hearing it again, but two adjoints are one too many. */
static void give_again(gw_program *run, gw_buffer *b, void *shadow, size_t bytes) {
    char text[32];
    if (!b->given || (shadow && b->shadow && b->shadow != shadow)) {
        gw_run_fail(run, GW_ERROR_ARGUMENT, "the buffer %s is given with two adjoints",
                    gw_buffer_name(b, text));
        return;
    }
    if (shadow) b->shadow = shadow;
    if (bytes && (b->bytes == SIZE_MAX || b->bytes < bytes)) b->bytes = bytes;
    cut_at_next(run, position(run, b->base) - 1);
}

void gw_program_given(gw_program *run, const void *at, void *shadow, size_t bytes) {
    if (gw_run_is_dead(run) || !at) return;
    const size_t after = position(run, at);
    if (after && run->sorted[after - 1]->base == (const char *)at) {
        give_again(run, run->sorted[after - 1], shadow, bytes);
        return;
    }
    if ((size_t)((uintptr_t)at - (uintptr_t)run->pool->given) < run->pool->given_bytes) {
        gw_run_fail(run, GW_ERROR_ARGUMENT, "the buffer %p of the caller's lies in the workspace", at);
        return;
    }
    gw_buffer *b = make(run);
    if (!b) return;
    b->base = (char *)(uintptr_t)at;
    b->shadow = shadow;
    b->bytes = bytes ? bytes : SIZE_MAX;
    b->given = true;
    if (!insert(run, b)) free(b);
}

void gw_program_apart_from(gw_program *run, const void *at, const char *name, bool varied, bool useful) {
    if (gw_run_is_dead(run) || !at) return;
    const size_t after = position(run, at);
    gw_buffer *b = after ? run->sorted[after - 1] : NULL;
    char text[32];
    const bool same = b && b->base == (const char *)at;
    if (same && (!b->passive || (b->varied && useful) || (b->useful && varied))) {
        gw_run_fail(run, GW_ERROR_ARGUMENT,
                    "%s and %s are the same memory, and the gradient was made without a derivative of %s: name "
                    "it in the request too, or give it memory of its own",
                    name, gw_buffer_name(b, text), name);
        return;
    }
    gw_program_given(run, at, NULL, 0);
    b = gw_buffer_beginning(run, at);
    if (!b) return;
    b->passive = true;
    b->varied |= varied;
    b->useful |= useful;
}

void gw_program_alike(gw_program *run, const char *adjoint, size_t count, const char *primal,
                      size_t primal_count) {
    if (gw_run_is_dead(run) || count == primal_count) return;
    gw_run_fail(run, GW_ERROR_ARGUMENT, "%s has %zu elements, and %s has %zu", adjoint, count, primal,
                primal_count);
}

void gw_program_unmoved(gw_program *run, const void *now, const void *before, size_t count, size_t count_before,
                        const char *name) {
    if (gw_run_is_dead(run) || (now == before && count == count_before)) return;
    gw_run_fail(run, GW_ERROR_ARGUMENT,
                "the program leaves %s with %s elements, of which the gradient's caller does not know: give it "
                "its size before",
                name, now == before ? "another number of" : "other");
}

void gw_program_named(gw_program *run, const void *at, const char *name) {
    if (gw_run_is_dead(run) || !at) return;
    const size_t after = position(run, at);
    if (after && run->sorted[after - 1]->base == (const char *)at) run->sorted[after - 1]->name = name;
}

void gw_program_forget(gw_program *run, const void *at) {
    if (gw_run_is_dead(run) || !at) return;
    gw_buffer *b = gw_buffer_beginning(run, at);
    if (!b) return;
    if (!b->given) {
        gw_run_fail(run, GW_ERROR_ARGUMENT, "%p is the program's own and was not given", at);
        return;
    }
    if (b->mark_at) {
        gw_run_fail(run, GW_ERROR_ARGUMENT, "%p ends its life behind a mark, and began it before", at);
        return;
    }
    take_out(run, b);
    gw_buffer_free(run, b);
}

/* ---- the program's ---- */

/* Memory that the host writes to: whoever had the block must be done. */
static void settle(gw_program *run, const gw_use *before) {
    gw_program_awaited(run);
    gw_pool_settle(run);
    for (int lane = 0; before->writer != no_stream && lane < run->lane_count; lane++)
        gw_run_ok(run, cudaStreamSynchronize(run->lanes[lane].stream), "cudaStreamSynchronize");
}

void *gw_program_alloc(gw_program *run, size_t bytes, gw_space space) {
    if (gw_run_is_dead(run) || bytes == 0) return NULL;
    run->backward = false;
    gw_buffer *b = gw_marks_birth(run, bytes, space);
    if (!b && !gw_run_is_dead(run)) b = make(run);
    if (!b) return NULL;
    b->block = gw_block_take(run, bytes, space, no_stream, GW_PART_OWN);
    if (b->block) {
        b->base = b->block->at;
        b->bytes = bytes;
        b->space = space;
        b->looked_up = true;
        b->before = b->block->use;
        if (space != GW_SPACE_DEVICE && b->block->used_before) settle(run, &b->before);
    }
    if (gw_run_is_dead(run) || !insert(run, b)) {
        gw_block_give(run, b->block);
        b->block = NULL;
        if (!b->asleep) free(b);
        return NULL;
    }
    gw_marks_born(run, b);
    return b->base;
}

static gw_buffer *own_beginning(gw_program *run, void *at) {
    gw_buffer *b = gw_buffer_beginning(run, at);
    if (!b || !b->given) return b;
    char text[32];
    gw_run_fail(run, GW_ERROR_ARGUMENT, "%s is the caller's, and the program frees it",
                gw_buffer_name(b, text));
    return NULL;
}

void gw_program_release(gw_program *run, void *at) {
    if (gw_run_is_dead(run) || !at) return;
    gw_buffer *b = own_beginning(run, at);
    if (!b) return;
    if (b->released) {
        gw_run_fail(run, GW_ERROR_ARGUMENT, "%p is freed twice", at);
        return;
    }
    b->released = true;
    if (b->along && !b->along->given) gw_program_release(run, b->along->base);
    b->along_is_new = false; /* nobody asks for tangents of it any more */
    if (run->along && b->space == GW_SPACE_DEVICE) {
        take_out(run, b);
        gw_buffer_free(run, b);
        return;
    }
    if (gw_marks_release(run, b)) return;
    /* What the host writes to stays: no stream says when a block of that kind is free again. So does memory
     * under a texture, which leads there on the way back, too. */
    if (b->space != GW_SPACE_DEVICE || gw_contents_are_needed(b) || gw_texture_reads(run, b)) return;
    if (!gw_grow(run, (void **)&run->released, &run->released_room, run->released_count, sizeof *run->released))
        return;
    take_out(run, b);
    run->released[run->released_count++] = b;
    give_block(run, b);
    gw_contents_lose(run, b);
}

void gw_program_unalloc(gw_program *run, void *at) {
    if (gw_run_is_dead(run) || !at) return;
    run->backward = true;
    gw_buffer *b = own_beginning(run, at);
    if (b && b->along) gw_program_unalloc(run, b->along->base);
    if (!b || gw_run_is_dead(run)) return;
    gw_marks_unborn(run, b);
    take_out(run, b);
    gw_buffer_free(run, b);
}
