/*
 * options.c - reads options by the table options.def (contract: driver.h). A misspelt name or value is
 * answered with the nearest one, found by edit distance.
 */
#include "plugin/driver/driver.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/optional.h"
#include "analysis/ir/requests.h"
#include "analysis/ir/rungs.h"
#include "analysis/prove/prove.h"
#include "plugin/options/options.h"
#include "plugin/request/request.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define GW_OPTION_ROWS "plugin/driver/options.def"
#include "plugin/options/rows.h"

void gw_settings_start(gw_settings *t) {
    const char *cache = getenv("GW_SMT_CACHE"), *precompiled = getenv("GW_PRECOMPILED");
    *t = (gw_settings){0};
    if (cache && *cache) t->options.smt_cache = cache;
    t->precompiled = precompiled;
#ifndef NDEBUG
    t->options.verify = true;
#endif
}

void gw_settings_free(gw_settings *t) {
    for (uint32_t i = 0; i < t->found_args.count; i++)
        free(t->found_args.at[i]);
    gw_vec_free(&t->found_args);
    free(t->source_found);
    gw_vec_free(&t->others);
    gw_vec_free(&t->requests);
    gw_vec_free(&t->checkpoints);
    gw_vec_free(&t->promises);
    gw_vec_free(&t->launches);
    gw_vec_free(&t->packs);
    gw_vec_free(&t->request_files);
    gw_vec_free(&t->flag_files);
    gw_vec_free(&t->precompile);
    gw_vec_free(&t->dependency_targets);
}

/* ---- one option ---- */
/* The number of the name, which is followed by none (NULL) behind the last; else *nearest is the most alike. */
static unsigned number_of(const char *(*name)(unsigned), const char *value, const char **nearest) {
    unsigned i = 0;
    for (; name(i) && strcmp(name(i), value) != 0; i++) *nearest = gw_nearer(value, *nearest, name(i));
    return i;
}

static char *set_pass(const char **to, const char *value) {
    const char *nearest = NULL;
    if (!gw_pass_name(number_of(gw_pass_name, value, &nearest)))
        return gw_option_unknown("pass", value, nearest);
    *to = value;
    return NULL;
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
    return gw_option_unknown("way to accumulate", value, best);
}

static char *set_without(gw_options *o, const char *value) {
    const char *nearest = NULL;
    const unsigned step = number_of(gw_optional_name, value, &nearest);
    if (step < GW_OPTIONAL_COUNT) {
        o->without |= (uint64_t)1 << step;
        return NULL;
    }
    char *unknown = gw_option_unknown("step", value, nearest);
    gw_text all = {0};
    gw_text_addf(&all, "%s\nthe steps are", unknown);
    for (unsigned i = 0; i < GW_OPTIONAL_COUNT; i++)
        gw_text_addf(&all, "%s %s", i ? "," : "", gw_optional_name(i));
    free(unknown);
    return all.at;
}

static char *set_smt(gw_options *o, const char *value) {
    o->smt_off = strcmp(value, "off") == 0;
    if (o->smt_off || strcmp(value, "on") == 0) return NULL;
    return gw_option_unknown("answer for --smt", value, gw_nearer(value, gw_nearer(value, NULL, "on"), "off"));
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

#define AT(kind, member) {GW_PLACE_##kind, offsetof(gw_settings, member)}
static const gw_option_place places[OPTION_COUNT] = {
    [OPTION_OUTPUT] = AT(TEXT, options.output),
    [OPTION_STANDALONE] = AT(TRUTH, options.standalone),
    [OPTION_DECLARATIONS] = AT(TEXT, options.declarations),
    [OPTION_EXPLAIN] = AT(TRUTH, options.explain),
    [OPTION_CHECKED] = AT(TRUTH, options.checked),
    [OPTION_SMT_CACHE] = AT(TEXT, options.smt_cache),
    [OPTION_PRECOMPILED] = AT(TEXT, precompiled),
    [OPTION_DETERMINISTIC] = AT(TRUTH, options.deterministic),
    [OPTION_KEEP_SEED] = AT(TRUTH, options.keep_seed),
    [OPTION_FRESH] = AT(TRUTH, options.fresh),
    [OPTION_NAMED] = AT(TRUTH, options.named),
    [OPTION_SARIF] = AT(TEXT, sarif),
    [OPTION_REPORT] = AT(TEXT, options.report),
    [OPTION_PROFILE] = AT(TEXT, options.profile),
    [OPTION_CHECK] = AT(TRUTH, check),
    [OPTION_COMPILE_COMMANDS] = AT(TEXT, compile_commands),
    [OPTION_DEPENDENCIES] = AT(TRUTH, dependencies),
    [OPTION_DEPENDENCY_FILE] = AT(TEXT, dependency_file),
    [OPTION_PHONY_HEADERS] = AT(TRUTH, phony_headers),
    [OPTION_VERIFY] = AT(TRUTH, options.verify),
    [OPTION_STEPS] = AT(TEXT, options.steps),
    [OPTION_FROM_IR] = AT(TEXT, options.from_ir),
    [OPTION_LIST_PASSES] = AT(TRUTH, list_passes),
    [OPTION_VERSION] = AT(TRUTH, version),
    [OPTION_HELP] = AT(TRUTH, help),
    [OPTION_REQUESTS] = AT(WORDS, request_files),
    [OPTION_CHECKPOINT] = AT(WORDS, checkpoints),
    [OPTION_PROMISE] = AT(WORDS, promises),
    [OPTION_LAUNCH] = AT(WORDS, launches),
    [OPTION_PACK] = AT(WORDS, packs),
    [OPTION_FLAGS] = AT(WORDS, flag_files),
    [OPTION_PRECOMPILE] = AT(WORDS, precompile),
    [OPTION_DEPENDENCY_TARGET] = AT(WORDS, dependency_targets),
};
#undef AT

static char *set(void *to, unsigned id, const char *value) {
    gw_settings *t = to;
    gw_options *o = &t->options;
    switch ((enum option_id)id) {
#define GW_REQUEST(KIND, word, macro, made, suffix, is_reverse)                                                \
    case OPTION_##KIND:                                                                                        \
        return add_request(t, GW_REQUEST_##KIND, value);
#include "analysis/ir/requests.def"
#include "analysis/ir/optional.h"
#undef GW_REQUEST
    case OPTION_ACCUMULATE:
    case OPTION_PREFER:
        return set_accumulate(t, (enum option_id)id, value);
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
    case OPTION_WITHOUT:
        return set_without(o, value);
    case OPTION_DUMP:
        return set_pass(&o->dump, value);
    case OPTION_STOP_AFTER:
        return set_pass(&o->stop_after, value);
    default:
        return NULL;
    }
}

static const gw_option_table table = {rows, places, OPTION_COUNT, set};

char *gw_settings_set(gw_settings *t, const char *text) { return gw_option_read_plugin(&table, t, text); }

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
    if (o->from_ir && t->packs.count)
        return gw_strdup("--pack does not go with --from-ir: a dump has its records");
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

static char *read_word(gw_settings *t, const char *word, const char *next, bool *used_next) {
    if (word[0] != '-' || !word[1]) {
        if (t->source) gw_push(&t->others, word);
        else t->source = word;
        return NULL;
    }
    if (word[1] != '-' && gw_option_find(&table, word) == OPTION_COUNT)
        return gw_format("unknown option '%s' (flags for Clang stand behind --)", word);
    return gw_option_read(&table, t, word, next, used_next);
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
    add_given(out, o->fresh, OPTION_FRESH, "");
    add_given(out, o->named, OPTION_NAMED, "");
    for (unsigned i = 0; i < GW_OPTIONAL_COUNT; i++)
        add_given(out, o->without >> i & 1, OPTION_WITHOUT, gw_optional_name(i));
}

void gw_settings_help(FILE *out) {
    fputs("usage: gradwright FILE [OTHER...] [options] [-- CLANG-FLAGS]\n\n"
          "Emits the gradients that FILE (CUDA, C++ or C) asks for with GW_GRADIENT and GW_DERIVATIVE.\n"
          "Bodies of functions that FILE only declares are looked for in OTHER sources of its language.\n\n",
          out);
    gw_option_help(&table, out);
    fputs("\nRungs, for --accumulate, --prefer and GW_ACCUMULATE:\n", out);
    for (unsigned rung = 0; rung < GW_RUNG_COUNT; rung++) {
        fprintf(out, "  %s\n", gw_rung_rows[rung].spelling);
        gw_option_wrapped(out, gw_rung_rows[rung].says);
    }
    fputs("\nSteps, for --without:\n", out);
    for (unsigned step = 0; step < GW_OPTIONAL_COUNT; step++) {
        fprintf(out, "  %s\n", gw_optional_name(step));
        gw_option_wrapped(out, gw_optional_says(step));
    }
    fputs("\nClang's plugin takes the same options as -fplugin-arg-gradwright-NAME=VALUE, but for those about "
          "passes.\n"
          "Exit status: 0 done, 1 the gradient could not be made (an older output is left as it was) or, with "
          "--check, is out of date, 2 wrong usage.\n",
          out);
}
