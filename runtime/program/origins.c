/*
 * origins.c - what lies in a buffer and can be had again without being saved: what one copy or one fill made of
 * all of it.
 *
 * A copy is as good as its source, if that holds what it held then, and is kept for some reverse in any case:
 * so nothing more is saved for it than without. A fill is made again when somebody asks. `origin` is of what
 * lies in a buffer now, going forward; it is gone with the next write, or when memory goes back to a mark. A
 * write that would save the buffer as a whole keeps the origin in its entry instead, and when it is taken back
 * the buffer stands for that (contents.c). The source is not overwritten between the copy and that write, so
 * between their reverses it is of the version that was copied, wherever that lies by then.
 *
 * Copies of pageable memory are not made again: the host would wait for them.
 */
#include "private.h"

bool gw_origin_holds(const gw_buffer *b) {
    const gw_origin *o = &b->origin;
    if (o->kind != GW_ORIGIN_COPY) return o->kind == GW_ORIGIN_FILL;
    const gw_buffer *of = o->of;
    return of->version == o->version && !of->released && !of->asleep && of->needed &&
           of->gone_from == of->gone_to;
}

/* The buffer, if the call that was just told of wrote all of it, and is recorded. */
static gw_buffer *written(gw_program *run, void *to, size_t bytes) {
    if (gw_run_is_dead(run) || run->unrecorded || run->along || !to || !bytes) return NULL;
    gw_buffer *b = gw_buffer_of(run, to);
    const bool whole = b && b->base == (char *)to && b->bytes == bytes;
    return whole && gw_space_is_counted(b->space) ? b : NULL;
}

void gw_program_writes_copy(gw_program *run, void *to, const void *from, size_t bytes, gw_stream on) {
    gw_program_reaches(run, from, bytes);
    gw_program_writes(run, to, bytes, on);
    gw_buffer *b = written(run, to, bytes), *of = b && from ? gw_buffer_known(run, from) : NULL;
    if (!of || of == b || !gw_space_is_counted(of->space)) return;
    const size_t shift = (size_t)((const char *)from - of->base);
    if (bytes > of->bytes - shift) return;
    b->origin = (gw_origin){.kind = GW_ORIGIN_COPY, .of = of, .shift = shift, .version = of->version};
}

void gw_program_writes_fill(gw_program *run, void *to, int byte, size_t bytes, gw_stream on) {
    gw_program_writes(run, to, bytes, on);
    gw_buffer *b = written(run, to, bytes);
    if (b) b->origin = (gw_origin){.kind = GW_ORIGIN_FILL, .byte = byte};
}
