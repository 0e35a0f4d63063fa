/*
 * program.c - a run: its beginning and end, and its status, which is that of the first failure.
 *
 * Every function of the interface asks gw_run_is_dead first, so that a gradient need not ask behind each call:
 * after a failure it gets null pointers, and nothing is queued. The end works on what a failure left.
 */
#include "private.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool gw_run_is_dead(const gw_program *run) { return !run || run->status != GW_OK; }

void gw_run_fail(gw_program *run, gw_status status, const char *format, ...) {
    if (gw_run_is_dead(run)) return;
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(run->text, sizeof run->text, format, arguments) < 0) run->text[0] = '\0';
    va_end(arguments);
    const size_t length = strlen(run->text);
    const char *const call = run->pool ? gw_ledger_call(run->pool) : NULL;
    if (call) snprintf(run->text + length, sizeof run->text - length, " (%s)", call);
    run->status = status;
    if (run->error == cudaSuccess)
        run->error = status == GW_ERROR_MEMORY ? cudaErrorMemoryAllocation : cudaErrorUnknown;
}

bool gw_run_ok(gw_program *run, cudaError_t error, const char *call) {
    gw_program_check(run, (int)error, call);
    return error == cudaSuccess;
}

gw_program *gw_program_begin(gw_pool *pool) {
    gw_program *run = calloc(1, sizeof *run);
    if (!run) {
        gw_report(GW_ERROR_MEMORY, "no memory for a program's run");
        return NULL;
    }
    if (pool && pool->busy) {
        gw_run_fail(run, GW_ERROR_ARGUMENT, "the pool serves another run, which has not ended");
        return run;
    }
    run->pool = pool;
    run->own_pool = !pool;
    if (!pool && gw_pool_make(&run->pool) != GW_OK) {
        gw_run_fail(run, GW_ERROR_MEMORY, "no memory for a pool");
        return run;
    }
    run->pool->busy = true;
    run->run = ++run->pool->run;
    gw_ledger_begin(run->pool);
    return run;
}

void gw_program_along(gw_program *run) {
    if (!gw_run_is_dead(run)) run->along = true;
}

int gw_program_failed(const gw_program *run) { return gw_run_is_dead(run); }

int gw_program_error(const gw_program *run) {
    if (!run) return cudaErrorMemoryAllocation;
    return (int)run->error;
}

int gw_program_check(gw_program *run, int error, const char *what) {
    if (error == cudaSuccess || gw_run_is_dead(run)) return error;
    run->error = (cudaError_t)error;
    gw_run_fail(run, GW_ERROR_CUDA, "%s: %s: %s", what, cudaGetErrorName((cudaError_t)error),
                cudaGetErrorString((cudaError_t)error));
    return error;
}

gw_status gw_program_check_status(gw_program *run, gw_status status, const char *what) {
    if (status != GW_OK)
        gw_run_fail(run, status, "%s: %s", what, *gw_last_error() ? gw_last_error() : gw_status_text(status));
    return status;
}

void gw_program_waited(gw_program *run) {
    if (!gw_run_is_dead(run)) run->waited = true;
}

size_t gw_program_saved_bytes(const gw_program *run) { return run ? run->saved_bytes : 0; }

/* After a run that failed inputs are put back, and the text gets the adjoints that are not as they were. */
static void rescue(gw_program *run) {
    bool any = false;
    for (size_t i = 0; i < run->sorted_count; i++)
        any = any || run->sorted[i]->kept;
    if (any) (void)cudaDeviceSynchronize();
    size_t length = strlen(run->text);
    const char *before =
        run->along ? "; not as they were: the tangents of " : "; not as they were: the adjoints of ";
    for (size_t i = 0; i < run->sorted_count; i++) {
        gw_buffer *b = run->sorted[i];
        if (b->kept) gw_contents_rescue(b);
        if (!b->shadow_asked || b->shadow_block || length + 80 > sizeof run->text) continue;
        char text[32];
        const int more =
            snprintf(run->text + length, sizeof run->text - length, "%s%.40s", before, gw_buffer_name(b, text));
        length += more > 0 ? (size_t)more : 0;
        before = ", ";
    }
}

static void give_all_back(gw_program *run) {
    gw_marks_free(run); /* asks buffers of both lists */
    for (size_t i = 0; i < run->sorted_count; i++)
        gw_buffer_free(run, run->sorted[i]);
    for (size_t i = 0; i < run->released_count; i++)
        gw_buffer_free(run, run->released[i]);
    gw_tapes_free(run);
    gw_texels_free(run);
    gw_lanes_end(run);
    run->pool->busy = false;
    gw_ledger_print(run->pool);
    if (run->own_pool) gw_pool_free(run->pool);
}

gw_status gw_program_end(gw_program *run) {
    if (!run) return gw_report(GW_ERROR_MEMORY, "no memory for a program's run");
    if (run->pool) run->pool->ledger.now = 0;
    for (size_t i = 0; i < run->sorted_count; i++)
        gw_shadow_add_outer(run, run->sorted[i]);
    gw_marks_end(run);
    if (run->pool) gw_lanes_wait(run);
    if (run->status != GW_OK) rescue(run);
    if (run->pool) give_all_back(run);
    const gw_status status =
        run->status == GW_OK ? gw_report(GW_OK, NULL) : gw_report(run->status, "%s", run->text);
    free(run->sorted);
    free(run->released);
    free(run->marks);
    free(run->births);
    free(run->lanes);
    free(run->waited_for);
    free(run->joins);
    free(run);
    return status;
}
