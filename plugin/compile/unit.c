/*
 * unit.c - the gradient of a source, and the one unit that is compiled: the source, its gradient, and the table
 * of what they hold (gradwright/emitted/exported.h).
 *
 * The source is included by its own name, so that what it includes by quotes is found as ever. If it includes
 * its gradient, it finds that in the folder of this call; an older one that stands beside the source would come
 * first, so then a copy of the source is included from there.
 */
#include "analysis/ir/diagnostics.h"
#include "plugin/compile/compile_private.h"
#include "plugin/driver/driver.h"

#include <pthread.h>
#include <string.h>

/* The tool and libclang work for one call at a time. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static bool write_file(gw_job *j, const char *path, const char *text) {
    FILE *out = fopen(path, "w");
    bool good = out && fputs(text, out) >= 0;
    if (out) good = fclose(out) == 0 && good;
    return good || gw_job_fail(j, "cannot write '%s'", path);
}

/* gwcc knows the flags by which a source for the CPU device is read. */
static bool add_parse_flags(gw_job *j, gw_list *words) {
    if (j->kind != GW_JOB_CPU) {
        for (const char *const *f = j->options.flags; f && *f; f++)
            gw_push(words, gw_strdup(*f));
        return true;
    }
    gw_list ask = {0};
    gw_text said = {0};
    gw_build_compiler(j, &ask);
    gw_push(&ask, gw_strdup("--print-parse-flags"));
    gw_push(&ask, gw_strdup(j->path));
    for (const char *const *f = j->options.flags; f && *f; f++)
        gw_push(&ask, gw_strdup(*f));
    bool good = gw_build_run(j, &ask, &said);
    if (!good) gw_job_fail(j, "%s", said.at ? said.at : "gwcc does not run");
    for (const char *at = said.at; good && at && *(at += strspn(at, " \n"));) {
        size_t n = strcspn(at, " \n");
        gw_push(words, gw_format("%.*s", (int)n, at));
        at += n;
    }
    gw_list_free(&ask);
    gw_text_free(&said);
    return good;
}

/* What makes no text that could be loaded, or writes files of its own. */
static const char *out_of_place(const gw_settings *t) {
    const gw_options *o = &t->options;
    const struct {
        bool is;
        const char *name;
    } all[] = {{o->standalone, "--standalone"},
               {o->dump, "--dump"},
               {o->stop_after, "--stop-after"},
               {o->from_ir, "--from-ir"},
               {o->report, "--report"},
               {t->sarif, "--sarif"},
               {t->check, "--check"},
               {t->dependencies, "-MD"},
               {o->output, "-o"},
               {t->help || t->version || t->list_passes, "a question"}};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].is) return all[i].name;
    return NULL;
}

static void collect(gw_job *j, const gw_session *s) {
    for (uint32_t i = 0; i < s->included.count; i++) {
        const char *path = gw_cstr(s, s->included.at[i]);
        bool repeated = strcmp(path, j->path) == 0;
        for (uint32_t k = 0; k < i && !repeated; k++)
            repeated = s->included.at[k] == s->included.at[i];
        if (!repeated) gw_push(&j->included, gw_strdup(path));
    }
}

/* Messages about a text name it without the folder of this call. */
static void add_messages(gw_job *j, const char *text) {
    size_t n = strlen(j->work);
    while (*text) {
        if (strncmp(text, j->work, n) == 0 && text[n] == '/')
            text += n + 1;
        else
            gw_text_add_char(&j->messages, *text++);
    }
}

static void say(gw_job *j, gw_session *s) {
    char *text = NULL;
    size_t count = 0;
    FILE *out = open_memstream(&text, &count);
    if (!out) return;
    gw_diag_print(s, out);
    fclose(out);
    add_messages(j, text);
    free(text);
}

static char *write_unit(gw_job *j, const gw_run *run) {
    static const char *const suffixes[] = {
        [GW_JOB_C] = "c", [GW_JOB_CXX] = "cpp", [GW_JOB_CPU] = "cu", [GW_JOB_CUDA] = "cu"};
    const gw_session *s = run->session;
    const char *name = gw_cstr(s, s->include_mode_name), *slash = strrchr(j->path, '/');
    char *gradient = gw_format("%s/%s", j->work, name),
         *older = gw_format("%.*s/%s", (int)(slash - j->path), j->path, name),
         *copy = gw_format("%s/copy%s", j->work, slash + 1),
         *unit = gw_format("%s/unit.%s", j->work, suffixes[j->kind]);
    const bool copies = strcmp(older, gradient) != 0 && gw_place_exists(older);
    char *own = copies ? gw_format("#line 1 \"%s\"\n%s\n", j->path, j->text) : NULL,
         *text = gw_format("#include \"%s\"\n#include \"%s\"\n%s", copies ? copy : j->path, gradient,
                           run->exports.at ? run->exports.at : "");
    bool good = write_file(j, gradient, run->output.at) && (!own || write_file(j, copy, own)) &&
                write_file(j, unit, text);
    free(gradient), free(older), free(copy), free(own), free(text);
    if (good) return unit;
    free(unit);
    return NULL;
}

static char *generate(gw_job *j, const gw_settings *t) {
    gw_run run = {0};
    pthread_mutex_lock(&one_at_a_time);
    bool good = gw_generate(&run, t) && !gw_session_failed(run.session);
    pthread_mutex_unlock(&one_at_a_time);
    say(j, run.session);
    if (!good) gw_job_fail(j, "%s", j->messages.at ? j->messages.at : "no gradient was made");
    if (good) collect(j, run.session);
    char *unit = good ? write_unit(j, &run) : NULL;
    gw_generate_free(&run);
    return unit;
}

char *gw_unit_write(gw_job *j) {
    gw_list words = {0};
    gw_settings t;
    char *unit = NULL;
    gw_settings_start(&t);
    gw_push(&words, gw_strdup(j->path));
    for (const char *const *r = j->requests; r && *r; r++)
        gw_push(&words, gw_format("--gradient=%s", *r));
    for (const char *const *a = j->options.arguments; a && *a; a++)
        gw_push(&words, gw_strdup(*a));
    gw_push(&words, gw_strdup("--"));
    bool good = add_parse_flags(j, &words);
    char *error = good ? gw_settings_read(&t, (int)words.count, (const char *const *)words.at) : NULL;
    const char *wrong = good && !error ? out_of_place(&t) : NULL;
    if (good && !error && !wrong) error = gw_settings_complete(&t);
    if (error) good = gw_job_fail(j, "error: %s", error);
    if (wrong) good = gw_job_fail(j, "error: %s does not go with gw_compile", wrong);
    t.options.exports = true;
    if (good) unit = generate(j, &t);
    free(error);
    gw_settings_free(&t);
    gw_list_free(&words);
    return unit;
}
