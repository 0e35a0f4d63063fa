/*
 * passes.c - the driver of the pipeline: the table passes.def, and nothing that the table does not say.
 *
 * Each pass states the facts it needs and the facts that hold after it; a fact that is not made again is
 * gone. A run begins at the first pass, or behind the stage that a dump names, with that stage's facts. The
 * verifier runs after each pass if the options say so, and always on what came from a file (the parser
 * calls it). After a failure the output is empty, so that nothing half-made can be written.
 */
#include "plugin/driver/driver.h"

#include "analysis/text/text.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/optional.h"
#include "analysis/ir/passes.h"

#include <stdlib.h>
#include <string.h>

typedef struct pass {
    const char *name;
    bool (*function)(gw_run *run);  /* a pass; NULL: a group */
    bool (*on)(const gw_func *f);   /* a group */
    const char *needs, *makes, *after, *because, *says;
} pass;
static const pass passes[] = {
#define GW_PASS(name, function, needs, makes, after, because, says)                                            \
    {name, function, NULL, needs, makes, after, because, says},
#define GW_GROUP(name, on, needs, makes, after, because, says)                                                 \
    {name, NULL, on, needs, makes, after, because, says},
#define GW_STEP(function, because)
#define GW_SHAPE(function, because)
#include "analysis/ir/passes.def"
#undef GW_PASS
#undef GW_GROUP
#undef GW_STEP
#undef GW_SHAPE
};
enum { PASS_COUNT = sizeof passes / sizeof *passes };

/* The steps of all groups in the order of the table; NULL ends a group, and stands for each pass that has
 * none. */
typedef struct step {
    void (*function)(gw_func *f);
    const char *name, *because;
    bool is_row; /* a row of `passes` begins here */
} step;
static const step steps[] = {
#define GW_PASS(name, function, needs, makes, after, because, says) {NULL, name, "", true},
#define GW_GROUP(name, on, needs, makes, after, because, says) {NULL, name, "", true},
#define GW_STEP(function, because) {function, #function, because, false},
#define GW_SHAPE(function, because) {NULL, #function, because, false},
#include "analysis/ir/passes.def"
#undef GW_PASS
#undef GW_GROUP
#undef GW_STEP
#undef GW_SHAPE
};
enum { STEP_COUNT = sizeof steps / sizeof *steps };

/* ---- steps that a run can do without ---- */
typedef struct optional {
    bool (*pass)(gw_run *run);
    void (*step)(gw_func *f);
} optional;
static const optional optionals[GW_OPTIONAL_COUNT] = {
#define GW_OPTIONAL(ID, name, homes, says) {NULL, NULL},
#define GW_OPTIONAL_PASS(ID, name, function, homes, says) {function, NULL},
#define GW_OPTIONAL_STEP(ID, name, function, homes, says) {NULL, function},
#include "analysis/ir/optional.def"
#undef GW_OPTIONAL
};

static gw_optional optional_of(const pass *p, const step *s) {
    unsigned i = 0;
    while (i < GW_OPTIONAL_COUNT &&
           (s ? optionals[i].step != s->function : !p->function || optionals[i].pass != p->function))
        i++;
    return (gw_optional)i;
}

/* Whether the run is to do without it. */
static bool is_left_out(const gw_session *s, gw_optional which) {
    return which != GW_OPTIONAL_COUNT && s->options.without >> which & 1;
}

/* What the function is, or all are (NULL), where it is asked which steps change them; else empty. */
static gw_text text_now(const gw_session *s, const gw_func *f, gw_optional which) {
    gw_text text = {0};
    if (!s->options.steps || which == GW_OPTIONAL_COUNT) return text;
    if (f) gw_print_func(f, &text);
    else gw_print_session(s, &text);
    return text;
}

/* Notes that the step was taken if it has changed something; frees what was before. */
static void note_change(gw_session *s, const gw_func *f, gw_optional which, gw_text *before) {
    gw_text now = before->at ? text_now(s, f, which) : (gw_text){0};
    const bool same = now.count == before->count && (!now.count || memcmp(now.at, before->at, now.count) == 0);
    if (!same) gw_takes(s, which);
    gw_text_free(&now);
    gw_text_free(before);
}

const char *gw_pass_name(unsigned index) { return index < PASS_COUNT ? passes[index].name : NULL; }

/* The first step of the pass, *count of them. */
static const step *steps_of(const pass *p, unsigned *count) {
    unsigned at = 0;
    for (unsigned row = (unsigned)(p - passes) + 1; row; at++) row -= steps[at].is_row;
    *count = 0;
    while (at + *count < STEP_COUNT && !steps[at + *count].is_row) ++*count;
    return &steps[at];
}

void gw_list_passes(FILE *out) {
    fprintf(out, "%-10s %-24s %-24s %s\n", "pass", "needs", "makes", "what it does");
    for (unsigned i = 0; i < PASS_COUNT; i++) {
        const pass *p = &passes[i];
        unsigned count;
        const step *s = steps_of(p, &count);
        fprintf(out, "%-10s %-24s %-24s %s\n", p->name, p->needs, p->makes, p->says);
        if (*p->after) fprintf(out, "  after %s: %s\n", p->after, p->because);
        for (unsigned k = 0; k < count; k++) fprintf(out, "  %s: %s\n", s[k].name, s[k].because);
    }
}

static unsigned find_pass(const char *name) {
    unsigned i = 0;
    while (i < PASS_COUNT && strcmp(passes[i].name, name) != 0)
        i++;
    return i;
}

/* Whether every word of `wanted` is in `have`; the first that is not in *missing (its length in *length). */
static bool has_facts(const char *have, const char *wanted, const char **missing, int *length) {
    for (const char *w = wanted; *w; w += strspn(w, " ")) {
        size_t n = strcspn(w, " ");
        bool found = false;
        for (const char *h = have; *h && !found; h += strspn(h, " ")) {
            size_t m = strcspn(h, " ");
            found = n == m && memcmp(w, h, n) == 0;
            h += m;
        }
        *missing = w;
        *length = (int)n;
        if (!found) return false;
        w += n;
    }
    return true;
}

static bool fail_with(gw_run *run, gw_diag_code code, char *message) {
    gw_diag(run->session, code, (gw_loc){0}, message);
    free(message);
    return false;
}

static bool verify(gw_run *run, const pass *p) {
    for (uint32_t i = 0; i < run->session->funcs.count; i++) {
        char *why;
        if (gw_verify(run->session->funcs.at[i], &why)) continue;
        char *message = gw_format("after pass '%s': %s", p->name, why);
        free(why);
        return fail_with(run, GW_DIAG_INTERNAL, message);
    }
    return true;
}

static bool run_group(gw_session *s, const pass *p) {
    unsigned count;
    const step *first = steps_of(p, &count);
    for (uint32_t i = 0; i < s->funcs.count; i++)
        for (unsigned k = 0, on = p->on(s->funcs.at[i]); on && k < count; k++) {
            const gw_optional which = optional_of(p, &first[k]);
            if (is_left_out(s, which)) continue;
            gw_text before = text_now(s, s->funcs.at[i], which);
            first[k].function(s->funcs.at[i]);
            note_change(s, s->funcs.at[i], which, &before);
        }
    return true;
}

static bool run_alone(gw_run *run, const pass *p) {
    const gw_optional which = optional_of(p, NULL);
    if (is_left_out(run->session, which)) return true;
    gw_text before = text_now(run->session, NULL, which);
    const bool ok = p->function(run);
    note_change(run->session, NULL, which, &before);
    return ok;
}

static bool run_pass(gw_run *run, const pass *p, const char **facts) {
    const char *missing;
    int length;
    if (!has_facts(*facts, p->needs, &missing, &length))
        return fail_with(
            run, GW_DIAG_INTERNAL,
            gw_format("pass '%s' needs '%.*s', which no pass before it makes", p->name, length, missing));
    if (*p->after && find_pass(p->after) >= (unsigned)(p - passes))
        return fail_with(run, GW_DIAG_INTERNAL,
                         gw_format("pass '%s' does not stand behind '%s'", p->name, p->after));
    bool ok = p->function ? run_alone(run, p) : run_group(run->session, p);
    const bool again = run->session->to_inline.count || run->session->to_join.count;
    if (gw_session_failed(run->session) || again) return false;
    if (!ok) return fail_with(run, GW_DIAG_INTERNAL, gw_format("pass '%s' failed without a word", p->name));
    *facts = p->makes;
    run->session->stage = gw_intern(run->session, p->name);
    return !run->session->options.verify || verify(run, p);
}

/* Reads the dump; *first becomes the pass behind its stage. */
static bool read_dump(gw_run *run, const char *path, unsigned *first, const char **facts) {
    gw_session *s = run->session;
    size_t count;
    const char *error;
    char *text = gw_file_text(path, &count, &error);
    if (!text) {
        gw_diag(s, GW_DIAG_CANNOT_READ, (gw_loc){0}, path, error);
        return false;
    }
    bool ok = gw_parse_session(s, text, path);
    free(text);
    if (!ok) return false;
    const char *stage = gw_cstr(s, s->stage);
    unsigned at = find_pass(stage);
    gw_loc top = {gw_intern(s, path), 1, 1};
    if (at + 1 >= PASS_COUNT) {
        char *message = gw_format(at == PASS_COUNT ? "no pass is named '%s', so the stage says nothing"
                                                   : "after '%s' there is no pass left to run",
                                  stage);
        gw_diag(s, GW_DIAG_BAD_IR, top, message);
        free(message);
        return false;
    }
    *first = at + 1;
    *facts = passes[at].makes;
    run->source = gw_cstr(s, s->source_file);
    return true;
}

/* A pass that the options name must be one that runs. */
static bool check_named(gw_run *run, const char *option, const char *name, unsigned first, unsigned last) {
    if (!name) return true;
    unsigned at = find_pass(name);
    if (at >= first && at <= last) return true;
    const char *why = at < first ? "the dump that is read is from a later stage" : "the run stops before it";
    if (at == PASS_COUNT) why = "there is no such pass";
    return fail_with(run, GW_DIAG_BAD_OPTION, gw_format("--%s=%s: %s", option, name, why));
}

static bool makes_text(const pass *p) {
    const char *missing;
    int length;
    return has_facts(p->makes, "text", &missing, &length);
}

static bool run_from(gw_run *run, unsigned first, const char *facts) {
    const gw_options *o = &run->session->options;
    unsigned last = o->stop_after ? find_pass(o->stop_after) : PASS_COUNT - 1;
    if (!check_named(run, "stop-after", o->stop_after, first, PASS_COUNT - 1)) return false;
    if (!check_named(run, "dump", o->dump, first, last)) return false;
    if (o->dump) last = find_pass(o->dump);
    for (unsigned i = first; i <= last; i++)
        if (!run_pass(run, &passes[i], &facts)) return false;
    if (o->dump && !makes_text(&passes[last])) {
        gw_text_free(&run->output);
        gw_print_session(run->session, &run->output);
    }
    return true;
}

bool gw_run_passes(gw_run *run) {
    const char *from = run->session->options.from_ir, *facts = "";
    unsigned first = 0;
    bool ok = (!from || read_dump(run, from, &first, &facts)) && run_from(run, first, facts);
    if (!ok) gw_text_free(&run->output);
    return ok;
}
