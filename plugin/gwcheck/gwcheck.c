/*
 * gwcheck - checks the gradients of a source against differences and forward mode, and what they do to memory.
 *
 * A run: gradwright's own library makes the gradients, forward derivatives beside them, and tells what their
 * functions take; a harness that calls them is compiled by gwcc and run, as it is and (CUDA) in a checked
 * build, in which races are found.
 */
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/query.h"
#include "plugin/gwcheck/gwcheck_private.h"

#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { AGREES = 0, DIFFERS = 1, WRONG = 2 };

/* One generation: the settings keep its words by reference. */
typedef struct generation {
    gwcheck_words words;
    GW_VEC(char *) made;
    gw_settings settings;
    gw_run run;
    bool good;
} generation;

typedef struct checking {
    gwcheck_options *o;
    char *parse; /* flags of a parse by the CPU device, and the user's: the words point into both */
    gw_text own;
    gwcheck_words parse_words;
    gwcheck_functions functions;
    gwcheck_report report;
    bool programs; /* they have forward derivatives too */
} checking;

/* ---- gradients ---- */

static void split(char *text, const char *at, gwcheck_words *out) {
    char *rest;
    for (char *word = text ? strtok_r(text, at, &rest) : NULL; word; word = strtok_r(NULL, at, &rest))
        gw_push(out, word);
}

/* The flags of a parse: those that lead to the CPU device's headers, and the user's. */
static bool find_parse_flags(checking *c) {
    const char *to = gwcheck_path("flags");
    const char *const words[] = {gwcheck_tool("gwcc"), "--device=cpu", "--print-parse-flags", c->o->source,
                                 NULL};
    size_t count;
    if (!c->o->cuda) {
        if (gwcheck_run(c->o, words, to, NULL) != 0 || !(c->parse = gwcheck_read(to, &count))) return false;
        split(c->parse, " \n", &c->parse_words);
    }
    char *error = gw_flags_for_clang(c->o->flags.at, c->o->flags.count, &c->own);
    if (error) gwcheck_error("%s", error);
    const bool good = !error;
    free(error);
    split(c->own.at, "\n", &c->parse_words);
    return good;
}

static void generation_free(generation *g) {
    if (g->run.session) gw_generate_free(&g->run);
    gw_settings_free(&g->settings);
    for (uint32_t i = 0; i < g->made.count; i++)
        free(g->made.at[i]);
    gw_vec_free(&g->made);
    gw_vec_free(&g->words);
}

/* `forward`: for these requests forward derivatives too. */
static bool generate(checking *c, generation *g, bool forward, bool checked) {
    const gwcheck_options *o = c->o;
    *g = (generation){0};
    gw_push(&g->words, o->source);
    for (uint32_t i = 0; i < o->requests.count; i++)
        gw_push(&g->words, o->requests.at[i]);
    for (uint32_t i = 0; i < o->handed.count; i++)
        gw_push(&g->words, o->handed.at[i]);
    for (uint32_t i = 0; i < c->functions.count; i++) {
        const gwcheck_function *f = &c->functions.at[i];
        if (!forward || f->refused || (gw_is_program(f->primal) && !c->programs)) continue;
        char *name = gwcheck_forward_name(f->name, f->asks);
        char *text = gw_format("%s: %s = %s", f->name, name, f->asks);
        gw_push(&g->made, text);
        gw_push(&g->words, "--derivative");
        gw_push(&g->words, text);
        free(name);
    }
    if (checked) gw_push(&g->words, "--checked");
    gw_push(&g->words, "--");
    for (uint32_t i = 0; i < c->parse_words.count; i++)
        gw_push(&g->words, c->parse_words.at[i]);
    gw_settings_start(&g->settings);
    char *error = gw_settings_read(&g->settings, (int)g->words.count, g->words.at);
    if (!error) error = gw_settings_complete(&g->settings);
    if (error) gwcheck_error("gradwright: %s", error);
    g->good = !error && gw_generate(&g->run, &g->settings);
    free(error);
    return g->good;
}

/* The source's own gradients, and with forward derivatives where there are such. */
static bool make_gradients(checking *c, generation *g, bool *forward) {
    generation first;
    bool good = generate(c, &first, false, false);
    if (first.run.session) gw_diag_print(first.run.session, stderr);
    good = good && gwcheck_collect(first.run.session, c->o, &c->functions);
    c->programs = true;
    *forward = good && generate(c, g, true, false);
    if (good && !*forward) { /* calls of libraries have no forward derivative */
        generation_free(g);
        c->programs = false;
        *forward = generate(c, g, true, false);
    }
    gwcheck_functions_free(&c->functions);
    if (*forward) {
        generation_free(&first);
    } else {
        if (good) generation_free(g);
        *g = first;
    }
    return good && gwcheck_collect(g->run.session, c->o, &c->functions);
}

static char *gradient_name(const gwcheck_options *o) {
    char *path = gw_generate_output_name(o->source), *slash = strrchr(path, '/');
    char *name = gw_strdup(slash ? slash + 1 : path);
    free(path);
    return name;
}

/* A folder with a gradient and the harness that includes it. */
static bool write_folder(checking *c, const char *folder, const gw_text *gradient, const gw_text *harness,
                         const char *suffix) {
    char *name = gradient_name(c->o);
    char *paths[] = {gw_strdup(folder), gw_format("%s/%s", folder, name),
                     gw_format("%s/harness.%s", folder, suffix)};
    bool good = mkdir(gwcheck_path(paths[0]), 0777) == 0 &&
                gwcheck_write(gwcheck_path(paths[1]), gradient->at, gradient->count) &&
                gwcheck_write(gwcheck_path(paths[2]), harness->at, harness->count);
    for (unsigned i = 0; i < 3; i++)
        free(paths[i]);
    free(name);
    return good;
}

static const char *suffix_of(const gw_session *s) {
    if (s->is_cuda) return "cu";
    return s->is_c ? "c" : "cpp";
}

static bool write_harness(checking *c, generation *g, bool forward, bool *checked) {
    gw_session *s = g->run.session;
    const char *suffix = suffix_of(s);
    size_t count;
    char *source = gwcheck_read(c->o->source, &count), *name = gradient_name(c->o);
    gw_text harness = {0};
    if (source) gwcheck_harness(s, c->o, &c->functions, source, name, &harness);
    bool good = source && write_folder(c, "plain", &g->run.output, &harness, suffix);
    *checked = good && s->is_cuda;
    if (*checked) {
        generation of_claims;
        good = generate(c, &of_claims, forward, true) &&
               write_folder(c, "checked", &of_claims.run.output, &harness, suffix);
        if (!of_claims.good && of_claims.run.session) gw_diag_print(of_claims.run.session, stderr);
        generation_free(&of_claims);
    }
    gw_text_free(&harness);
    free(source);
    free(name);
    return good;
}

/* ---- programs ---- */
static bool compile(checking *c, const gw_session *s, const char *folder, bool checked) {
    const gwcheck_options *o = c->o;
    char *source = gw_format("%s/harness.%s", folder, suffix_of(s)), *program = gw_format("%s/harness", folder),
         *errors = gw_format("%s/errors", folder);
    char *whole = realpath(o->source, NULL), *slash = whole ? strrchr(whole, '/') : NULL;
    if (slash) *slash = 0;
    const char *list[] = {gwcheck_tool("gwcc"),
                          o->cuda ? "--device=cuda" : "--device=cpu",
                          "--no-gradients",
                          "-O1",
                          "-w",
                          gwcheck_path(source),
                          "-o",
                          gwcheck_path(program),
                          gwcheck_library(),
                          "-lm",
                          NULL};
    gwcheck_words words = {0};
    for (unsigned i = 0; list[i]; i++)
        gw_push(&words, list[i]);
    if (checked) gw_push(&words, "--checked");
    /* nvcc knows no -iquote */
    const bool nvcc = s->is_cuda && o->cuda;
    gw_push(&words, nvcc ? "-I" : "-iquote");
    gw_push(&words, whole && *whole ? whole : "/");
    for (uint32_t i = 0; i < o->flags.count; i++)
        gw_push(&words, o->flags.at[i]);
    gw_push(&words, NULL);
    const char *said = gwcheck_path(errors);
    const bool good = gwcheck_run(o, words.at, NULL, said) == 0;
    if (!good) {
        gwcheck_show(said);
        gwcheck_error("the harness of '%s' does not compile; --keep=DIR leaves it", o->source);
    }
    gw_vec_free(&words);
    free(source), free(program), free(errors), free(whole);
    return good;
}

static const gwcheck_function *function_of(const checking *c, const char *name) {
    for (uint32_t i = 0; name && i < c->functions.count; i++)
        if (strcmp(c->functions.at[i].name, name) == 0) return &c->functions.at[i];
    return NULL;
}

/* What a run that did not reach its end says of itself. */
static void add_crash(checking *c, int status, const char *check, const char *said) {
    gw_text words = {0};
    const gwcheck_function *f = function_of(c, c->report.function);
    const char *last = c->report.last ? c->report.last : "begin";
    if (status > 128)
        gw_text_addf(&words, "it crashed (%s) in the %s", strsignal(status - 128), last);
    else
        gw_text_addf(&words, "it ended with %d in the %s", status, last);
    gw_text_add(&words, status - 128 == SIGABRT
                            ? ": it throws or aborts for these values, perhaps; --set, --range and --inputs "
                              "give others; "
                            : ": an access outside of an array, perhaps; ");
    gwcheck_first_words(said, "", &words);
    gwcheck_report_add(&c->report, f ? f->name : c->o->source, f ? f->asks : "", check, GWCHECK_FAIL, words.at);
    gw_text_free(&words);
}

/* false: nothing could be run */
static bool run_harness(checking *c, const char *folder, const char *inputs, bool once) {
    char *program = gw_format("%s/harness", folder), *results = gw_format("%s/results", folder),
         *errors = gw_format("%s/said", folder), *seed = gw_format("%llu", c->o->seed);
    const char *to = gwcheck_path(results), *said = gwcheck_path(errors);
    const char *words[] = {gwcheck_path(program), to, inputs, seed, once ? "once" : "all", NULL};
    const int status = gwcheck_run(c->o, words, said, said);
    if (status == GWCHECK_NO_DEVICE) {
        gw_text why = {0};
        gwcheck_first_words(said, "", &why);
        gwcheck_error("it compiles, but there is no GPU to run it: %s", why.at);
        gw_text_free(&why);
        free(program), free(results), free(errors), free(seed);
        return false;
    }
    const uint32_t before = c->report.rows.count;
    if (!gwcheck_report_read(&c->report, to)) add_crash(c, status, once ? "races" : "run", said);
    /* what the device says of a race stands on its standard error */
    for (uint32_t i = before; once && i < c->report.rows.count; i++) {
        gwcheck_row *row = &c->report.rows.at[i];
        if (row->result != GWCHECK_FAIL) continue;
        gw_text all = {0};
        char *mark = gw_format("%s%s: %s\n", GW_CHECK_MARK, row->function, row->request);
        gwcheck_first_words(said, mark, &all);
        free(mark);
        if (!all.at) gw_text_addf(&all, "in the %s: %s", row->check, row->words);
        free(row->words);
        free(row->check);
        row->words = all.at;
        row->check = gw_strdup("races");
    }
    free(program), free(results), free(errors), free(seed);
    return true;
}

/* ---- inputs ---- */
static bool has_param(const gwcheck_functions *functions, const char *name) {
    for (uint32_t i = 0; i < functions->count; i++)
        for (uint32_t k = 0; k < functions->at[i].params.count; k++) {
            char *full = gw_format("%s.%s", functions->at[i].name, functions->at[i].params.at[k].name);
            const bool found = strcmp(full, name) == 0 || strcmp(functions->at[i].params.at[k].name, name) == 0;
            free(full);
            if (found) return true;
        }
    return false;
}

static bool read_inputs(checking *c, const char **folder) {
    gwcheck_given_names names = {0};
    *folder = "";
    if (!c->o->inputs) return true;
    *folder = gwcheck_path("inputs");
    if (mkdir(*folder, 0777) != 0) return gwcheck_error("cannot make a folder for the inputs");
    char *error = gwcheck_npz(c->o->inputs, *folder, &names);
    bool good = !error || gwcheck_error("--inputs=%s: %s", c->o->inputs, error);
    for (uint32_t i = 0; i < names.count; i++) {
        if (good && !has_param(&c->functions, names.at[i]))
            good = gwcheck_error("--inputs=%s: no function that is checked has a parameter '%s'", c->o->inputs,
                                 names.at[i]);
        free(names.at[i]);
    }
    gw_vec_free(&names);
    free(error);
    return good;
}

/* ---- the whole ---- */
static uint32_t add_refused(checking *c, bool forward) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < c->functions.count; i++) {
        const gwcheck_function *f = &c->functions.at[i];
        left += !f->refused;
        if (f->refused)
            gwcheck_report_add(&c->report, f->name, f->asks, "all", GWCHECK_SKIP, f->refused);
        else if (!forward || !f->forward)
            gwcheck_report_add(&c->report, f->name, f->asks, "forward", GWCHECK_NOTE,
                               "no forward derivative can be made");
    }
    return left;
}

static bool check(checking *c) {
    generation g = {0};
    bool forward = false, checked = false;
    const char *inputs = "";
    bool good = gwcheck_folder(c->o) && find_parse_flags(c) && make_gradients(c, &g, &forward);
    if (good && !add_refused(c, forward)) {
        gwcheck_report_table(&c->report, c->o->source, stdout);
        good = gwcheck_error("no gradient of '%s' can be checked", c->o->source);
    }
    good = good && read_inputs(c, &inputs) && write_harness(c, &g, forward, &checked) &&
           compile(c, g.run.session, "plain", false) &&
           (!checked || compile(c, g.run.session, "checked", true));
    good =
        good && run_harness(c, "plain", inputs, false) && (!checked || run_harness(c, "checked", inputs, true));
    gwcheck_functions_free(&c->functions);
    if (g.run.session) generation_free(&g);
    return good;
}

static int run(gwcheck_options *o) {
    checking c = {.o = o};
    const char *why = gw_why_no_source(o->source);
    bool good = access(o->source, R_OK) == 0 || gwcheck_error("there is no file '%s'", o->source);
    if (good && why) good = gwcheck_error("cannot read '%s': %s", o->source, why);
    int status = good && check(&c) ? AGREES : WRONG;
    if (status == AGREES) {
        gwcheck_report_table(&c.report, o->source, stdout);
        if (gwcheck_report_fails(&c.report)) status = DIFFERS;
        if (o->json && !gwcheck_report_json(&c.report, o->source, o->json)) status = WRONG;
        if (o->junit && !gwcheck_report_junit(&c.report, o->source, o->junit)) status = WRONG;
    }
    gwcheck_clean(o);
    gwcheck_report_free(&c.report);
    gw_vec_free(&c.parse_words);
    gw_text_free(&c.own);
    free(c.parse);
    return status;
}

int main(int argc, char **argv) {
    gwcheck_options o;
    int status = WRONG;
    if (gwcheck_options_read(&o, argc, argv)) {
        status = AGREES;
        if (o.help)
            gwcheck_help(stdout);
        else if (o.version)
            puts("gwcheck " GW_BUILD);
        else
            status = run(&o);
    }
    gwcheck_options_free(&o);
    return status;
}
