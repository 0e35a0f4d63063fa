/*
 * What a run says of its memory: computed by hand for a loop with ping-pong buffers, and as a table.
 */
#include "program_checks.h"

enum { bytes = 4096, work = 1024, steps = 6 };

static const char *const step = "step at heat.cu:12", *const allocation = "an allocation at heat.cu:9";

static void swap(char **x, char **y) {
    char *const other = *x;
    *x = *y;
    *y = other;
}

/* Each step reads u and overwrites v; `number`: its reverse waits for one. */
static void ping_pong(gw_pool *pool, int count, int number) {
    gw_program *run = gw_program_begin(pool);
    gw_program_call(run, allocation);
    char *u = gw_program_alloc(run, bytes, GW_SPACE_DEVICE), *v = gw_program_alloc(run, bytes, GW_SPACE_DEVICE);
    for (int k = 0; k < count; k++) {
        gw_program_call(run, step);
        gw_program_reads(run, u);
        gw_program_writes(run, v, 0, NULL);
        swap(&u, &v);
    }
    for (int k = 0; k < count; k++) {
        swap(&u, &v);
        gw_program_uncall(run, k % 2 ? step : "step at heat.cu:12\0" /* the same text elsewhere */);
        gw_program_unwrite(run, v);
        CHECK(gw_program_workspace(run, work, NULL) && gw_program_content(run, u, NULL));
        CHECK(gw_program_shadow(run, u, NULL) && gw_program_shadow(run, v, NULL));
        if (number) gw_program_awaited(run);
    }
    gw_program_unalloc(run, v);
    gw_program_unalloc(run, u);
    CHECK(gw_program_end(run) == GW_OK);
}

/* The first step overwrites what nobody reads; all others what the one before has read. */
static void by_hand(void) {
    gw_pool *pool = NULL;
    gw_program_figures f;
    CHECK(gw_pool_make(&pool) == GW_OK);
    gw_pool_figures(pool, &f);
    CHECK(f.peak == 0 && f.calls == 0);
    for (int turn = 0; turn < 3; turn++) { /* of each run, not of the pool */
        const int count = turn == 1 ? 2 : steps;
        ping_pong(pool, count, turn);
        gw_pool_figures(pool, &f);
        CHECK(f.own == 2 * bytes && f.saved == (size_t)(count - 1) * bytes && f.work == work);
        CHECK(f.shadows == 2 * bytes && f.peak == f.own + f.saved + f.shadows + f.work);
        CHECK(f.saves == (size_t)count - 1 && f.saved_bytes == f.saves * bytes);
        CHECK(f.calls == (size_t)count + 1 && f.waits == (turn ? (size_t)count : 0));
        CHECK(turn || gw_pool_peak(pool) == f.peak);
    }
    gw_pool_free(pool);
}

/* What was in use at the peak, not what there was in all: temporaries come and go. */
static void moment(void) {
    gw_pool *pool = NULL;
    gw_program_figures f;
    CHECK(gw_pool_make(&pool) == GW_OK);
    gw_program *run = gw_program_begin(pool);
    CHECK(gw_program_workspace(run, bytes, NULL));
    for (int i = 0; i < 10; i++) {
        char *temporary = gw_program_alloc(run, bytes, GW_SPACE_DEVICE);
        gw_program_unalloc(run, temporary);
    }
    CHECK(gw_program_alloc(run, 16 * bytes, GW_SPACE_PINNED)); /* is none of the device's */
    CHECK(gw_program_end(run) == GW_OK);
    gw_pool_figures(pool, &f);
    CHECK(f.peak == 2 * bytes && f.own == bytes && f.work == bytes && f.saved == 0 && f.shadows == 0);
    gw_pool_free(pool);
}

/* More calls than the table begins with, and what it says. */
static void table(void) {
    static char names[200][16], text[4096];
    gw_pool *pool = NULL;
    CHECK(gw_pool_make(&pool) == GW_OK);
    gw_program *run = gw_program_begin(pool);
    CHECK(gw_program_workspace(run, 300, NULL));
    for (int i = 0; i < 200; i++) {
        snprintf(names[i], sizeof names[i], "call %d", i);
        gw_program_call(run, names[i]);
        gw_program_call(run, names[i]);
        if (i % 50 == 7) gw_program_alloc(run, bytes, GW_SPACE_DEVICE);
    }
    CHECK(gw_program_end(run) == GW_OK);
    FILE *out = tmpfile();
    CHECK(out);
    gw_pool_print(pool, out);
    rewind(out);
    text[fread(text, 1, sizeof text - 1, out)] = '\0';
    fclose(out);
    static const char wanted[] =
        "gradwright: 16688 bytes of device memory at most: 16384 the program's own, 0 saved, 0 adjoints, 304 "
        "workspace\n"
        "   times          own        saved     adjoints    workspace  waits  call, and bytes taken for it in "
        "all\n"
        "       2         4096            0            0            0      0  call 7\n"
        "       2         4096            0            0            0      0  call 57\n"
        "       2         4096            0            0            0      0  call 107\n"
        "       2         4096            0            0            0      0  call 157\n"
        "       0            0            0            0          304      0  what no call caused\n"
        "     400 calls, 0 copies of contents with 0 bytes, 0 waits\n";
    if (strcmp(text, wanted) != 0) printf("%s", text);
    CHECK(strcmp(text, wanted) == 0);
    gw_pool_free(pool);
}

/* An error says which call it was, and what the source calls the buffer. */
static void errors(void) {
    gw_pool *pool = NULL;
    CHECK(gw_pool_make(&pool) == GW_OK);
    gw_program *run = gw_program_begin(pool);
    char *u = gw_program_alloc(run, bytes, GW_SPACE_DEVICE);
    gw_program_named(run, u, "u");
    gw_program_call(run, step);
    gw_program_writes(run, u + 1, bytes, NULL);
    CHECK(gw_program_end(run) == GW_ERROR_ARGUMENT);
    CHECK(strcmp(gw_last_error(), "a call writes beyond the end of u (step at heat.cu:12)") == 0);
    gw_pool_free(pool);
}

int main(void) {
    const unsigned int alive = fake_alive();
    by_hand();
    moment();
    table();
    errors();
    CHECK(fake_alive() == alive);
    return 0;
}
