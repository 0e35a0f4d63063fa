/*
 * options.c - reads options by the table options.def (contract: driver.h). A misspelt name or value is
 * answered with the nearest one, found by edit distance.
 */
#include "plugin/driver/driver.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/requests.h"
#include "analysis/ir/rungs.h"
#include "analysis/prove/prove.h"
#include "plugin/request/request.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum where { BOTH, COMMAND };
typedef struct option_row {
    const char *name, *brief, *value;
    enum where where;
    const char *help;
} option_row;
enum option_id {
#define GW_OPTION(ID, name, brief, value, where, help) OPTION_##ID,
#include "plugin/driver/options.def"
#undef GW_OPTION
    OPTION_COUNT
};
static const option_row rows[OPTION_COUNT] = {
#define GW_OPTION(ID, name, brief, value, where, help) {name, brief, value, where, help},
#include "plugin/driver/options.def"
#undef GW_OPTION
};

void gw_settings_start(gw_settings *t) {
    const char *cache = getenv("GW_SMT_CACHE");
    *t = (gw_settings){0};
    if (cache && *cache) t->options.smt_cache = cache;
#ifndef NDEBUG
    t->options.verify = true;
#endif
}

void gw_settings_free(gw_settings *t) {
    for (uint32_t i = 0; i < t->found_args.count; i++)
        free(t->found_args.at[i]);
    gw_vec_free(&t->found_args);
    free(t->source_found);
    gw_vec_free(&t->requests);
    gw_vec_free(&t->checkpoints);
    gw_vec_free(&t->promises);
    gw_vec_free(&t->launches);
    gw_vec_free(&t->request_files);
    gw_vec_free(&t->flag_files);
    gw_vec_free(&t->dependency_targets);
}

/* ---- suggestions ---- */
static char *unknown(const char *what, const char *text, const char *dashes, const char *best) {
    if (!best) return gw_format("unknown %s '%s%s'", what, dashes, text);
    return gw_format("unknown %s '%s%s'; did you mean '%s%s'?", what, dashes, text, dashes, best);
}

/* ---- one option ---- */
static char *set_pass(const char **to, const char *value) {
    const char *best = NULL;
    for (unsigned i = 0; gw_pass_name(i); i++) {
        if (strcmp(gw_pass_name(i), value) == 0) {
            *to = value;
            return NULL;
        }
        best = gw_nearer(value, best, gw_pass_name(i));
    }
    return unknown("pass", value, "", best);
}

static char *set_accumulate(gw_settings *t, enum option_id by, const char *value) {
    const char *best = NULL;
    gw_rung rung = gw_rung_by_spelling(value);
    if (rung != GW_RUNG_COUNT) {
        if (t->rung_by && t->rung_by != by)
            return gw_strdup("--prefer does not go with --accumulate: both say how to add");
        t->rung_by = by;
        t->options.accumulate = rung;
        t->options.prefers = by == OPTION_PREFER;
        return NULL;
    }
    for (unsigned i = 0; i < GW_RUNG_COUNT; i++) best = gw_nearer(value, best, gw_rung_rows[i].spelling);
    return unknown("way to accumulate", value, "", best);
}

static char *set_smt(gw_options *o, const char *value) {
    o->smt_off = strcmp(value, "off") == 0;
    if (o->smt_off || strcmp(value, "on") == 0) return NULL;
    return unknown("answer for --smt", value, "", gw_nearer(value, gw_nearer(value, NULL, "on"), "off"));
}

/* the solver counts steps in 32 bits; an hour */
enum { MOST_THOUSANDS = 4000000, MOST_MILLISECONDS = 3600000 };

static char *set_number(uint32_t *to, uint32_t most, const char *name, const char *value) {
    char *end;
    unsigned long long number = strtoull(value, &end, 10);
    if (*end || value[0] < '1' || value[0] > '9' || number > most)
        return gw_format("--%s is a number from 1 to %u, not '%s'", name, most, value);
    *to = (uint32_t)number;
    return NULL;
}

static char *set_coarsen(gw_options *o, const char *value) {
    char *end;
    unsigned long number = strtoul(value, &end, 10);
    if (*end || value[0] < '0' || value[0] > '9' || number < GW_LEAST_COARSE || number > GW_MOST_COARSE)
        return gw_format("--coarsen is a number from %d to %d, not '%s'", GW_LEAST_COARSE, GW_MOST_COARSE,
                         value);
    o->coarsen = (uint32_t)number;
    return NULL;
}

static char *add_request(gw_settings *t, gw_request_kind kind, const char *value) {
    if (!gw_request_split(value))
        return gw_format("'%s' is no request: write 'function: outputs wrt inputs'", value);
    gw_push(&t->requests, ((gw_given_request){kind, value}));
    return NULL;
}

/* The place of an option that needs no check: a text, or that it is given. */
typedef struct place {
    enum { NO_PLACE, TEXT, TRUTH } kind;
    size_t at;
} place;
#define TEXT_AT(member) {TEXT, offsetof(gw_settings, member)}
#define TRUTH_AT(member) {TRUTH, offsetof(gw_settings, member)}
static const place places[OPTION_COUNT] = {
    [OPTION_OUTPUT] = TEXT_AT(options.output),
    [OPTION_STANDALONE] = TRUTH_AT(options.standalone),
    [OPTION_DECLARATIONS] = TEXT_AT(options.declarations),
    [OPTION_EXPLAIN] = TRUTH_AT(options.explain),
    [OPTION_CHECKED] = TRUTH_AT(options.checked),
    [OPTION_SMT_CACHE] = TEXT_AT(options.smt_cache),
    [OPTION_DETERMINISTIC] = TRUTH_AT(options.deterministic),
    [OPTION_KEEP_SEED] = TRUTH_AT(options.keep_seed),
    [OPTION_SARIF] = TEXT_AT(sarif),
    [OPTION_REPORT] = TEXT_AT(options.report),
    [OPTION_PROFILE] = TEXT_AT(options.profile),
    [OPTION_CHECK] = TRUTH_AT(check),
    [OPTION_COMPILE_COMMANDS] = TEXT_AT(compile_commands),
    [OPTION_DEPENDENCIES] = TRUTH_AT(dependencies),
    [OPTION_DEPENDENCY_FILE] = TEXT_AT(dependency_file),
    [OPTION_PHONY_HEADERS] = TRUTH_AT(phony_headers),
    [OPTION_VERIFY] = TRUTH_AT(options.verify),
    [OPTION_FROM_IR] = TEXT_AT(options.from_ir),
    [OPTION_LIST_PASSES] = TRUTH_AT(list_passes),
    [OPTION_VERSION] = TRUTH_AT(version),
    [OPTION_HELP] = TRUTH_AT(help),
};
#undef TEXT_AT
#undef TRUTH_AT

static char *set(gw_settings *t, enum option_id id, const char *value) {
    gw_options *o = &t->options;
    void *at = (char *)t + places[id].at;
    if (places[id].kind == TEXT) *(const char **)at = value;
    if (places[id].kind == TRUTH) *(bool *)at = true;
    switch (id) {
#define GW_REQUEST(KIND, word, macro, made, suffix, is_reverse)                                                \
    case OPTION_##KIND:                                                                                        \
        return add_request(t, GW_REQUEST_##KIND, value);
#include "analysis/ir/requests.def"
#undef GW_REQUEST
    case OPTION_REQUESTS:
        gw_push(&t->request_files, value);
        return NULL;
    case OPTION_CHECKPOINT:
        gw_push(&t->checkpoints, value);
        return NULL;
    case OPTION_PROMISE:
        gw_push(&t->promises, value);
        return NULL;
    case OPTION_LAUNCH:
        gw_push(&t->launches, value);
        return NULL;
    case OPTION_FLAGS:
        gw_push(&t->flag_files, value);
        return NULL;
    case OPTION_DEPENDENCY_TARGET:
        gw_push(&t->dependency_targets, value);
        return NULL;
    case OPTION_ACCUMULATE:
    case OPTION_PREFER:
        return set_accumulate(t, id, value);
    case OPTION_COARSEN:
        return set_coarsen(o, value);
    case OPTION_SMT:
        return set_smt(o, value);
    case OPTION_SMT_BUDGET:
        return set_number(&o->smt_budget, MOST_THOUSANDS, "smt-budget", value);
    case OPTION_SMT_TIME:
        return set_number(&o->smt_time, MOST_MILLISECONDS, "smt-time", value);
    case OPTION_PROOF_BUDGET:
        return set_number(&o->proof_budget, MOST_THOUSANDS, "proof-budget", value);
    case OPTION_DUMP:
        return set_pass(&o->dump, value);
    case OPTION_STOP_AFTER:
        return set_pass(&o->stop_after, value);
    default:
        return NULL;
    }
}

/* The row that text ("name" or "name=...") names; OPTION_COUNT and a message if there is none. */
static enum option_id find(const char *text, bool is_plugin, char **error) {
    size_t n = strcspn(text, "=");
    char *name = gw_strdup(text);
    name[n] = 0;
    const char *best = NULL;
    unsigned id = 0;
    for (; id < OPTION_COUNT; id++) {
        if (is_plugin && rows[id].where == COMMAND) continue;
        if (strcmp(rows[id].name, name) == 0) break;
        best = gw_nearer(name, best, rows[id].name);
    }
    if (id == OPTION_COUNT) *error = unknown("option", name, is_plugin ? "" : "--", best);
    free(name);
    return (enum option_id)id;
}

/* `next` is the value where the text has none; *used_next says whether it was taken. */
static char *set_text(gw_settings *t, const char *text, bool is_plugin, const char *next, bool *used_next) {
    char *error = NULL;
    enum option_id id = find(text, is_plugin, &error);
    if (error) return error;
    const char *equals = strchr(text, '=');
    bool takes_value = rows[id].value[0] != 0;
    if (!takes_value && equals) return gw_format("option '%s' takes no value", rows[id].name);
    if (takes_value && (equals ? !equals[1] : !next))
        return gw_format("option '%s' needs a value: %s", rows[id].name, rows[id].value);
    *used_next = takes_value && !equals;
    return set(t, id, equals ? equals + 1 : next);
}

char *gw_settings_set(gw_settings *t, const char *text, bool is_plugin) {
    bool used_next;
    return set_text(t, text, is_plugin, NULL, &used_next);
}

/* ---- the command line ---- */
typedef struct given {
    bool is;
    const char *name;
} given;
#define FIRST_GIVEN(...) first_given((const given[]){__VA_ARGS__, {true, NULL}})

/* The name of the first one that is given; NULL: none is. */
static const char *first_given(const given *all) {
    while (!all->is) all++;
    return all->name;
}

static char *check_together(const gw_settings *t) {
    const gw_options *o = &t->options;
    const char *asked = t->requests.count ? gw_request_rows[t->requests.at[0].kind].word : NULL;
    const char *request = FIRST_GIVEN({asked != NULL, asked}, {t->checkpoints.count != 0, "checkpoint"},
                                      {t->request_files.count != 0, "requests"});
    const char *of_source = FIRST_GIVEN({t->dependencies, "-MD"}, {t->compile_commands != NULL, "-p"},
                                        {t->flag_files.count != 0, "--flags"});
    const char *stage = FIRST_GIVEN({o->dump != NULL, "dump"}, {o->stop_after != NULL, "stop-after"});
    const char *rule = FIRST_GIVEN({t->dependency_file != NULL, "-MF"},
                                   {t->dependency_targets.count != 0, "-MT"}, {t->phony_headers, "-MP"});
    if (t->help || t->version || t->list_passes) return NULL;
    if (!t->source && !o->from_ir) return gw_strdup("no source file is given");
    if (t->source && o->from_ir) return gw_strdup("--from-ir stands in place of a source file");
    if (o->from_ir && t->promises.count)
        return gw_strdup("--promise does not go with --from-ir: a dump has its promises");
    if (o->from_ir && t->launches.count)
        return gw_strdup("--launch does not go with --from-ir: a dump has its facts");
    if (o->from_ir && o->coarsen)
        return gw_strdup("--coarsen does not go with --from-ir: a dump has its requests");
    if (o->from_ir && request)
        return gw_format("--%s does not go with --from-ir: a dump has its requests", request);
    if (o->from_ir && of_source)
        return gw_format("%s does not go with --from-ir: no source is parsed", of_source);
    if (t->check && o->from_ir) return gw_strdup("--check does not go with --from-ir: a dump is no source");
    if (t->check && stage) return gw_format("--check does not go with --%s", stage);
    if (t->check && o->output && strcmp(o->output, "-") == 0)
        return gw_strdup("--check reads the gradient that -o names: a file");
    if (o->standalone && (o->from_ir || stage))
        return gw_format("--standalone does not go with --%s", o->from_ir ? "from-ir" : stage);
    if (o->profile && !o->report) return gw_strdup("--profile needs --report");
    if (o->report && stage)
        return gw_format("--report does not go with --%s: it tells of a gradient", stage);
    if (o->declarations && !o->standalone) return gw_strdup("--declarations needs --standalone");
    if (rule && !t->dependencies) return gw_format("%s needs -MD", rule);
    if (t->dependencies && stage)
        return gw_strdup("-MD does not go with --dump and --stop-after: they make no gradient");
    if (t->dependencies && !t->dependency_file && o->output && strcmp(o->output, "-") == 0)
        return gw_strdup("-MD needs -MF where the gradient goes to standard output");
    return NULL;
}

/* -o, -MD ...: the name of the option with that short spelling. */
static const char *find_brief(const char *word) {
    for (unsigned i = 0; i < OPTION_COUNT; i++)
        if (rows[i].brief[0] && strcmp(word, rows[i].brief) == 0) return rows[i].name;
    return NULL;
}

static char *read_word(gw_settings *t, const char *word, const char *next, bool *used_next) {
    if (word[0] != '-' || !word[1]) {
        if (t->source) return gw_format("one source file at a time: '%s' and '%s'", t->source, word);
        t->source = word;
        return NULL;
    }
    const char *name = find_brief(word);
    if (name) return set_text(t, name, false, next, used_next);
    if (word[1] != '-') return gw_format("unknown option '%s' (flags for Clang stand behind --)", word);
    return set_text(t, word + 2, false, next, used_next);
}

char *gw_settings_read(gw_settings *t, int count, const char *const *words) {
    t->words = words;
    t->words_count = count;
    for (int i = 0; i < count; i++) {
        if (strcmp(words[i], "--") == 0) {
            t->clang_args = words + i + 1;
            t->clang_args_count = count - i - 1;
            break;
        }
        const char *next = i + 1 < count && strcmp(words[i + 1], "--") != 0 ? words[i + 1] : NULL;
        bool used_next = false;
        char *error = read_word(t, words[i], next, &used_next);
        if (error) return error;
        i += used_next;
    }
    return check_together(t);
}

static void add_given(gw_text *out, bool is_given, enum option_id id, const char *value) {
    const char *between = out->count ? " " : "", *equals = *value ? "=" : "";
    if (is_given) gw_text_addf(out, "%s--%s%s%s", between, rows[id].name, equals, value);
}

static void add_number(gw_text *out, uint32_t number, uint32_t usual, enum option_id id) {
    char text[16];
    snprintf(text, sizeof text, "%u", number);
    add_given(out, number && number != usual, id, text);
}

/* Without --smt-time, which is there for a solver that hangs. */
void gw_settings_given(const gw_settings *t, gw_text *out) {
    const gw_options *o = &t->options;
    const char *rung = gw_rung_rows[o->accumulate].spelling;
    add_given(out, o->standalone, OPTION_STANDALONE, "");
    add_given(out, o->checked, OPTION_CHECKED, "");
    add_given(out, o->accumulate != GW_RUNG_AUTO, o->prefers ? OPTION_PREFER : OPTION_ACCUMULATE, rung);
    add_number(out, o->coarsen, 0, OPTION_COARSEN);
    add_given(out, o->smt_off, OPTION_SMT, "off");
    add_number(out, o->smt_budget, GW_SMT_BUDGET, OPTION_SMT_BUDGET);
    add_number(out, o->proof_budget, GW_PROOF_BUDGET, OPTION_PROOF_BUDGET);
    add_given(out, o->deterministic, OPTION_DETERMINISTIC, "");
    add_given(out, o->keep_seed, OPTION_KEEP_SEED, "");
}

static void print_wrapped(FILE *out, const char *text) {
    enum { WIDTH = 76 };
    while (*text) {
        size_t n = strlen(text);
        if (n > WIDTH)
            for (n = WIDTH; n && text[n] != ' ';)
                n--;
        if (!n) n = strlen(text);
        fprintf(out, "        %.*s\n", (int)n, text);
        text += n + (text[n] == ' ');
    }
}

void gw_settings_help(FILE *out) {
    fputs("usage: gradwright FILE [options] [-- CLANG-FLAGS]\n\n"
          "Emits the gradients that FILE (CUDA, C++ or C) asks for with GW_GRADIENT and GW_DERIVATIVE.\n\n",
          out);
    for (unsigned i = 0; i < OPTION_COUNT; i++) {
        const char *brief = rows[i].brief, *value = rows[i].value;
        fprintf(out, "  %s%s%s%s--%s%s%s\n", brief, brief[0] && value[0] ? " " : "", brief[0] ? value : "",
                brief[0] ? ", " : "", rows[i].name, value[0] ? "=" : "", value);
        print_wrapped(out, rows[i].help);
    }
    fputs("\nRungs, for --accumulate, --prefer and GW_ACCUMULATE:\n", out);
    for (unsigned rung = 0; rung < GW_RUNG_COUNT; rung++) {
        fprintf(out, "  %s\n", gw_rung_rows[rung].spelling);
        print_wrapped(out, gw_rung_rows[rung].says);
    }
    fputs("\nClang's plugin takes the same options as -fplugin-arg-gradwright-NAME=VALUE, but for those about "
          "passes.\n"
          "Exit status: 0 done, 1 the gradient could not be made (an older output is left as it was) or, with "
          "--check, is out of date, 2 wrong usage.\n",
          out);
}
