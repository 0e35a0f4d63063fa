/* options.c - the command line (contract: gwcheck_private.h). */
#include "plugin/gwcheck/gwcheck_private.h"

#include "plugin/options/options.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>

static const char head[] =
    "usage: gwcheck FILE [options] [-- COMPILER FLAGS]\n"
    "\n"
    "Checks the gradients that FILE asks for: against differences and forward mode, and what they do to "
    "memory.\n"
    "Ends with 0 where all agree, 1 where something does not, 2 where nothing could be checked.\n"
    "\n";

bool gwcheck_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("gwcheck: error: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return false;
}

static char *copy(const char *from, const char *to) {
    while (from < to && isspace((unsigned char)*from))
        from++;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    return gw_format("%.*s", (int)(to - from), from);
}

/* What goes into the harness as it stands must not leave its place there: no statement, no open bracket. */
static bool is_expression(const char *text) {
    char open[64];
    size_t depth = 0;
    for (const char *c = text; *c; c++) {
        if (strchr(";{}\"'#\\\n\r?@`", *c)) return false;
        if (strchr("([", *c)) {
            if (depth == sizeof open) return false;
            open[depth++] = *c == '(' ? ')' : ']';
        } else if (strchr(")]", *c) && (!depth || open[--depth] != *c)) {
            return false;
        }
    }
    return !depth && *text;
}

/* A parameter with members and numbered elements. */
static bool is_place(const char *text) {
    if (!isalpha((unsigned char)*text) && *text != '_') return false;
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && !strchr("_.[]", *text)) return false;
    return true;
}

/* "x=VALUE" or "f: x=VALUE"; whole: all behind the function is the value. */
static bool add_given(gwcheck_givens *to, const char *option, const char *text, bool whole) {
    gwcheck_given g = {.option = option, .text = text};
    const char *colon = gw_request_split(text), *rest = colon ? colon + 1 : text;
    const char *equals = strchr(rest, '=');
    if (whole && !colon) return gwcheck_error("%s='%s': write 'f: grid=..., block=...'", option, text);
    if (!equals || equals[1] == '=') return gwcheck_error("%s='%s' has no 'name=value'", option, text);
    g.function = colon ? copy(text, colon) : NULL;
    g.param = whole ? gw_strdup("") : copy(rest, equals);
    g.value = whole ? copy(rest, rest + strlen(rest)) : copy(equals + 1, equals + strlen(equals));
    gw_push(to, g);
    if (!is_expression(g.value)) return gwcheck_error("%s='%s': '%s' is no expression", option, text, g.value);
    if (!whole && !is_place(g.param))
        return gwcheck_error("%s='%s': '%s' is no parameter", option, text, g.param);
    return true;
}

static const char *const parts[] = {"grid", "block", "shared", NULL};

/* To the comma outside of all brackets, or the end. */
static const char *part_end(const char *at) {
    for (int depth = 0; *at && (depth || *at != ','); at++)
        depth += (*at == '(') - (*at == ')');
    return at;
}

static size_t part_name(const char *at) { return strspn(at, "abcdefghijklmnopqrstuvwxyz"); }

char *gwcheck_launch_part(const char *launch, const char *name) {
    for (const char *at = launch, *end; at; at = *end ? end + 1 : NULL) {
        at += strspn(at, " ");
        end = part_end(at);
        const size_t n = part_name(at);
        const char *equals = at + n + strspn(at + n, " ");
        if (n == strlen(name) && strncmp(at, name, n) == 0 && *equals == '=') return copy(equals + 1, end);
    }
    return NULL;
}

static bool add_launch(gwcheck_options *o, const char *text) {
    if (!add_given(&o->launches, "--launch", text, true)) return false;
    const char *launch = o->launches.at[o->launches.count - 1].value;
    for (const char *at = launch, *end; at; at = *end ? end + 1 : NULL) {
        at += strspn(at, " ");
        end = part_end(at);
        const size_t n = part_name(at);
        const char *equals = at + n + strspn(at + n, " ");
        bool known = false;
        for (unsigned i = 0; parts[i]; i++)
            known |= strlen(parts[i]) == n && strncmp(at, parts[i], n) == 0;
        char *value = *equals == '=' ? copy(equals + 1, end) : NULL;
        const bool good = known && value && is_expression(value);
        free(value);
        if (!good)
            return gwcheck_error("--launch='%s': '%.*s' is no part of it: grid=, block=, shared=", text,
                                 (int)(end - at), at);
    }
    return true;
}

static bool add_range(gwcheck_options *o, const char *text) {
    double low, high;
    char end;
    if (!add_given(&o->ranges, "--range", text, false)) return false;
    const char *value = o->ranges.at[o->ranges.count - 1].value;
    if (sscanf(value, " [ %lf , %lf %c", &low, &high, &end) != 3 || end != ']')
        return gwcheck_error("--range='%s': '%s' is no [low, high]", text, value);
    return low <= high || gwcheck_error("--range='%s': %g is more than %g", text, low, high);
}

static bool set_seed(gwcheck_options *o, const char *text) {
    char *end;
    errno = 0;
    o->seed = strtoull(text, &end, 10);
    return (isdigit((unsigned char)*text) && !*end && !errno) || gwcheck_error("--seed=%s is no number", text);
}

static bool set_device(gwcheck_options *o, const char *text) {
    o->cuda = strcmp(text, "cuda") == 0;
    return o->cuda || strcmp(text, "cpu") == 0 || gwcheck_error("there is no device '%s': cpu or cuda", text);
}

/* Lines of a file, but for those that begin with '#'. */
static bool add_flags(gwcheck_options *o, const char *path) {
    size_t count;
    char *text = gwcheck_read(path, &count), *rest;
    if (!text) return false;
    gw_push(&o->texts, text);
    for (char *line = strtok_r(text, "\r\n", &rest); line; line = strtok_r(NULL, "\r\n", &rest))
        if (*line != '#') gw_push(&o->flags, line);
    return true;
}

/* ---- the table ---- */
#define GW_OPTION_ROWS "plugin/gwcheck/options.def"
#include "plugin/options/rows.h"
#define AT(kind, member) {GW_PLACE_##kind, offsetof(gwcheck_options, member)}
static const gw_option_place places[OPTION_COUNT] = {
    [OPTION_INPUTS] = AT(TEXT, inputs),
    [OPTION_JSON] = AT(TEXT, json),
    [OPTION_JUNIT] = AT(TEXT, junit),
    [OPTION_KEEP] = AT(TEXT, keep),
    [OPTION_GRADWRIGHT_ARG] = AT(WORDS, handed),
    [OPTION_VERBOSE] = AT(TRUTH, verbose),
    [OPTION_HELP] = AT(TRUTH, help),
    [OPTION_VERSION] = AT(TRUTH, version),
};
#undef AT

/* What was printed already is an empty message. */
static char *printed(bool good) { return good ? NULL : gw_strdup(""); }

static char *set(void *to, unsigned id, const char *value) {
    gwcheck_options *o = to;
    switch ((enum option_id)id) {
    case OPTION_GRADIENT:
        gw_push(&o->requests, "--gradient");
        gw_push(&o->requests, value);
        return NULL;
    case OPTION_FLAGS:
        return printed(add_flags(o, value));
    case OPTION_LAUNCH:
        return printed(add_launch(o, value));
    case OPTION_SET:
        return printed(add_given(&o->sets, "--set", value, false));
    case OPTION_SIZE:
        return printed(add_given(&o->sizes, "--size", value, false));
    case OPTION_RANGE:
        return printed(add_range(o, value));
    case OPTION_SEED:
        return printed(set_seed(o, value));
    case OPTION_DEVICE:
        return printed(set_device(o, value));
    default:
        return NULL;
    }
}

static const gw_option_table table = {rows, places, OPTION_COUNT, set};

void gwcheck_help(FILE *out) {
    fputs(head, out);
    gw_option_help(&table, out);
}

bool gwcheck_options_read(gwcheck_options *o, int count, char **words) {
    *o = (gwcheck_options){.seed = 1};
    int at = 1;
    for (; at < count && strcmp(words[at], "--") != 0; at++) {
        if (strncmp(words[at], "--", 2) == 0 || gw_option_find(&table, words[at]) != OPTION_COUNT) {
            if (!gw_option_step(&table, o, count, words, &at, gwcheck_error)) return false;
        } else if (words[at][0] == '-') {
            return gwcheck_error("unknown option '%s'; flags of the compiler stand behind --", words[at]);
        } else if (o->source) {
            return gwcheck_error("two sources: '%s' and '%s'", o->source, words[at]);
        } else {
            o->source = words[at];
        }
    }
    for (at++; at < count; at++)
        gw_push(&o->flags, words[at]);
    return o->source || o->help || o->version ||
           gwcheck_error("no source; 'gwcheck --help' says what is taken");
}

static void free_givens(gwcheck_givens *givens) {
    for (uint32_t i = 0; i < givens->count; i++)
        free(givens->at[i].function), free(givens->at[i].param), free(givens->at[i].value);
    gw_vec_free(givens);
}

void gwcheck_options_free(gwcheck_options *o) {
    free_givens(&o->launches), free_givens(&o->sets), free_givens(&o->sizes), free_givens(&o->ranges);
    gw_vec_free(&o->requests);
    gw_vec_free(&o->handed);
    gw_vec_free(&o->flags);
    for (uint32_t i = 0; i < o->texts.count; i++)
        free(o->texts.at[i]);
    gw_vec_free(&o->texts);
}
