/*
 * generate.c - one run from settings to output (contract: driver.h).
 */
#include "analysis/ir/diagnostics.h"
#include "plugin/driver/driver.h"
#include "plugin/request/request.h"
#include "plugin/source/kept.h"
#include "analysis/ir/optional.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct {
    const char *source, *gradient;
} suffixes[] = {{".cu", ".grad.cuh"}, {".cuh", ".grad.cuh"}, {".c", ".grad.h"}, {"", ".grad.hpp"}};

static bool ends_with(const char *text, size_t n, const char *end) {
    size_t m = strlen(end);
    return n >= m && memcmp(text + n - m, end, m) == 0;
}

/* The name of a standalone text; a C header's language is C unless the flags say otherwise. */
static char *standalone_name(const gw_session *s) {
    const char *source = gw_cstr(s, s->source_file), *slash = strrchr(source, '/'),
               *base = slash ? slash + 1 : source;
    const char *dot = strrchr(base, '.');
    size_t stem = dot && dot != base ? (size_t)(dot - source) : strlen(source);
    const char *suffix = s->is_c ? "c" : "cpp";
    return gw_format("%.*s.grad.%s", (int)stem, source, s->is_cuda ? "cu" : suffix);
}

char *gw_generate_output_name(const char *source) {
    const char *slash = strrchr(source, '/'), *base = slash ? slash + 1 : source, *dot = strrchr(base, '.');
    size_t n = strlen(source), stem = dot && dot != base ? (size_t)(dot - source) : n;
    unsigned i = 0;
    while (!ends_with(source, n, suffixes[i].source))
        i++;
    return gw_format("%.*s%s", (int)stem, source, suffixes[i].gradient);
}

static bool is_readable(gw_session *s, const char *source) {
    const char *why = gw_why_no_source(source);
    FILE *file = why ? NULL : fopen(source, "r");
    if (!why && !file) why = strerror(errno);
    if (file) fclose(file);
    if (why) gw_diag(s, GW_DIAG_CANNOT_READ, (gw_loc){0}, source, why);
    return !why;
}

static void describe_source(gw_session *s, const gw_settings *t) {
    char *name = gw_generate_output_name(t->source), *slash = strrchr(name, '/');
    s->source_file = gw_intern(s, t->source);
    s->include_mode_name = gw_intern(s, slash ? slash + 1 : name);
    gw_language language = gw_language_of(t->source, t->clang_args, t->clang_args_count);
    bool c_header = t->options.standalone && ends_with(t->source, strlen(t->source), ".h") &&
                    !gw_language_is_given(t->clang_args, t->clang_args_count);
    s->is_cuda = language == GW_LANGUAGE_CUDA;
    s->is_c = language == GW_LANGUAGE_C || c_header;
    free(name);
}

/* As gw_inlining, beyond the session. */
typedef struct inlined {
    char *symbol;
    bool whole;
} inlined;
typedef GW_VEC(inlined) inlined_list;

/* What earlier readings of the source asked for. */
typedef struct again {
    inlined_list inlining;
    GW_VEC(uint32_t) joined;
} again;

/* `refused`: a session that has refused some requests, or NULL. */
static bool generate(gw_run *run, const gw_settings *t, const again *a, const gw_session *refused) {
    const inlined_list *inlining = &a->inlining;
    gw_session *s = run->session = gw_session_new();
    s->options = t->options;
    for (uint32_t i = 0; refused && i < refused->refused.count; i++)
        gw_push(&s->passed_over, gw_intern(s, gw_cstr(refused, refused->refused.at[i])));
    for (uint32_t i = 0; i < inlining->count; i++)
        gw_push(&s->inlining, ((gw_inlining){gw_intern(s, inlining->at[i].symbol), inlining->at[i].whole}));
    for (uint32_t i = 0; i < a->joined.count; i++) gw_push(&s->joined, a->joined.at[i]);
    if (t->check) s->options.stop_after = "digest";
    gw_text given = {0};
    gw_settings_given(t, &given);
    s->options.given = gw_cstr(s, gw_intern(s, given.at ? given.at : ""));
    gw_text_free(&given);
    run->source = t->source;
    run->args = t->clang_args;
    run->args_count = t->clang_args_count;
    run->others = t->others.at;
    run->others_count = t->others.count;
    run->precompiled = t->precompiled && *t->precompiled ? t->precompiled : NULL;
    run->precompile = t->precompile.at;
    run->precompile_count = t->precompile.count;
    if (t->source) {
        if (!is_readable(s, t->source)) return false;
        describe_source(s, t);
        if (!gw_requests_add(s, t)) return false;
    }
    bool good = gw_run_passes(run);
    if (good && (t->options.explain || t->sarif)) gw_explain_calls(s);
    for (uint32_t i = 0; i < t->request_files.count; i++)
        gw_push(&s->included, gw_intern(s, t->request_files.at[i]));
    return good;
}

static bool generate_all(gw_run *run, const gw_settings *t, const gw_session *refused) {
    again a = {0};
    bool good = generate(run, t, &a, refused);
    while (!good && (run->session->to_inline.count || run->session->to_join.count)) {
        const gw_session *s = run->session;
        for (uint32_t i = 0; i < s->to_inline.count; i++)
            gw_push(&a.inlining, ((inlined){gw_strdup(gw_cstr(s, s->to_inline.at[i].symbol)),
                                            s->to_inline.at[i].whole}));
        for (uint32_t i = 0; i < s->to_join.count; i++) gw_push(&a.joined, s->to_join.at[i]);
        gw_generate_free(run);
        good = generate(run, t, &a, refused);
    }
    for (uint32_t i = 0; i < a.inlining.count; i++) free(a.inlining.at[i].symbol);
    gw_vec_free(&a.inlining);
    gw_vec_free(&a.joined);
    return good;
}

static bool is_any_left(const gw_session *s) {
    bool any = false;
    for (uint32_t i = 0; i < s->requests.count; i++) any |= s->requests.at[i].func != NULL;
    return any;
}

enum { READINGS_MOST = 6 };

/* A request that the front end or a pass refuses stops the run. What is refused of the others is said in the
 * same run: all is read once more, without the requests that were refused. */
bool gw_generate(gw_run *run, const gw_settings *t) {
    gw_kept_list kept = {0};
    run->kept = &kept;
    const bool good = generate_all(run, t, NULL);
    gw_session *s = run->session, *last = s;
    gw_run rest = {0};
    bool is_rest = !good && t->source;
    for (unsigned reading = 1; is_rest && reading < READINGS_MOST; reading++) {
        if (!last->refused.count) gw_rest_refuse(last);
        is_rest = last->refused.count && is_any_left(last);
        for (uint32_t i = 0; i < last->refused.count && last != s; i++)
            gw_push(&s->refused, gw_intern(s, gw_cstr(last, last->refused.at[i])));
        if (rest.session) gw_generate_free(&rest);
        rest = (gw_run){.kept = &kept};
        is_rest = is_rest && !generate_all(&rest, t, s);
        last = rest.session;
        if (is_rest) gw_diag_take_errors(s, last);
    }
    if (rest.session) gw_generate_free(&rest);
    gw_kept_free(&kept);
    run->kept = NULL;
    if (!good) gw_diag_sort(s);
    return good;
}

static bool write_text(gw_run *run, const char *path, const gw_text *text) {
    char *error = gw_output_write(path, text->at ? text->at : "", text->count);
    if (error) gw_diag(run->session, GW_DIAG_CANNOT_WRITE, (gw_loc){0}, path, error);
    bool ok = !error;
    free(error);
    return ok;
}

static bool write_sarif(gw_run *run, const gw_settings *t) {
    if (!t->sarif) return true;
    gw_text text = {0};
    gw_sarif_text(run->session, &text);
    bool ok = write_text(run, t->sarif, &text);
    gw_text_free(&text);
    return ok;
}

static bool write_steps(gw_run *run, const gw_settings *t) {
    gw_text text = {0};
    for (unsigned i = 0; t->options.steps && i < GW_OPTIONAL_COUNT; i++)
        if (run->session->taken >> i & 1) gw_text_addf(&text, "%s\n", gw_optional_name(i));
    bool ok = !t->options.steps || write_text(run, t->options.steps, &text);
    gw_text_free(&text);
    return ok;
}

static bool write_report(gw_run *run, const gw_settings *t) {
    if (!t->options.report) return true;
    gw_text text = {0};
    bool ok = gw_report_page(run, t->options.profile, &text) && write_text(run, t->options.report, &text);
    gw_text_free(&text);
    return ok;
}

static bool write_dependencies(gw_run *run, const gw_settings *t, const char *own, const char *output) {
    if (!t->dependencies) return true;
    gw_text text = {0};
    gw_dependencies_text(run->session, t, output, &text);
    bool ok = write_text(run, own, &text);
    gw_text_free(&text);
    return ok;
}

static char *own_name(const gw_session *s, const gw_settings *t) {
    return t->options.standalone ? standalone_name(s) : gw_generate_output_name(t->source);
}

typedef GW_VEC(const char *) names;

static void push_named(names *list, const char *name) {
    if (name && strcmp(name, "-") != 0) gw_push(list, name);
}

static const char *found_in(const names *list, uint32_t count, const char *name) {
    for (uint32_t i = 0; i < count; i++)
        if (gw_output_same_file(list->at[i], name)) return list->at[i];
    return NULL;
}

/* Nothing that is read is written over, nor one output by another: `-o x.cu` would cost the user the source. */
static bool are_apart(gw_run *run, const gw_settings *t, const char *output, const char *rule) {
    const gw_options *o = &t->options;
    names read = {0}, written = {0};
    push_named(&read, t->source);
    push_named(&read, o->from_ir);
    push_named(&read, o->profile);
    for (uint32_t i = 0; i < t->request_files.count; i++) push_named(&read, t->request_files.at[i]);
    for (uint32_t i = 0; i < t->others.count; i++) push_named(&read, t->others.at[i]);
    for (uint32_t i = 0; i < t->flag_files.count; i++) push_named(&read, t->flag_files.at[i]);
    push_named(&written, output);
    push_named(&written, t->sarif);
    push_named(&written, o->report);
    push_named(&written, o->declarations);
    push_named(&written, o->steps);
    if (t->dependencies) push_named(&written, rule);
    bool apart = true;
    for (uint32_t i = 0; i < written.count && apart; i++) {
        const char *name = written.at[i], *input = found_in(&read, read.count, name),
                   *other = found_in(&written, i, name);
        apart = !input && !other;
        if (!apart)
            gw_diag(run->session, GW_DIAG_CANNOT_WRITE, (gw_loc){0}, name,
                    input ? "this run reads it" : "this run writes something else there");
    }
    gw_vec_free(&read);
    gw_vec_free(&written);
    return apart;
}

/* The gradient comes last, so that it is as it was if any other file cannot be written; the log is written
 * again where it should name an error that came after it. */
static bool write_all(gw_run *run, const gw_settings *t, bool good, const char *path) {
    const gw_options *o = &t->options;
    char *beside = gw_format("%s.d", path);
    const char *rule = t->dependency_file ? t->dependency_file : beside;
    bool apart = are_apart(run, t, path, rule);
    if (t->check) good = good && apart && gw_check(run, t, path);
    bool ok = apart && write_sarif(run, t) && write_steps(run, t) && good;
    if (ok && !t->check && (!o->stop_after || o->dump)) {
        ok = write_report(run, t) && write_dependencies(run, t, rule, path) &&
             (!o->declarations || write_text(run, o->declarations, &run->declarations)) &&
             write_text(run, path, &run->output);
        if (!ok) write_sarif(run, t);
    }
    free(beside);
    return ok;
}

bool gw_generate_write(gw_run *run, const gw_settings *t, bool good) {
    const gw_options *o = &t->options;
    char *own = !o->output && t->source && !o->dump ? own_name(run->session, t) : NULL;
    const char *to = own ? own : "-";
    bool ok = write_all(run, t, good, o->output ? o->output : to);
    free(own);
    return ok;
}

void gw_generate_free(gw_run *run) {
    gw_text_free(&run->output);
    gw_text_free(&run->declarations);
    gw_text_free(&run->exports);
    gw_session_free(run->session);
}
