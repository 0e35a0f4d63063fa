/*
 * Random host programs on streams that run late and in any order (fake_cuda.h): buffers that are allocated,
 * overwritten in part or in whole, in place, copied and freed; ordered by events whose reverses are told, by
 * events alone, or by waiting on the host. Each gradient against central differences, in a second run without
 * allocations, and with each call failing in turn. Most have parts that are not recorded and run again, nested
 * at random: in pieces, each from its own mark, or from few marks that move. Some spill what they save.
 */
#include "fake_cuda.h"
#include "gradwright/program.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { cells = 6, given_count = 3, slot_count = 6, stream_count = 3, steps_most = 400, drawn_most = 40 };
enum { THETA, OUT, BESIDE }; /* given; the last two lie in one allocation */
typedef enum kind { ALLOC, FREE, MIX, LINEAR, SCALE, COPY, SET, RECORD, WAIT, SYNC } kind;
typedef enum order { TOLD, UNTOLD, HOST, order_count } order;

typedef struct step {
    kind kind;
    int to, a, b, from, until, stream, event;
    bool whole; /* told as such */
    double *to_at, *a_at, *b_at;
} step;

typedef struct program {
    step steps[steps_most];
    int count;
    order order;
    bool keeps;
    bool marks;
} program;

static unsigned int state = 1;
static unsigned int draw(unsigned int below) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

#define CHECK(condition)                                                                                       \
    do {                                                                                                       \
        if (!(condition)) {                                                                                    \
            printf("%s:%d: failed: %s (program %u: %s)\n", __FILE__, __LINE__, #condition, program_number,     \
                   gw_last_error());                                                                           \
            exit(1);                                                                                           \
        }                                                                                                      \
    } while (0)
static unsigned int program_number;

/* ---- programs ---- */

typedef struct tracks {
    int writer[slot_count];
    bool reader[slot_count][stream_count];
    bool alive[slot_count];
    int events;
} tracks;

static step *add(program *p, step s) {
    p->steps[p->count] = s;
    return &p->steps[p->count++];
}

static void order_behind(program *p, tracks *t, int on, int of) {
    if (on == of || of < 0) return;
    if (p->order == HOST) {
        add(p, (step){.kind = SYNC});
        return;
    }
    const int event = t->events++ % 4; /* events are used again */
    add(p, (step){.kind = RECORD, .stream = of, .event = event});
    add(p, (step){.kind = WAIT, .stream = on, .event = event});
}

/* A step on its stream, behind those of others that it must come after. */
static void add_ordered(program *p, tracks *t, step s) {
    const int read[] = {s.a, s.b};
    for (int i = 0; i < 2; i++)
        order_behind(p, t, s.stream, t->writer[read[i]]);
    order_behind(p, t, s.stream, t->writer[s.to]);
    for (int of = 0; of < stream_count; of++)
        if (t->reader[s.to][of]) order_behind(p, t, s.stream, of);
    for (int i = 0; i < 2; i++)
        t->reader[read[i]][s.stream] = true;
    t->writer[s.to] = s.stream;
    memset(t->reader[s.to], 0, sizeof t->reader[s.to]);
    add(p, s);
}

static int draw_alive(const tracks *t) {
    int slot;
    do
        slot = (int)draw(slot_count);
    while (!t->alive[slot]);
    return slot;
}

static void add_drawn(program *p, tracks *t) {
    step s = {.stream = (int)draw(stream_count), .kind = (kind)draw(SET + 1)};
    s.to =
        s.kind == ALLOC || s.kind == FREE ? given_count + (int)draw(slot_count - given_count) : draw_alive(t);
    if (s.kind == ALLOC || s.kind == FREE) {
        if (t->alive[s.to] != (s.kind == FREE)) return;
        t->alive[s.to] = s.kind == ALLOC;
        s.a = s.b = s.to;
        add(p, s);
        if (s.kind == FREE) return;
        t->writer[s.to] = -1;
        memset(t->reader[s.to], 0, sizeof t->reader[s.to]);
        s.kind = SET;
    }
    s.a = s.kind == SET || s.kind == SCALE ? s.to : draw_alive(t);
    s.b = s.kind == MIX || s.kind == LINEAR ? draw_alive(t) : s.a;
    if (s.kind == COPY && s.a == s.to) return;
    const bool first = t->writer[s.to] < 0 && s.to >= given_count;
    s.whole = first || draw(3) != 0;
    s.from = s.whole ? 0 : (int)draw(cells);
    s.until = s.whole ? cells : s.from + 1 + (int)draw((unsigned int)(cells - s.from));
    if (s.whole && draw(2)) s.whole = false; /* so many bytes */
    add_ordered(p, t, s);
}

static void make(program *p) {
    tracks t = {.alive = {true, true, true}};
    for (int i = 0; i < slot_count; i++)
        t.writer[i] = -1;
    p->count = 0;
    p->order = (order)draw(order_count);
    p->keeps = draw(4) != 0;
    for (unsigned int n = 4 + draw(drawn_most - 4); n-- > 0;)
        add_drawn(p, &t);
}

/* ---- what a step computes ---- */

typedef struct arguments {
    kind kind;
    int from, until;
    double *to, *d_to, *d_a, *d_b;
    const double *a, *b, *was; /* `was`: of what is written */
} arguments;

enum { filled_byte = 0x3f }; /* a number near 0; with another byte, far from it */
static double filled(void) {
    double value;
    memset(&value, filled_byte, sizeof value);
    return value;
}

static void forward(const void *given) {
    const arguments *s = given;
    for (int i = s->from; i < s->until; i++) {
        const double a = s->a[i], b = s->b[i], was = s->to[i];
        if (s->kind == MIX) s->to[i] = 0.4 * a * b + 0.3 * was * a + 0.2 * was;
        if (s->kind == LINEAR) s->to[i] = 0.7 * a - 0.2 * b;
        if (s->kind == SCALE) s->to[i] = 0.9 * was;
        if (s->kind == COPY) s->to[i] = a;
        if (s->kind == SET) s->to[i] = filled();
    }
}

static void backward(const void *given) {
    const arguments *s = given;
    for (int i = s->from; i < s->until; i++) {
        const double seed = s->d_to[i];
        s->d_to[i] = 0;
        if (s->kind == MIX) {
            const double a = s->a[i], b = s->b[i], was = s->was[i];
            s->d_a[i] += seed * (0.4 * b + 0.3 * was);
            s->d_b[i] += seed * 0.4 * a;
            s->d_to[i] += seed * (0.3 * a + 0.2);
        }
        if (s->kind == LINEAR) {
            s->d_a[i] += seed * 0.7;
            s->d_b[i] -= seed * 0.2;
        }
        if (s->kind == SCALE) s->d_to[i] += seed * 0.9;
        if (s->kind == COPY) s->d_a[i] += seed;
    }
}

static void interpret(const program *p, double memory[slot_count][cells]) {
    for (int i = 0; i < p->count; i++) {
        const step *s = &p->steps[i];
        if (s->kind < MIX || s->kind > SET) continue;
        const arguments a = {s->kind, s->from, s->until,     memory[s->to], NULL,
                             NULL,    NULL,    memory[s->a], memory[s->b],  NULL};
        forward(&a);
    }
}

/* ---- the gradient, as it would be emitted ---- */

static cudaStream_t streams[stream_count];
static cudaEvent_t events[4];

static void run_forward(program *p, gw_program *run, double *at[slot_count], step *s) {
    const cudaStream_t on = streams[s->stream];
    s->a_at = at[s->a];
    s->b_at = at[s->b];
    if (s->kind == MIX) {
        gw_program_reads(run, s->a_at);
        gw_program_reads(run, s->b_at);
        gw_program_reads(run, at[s->to]);
    }
    const size_t bytes = (size_t)(s->until - s->from) * sizeof(double);
    if (s->kind == COPY)
        gw_program_writes_copy(run, at[s->to] + s->from, s->a_at + s->from, bytes, on);
    else if (s->kind == SET)
        gw_program_writes_fill(run, at[s->to] + s->from, filled_byte, bytes, on);
    else if (s->kind >= MIX && s->kind < COPY)
        gw_program_writes(run, at[s->to] + (s->whole ? 0 : s->from), s->whole ? 0 : bytes, on);
    if (s->kind == ALLOC) at[s->to] = gw_program_alloc(run, cells * sizeof(double), GW_SPACE_DEVICE);
    s->to_at = at[s->to];
    const arguments a = {s->kind, s->from, s->until, s->to_at, NULL, NULL, NULL, s->a_at, s->b_at, NULL};
    if (gw_program_failed(run)) return;
    if (s->kind == FREE)
        gw_program_release(run, s->to_at);
    else if (s->kind == RECORD)
        gw_program_check(run, (int)cudaEventRecord(events[s->event], on), "cudaEventRecord");
    else if (s->kind == WAIT)
        gw_program_check(run, (int)cudaStreamWaitEvent(on, events[s->event], 0), "cudaStreamWaitEvent");
    else if (s->kind == SYNC)
        gw_program_check(run, (int)cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    else if (s->kind != ALLOC)
        gw_program_check(run, (int)fake_launch(on, forward, &a, sizeof a), "a launch");
    (void)p;
}

static void run_backward(const program *p, gw_program *run, const step *s) {
    const cudaStream_t on = streams[s->stream];
    if (s->kind == WAIT && p->order == TOLD) gw_program_unwait(run, on, events[s->event]);
    if (s->kind == RECORD && p->order == TOLD) gw_program_unrecord(run, events[s->event], on);
    if (s->kind == ALLOC) gw_program_unalloc(run, s->to_at);
    if (s->kind < MIX || s->kind > SET) return;
    gw_program_unwrite(run, s->to_at);
    arguments a = {.kind = s->kind, .from = s->from, .until = s->until};
    if (s->kind == MIX) {
        a.a = gw_program_content(run, s->a_at, on);
        a.b = gw_program_content(run, s->b_at, on);
        a.was = gw_program_content(run, s->to_at, on);
    }
    a.d_to = gw_program_shadow(run, s->to_at, on);
    a.d_a = gw_program_shadow(run, s->a_at, on);
    a.d_b = gw_program_shadow(run, s->b_at, on);
    if (gw_program_failed(run)) return;
    gw_program_check(run, (int)fake_launch(on, backward, &a, sizeof a), "a launch");
}

typedef struct addition {
    double *to;
    const double *from;
    size_t count;
} addition;

static void add_up(const void *given) {
    const addition *s = given;
    for (size_t i = 0; i < s->count; i++)
        s->to[i] += s->from[i];
}

static gw_status add_input(void *to, const void *from, size_t bytes, gw_space space, gw_stream on) {
    const addition s = {to, from, bytes / sizeof(double)};
    if (space != GW_SPACE_DEVICE || fake_launch(on, add_up, &s, sizeof s) != cudaSuccess)
        return gw_report(GW_ERROR_CUDA, "a launch");
    return GW_OK;
}

typedef struct memory {
    double *theta, *pair, *d_theta, *d_pair;
} memory;

/* ---- parts ---- */

enum { pieces_most = 5, snapshots_most = 3 };

/* Steps [from, until) in pieces, of which each is a part again; with `few` marks, or one for each piece. */
typedef struct part {
    int from, until;
    int cuts[pieces_most + 1], pieces, few;
    unsigned int seed; /* of what is in the pieces */
} part;

typedef struct host {
    double *at[slot_count];
} host;

static unsigned int mix(unsigned int seed, unsigned int more) {
    return (seed ^ (more + 0x9e3779b9u)) * 2654435761u >> 3;
}

/* Cuts are drawn from `seed` and not from where the walk is: each run of a part has the same pieces. */
static part cut(int from, int until, unsigned int seed) {
    part r = {.from = from, .until = until, .seed = seed};
    const int count = until - from;
    if (count < 2 || mix(seed, 1) % 3 == 0) return r;
    r.pieces = 1 + (int)(mix(seed, 2) % pieces_most);
    for (int i = 0; i <= r.pieces; i++)
        r.cuts[i] = from + count * i / r.pieces;
    r.few = mix(seed, 3) % 2 ? 1 + (int)(mix(seed, 4) % snapshots_most) : 0;
    return r;
}

static void part_plain(program *p, gw_program *run, host *h, int from, int until) {
    for (int i = from; i < until && !gw_program_failed(run); i++)
        run_forward(p, run, h->at, &p->steps[i]);
}

typedef struct snapshots {
    host states[pieces_most];
    int at[pieces_most], count;
} snapshots;

static void part_both(program *p, gw_program *run, host *h, int from, int until, unsigned int seed, int depth);

static void take(gw_program *run, snapshots *s, const host *h, int piece) {
    s->states[s->count] = *h;
    s->at[s->count++] = piece;
    gw_program_mark(run);
}

static bool is_due(const part *r, const snapshots *s, int piece) {
    if (!r->few || !s->count) return true;
    return s->count < r->few && mix(r->seed, 100 + (unsigned int)piece) % 2;
}

/* The pieces back, last first. */
static void part_back(program *p, gw_program *run, host *h, const part *r, snapshots *s, int depth) {
    for (int k = r->pieces; k-- > 0 && !gw_program_failed(run);) {
        const int top = s->count - 1, from = s->at[top];
        *h = s->states[top];
        gw_program_restore(run);
        if (from == k) {
            gw_program_unmark(run);
            s->count--;
        }
        for (int t = from; t < k; t++) {
            if (t > from && is_due(r, s, t)) take(run, s, h, t);
            part_plain(p, run, h, r->cuts[t], r->cuts[t + 1]);
        }
        gw_program_log(run);
        part_both(p, run, h, r->cuts[k], r->cuts[k + 1], mix(r->seed, 50 + (unsigned int)k), depth + 1);
    }
}

/* Recorded, and back. */
static void part_both(program *p, gw_program *run, host *h, int from, int until, unsigned int seed, int depth) {
    const int first = from + (until - from) * (int)(mix(seed, 5) % 4) / 8,
              last = until - (until - from) * (int)(mix(seed, 6) % 4) / 8;
    part r = cut(first, last, seed);
    if (!p->marks || depth > 3) r.pieces = 0;
    if (!r.pieces) {
        part_plain(p, run, h, from, until);
    } else {
        snapshots s = {.count = 0};
        part_plain(p, run, h, from, first);
        for (int i = 0; i < r.pieces; i++) {
            if (is_due(&r, &s, i)) take(run, &s, h, i);
            part_plain(p, run, h, r.cuts[i], r.cuts[i + 1]);
        }
        gw_program_log(run);
        part_plain(p, run, h, last, until);
        for (int i = until; i-- > last && !gw_program_failed(run);)
            run_backward(p, run, &p->steps[i]);
        part_back(p, run, h, &r, &s, depth);
        until = first;
    }
    for (int i = until; i-- > from && !gw_program_failed(run);)
        run_backward(p, run, &p->steps[i]);
}

static gw_status gradient(program *p, gw_pool *pool, const memory *m) {
    gw_program *run = gw_program_begin(pool);
    host h = {{m->theta, m->pair, m->pair + cells}};
    gw_program_given(run, m->pair + cells, m->d_pair + cells, 0);
    gw_program_given(run, m->theta, m->d_theta, cells * sizeof(double));
    gw_program_given(run, m->pair, m->d_pair, 0);
    gw_program_named(run, m->theta, "theta");
    if (p->keeps) gw_program_keep_added(run, m->theta, add_input);
    part_both(p, run, &h, 0, p->count, program_number, 0);
    if (p->order != TOLD) gw_program_waited(run);
    return gw_program_end(run);
}

/* ---- the tests ---- */

static double start[given_count][cells], seeds[given_count][cells];

static double loss(const program *p, int which, int cell, double by) {
    double end[slot_count][cells] = {{0}}, sum = 0;
    memcpy(end, start, sizeof start);
    end[which][cell] += by;
    interpret(p, end);
    /* An input's end is no result; what its adjoint begins with is added to. */
    for (int i = p->keeps ? cells : 0; i < given_count * cells; i++)
        sum += seeds[i / cells][i % cells] * end[i / cells][i % cells];
    return sum;
}

static void set(const memory *m) {
    cudaDeviceSynchronize();
    memcpy(m->theta, start[THETA], sizeof start[0]);
    memcpy(m->pair, start[OUT], 2 * sizeof start[0]);
    memcpy(m->d_theta, seeds[THETA], sizeof seeds[0]);
    memcpy(m->d_pair, seeds[OUT], 2 * sizeof seeds[0]);
}

static bool is_start(const memory *m) { return memcmp(m->theta, start[THETA], sizeof start[0]) == 0; }

static void check(const program *p, const memory *m) {
    cudaDeviceSynchronize();
    double end[slot_count][cells] = {{0}};
    memcpy(end, start, sizeof start);
    interpret(p, end);
    CHECK(memcmp(m->pair, end[OUT], 2 * sizeof end[0]) == 0);
    CHECK(p->keeps ? is_start(m) : memcmp(m->theta, end[THETA], sizeof end[0]) == 0);
    for (int i = 0; i < given_count * cells; i++) {
        const double h = 1e-4, *d = i < cells ? m->d_theta + i : m->d_pair + (i - cells);
        const double expected =
            (loss(p, i / cells, i % cells, h) - loss(p, i / cells, i % cells, -h)) / (2 * h);
        const double before = p->keeps && i < cells ? seeds[THETA][i] : 0;
        if (!(fabs(*d - before - expected) <= 1e-7))
            printf("cell %d of %d: %.17g is not %.17g\n", i % cells, i / cells, *d - before, expected);
        CHECK(fabs(*d - before - expected) <= 1e-7);
    }
}

/* One of three pools spills all contents but for a few blocks. */
static gw_pool *make_pool(void) {
    gw_pool *pool = NULL;
    CHECK(gw_pool_make(&pool) == GW_OK);
    if (program_number % 3 == 0) CHECK(gw_pool_spill(pool, program_number / 3 % 5 * 256) == GW_OK);
    return pool;
}

static void check_failures(program *p, const memory *m) {
    for (unsigned int n = 1;; n++) {
        const unsigned int alive = fake_alive();
        gw_pool *pool = make_pool();
        set(m);
        fake_fail(n);
        const gw_status status = gradient(p, pool, m);
        const bool failed = fake_has_failed();
        fake_fail(0);
        cudaDeviceSynchronize();
        if (status == GW_OK) {
            check(p, m);
        } else {
            CHECK(failed && *gw_last_error());
            CHECK(!p->keeps || is_start(m));
            if (!strstr(gw_last_error(), "not as they were"))
                CHECK(memcmp(m->d_theta, seeds, sizeof seeds[0]) == 0 &&
                      memcmp(m->d_pair, seeds[OUT], 2 * sizeof seeds[0]) == 0);
        }
        /* The pool serves the next run. */
        set(m);
        CHECK(gradient(p, pool, m) == GW_OK);
        check(p, m);
        gw_pool_free(pool);
        CHECK(fake_alive() == alive);
        if (!failed) return;
    }
}

int main(int argc, char **argv) {
    const unsigned int count = argc > 1 ? (unsigned int)atoi(argv[1]) : 3000;
    static program p;
    memory m;
    const size_t bytes = cells * sizeof(double);
    program_number = 0;
    CHECK(cudaMalloc((void **)&m.theta, bytes) == 0 && cudaMalloc((void **)&m.pair, 2 * bytes) == 0);
    CHECK(cudaMalloc((void **)&m.d_theta, bytes) == 0 && cudaMalloc((void **)&m.d_pair, 2 * bytes) == 0);
    for (int i = 1; i < stream_count; i++)
        CHECK(cudaStreamCreate(&streams[i]) == 0);
    for (int i = 0; i < 4; i++)
        CHECK(cudaEventCreateWithFlags(&events[i], cudaEventDisableTiming) == 0);
    const unsigned int alive = fake_alive();
    for (program_number = 1; program_number <= count; program_number++) {
        state = program_number;
        fake_seed(program_number);
        for (int i = 0; i < given_count * cells; i++) {
            start[i / cells][i % cells] = draw(2001) / 1000.0 - 1;
            seeds[i / cells][i % cells] = draw(2001) / 1000.0 - 1;
        }
        make(&p);
        p.marks = program_number % 4 != 0;
        gw_pool *pool = make_pool();
        for (int run = 0; run < 3; run++) {
            const unsigned int before = fake_allocations();
            set(&m);
            CHECK(gradient(&p, pool, &m) == GW_OK);
            CHECK(run == 0 || fake_allocations() == before);
            if (p.order == TOLD || run != 1) check(&p, &m); /* the other time it is all on its way still */
        }
        gw_pool_free(pool);
        if (program_number % 20 == 0) check_failures(&p, &m);
        CHECK(fake_alive() == alive);
    }
    printf("%u programs\n", count);
    return 0;
}
