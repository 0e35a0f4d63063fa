/*
 * shadows.c - adjoints of buffers, and memory for the work of one call.
 *
 * An adjoint lies at the same offset as its primal, in the same kind of memory: the caller's, or a block that
 * is taken and zeroed when it is first asked for. An input that the program overwrites has a block in any case
 * (its adjoint is consumed where it is overwritten), which is added to the caller's at the end. All uses of it
 * are writes, since a gradient adds to what it reads: on another stream than before they wait.
 */
#include "private.h"

#include <stdlib.h>
#include <string.h>

static bool set_ratio(gw_program *run, gw_buffer *b, unsigned int ratio) {
    if (b->ratio && b->ratio != ratio) {
        char text[32];
        gw_run_fail(run, GW_ERROR_ARGUMENT, "the adjoint of %s has elements of two widths",
                    gw_buffer_name(b, text));
        return false;
    }
    b->ratio = ratio;
    return true;
}

/* Nobody but copies comes to memory of the host without a size, and going forward each said how far. */
static bool make(gw_program *run, gw_buffer *b, int lane) {
    const bool knows = run->backward || run->along;
    const size_t reach = b->bytes == SIZE_MAX && knows ? gw_buffer_reach(run, b) : 0;
    if (!reach && !gw_buffer_is_sized(run, b)) return false;
    const size_t bytes = gw_size_mul(reach ? reach : b->bytes, b->ratio);
    gw_block *block = gw_block_take(run, bytes, b->space, lane, GW_PART_SHADOW);
    if (!block) return false;
    b->shadow_block = block;
    b->shadow = block->at;
    b->shadow_use = block->use;
    if (b->space == GW_SPACE_HOST) {
        memset(block->at, 0, block->bytes);
        return true;
    }
    return gw_run_ok(run, cudaMemsetAsync(block->at, 0, bytes, run->lanes[lane].stream),
                     "cudaMemsetAsync of an adjoint");
}

/* In a forward derivative the next copy may come further than those before. */
static bool widen(gw_program *run, gw_buffer *b, int lane) {
    gw_block *before = b->shadow_block;
    if (!run->along || !before || b->bytes != SIZE_MAX) return true;
    if (gw_size_mul(gw_buffer_reach(run, b), b->ratio) <= before->bytes) return true;
    if (!make(run, b, lane)) return false;
    memcpy(b->shadow_block->at, before->at, before->bytes);
    gw_block_give(run, before);
    return true;
}

/* The caller's adjoint of host memory is host memory, and of memory that kernels reach such memory. */
static bool lies_right(gw_program *run, gw_buffer *b) {
    if (b->shadow_block || b->shadow_looked_up) return true;
    b->shadow_looked_up = true;
    const gw_space space = gw_space_of(run, b->shadow);
    if (gw_run_is_dead(run)) return false;
    if ((space == GW_SPACE_HOST) == (b->space == GW_SPACE_HOST)) return true;
    char text[32];
    gw_run_fail(run, GW_ERROR_ARGUMENT, "the adjoint of %s lies in another kind of memory than its primal",
                gw_buffer_name(b, text));
    return false;
}

static void set_number(gw_buffer *b, unsigned int number) {
    b->number = b->number && b->number != number ? several_numbers : number;
}

/* ---- bits that are moved as integers ---- */

static bool has(const gw_places *of, size_t at) {
    for (size_t i = 0; i < of->count; i++)
        if (of->at[i] == at) return true;
    return false;
}

static void keep(gw_program *run, gw_places *of, size_t at) {
    if (has(of, at)) return;
    if (of->count == of->room) {
        const size_t room = of->room ? 2 * of->room : 8;
        size_t *more = realloc(of->at, room * sizeof *more);
        if (!more) {
            gw_run_fail(run, GW_ERROR_MEMORY, "no memory to keep track of pointers");
            return;
        }
        of->at = more, of->room = room;
    }
    of->at[of->count++] = at;
}

static void fail_as_both(gw_program *run, const gw_buffer *b, size_t at) {
    char text[32];
    gw_run_fail(run, GW_ERROR_ARGUMENT,
                "%s, %zu bytes from its beginning, is used as floating-point numbers that have a derivative "
                "and as integers, which have none: give each memory of its own",
                gw_buffer_name(b, text), at);
}

void gw_program_integers(gw_program *run, const void *where) {
    gw_buffer *b = gw_run_is_dead(run) || !where ? NULL : gw_buffer_of(run, where);
    if (!b) return;
    const size_t at = (size_t)((const char *)where - b->base);
    const bool is_given = !at && b->given && b->shadow && !b->shadow_block;
    if (is_given || has(&b->numbers, at)) fail_as_both(run, b, at);
    else keep(run, &b->integers, at);
}

/* In a forward derivative integers may come behind. */
static bool is_of_numbers(gw_program *run, gw_buffer *b, const void *where) {
    const size_t at = (size_t)((const char *)where - b->base);
    if (has(&b->integers, at)) {
        fail_as_both(run, b, at);
        return false;
    }
    if (run->along) keep(run, &b->numbers, at);
    return true;
}

/* `number` 0: nothing is said. */
static void *shadow_of(gw_program *run, const void *at, unsigned int ratio, unsigned int number, gw_stream on) {
    if (gw_run_is_dead(run) || !at) return NULL;
    gw_buffer *b = gw_buffer_of(run, at);
    const int lane = b && is_of_numbers(run, b, at) ? gw_lane_of(run, on) : no_stream;
    if (lane < 0 || !set_ratio(run, b, ratio) || (!b->shadow && !make(run, b, lane)) || !widen(run, b, lane) ||
        !lies_right(run, b))
        return NULL;
    if (b->add && b->overwritten && !b->shadow_block && !b->outer) {
        b->outer = b->shadow;
        if (!make(run, b, lane)) return NULL;
    }
    gw_use *use = b->shadow_block ? &b->shadow_block->use : &b->shadow_use;
    gw_use_write(run, use, lane);
    b->shadow_asked = true;
    if (number) set_number(b, number);
    if (gw_run_is_dead(run)) return NULL;
    return b->shadow + (size_t)((const char *)at - b->base) * ratio;
}

void *gw_program_shadow_of(gw_program *run, const void *at, unsigned int ratio, unsigned int number,
                           gw_stream on) {
    return shadow_of(run, at, ratio, number ? number : several_numbers, on);
}

/* An adjoint that is wider than its primal has floats. */
void *gw_program_shadow_wide(gw_program *run, const void *at, unsigned int ratio, gw_stream on) {
    return shadow_of(run, at, ratio, ratio > 1 ? sizeof(float) : several_numbers, on);
}

void *gw_program_shadow(gw_program *run, const void *at, gw_stream on) {
    return gw_program_shadow_wide(run, at, 1, on);
}

void gw_program_shadow_holds(gw_program *run, const void *at, unsigned int number) {
    gw_buffer *b = gw_run_is_dead(run) || !at ? NULL : gw_buffer_of(run, at);
    if (b) set_number(b, number);
}

unsigned int gw_program_shadow_number(gw_program *run, const void *at) {
    const gw_buffer *b = gw_run_is_dead(run) || !at ? NULL : gw_buffer_of(run, at);
    return b && b->number != several_numbers ? b->number : 0;
}

/* ---- one pointer twice ---- */

static gw_block *make_twin(gw_program *run, gw_buffer *b, int lane) {
    if (!gw_buffer_is_sized(run, b)) return NULL;
    gw_block *twin = gw_block_take(run, b->bytes, b->space, lane, GW_PART_SHADOW);
    if (twin)
        gw_run_ok(run, cudaMemsetAsync(twin->at, 0, b->bytes, run->lanes[lane].stream),
                  "cudaMemsetAsync of a second adjoint");
    return twin;
}

void *gw_program_shadow_beside(gw_program *run, const void *at, int again, unsigned int number, gw_stream on) {
    if (!again) return gw_program_shadow_of(run, at, 1, number, on);
    if (gw_run_is_dead(run) || !at) return NULL;
    gw_buffer *b = gw_buffer_of(run, at);
    const int lane = b ? gw_lane_of(run, on) : no_stream;
    if (lane < 0) return NULL;
    set_number(b, number);
    if (b->twins_out == GW_TWINS_MOST) {
        char text[32];
        gw_run_fail(run, GW_ERROR_ARGUMENT,
                    "a launch takes more than %d pointers into %s; its reverse can tell no more of them apart",
                    GW_TWINS_MOST + 1, gw_buffer_name(b, text));
        return NULL;
    }
    gw_block **twin = &b->twins[b->twins_out];
    if (!*twin) *twin = make_twin(run, b, lane);
    if (!*twin || gw_run_is_dead(run)) return NULL;
    gw_use_write(run, &(*twin)->use, lane);
    if (gw_run_is_dead(run)) return NULL;
    b->twins_out++;
    return (char *)(*twin)->at + ((const char *)at - b->base);
}

void *gw_program_take_twin(gw_program *run, const void *at, gw_stream on, size_t *bytes, void **first) {
    gw_buffer *b = gw_run_is_dead(run) ? NULL : gw_buffer_of(run, at);
    *bytes = 0;
    if (!b || !b->twins_out) return NULL;
    *first = shadow_of(run, b->base, 1, 0, on);
    if (gw_run_is_dead(run)) return NULL;
    *bytes = b->bytes;
    return b->twins[--b->twins_out]->at;
}

int gw_program_meets(gw_program *run, const void *one, const void *other) {
    if (gw_run_is_dead(run) || !one || !other) return 0;
    const gw_buffer *b = gw_buffer_of(run, one);
    return b && b == gw_buffer_of(run, other);
}

void gw_program_apart(gw_program *run, const void *one, const void *other, const char *what) {
    if (one && one == other) gw_run_fail(run, GW_ERROR_ARGUMENT, "%s are one pointer", what);
}

void gw_shadow_add_outer(gw_program *run, gw_buffer *b) {
    if (gw_run_is_dead(run) || !b->outer || !b->shadow_block) return;
    gw_use_read(run, &b->shadow_block->use, 0);
    if (gw_run_is_dead(run)) return;
    gw_program_check_status(
        run,
        b->add(b->outer, b->shadow_block->at, gw_size_mul(b->bytes, b->ratio), b->space, run->lanes[0].stream),
        "the adjoint of an input");
}

unsigned int gw_program_shadow_ratio(gw_program *run, const void *at) {
    const gw_buffer *b = gw_run_is_dead(run) || !at ? NULL : gw_buffer_of(run, at);
    if (!b || !b->shadow) return 0;
    return b->ratio ? b->ratio : 1;
}

int gw_program_is_constant(gw_program *run, const void *at) {
    const gw_buffer *b = gw_run_is_dead(run) || !at ? NULL : gw_buffer_of(run, at);
    return b && b->given && !b->shadow && !b->overwritten;
}

gw_space gw_program_shadow_space(gw_program *run, const void *at) {
    if (gw_run_is_dead(run) || !at) return GW_SPACE_HOST;
    const gw_buffer *b = gw_buffer_of(run, at);
    return b ? b->space : GW_SPACE_HOST;
}

void *gw_program_staging(gw_program *run, size_t bytes, gw_space space, gw_stream on) {
    const int lane = gw_run_is_dead(run) || !bytes ? no_stream : gw_lane_of(run, on);
    if (lane < 0) return NULL;
    gw_block **work = &run->lanes[lane].work[space];
    if (!*work || (*work)->bytes < bytes) {
        gw_block_give(run, *work);
        *work = NULL; /* a failure leaves nothing to give back twice */
        *work = gw_block_take(run, bytes, space, lane, GW_PART_WORK);
    }
    return *work ? (*work)->at : NULL;
}

void *gw_program_workspace(gw_program *run, size_t bytes, gw_stream on) {
    return gw_program_staging(run, bytes, GW_SPACE_DEVICE, on);
}
