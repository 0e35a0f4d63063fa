/*
 * figures.c - what a run takes, and for which of its calls: kept for each run, and printed on demand.
 *
 * Blocks are counted when they are taken and given back, by what they are for; when the sum of all is greater
 * than ever, the parts are remembered, so that a peak is said with what it consists of. A call is known by the
 * address of its text. Two addresses with one text (a header in two translation units; the reverse of the call)
 * are one call: that is looked at once for each address.
 *
 * All of it lives in the pool, which a run has for itself; so the figures can be read when the run is over.
 * Without memory for a table, calls are counted under none.
 */
#include "private.h"

#include <stdlib.h>
#include <string.h>

void gw_ledger_begin(gw_pool *pool) {
    gw_ledger *l = &pool->ledger;
    l->figures = (gw_program_figures){0};
    memset(l->used, 0, sizeof l->used);
    l->site_count = l->known_count = l->now = 0;
    if (l->known) memset(l->known, 0, l->known_room * sizeof *l->known);
}

void gw_ledger_free(gw_ledger *l) {
    free(l->sites);
    free(l->known);
}

/* ---- calls ---- */

/* Its place in the table, or where it would be: there is always a free one. */
static gw_known *place(const gw_ledger *l, const char *what) {
    const size_t mask = l->known_room - 1;
    size_t at = (size_t)((uintptr_t)what * 0x9E3779B97F4A7C15u >> 20) & mask;
    while (l->known[at].site && l->known[at].what != what)
        at = (at + 1) & mask;
    return &l->known[at];
}

/* Half of it stays free. */
static bool widen_known(gw_ledger *l) {
    if (2 * (l->known_count + 1) <= l->known_room) return true;
    const size_t room = l->known_room ? 2 * l->known_room : 64;
    gw_known *const old = l->known, *const made = calloc(room, sizeof *made);
    const size_t count = l->known_room;
    if (!made) return false;
    l->known = made;
    l->known_room = room;
    for (size_t i = 0; i < count; i++)
        if (old[i].site) *place(l, old[i].what) = old[i];
    free(old);
    return true;
}

static bool add_site(gw_ledger *l, const char *what) {
    if (l->site_count == l->site_room) {
        const size_t room = l->site_room ? 2 * l->site_room : 16;
        gw_site *more = realloc(l->sites, room * sizeof *more);
        if (!more) return false;
        l->sites = more;
        l->site_room = room;
    }
    l->sites[l->site_count++] = (gw_site){.what = what};
    return true;
}

/* The call's index; 0 if there is no memory for it. */
static size_t find_site(gw_ledger *l, const char *what) {
    if (!widen_known(l) || (!l->site_count && !add_site(l, NULL))) return 0;
    gw_known *known = place(l, what);
    if (known->site) return known->site - 1;
    size_t at = 1;
    while (at < l->site_count && strcmp(l->sites[at].what, what) != 0)
        at++;
    if (at == l->site_count && !add_site(l, what)) return 0;
    *known = (gw_known){what, at + 1};
    l->known_count++;
    return at;
}

/* The site that something is taken for now; null without memory. */
static gw_site *site_now(gw_ledger *l) {
    if (!l->site_count && !add_site(l, NULL)) return NULL;
    return &l->sites[l->now];
}

void gw_program_call(gw_program *run, const char *what) {
    if (gw_run_is_dead(run)) return;
    run->backward = false;
    gw_ledger *l = &run->pool->ledger;
    l->now = find_site(l, what);
    l->figures.calls++;
    gw_site *s = site_now(l);
    if (s) s->times++;
}

void gw_program_uncall(gw_program *run, const char *what) {
    if (gw_run_is_dead(run)) return;
    run->backward = true;
    run->pool->ledger.now = find_site(&run->pool->ledger, what);
}

const char *gw_ledger_call(const gw_pool *pool) {
    const gw_ledger *l = &pool->ledger;
    return l->site_count ? l->sites[l->now].what : NULL;
}

void gw_program_awaited(gw_program *run) {
    if (gw_run_is_dead(run)) return;
    gw_ledger *l = &run->pool->ledger;
    l->figures.waits++;
    gw_site *s = site_now(l);
    if (s) s->waits++;
}

/* ---- blocks ---- */

void gw_ledger_take(gw_program *run, gw_block *block, gw_part part) {
    gw_ledger *l = &run->pool->ledger;
    block->part = part;
    if (!gw_space_is_counted(block->space)) return;
    l->used[part] += block->bytes;
    gw_site *s = site_now(l);
    if (s) s->taken[part] += block->bytes;
    if (run->pool->used <= l->figures.peak) return;
    l->figures.peak = run->pool->used;
    l->figures.own = l->used[GW_PART_OWN];
    l->figures.shadows = l->used[GW_PART_SHADOW];
    l->figures.saved = l->used[GW_PART_SAVED];
    l->figures.work = l->used[GW_PART_WORK];
}

void gw_ledger_give(gw_program *run, const gw_block *block) {
    if (gw_space_is_counted(block->space)) run->pool->ledger.used[block->part] -= block->bytes;
}

void gw_ledger_save(gw_program *run, size_t bytes) {
    run->pool->ledger.figures.saves++;
    run->pool->ledger.figures.saved_bytes += bytes;
}

/* ---- what is said of it ---- */

void gw_pool_figures(const gw_pool *pool, gw_program_figures *out) { *out = pool->ledger.figures; }

static void print_site(const gw_site *s, FILE *to) {
    size_t all = s->waits;
    for (int part = 0; part < GW_PART_COUNT; part++)
        all += s->taken[part];
    if (!all) return;
    fprintf(to, "%8zu %12zu %12zu %12zu %12zu %6zu  %s\n", s->times, s->taken[GW_PART_OWN],
            s->taken[GW_PART_SAVED], s->taken[GW_PART_SHADOW], s->taken[GW_PART_WORK], s->waits,
            s->what ? s->what : "what no call caused");
}

void gw_pool_print(const gw_pool *pool, FILE *to) {
    const gw_ledger *l = &pool->ledger;
    const gw_program_figures *f = &l->figures;
    fprintf(to,
            "gradwright: %zu bytes of device memory at most: %zu the program's own, %zu saved, %zu adjoints, "
            "%zu workspace\n",
            f->peak, f->own, f->saved, f->shadows, f->work);
    fprintf(to, "%8s %12s %12s %12s %12s %6s  %s\n", "times", "own", "saved", "adjoints", "workspace", "waits",
            "call, and bytes taken for it in all");
    for (size_t i = 1; i < l->site_count; i++)
        print_site(&l->sites[i], to);
    if (l->site_count) print_site(&l->sites[0], to);
    fprintf(to, "%8zu calls, %zu copies of contents with %zu bytes, %zu waits\n", f->calls, f->saves,
            f->saved_bytes, f->waits);
}

void gw_ledger_print(const gw_pool *pool) {
    const char *asked = getenv("GW_PROGRAM_REPORT");
    if (asked && *asked && strcmp(asked, "0") != 0) gw_pool_print(pool, stderr);
}
