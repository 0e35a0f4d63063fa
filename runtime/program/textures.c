/*
 * textures.c - texture objects that a program makes.
 *
 * They belong to the pool, since the way back fetches from them, and graphs that were captured do: a run that
 * asks for one over the same memory, read in the same way, gets the one that there is. Too many of them, those
 * that this run did not ask for go, once what earlier runs queued is done.
 */
#include "private.h"

#include <stdlib.h>
#include <string.h>

enum { textures_most = 256 };

static gw_texture_kept *find(const gw_pool *pool, const gw_program_texels *of) {
    for (size_t i = 0; i < pool->texture_count; i++) {
        gw_texture_kept *t = &pool->textures[i];
        if (t->of.at == of->at && memcmp(t->of.as, of->as, sizeof of->as) == 0) return t;
    }
    return NULL;
}

unsigned long long gw_program_texture_found(gw_program *run, const gw_program_texels *of) {
    gw_texture_kept *t = gw_run_is_dead(run) ? NULL : find(run->pool, of);
    if (t) t->run = run->run;
    return t ? t->object : 0;
}

static void drop_old(gw_program *run) {
    gw_pool *pool = run->pool;
    size_t kept = 0;
    if (pool->texture_count < textures_most || pool->captured) return;
    gw_pool_settle(run);
    for (size_t i = 0; i < pool->texture_count; i++) {
        if (pool->textures[i].run == run->run)
            pool->textures[kept++] = pool->textures[i];
        else
            pool->textures[i].end(pool->textures[i].object);
    }
    pool->texture_count = kept;
}

void gw_program_texture_add(gw_program *run, const gw_program_texels *of, unsigned long long object,
                            gw_program_texture_end *end) {
    gw_pool *pool = gw_run_is_dead(run) ? NULL : run->pool;
    if (pool) drop_old(run);
    void **list = pool ? (void **)&pool->textures : NULL;
    if (!pool || !gw_grow(run, list, &pool->texture_room, pool->texture_count, sizeof *pool->textures)) {
        end(object);
        return;
    }
    pool->textures[pool->texture_count++] = (gw_texture_kept){*of, object, end, run->run};
}

const void *gw_program_texture(gw_program *run, unsigned long long object) {
    for (size_t i = 0; !gw_run_is_dead(run) && i < run->pool->texture_count; i++)
        if (run->pool->textures[i].object == object) return run->pool->textures[i].of.at;
    return NULL;
}

bool gw_texture_reads(const gw_program *run, const gw_buffer *b) {
    bool reads = false;
    for (size_t i = 0; i < run->pool->texture_count && !reads; i++) {
        const gw_texture_kept *t = &run->pool->textures[i];
        const char *at = t->of.at;
        reads = t->run == run->run && at >= b->base && (size_t)(at - b->base) < b->bytes;
    }
    return reads;
}

void gw_textures_free(gw_pool *pool) {
    for (size_t i = 0; i < pool->texture_count; i++)
        pool->textures[i].end(pool->textures[i].object);
    free(pool->textures);
}

void gw_program_texels_are(gw_program *run, const void *at, unsigned long long width, unsigned long long height,
                           unsigned long long pitch, unsigned long long format) {
    if (gw_run_is_dead(run) ||
        !gw_grow(run, (void **)&run->texels, &run->texels_room, run->texels_count, sizeof *run->texels))
        return;
    run->texels[run->texels_count++] = (gw_texels_said){at, {width, height, pitch, format}};
}

unsigned long long gw_program_texels_of(gw_program *run, const void *at, int which) {
    const gw_texels_said *found = NULL;
    if (gw_run_is_dead(run)) return 0;
    for (size_t i = run->texels_count; i-- > 0;) {
        const gw_texels_said *t = &run->texels[i];
        if (t->at != at) continue;
        if (found && run->backward && memcmp(t->said, found->said, sizeof t->said) != 0)
            gw_run_fail(run, GW_ERROR_ARGUMENT, "two arrays of textures of different sizes lay in one place");
        if (!found) found = t;
    }
    if (!found) gw_run_fail(run, GW_ERROR_ARGUMENT, "an array of textures that the program did not make");
    return found ? found->said[which] : 0;
}

void gw_texels_free(gw_program *run) { free(run->texels); }
