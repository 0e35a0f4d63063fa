/*
 * The runtime of programs, sentence by sentence: what is saved and what is not, whose buffer a pointer is, what
 * is an error, limits of pools, and what the bookkeeping of a launch costs. Streams are those of fake_cuda.h.
 */
#include "program_checks.h"

#include <stdint.h>
#include <time.h>

/* ---- what is saved ---- */

static void saves_what_is_needed(void) {
    char *a = device(1000);
    gw_program *run = gw_program_begin(NULL);
    gw_program_given(run, a, NULL, 0);
    gw_program_writes(run, a, 0, NULL); /* nobody reads what was there */
    CHECK(gw_program_saved_bytes(run) == 0);
    gw_program_reads(run, a);
    gw_program_reads(run, a + 10);
    CHECK(gw_program_saved_bytes(run) == 0);
    gw_program_writes(run, a, 0, NULL);
    CHECK(gw_program_saved_bytes(run) == 1000);
    gw_program_writes(run, a, 0, NULL); /* that version is saved, and the next is not needed */
    gw_program_writes(run, a + 100, 50, NULL);
    CHECK(gw_program_saved_bytes(run) == 1000);
    gw_program_reads(run, a);
    for (int i = 0; i < 10; i++)
        gw_program_writes(run, a + 100 * i, 100, NULL); /* slice by slice: once each */
    gw_program_writes(run, a, 0, NULL);
    CHECK(gw_program_saved_bytes(run) == 2000);
    CHECK(gw_program_end(run) == GW_OK);
    cudaFree(a);
}

/* A trajectory: each call writes one slice and reads the one before. Not the whole of it is saved each time. */
static void trajectory(void) {
    char *u = device(1000);
    gw_program *run = gw_program_begin(NULL);
    gw_program_given(run, u, NULL, 0);
    for (int i = 0; i < 9; i++) {
        gw_program_reads(run, u + 100 * i);
        gw_program_writes(run, u + 100 * (i + 1), 100, NULL);
    }
    CHECK(gw_program_saved_bytes(run) == 900);
    CHECK(gw_program_end(run) == GW_OK);
    cudaFree(u);
}

/* A copy of what is kept anyway, and a fill, are not saved; a copy of anything else is, and so is one whose
 * source is overwritten before it. */
static void made_again(void) {
    char *a = device(8), *b = device(8), *c = device(8);
    gw_program *run = gw_program_begin(NULL);
    for (int i = 0; i < 3; i++)
        gw_program_given(run, i ? i == 1 ? b : c : a, NULL, 8);
    gw_program_keep(run, a);
    gw_program_writes_copy(run, b, a, 8, NULL);
    gw_program_writes_fill(run, c, 7, 8, NULL);
    gw_program_reads(run, b), gw_program_reads(run, c);
    gw_program_writes(run, b, 0, NULL);
    gw_program_writes(run, c, 0, NULL);
    CHECK(gw_program_saved_bytes(run) == 0);
    gw_program_writes_copy(run, b, c, 8, NULL); /* no reverse reads c */
    gw_program_reads(run, b);
    gw_program_writes(run, b, 0, NULL);
    CHECK(gw_program_saved_bytes(run) == 8);
    gw_program_writes_copy(run, b, a, 8, NULL);
    gw_program_reads(run, b);
    gw_program_writes(run, a, 0, NULL);
    CHECK(gw_program_saved_bytes(run) == 16);
    gw_program_writes(run, b, 0, NULL);
    CHECK(gw_program_saved_bytes(run) == 24);
    gw_program_unwrite(run, b), gw_program_unwrite(run, a), gw_program_unwrite(run, b);
    gw_program_unwrite(run, b), gw_program_unwrite(run, b);
    gw_program_unwrite(run, c), gw_program_unwrite(run, b);
    CHECK(gw_program_content(run, b, NULL) == a);
    const char *filled = gw_program_content(run, c, NULL);
    CHECK(cudaDeviceSynchronize() == cudaSuccess && filled != c && filled[0] == 7 && filled[7] == 7);
    gw_program_unwrite(run, c), gw_program_unwrite(run, b);
    CHECK(gw_program_end(run) == GW_OK);
    cudaFree(a), cudaFree(b), cudaFree(c);
}

static void versions(void) {
    char *a = device(8), *d = device(8);
    gw_program *run = gw_program_begin(NULL);
    gw_program_given(run, a, d, 0);
    for (char i = 1; i <= 3; i++) {
        gw_program_reads(run, a);
        gw_program_writes(run, a, 0, NULL);
        CHECK(cudaMemsetAsync(a, 10 * i, 8, NULL) == cudaSuccess);
    }
    cudaDeviceSynchronize();
    CHECK(gw_program_content(run, a + 3, NULL) == a + 3); /* still there */
    for (char i = 2; i >= 0; i--) {
        gw_program_unwrite(run, a);
        const char *was = gw_program_content(run, a + 3, NULL);
        cudaDeviceSynchronize();
        CHECK(was && was != a + 3 && *was == (i ? 10 * i : 1) && *a == 30);
        CHECK(gw_program_shadow(run, a + 3, NULL) == d + 3);
    }
    CHECK(gw_program_end(run) == GW_OK);
    cudaFree(a);
    cudaFree(d);
}

/* ---- whose a pointer is ---- */

static void two_in_one_allocation(void) {
    char *a = device(100), *d = device(40), *e = device(60);
    gw_program *run = gw_program_begin(NULL);
    gw_program_given(run, a + 40, e, 0);
    gw_program_given(run, a, d, 0);
    CHECK(gw_program_shadow(run, a + 39, NULL) == d + 39);
    CHECK(gw_program_shadow(run, a + 40, NULL) == e && gw_program_shadow(run, a + 99, NULL) == e + 59);
    gw_program_reads(run, a);
    gw_program_reads(run, a + 40);
    gw_program_writes(run, a, 0, NULL); /* ends where the other begins */
    CHECK(gw_program_saved_bytes(run) == 40);
    gw_program_writes(run, a + 50, 0, NULL);
    CHECK(gw_program_saved_bytes(run) == 100);
    CHECK(gw_program_end(run) == GW_OK);
    cudaFree(a);
    cudaFree(d);
    cudaFree(e);
}

/* The distance to the next buffer is no size. */
static void neighbours(void) {
    char *a = device(32), *b = device(32);
    for (int turn = 0; turn < 2; turn++) {
        gw_program *run = gw_program_begin(NULL);
        gw_program_given(run, turn ? b : a, NULL, 0);
        gw_program_given(run, turn ? a : b, NULL, 0);
        gw_program_writes(run, a, 32, NULL);
        gw_program_writes(run, b, 32, NULL);
        CHECK(!gw_program_failed(run));
        gw_program_reads(run, a < b ? a + 33 : b + 33);
        ends_with(run, GW_ERROR_ARGUMENT, "lies in no buffer");
    }
    cudaFree(a);
    cudaFree(b);
}

/* Without an adjoint one is made, zeroed, and on the program's stream. */
static void made_shadow(void) {
    char *a = device(100);
    gw_pool *pool = NULL;
    CHECK(gw_pool_make(&pool) == GW_OK);
    for (int i = 0; i < 2; i++) {
        gw_program *run = gw_program_begin(pool);
        gw_program_given(run, a, NULL, 0);
        char *d = gw_program_shadow_wide(run, a + 50, 2, NULL);
        CHECK(cudaStreamSynchronize(NULL) == cudaSuccess);
        CHECK(d && d[-100] == 0 && d[99] == 0);
        memset(d, 7, 10);
        CHECK(!gw_program_shadow(run, a, NULL));
        ends_with(run, GW_ERROR_ARGUMENT, "two widths");
    }
    gw_pool_free(pool);
    cudaFree(a);
}

/* ---- errors ---- */

static void refusals(void) {
    char *a = device(16), *d = device(16), *e = device(16), host[16];
    gw_program *run = gw_program_begin(NULL);
    gw_program_given(run, a, d, 0);
    gw_program_given(run, a, e, 0);
    ends_with(run, GW_ERROR_ARGUMENT, "two adjoints");
    gw_program_reads(run = gw_program_begin(NULL), a);
    ends_with(run, GW_ERROR_ARGUMENT, "lies in no buffer");
    run = gw_program_begin(NULL);
    gw_program_given(run, a, d, 0);
    gw_program_reads(run, a + 17);
    ends_with(run, GW_ERROR_ARGUMENT, "lies in no buffer");
    run = gw_program_begin(NULL);
    gw_program_given(run, a, d, 0);
    gw_program_writes(run, a + 8, 9, NULL);
    ends_with(run, GW_ERROR_ARGUMENT, "beyond the end");
    run = gw_program_begin(NULL);
    gw_program_given(run, a, d, 0);
    gw_program_unwrite(run, a);
    ends_with(run, GW_ERROR_ARGUMENT, "not told");
    run = gw_program_begin(NULL); /* a read that was not told: no wrong bytes */
    gw_program_given(run, a, d, 0);
    gw_program_writes(run, a, 4, NULL);
    gw_program_unwrite(run, a);
    CHECK(!gw_program_content(run, a + 8, NULL));
    ends_with(run, GW_ERROR_ARGUMENT, "internal error");
    run = gw_program_begin(NULL);
    gw_program_given(run, host, NULL, 0);
    CHECK(!gw_program_shadow(run, host, NULL));
    ends_with(run, GW_ERROR_ARGUMENT, "size of the host memory");
    run = gw_program_begin(NULL);
    gw_program_given(run, a, host, 0);
    CHECK(!gw_program_shadow(run, a, NULL));
    ends_with(run, GW_ERROR_ARGUMENT, "another kind of memory");
    run = gw_program_begin(NULL);
    gw_program_given(run, a, d, 0);
    gw_program_release(run, a);
    ends_with(run, GW_ERROR_ARGUMENT, "the caller's");
    run = gw_program_begin(NULL);
    CHECK(gw_program_check(run, cudaErrorLaunchFailure, "step at heat.cu:12") == cudaErrorLaunchFailure);
    CHECK(gw_program_check(run, cudaErrorInvalidValue, "another") == cudaErrorInvalidValue);
    CHECK(gw_program_error(run) == cudaErrorLaunchFailure && !gw_program_alloc(run, 8, GW_SPACE_DEVICE));
    ends_with(run, GW_ERROR_CUDA, "step at heat.cu:12: error");
    cudaFree(a);
    cudaFree(d);
    cudaFree(e);
}

/* ---- pools ---- */

static void limits(void) {
    gw_pool *pool = NULL;
    CHECK(gw_pool_make(&pool) == GW_OK);
    gw_pool_limit(pool, 100000);
    gw_program *run = gw_program_begin(pool), *second = gw_program_begin(pool);
    ends_with(second, GW_ERROR_ARGUMENT, "another run");
    CHECK(gw_program_alloc(run, 60000, GW_SPACE_DEVICE));
    CHECK(gw_program_alloc(run, 1 << 20, GW_SPACE_PINNED)); /* no device memory */
    CHECK(!gw_program_alloc(run, 50000, GW_SPACE_MANAGED));
    ends_with(run, GW_ERROR_MEMORY, "50000 bytes wanted");
    CHECK(strstr(gw_last_error(), "100000"));
    CHECK(gw_pool_held(pool) >= 60000 && gw_pool_held(pool) < 65536);
    CHECK(gw_pool_peak(pool) == gw_pool_held(pool));
    run = gw_program_begin(pool); /* what nobody uses makes room */
    CHECK(gw_program_alloc(run, 90000, GW_SPACE_DEVICE));
    CHECK(gw_program_end(run) == GW_OK);
    CHECK(gw_pool_held(pool) < 100000);
    gw_pool_free(pool);
}

/* Device memory is the caller's first; what does not fit, or is of another kind, is allocated. */
static void over_memory(void) {
    char *given = device(4096);
    for (int small = 0; small < 2; small++) {
        gw_pool *pool = NULL;
        CHECK(gw_pool_make_over(&pool, given + 8, small ? 1500 : 4000) == GW_OK);
        gw_program *run = gw_program_begin(pool);
        char *a = gw_program_alloc(run, 1000, GW_SPACE_DEVICE),
             *b = gw_program_alloc(run, 1000, GW_SPACE_DEVICE),
             *c = gw_program_alloc(run, 100, GW_SPACE_MANAGED);
        CHECK(a == given + 256 && (small ? b < given || b >= given + 4096 : b == given + 256 + 1024));
        CHECK(c && (c < given || c >= given + 4096));
        CHECK(gw_pool_held(pool) == (small ? 1024u + 256u : 256u));
        CHECK(gw_program_end(run) == GW_OK);
        run = gw_program_begin(pool);
        gw_program_given(run, given + 512, NULL, 0);
        ends_with(run, GW_ERROR_ARGUMENT, "lies in the workspace");
        gw_pool_limit(pool, 100); /* what is the caller's is not freed for it */
        run = gw_program_begin(pool);
        const char *again = gw_program_alloc(run, 1000, GW_SPACE_DEVICE);
        CHECK(again == a || again == b);
        CHECK(gw_program_end(run) == GW_OK);
        gw_pool_free(pool);
    }
    cudaFree(given);
    CHECK(gw_pool_room(-1) == 0 && gw_pool_room(1e300) == SIZE_MAX / 4 && gw_pool_room(1600) > 1700);
}

/* Contents beyond so many bytes go to the host, and come back before they are asked for. */
static void spills(void) {
    enum { each = 1 << 16, calls = 50, most = 8 };
    gw_pool *pool = NULL;
    CHECK(gw_pool_make(&pool) == GW_OK);
    CHECK(gw_pool_spill(pool, most * each) == GW_OK && gw_pool_spilled(pool) == 0);
    gw_program *run = gw_program_begin(pool);
    char *a = gw_program_alloc(run, each, GW_SPACE_DEVICE);
    for (int i = 0; i < calls; i++) {
        gw_program_reads(run, a);
        gw_program_writes(run, a, 0, NULL);
        cudaDeviceSynchronize();
        memset(a, i + 1, each);
    }
    CHECK(gw_pool_spilled(pool) == (calls - most) * (size_t)each);
    for (int i = calls; i-- > 0;) {
        gw_program_unwrite(run, a);
        const char *was = gw_program_content(run, a, NULL);
        CHECK(was && gw_program_shadow(run, a, NULL));
        struct cudaPointerAttributes known;
        CHECK(cudaPointerGetAttributes(&known, was) == cudaSuccess && known.type == cudaMemoryTypeDevice);
        cudaDeviceSynchronize();
        CHECK(i == 0 || (was[0] == i && was[each - 1] == i));
    }
    CHECK(gw_program_saved_bytes(run) == calls * (size_t)each);
    CHECK(gw_pool_peak(pool) <= (most + 4) * (size_t)each);
    CHECK(gw_program_end(run) == GW_OK);
    gw_pool_free(pool);
}

/* Temporary buffers that no reverse needs share their memory, in a loop. */
static void temporaries(void) {
    gw_pool *pool = NULL;
    CHECK(gw_pool_make(&pool) == GW_OK);
    gw_program *run = gw_program_begin(pool);
    void *at[100];
    for (int i = 0; i < 100; i++) {
        at[i] = gw_program_alloc(run, 1 << 16, GW_SPACE_DEVICE);
        gw_program_writes(run, at[i], 0, NULL);
        gw_program_release(run, at[i]);
    }
    CHECK(gw_pool_held(pool) == 1 << 16);
    for (int i = 100; i-- > 0;) {
        gw_program_unwrite(run, at[i]);
        CHECK(gw_program_shadow(run, at[i], NULL));
        gw_program_unalloc(run, at[i]);
    }
    CHECK(gw_pool_held(pool) <= 2 << 16);
    CHECK(gw_program_end(run) == GW_OK);
    gw_pool_free(pool);
}

/* A buffer that was released began where another ends that still is: on the way back it is the one that is
 * meant; going forward the other one, of which a call may be given the end. */
static void side_by_side(void) {
    gw_program *run = gw_program_begin(NULL);
    char *first = gw_program_alloc(run, 256, GW_SPACE_DEVICE);
    char *next = gw_program_alloc(run, 256, GW_SPACE_DEVICE);
    CHECK(next == first + 256);
    gw_program_call(run, "fills");
    gw_program_writes(run, next, 0, NULL);
    gw_program_writes(run, first, 0, NULL);
    gw_program_release(run, next);
    gw_program_reads(run, first + 256); /* none of it */
    gw_program_uncall(run, "fills");
    CHECK(gw_program_content(run, first, NULL) == first);
    gw_program_unwrite(run, first);
    gw_program_unwrite(run, next);
    CHECK(gw_program_shadow(run, next, NULL) != gw_program_shadow(run, first, NULL));
    gw_program_unalloc(run, next);
    gw_program_unalloc(run, first);
    CHECK(gw_program_end(run) == GW_OK);
}

/* The end of a released buffer is not memory of the host of unknown size that begins somewhere before it. */
static void behind_host_memory(void) {
    char *room = device(8), *host = room + 64; /* of no allocation */
    gw_program *run = gw_program_begin(NULL);
    gw_program_given(run, host, NULL, 0);
    char *own = gw_program_alloc(run, 256, GW_SPACE_DEVICE);
    CHECK(own == room + 256);
    gw_program_writes(run, own, 0, NULL);
    gw_program_writes(run, own + 256, 0, NULL); /* none of it */
    gw_program_writes(run, host, 8, NULL);
    gw_program_release(run, own);
    gw_program_unwrite(run, host);
    gw_program_unwrite(run, own + 256);
    gw_program_unwrite(run, own);
    gw_program_unalloc(run, own);
    CHECK(gw_program_end(run) == GW_OK);
    cudaFree(room);
}

/* One stream needs no events but the one that ends the run; nothing waits on the host. */
static void one_stream(void) {
    char *a = device(64), *d = device(64);
    gw_pool *pool = NULL;
    CHECK(gw_pool_make(&pool) == GW_OK);
    const unsigned int events = fake_events(), syncs = fake_syncs();
    gw_program *run = gw_program_begin(pool);
    gw_program_given(run, a, d, 0);
    for (int i = 0; i < 10; i++) {
        gw_program_reads(run, a);
        gw_program_writes(run, a, 0, NULL);
    }
    for (int i = 0; i < 10; i++) {
        gw_program_unwrite(run, a);
        CHECK(gw_program_content(run, a, NULL) && gw_program_shadow(run, a, NULL));
    }
    CHECK(gw_program_end(run) == GW_OK);
    CHECK(fake_events() == events + 1 && fake_syncs() == syncs);
    gw_pool_free(pool);
    cudaFree(a);
    cudaFree(d);
}

/* ---- what it costs ---- */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A launch with three pointers among 100 buffers, forward and backward, where nothing is to be saved. */
static void bookkeeping(void) {
    enum { buffers = 100, launches = 20000 };
    static void *at[buffers];
    double best = 1;
    for (int repeat = 0; repeat < 5; repeat++) {
        gw_program *run = gw_program_begin(NULL);
        for (int i = 0; i < buffers; i++)
            at[i] = gw_program_alloc(run, 64, GW_SPACE_DEVICE);
        for (int i = 0; i < buffers; i++)
            CHECK(gw_program_shadow(run, at[i], NULL));
        const double start = now();
        for (int i = 0; i < launches; i++) {
            gw_program_reads(run, at[i % 50]);
            gw_program_reads(run, at[(i + 7) % 50]);
            gw_program_writes(run, at[50 + i % 50], 0, NULL);
        }
        for (int i = launches; i-- > 0;) {
            gw_program_unwrite(run, at[50 + i % 50]);
            gw_program_content(run, at[i % 50], NULL);
            gw_program_content(run, at[(i + 7) % 50], NULL);
            gw_program_shadow(run, at[i % 50], NULL);
            gw_program_shadow(run, at[(i + 7) % 50], NULL);
            gw_program_shadow(run, at[50 + i % 50], NULL);
        }
        const double each = (now() - start) / (double)launches;
        if (each < best) best = each;
        CHECK(gw_program_saved_bytes(run) == 0 && gw_program_end(run) == GW_OK);
    }
    printf("bookkeeping of a launch, forward and backward: %.0f ns\n", 1e9 * best);
    CHECK(best < 5e-6);
}

int main(void) {
    const unsigned int alive = fake_alive();
    saves_what_is_needed();
    trajectory();
    made_again();
    versions();
    two_in_one_allocation();
    neighbours();
    made_shadow();
    refusals();
    limits();
    over_memory();
    spills();
    temporaries();
    side_by_side();
    behind_host_memory();
    one_stream();
    bookkeeping();
    CHECK(fake_alive() == alive);
    return 0;
}
