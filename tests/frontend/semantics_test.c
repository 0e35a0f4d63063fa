/*
 * semantics_test.c - each function of semantics_cases.cpp, compiled and lowered, on the same data: same bytes.
 */
#include "analysis/ir/diagnostics.h"
#include "evaluator.h"
#include "analysis/ir/passes.h"
#include "semantics.h"
#include "analysis/text/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct data {
    double reals[SEMANTICS_CELLS];
    float floats[SEMANTICS_CELLS];
    int integers[SEMANTICS_CELLS];
    semantics_record records[SEMANTICS_RECORDS];
} data;

static uint64_t next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static void fill(data *d, uint64_t seed) {
    uint64_t state = seed * 977 + 1;
    memset(d, 0, sizeof *d);
    for (int i = 0; i < SEMANTICS_CELLS; i++) {
        d->reals[i] = (double)(next_random(&state) % 2001) / 250 - 4;
        d->floats[i] = (float)(next_random(&state) % 2001) / 250 - 4;
        d->integers[i] = (int)(next_random(&state) % 17) - 8;
    }
    for (int i = 0; i < SEMANTICS_RECORDS; i++) {
        d->records[i].position.x = (float)(next_random(&state) % 101) / 16 - 3;
        d->records[i].position.y = (float)(next_random(&state) % 101) / 16 - 3;
        for (int k = 0; k < 3; k++)
            d->records[i].weight[k] = (double)(next_random(&state) % 101) / 8 - 6;
        d->records[i].count = (int)(next_random(&state) % 9) - 4;
        d->records[i].small = (short)((int)(next_random(&state) % 70000) - 35000);
    }
}

static void *global_named(const char *name) { return semantics_global(name); }

static number run_lowered(const gw_func *f, data *d, int n, unsigned u, const char **wrong) {
    evaluation e;
    evaluation_begin(&e, f, global_named);
    void *const memory[] = {d->reals, d->floats, d->integers, d->records};
    for (uint32_t i = 0; i < f->params.count; i++) {
        if (f->params.at[i].object)
            e.memory[f->params.at[i].object] = memory[i];
        else
            e.values[f->params.at[i].value].i = f->params.at[i].value && i == 4 ? n : (int64_t)u;
    }
    evaluation_run(&e);
    *wrong = e.wrong;
    number r = e.result;
    evaluation_end(&e);
    return r;
}

static int check_seed(const gw_func *f, semantics_function *compiled, const char *name, uint64_t seed) {
    static data want, got;
    fill(&want, seed);
    fill(&got, seed);
    int n = (int)(seed % 11) - 2;
    unsigned u = (unsigned)(seed * 7 % 13);
    const char *wrong = NULL;
    double expected = compiled(want.reals, want.floats, want.integers, want.records, n, u);
    number result = run_lowered(f, &got, n, u, &wrong);
    if (!wrong && memcmp(&expected, &result.f, sizeof expected) != 0) {
        printf("%s, seed %" PRIu64 ": returns %.17g, not %.17g\n", name, seed, result.f, expected);
        return 1;
    }
    if (!wrong && memcmp(&want, &got, sizeof want) == 0) return 0;
    printf("%s, seed %" PRIu64 ": %s\n", name, seed, wrong ? wrong : "the memory differs");
    return 1;
}

static int check_function(const gw_session *s, const semantics_row *row) {
    const gw_func *f = NULL;
    for (uint32_t i = 0; i < s->requests.count; i++)
        if (strcmp(gw_cstr(s, s->requests.at[i].function), row->name) == 0) f = s->requests.at[i].func;
    if (!f) {
        printf("%s: no such request\n", row->name);
        return 1;
    }
    char *why = NULL;
    int failures = !gw_verify(f, &why);
    if (failures) printf("%s: %s\n", row->name, why);
    free(why);
    for (uint64_t seed = 0; seed < 40 && !failures; seed++)
        failures += check_seed(f, row->function, row->name, seed);
    if (failures) {
        gw_text text = {0};
        gw_print_func(f, &text);
        printf("%s\n", text.at);
        gw_text_free(&text);
    }
    return failures;
}

int main(int argc, char **argv) {
    gw_run run = {.session = gw_session_new(), .source = argv[1]};
    run.args = (const char *const *)argv + 2;
    run.args_count = argc - 2;
    int failures = !gw_pass_front(&run);
    gw_diag_print(run.session, stdout);
    for (int i = 0; i < semantics_count; i++)
        failures += check_function(run.session, &semantics_rows[i]);
    if ((int)run.session->requests.count != semantics_count) {
        printf("%u requests, but %d rows\n", run.session->requests.count, semantics_count);
        failures++;
    }
    printf("%d functions, %d failed\n", semantics_count, failures);
    gw_session_free(run.session);
    return failures != 0;
}
