/*
 * pool.c - blocks of memory that are kept between runs, by space and size class, and events.
 *
 * A class is a sixteenth of a power of two, so that a block is at most 1/16 larger than asked for. A second run
 * that asks as the first one did finds a block for each demand: at each moment it uses as many of a class as
 * the first did, and none was freed. Freeing for the limit breaks that, not the result.
 *
 * While a graph is captured CUDA forbids allocations unless the thread says that it means them (relaxed); they
 * are no part of the graph then, as it should be. What a graph may use is never freed before the pool.
 */
#include "private.h"

#include <stdlib.h>
#include <string.h>

enum { smallest_block = 256, looked_at_most = 8 };

gw_status gw_pool_make(gw_pool **made) {
    *made = calloc(1, sizeof **made);
    return *made ? GW_OK : gw_report(GW_ERROR_MEMORY, "no memory for a pool");
}

gw_status gw_pool_make_over(gw_pool **made, void *at, size_t bytes) {
    const gw_status status = gw_pool_make(made);
    const size_t skipped = (size_t)(-(uintptr_t)at) % smallest_block;
    if (status != GW_OK || !at || bytes <= skipped) return status;
    (*made)->given = (char *)at + skipped;
    (*made)->given_bytes = (*made)->given_left = bytes - skipped;
    return GW_OK;
}

size_t gw_pool_room(double bytes) {
    const double most = bytes + bytes / 16 + 64 * smallest_block;
    if (!(bytes > 0)) return 0;
    return most < (double)(SIZE_MAX / 4) ? (size_t)most : SIZE_MAX / 4;
}

void gw_pool_limit(gw_pool *pool, size_t bytes) { pool->limit = bytes; }
size_t gw_pool_peak(const gw_pool *pool) { return pool->peak; }
size_t gw_pool_held(const gw_pool *pool) { return pool->held; }

bool gw_space_is_counted(gw_space space) {
    return space == GW_SPACE_DEVICE || space == GW_SPACE_MANAGED;
}

/* The size that blocks for so many bytes have, and its class; 0: too large. */
static size_t round_up(size_t bytes, unsigned int *class) {
    if (bytes < smallest_block) bytes = smallest_block;
    unsigned int exponent = 0; /* of the greatest power of two below */
    while (exponent < 62 && (bytes - 1) >> (exponent + 1) != 0)
        exponent++;
    const size_t step = (size_t)1 << (exponent - 4);
    if (bytes > SIZE_MAX / 4) return 0;
    const size_t rounded = (bytes + step - 1) / step * step;
    *class = exponent * class_steps + (unsigned int)((rounded - 1 - ((size_t)1 << exponent)) / step);
    return rounded;
}

/* ---- CUDA ---- */

static enum cudaStreamCaptureMode relax(void) {
    enum cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    (void)cudaThreadExchangeStreamCaptureMode(&mode);
    return mode;
}

static void tighten(enum cudaStreamCaptureMode mode) { (void)cudaThreadExchangeStreamCaptureMode(&mode); }

static cudaError_t allocate(void **at, size_t bytes, gw_space space) {
    const enum cudaStreamCaptureMode mode = relax();
    cudaError_t error = cudaSuccess;
    switch (space) {
    case GW_SPACE_DEVICE:
        error = cudaMalloc(at, bytes);
        break;
    case GW_SPACE_MANAGED:
        error = cudaMallocManaged(at, bytes, cudaMemAttachGlobal);
        break;
    case GW_SPACE_PINNED:
        error = cudaMallocHost(at, bytes);
        break;
    case GW_SPACE_HOST:
        *at = malloc(bytes);
        error = *at ? cudaSuccess : cudaErrorMemoryAllocation;
        break;
    }
    tighten(mode);
    return error;
}

static void free_memory(void *at, gw_space space) {
    if (space == GW_SPACE_HOST)
        free(at);
    else if (space == GW_SPACE_PINNED)
        (void)cudaFreeHost(at);
    else
        (void)cudaFree(at);
}

/* ---- blocks ---- */

/* A part of the caller's memory; false: it does not fit. */
static bool cut_off(gw_pool *pool, gw_block *block, size_t bytes) {
    const size_t taken = (bytes + smallest_block - 1) / smallest_block * smallest_block;
    if (block->space != GW_SPACE_DEVICE || taken > pool->given_left) return false;
    block->at = pool->given + (pool->given_bytes - pool->given_left);
    pool->given_left -= taken;
    block->is_given = true;
    return true;
}

/* Frees blocks of the list until so many bytes are held, or none is left. */
static void trim_list(gw_pool *pool, gw_block **list, size_t bytes) {
    while (*list && pool->held > bytes) {
        gw_block *block = *list, **link = &pool->all;
        if (block->is_given) {
            list = &block->next_free;
            continue;
        }
        *list = block->next_free;
        while (*link != block)
            link = &(*link)->next;
        *link = block->next;
        pool->held -= block->bytes;
        free_memory(block->at, block->space);
        free(block);
    }
}

/* Frees blocks that nobody uses. */
static void trim(gw_pool *pool, size_t bytes) {
    if (pool->captured) return;
    for (int class = class_count - 1; class >= 0 && pool->held > bytes; class --)
        for (int space = GW_SPACE_DEVICE; space <= GW_SPACE_MANAGED; space++)
            for (int apart = 0; apart < 2; apart++)
                trim_list(pool, &pool->free[apart][space][class], bytes);
}

/* Whether so much more may be allocated; blocks that nobody uses make room for it. */
static bool is_allowed(gw_program *run, size_t asked, size_t bytes) {
    gw_pool *pool = run->pool;
    const size_t most = bytes > pool->limit ? 0 : pool->limit - bytes;
    if (!pool->limit || (bytes <= pool->limit && pool->held <= most)) return true;
    trim(pool, bytes > pool->limit ? pool->held : most);
    if (bytes <= pool->limit && pool->held <= most) return true;
    const char *help = "; GW_CHECKPOINT_BINOMIAL(n) before a loop keeps its contents n times at most";
    gw_run_fail(run, GW_ERROR_MEMORY,
                "%zu bytes wanted, %zu in use, and the pool is limited to %zu (gw_pool_limit)%s", asked,
                pool->used, pool->limit, run->saved_bytes ? help : "");
    return false;
}

static gw_block *make(gw_program *run, size_t asked, size_t bytes, gw_space space) {
    gw_pool *pool = run->pool;
    gw_block made = {.bytes = bytes, .space = space}, *block = malloc(sizeof *block);
    const bool fits = block && cut_off(pool, &made, bytes), is_counted = gw_space_is_counted(space);
    if (!fits && is_counted && !is_allowed(run, asked, bytes)) {
        free(block);
        return NULL;
    }
    cudaError_t error = block ? cudaSuccess : cudaErrorMemoryAllocation;
    if (block && !fits) error = allocate(&made.at, bytes, space);
    const size_t given = pool->given_bytes - pool->given_left;
    if (block && error == cudaErrorMemoryAllocation && is_counted && pool->held + given > pool->used) {
        (void)cudaGetLastError();
        trim(pool, 0);
        error = allocate(&made.at, bytes, space);
    }
    if (error != cudaSuccess) {
        free(block);
        (void)cudaGetLastError();
        if (run->error == cudaSuccess && run->status == GW_OK) run->error = error;
        gw_run_fail(run, error == cudaErrorMemoryAllocation ? GW_ERROR_MEMORY : GW_ERROR_CUDA,
                    "%zu bytes wanted, %zu held: %s: %s", asked, pool->held, cudaGetErrorName(error),
                    cudaGetErrorString(error));
        return NULL;
    }
    *block = made;
    block->next = pool->all;
    pool->all = block;
    if (is_counted && !fits) pool->held += bytes;
    return block;
}

/* The one of the class that `on` need not wait for, if it is among the first. */
static gw_block *find(gw_program *run, gw_block **list, int on) {
    gw_block **found = list, **at = list;
    for (int looked = 0; *at && looked < looked_at_most; looked++, at = &(*at)->next_free)
        if ((*at)->run != run->run || gw_use_is_near(run, &(*at)->use, on)) {
            found = at;
            break;
        }
    gw_block *block = *found;
    if (block) *found = block->next_free;
    return block;
}

static gw_block *take(gw_program *run, size_t bytes, gw_space space, int on, gw_part part, bool apart) {
    if (gw_run_is_dead(run)) return NULL;
    unsigned int class = 0;
    const size_t rounded = round_up(bytes, &class);
    if (!rounded) {
        gw_run_fail(run, GW_ERROR_MEMORY, "%zu bytes wanted", bytes);
        return NULL;
    }
    gw_block *block = find(run, &run->pool->free[apart][space][class], on);
    if (!block) block = make(run, bytes, rounded, space);
    if (!block) return NULL;
    if (block->run != run->run) block->use = gw_use_none();
    block->class = class;
    block->apart = apart;
    if (gw_space_is_counted(space) && (run->pool->used += block->bytes) > run->pool->peak)
        run->pool->peak = run->pool->used;
    gw_ledger_take(run, block, part);
    block->used_before = block->run != 0;
    block->run = run->run;
    if (on == no_stream) return block;
    gw_use_write(run, &block->use, on);
    if (!gw_run_is_dead(run)) return block;
    block->use = gw_use_all(run);
    gw_block_give(run, block);
    return NULL;
}

gw_block *gw_block_take(gw_program *run, size_t bytes, gw_space space, int on, gw_part part) {
    return take(run, bytes, space, on, part, false);
}

gw_block *gw_block_take_apart(gw_program *run, size_t bytes, gw_space space, int on) {
    return take(run, bytes, space, on, GW_PART_OWN, true);
}

void gw_block_give(gw_program *run, gw_block *block) {
    if (!block) return;
    gw_spill_drop(run, block);
    gw_block **list = &run->pool->free[block->apart][block->space][block->class];
    if (gw_space_is_counted(block->space)) run->pool->used -= block->bytes;
    gw_ledger_give(run, block);
    block->next_free = *list;
    *list = block;
}

/* ---- events ---- */

bool gw_event_push(gw_event_list *to, cudaEvent_t event) {
    if (to->count == to->room) {
        const size_t room = to->room ? 2 * to->room : 8;
        cudaEvent_t *bigger = realloc(to->list, room * sizeof *bigger);
        if (!bigger) return false;
        to->list = bigger;
        to->room = room;
    }
    to->list[to->count++] = event;
    return true;
}

cudaError_t gw_event_find(gw_pool *pool, cudaEvent_t *event) {
    *event = pool->idle.count ? pool->idle.list[--pool->idle.count] : NULL;
    if (*event) return cudaSuccess;
    const enum cudaStreamCaptureMode mode = relax();
    const cudaError_t error = cudaEventCreateWithFlags(event, cudaEventDisableTiming);
    tighten(mode);
    return error;
}

cudaEvent_t gw_event_take(gw_program *run) {
    cudaEvent_t event = NULL;
    return gw_run_ok(run, gw_event_find(run->pool, &event), "cudaEventCreateWithFlags") ? event : NULL;
}

void gw_event_give(gw_pool *pool, cudaEvent_t event) {
    if (event && !gw_event_push(&pool->idle, event)) (void)cudaEventDestroy(event);
}

void gw_pool_settle(gw_program *run) {
    const enum cudaStreamCaptureMode mode = relax();
    for (size_t i = 0; i < run->pool->ends.count; i++)
        gw_run_ok(run, cudaEventSynchronize(run->pool->ends.list[i]), "cudaEventSynchronize");
    tighten(mode);
}

static void free_events(gw_event_list *list) {
    for (size_t i = 0; i < list->count; i++)
        (void)cudaEventDestroy(list->list[i]);
    free(list->list);
}

void gw_pool_free(gw_pool *pool) {
    if (!pool) return;
    (void)cudaDeviceSynchronize();
    while (pool->all) {
        gw_block *block = pool->all;
        pool->all = block->next;
        if (!block->is_given) free_memory(block->at, block->space);
        free(block);
    }
    free_events(&pool->idle);
    free_events(&pool->ends);
    if (pool->spill_stream) (void)cudaStreamDestroy(pool->spill_stream);
    free(pool->measured);
    gw_handles_free(pool);
    gw_textures_free(pool);
    gw_ledger_free(&pool->ledger);
    free(pool);
}
