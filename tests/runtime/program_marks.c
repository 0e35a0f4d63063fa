/*
 * Marks of programs, sentence by sentence: what is saved behind one and how often, what goes with it, where
 * allocations come again, that one stream needs no events, and what is an error.
 */
#include "program_checks.h"

static void back(gw_program *run) {
    gw_program_restore(run);
    gw_program_unmark(run);
    gw_program_log(run);
}

/* A call that overwrites: what is there afterwards. */
static void put(gw_program *run, char *at, size_t bytes, char with) {
    gw_program_writes(run, at, bytes, NULL);
    if (gw_program_failed(run)) return;
    cudaDeviceSynchronize();
    memset(at, with, bytes);
}

/* Nobody asks for what is overwritten, and it is saved: once for each byte and mark, in whatever pieces. */
static void saves_once(void) {
    char *a = device(1000);
    gw_program *run = gw_program_begin(NULL);
    gw_program_given(run, a, NULL, 0);
    gw_program_mark(run);
    for (int i = 0; i < 100; i++) {
        gw_program_reads(run, a); /* tells nothing */
        put(run, a + 900, 100, 2);
        put(run, a, 100, 2);
        put(run, a + 50, 100, 2);
        put(run, a + 400, 10, 2);
    }
    CHECK(gw_program_saved_bytes(run) == 260);
    put(run, a, 1000, 3);
    CHECK(gw_program_saved_bytes(run) == 1000);
    gw_program_mark(run);
    put(run, a, 1000, 4);
    put(run, a, 1000, 5);
    CHECK(gw_program_saved_bytes(run) == 2000);
    gw_program_log(run);
    back(run);
    cudaDeviceSynchronize();
    CHECK(a[0] == 3 && a[999] == 3);
    back(run);
    cudaDeviceSynchronize();
    CHECK(a[0] == 1 && a[450] == 1 && a[999] == 1);
    CHECK(gw_program_end(run) == GW_OK);
    cudaDeviceSynchronize();
    CHECK(a[0] == 5 && a[999] == 5); /* an output */
    cudaFree(a);
}

/* What a recorded call behind the mark overwrites is there again, though no reverse needs it. */
static void behind(void) {
    char *a = device(100);
    gw_program *run = gw_program_begin(NULL);
    gw_program_given(run, a, NULL, 0);
    put(run, a, 100, 2);
    gw_program_mark(run);
    put(run, a, 60, 3);
    gw_program_log(run);
    CHECK(gw_program_saved_bytes(run) == 60);
    put(run, a + 20, 80, 4);
    CHECK(gw_program_saved_bytes(run) == 100);
    gw_program_unwrite(run, a + 20);
    gw_program_restore(run);
    cudaDeviceSynchronize();
    for (int i = 0; i < 100; i++)
        CHECK(a[i] == 2);
    put(run, a, 60, 3); /* again, and all is saved */
    CHECK(gw_program_saved_bytes(run) == 100);
    back(run);
    gw_program_unwrite(run, a);
    CHECK(gw_program_end(run) == GW_OK);
    cudaDeviceSynchronize();
    CHECK(a[0] == 3 && a[20] == 4 && a[99] == 4);
    cudaFree(a);
}

/* A segment's own buffers need no memory but while they are there; one that goes on comes again with its
 * adjoint. */
static void allocations(void) {
    gw_pool *pool = NULL;
    CHECK(gw_pool_make(&pool) == GW_OK);
    gw_program *run = gw_program_begin(pool);
    gw_program_mark(run);
    char *kept = gw_program_alloc(run, 1 << 16, GW_SPACE_DEVICE);
    for (int i = 0; i < 100; i++) {
        char *t = gw_program_alloc(run, 1 << 16, GW_SPACE_DEVICE);
        put(run, t, 1 << 16, 1);
        gw_program_release(run, t);
    }
    CHECK(gw_pool_peak(pool) == 2 << 16 && gw_program_saved_bytes(run) == 0);
    gw_program_mark(run);
    gw_program_release(run, kept); /* stays for the mark */
    CHECK(gw_program_alloc(run, 1 << 16, GW_SPACE_DEVICE) != kept);
    gw_program_log(run);
    back(run);
    char *d = gw_program_shadow(run, kept, NULL);
    CHECK(d);
    gw_program_restore(run);
    CHECK(!gw_program_failed(run));
    char *again = gw_program_alloc(run, 1 << 16, GW_SPACE_DEVICE);
    CHECK(again && gw_program_shadow(run, again, NULL) == d);
    CHECK(gw_program_alloc(run, 1 << 15, GW_SPACE_DEVICE)); /* one that went within its part may be another */
    CHECK(gw_program_end(run) == GW_OK);
    run = gw_program_begin(pool);
    gw_program_mark(run);
    CHECK(gw_program_alloc(run, 64, GW_SPACE_DEVICE));
    gw_program_restore(run);
    CHECK(!gw_program_alloc(run, 128, GW_SPACE_DEVICE));
    ends_with(run, GW_ERROR_ARGUMENT, "allocates otherwise");
    gw_pool_free(pool);
}

/* The same segment many times: its mark's contents stay, and memory does not grow. */
static void again_and_again(void) {
    gw_pool *pool = NULL;
    CHECK(gw_pool_make(&pool) == GW_OK);
    gw_program *run = gw_program_begin(pool);
    char *a = gw_program_alloc(run, 1 << 16, GW_SPACE_DEVICE);
    put(run, a, 1 << 16, 7);
    gw_program_mark(run);
    for (int i = 0; i < 50; i++) {
        put(run, a, 1 << 16, 8);
        gw_program_mark(run);
        put(run, a, 1 << 16, 9);
        gw_program_restore(run);
        gw_program_unmark(run);
        gw_program_restore(run);
        cudaDeviceSynchronize();
        CHECK(a[0] == 7);
    }
    CHECK(gw_pool_peak(pool) == 3 << 16);
    CHECK(gw_program_end(run) == GW_OK);
    gw_pool_free(pool);
}

/* One stream needs no events for it; nothing waits on the host. */
static void one_stream(void) {
    char *a = device(64);
    gw_pool *pool = NULL;
    CHECK(gw_pool_make(&pool) == GW_OK);
    const unsigned int events = fake_events(), syncs = fake_syncs();
    gw_program *run = gw_program_begin(pool);
    gw_program_given(run, a, NULL, 0);
    for (int i = 0; i < 5; i++) {
        gw_program_mark(run);
        gw_program_writes(run, a, 0, NULL);
    }
    gw_program_log(run);
    for (int i = 0; i < 5; i++) {
        back(run);
        gw_program_writes(run, a, 0, NULL);
        gw_program_unwrite(run, a);
    }
    CHECK(gw_program_end(run) == GW_OK);
    CHECK(fake_events() == events + 1 && fake_syncs() == syncs);
    gw_pool_free(pool);
    cudaFree(a);
}

static void refusals(void) {
    char *a = device(16);
    gw_program *run = gw_program_begin(NULL);
    gw_program_restore(run);
    ends_with(run, GW_ERROR_ARGUMENT, "no mark");
    run = gw_program_begin(NULL);
    gw_program_given(run, a, NULL, 0);
    gw_program_mark(run);
    gw_program_writes(run, a, 0, NULL);
    gw_program_unmark(run);
    ends_with(run, GW_ERROR_ARGUMENT, "before memory is as it was");
    run = gw_program_begin(NULL);
    gw_program_given(run, a, NULL, 0);
    gw_program_mark(run);
    gw_program_writes(run, a, 0, NULL);
    gw_program_unwrite(run, a); /* it was not recorded */
    ends_with(run, GW_ERROR_ARGUMENT, "not told");
    run = gw_program_begin(NULL);
    gw_program_given(run, a, NULL, 0);
    gw_program_mark(run);
    gw_program_log(run);
    gw_program_writes(run, a, 0, NULL);
    gw_program_mark(run);
    gw_program_log(run);
    gw_program_writes(run, a, 0, NULL);
    gw_program_restore(run); /* before that call was taken back */
    ends_with(run, GW_ERROR_ARGUMENT, "is not taken back");
    run = gw_program_begin(NULL);
    gw_program_given(run, a, NULL, 0);
    gw_program_mark(run);
    gw_program_forget(run, a);
    ends_with(run, GW_ERROR_ARGUMENT, "began it before");
    cudaFree(a);
}

/* The text of a limit says what helps, where it is contents that take the memory. */
static void limits(void) {
    gw_pool *pool = NULL;
    CHECK(gw_pool_make(&pool) == GW_OK);
    gw_pool_limit(pool, 4 << 16);
    gw_program *run = gw_program_begin(pool);
    char *a = gw_program_alloc(run, 1 << 16, GW_SPACE_DEVICE);
    for (int i = 0; i < 4; i++) {
        gw_program_reads(run, a);
        gw_program_writes(run, a, 0, NULL);
    }
    ends_with(run, GW_ERROR_MEMORY, "GW_CHECKPOINT_BINOMIAL");
    gw_pool_free(pool);
}

int main(void) {
    const unsigned int alive = fake_alive();
    saves_once();
    behind();
    allocations();
    again_and_again();
    one_stream();
    refusals();
    limits();
    CHECK(fake_alive() == alive);
    return 0;
}
