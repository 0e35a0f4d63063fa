/*
 * request_file.c - requests from outside of the source: of the command line, and of files that hold one on a
 * line.
 *
 *     # what the solver needs
 *     solver::step(float *, const float *, int): u wrt v
 *     derivative solver::energy: wrt x
 *     checkpoint solver::step:120=25
 *
 * A line may begin with a kind of request; a gradient is what it is otherwise. "#" begins a comment.
 */
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/requests.h"
#include "plugin/driver/driver.h"
#include "plugin/request/request.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Text without the blanks around it. */
static gw_str intern_trimmed(gw_session *s, const char *from, const char *to) {
    while (from < to && isspace((unsigned char)*from))
        from++;
    while (from < to && isspace((unsigned char)to[-1]))
        to--;
    return gw_intern_n(s, from, (size_t)(to - from));
}

static void add(gw_session *s, gw_request_kind kind, const char *text, gw_loc loc) {
    const char *colon = gw_request_split(text);
    gw_request r = {.kind = kind, .function = intern_trimmed(s, text, colon), .loc = loc};
    r.text = intern_trimmed(s, colon + 1, text + strlen(text));
    gw_push(&s->requests, r);
}

/* The kind that the line begins with; *text is then behind it. "gradient: y wrt x" is about a function. */
static gw_request_kind read_kind(const char **text) {
    for (unsigned k = 0; k < GW_REQUEST_COUNT; k++) {
        size_t n = strlen(gw_request_rows[k].word);
        if (strncmp(*text, gw_request_rows[k].word, n) != 0 || !isspace((unsigned char)(*text)[n])) continue;
        const char *rest = *text + n + strspn(*text + n, " \t");
        if (*rest == ':' && rest[1] != ':') continue;
        *text = rest;
        return (gw_request_kind)k;
    }
    return GW_REQUEST_GRADIENT;
}

/* "ns::f:12=25", "f:12=binomial 10" */
static bool add_checkpoint(gw_session *s, gw_str whole, gw_loc loc) {
    static const char word[] = "binomial";
    const char *text = gw_cstr(s, whole), *equal = strrchr(text, '='), *colon = equal;
    while (colon && colon > text && *colon != ':') colon--;
    gw_given_checkpoint c = {.text = whole, .loc = loc};
    char *end = NULL;
    unsigned long line = colon ? strtoul(colon + 1, &end, 10) : 0;
    bool good = colon && colon > text && colon[-1] != ':' && end == equal && line > 0 && line <= UINT32_MAX;
    const char *number = good ? equal + 1 + strspn(equal + 1, " ") : "";
    bool binomial = strncmp(number, word, sizeof word - 1) == 0 && number[sizeof word - 1] == ' ';
    if (binomial) number += sizeof word;
    long long n = strtoll(number, &end, 10);
    good &= end != number && !*end && n >= 1 && n <= (binomial ? GW_MOST_STATES : INT32_MAX);
    if (!good) {
        gw_diag(s, GW_DIAG_BAD_CHECKPOINT, loc, text);
        return false;
    }
    c.function = intern_trimmed(s, text, colon);
    c.line = (uint32_t)line;
    c.number = binomial ? -n : n;
    gw_push(&s->checkpoints, c);
    return true;
}

/* "f: what is stated of it" */
static gw_given_launch given(gw_session *s, const char *text, const char *colon, gw_loc loc) {
    return (gw_given_launch){.function = intern_trimmed(s, text, colon),
                             .text = intern_trimmed(s, colon + 1, text + strlen(text)),
                             .loc = loc};
}

static bool add_launch(gw_session *s, const char *text, gw_loc loc) {
    const char *colon = gw_request_split(text);
    if (!colon) gw_diag(s, GW_DIAG_UNREADABLE_LAUNCH, loc, text);
    else gw_push(&s->launches, given(s, text, colon, loc));
    return colon != NULL;
}

static bool add_pack(gw_session *s, const char *text, gw_loc loc) {
    const char *colon = gw_request_split(text);
    if (!colon) gw_diag(s, GW_DIAG_CANNOT_PACK, loc, text, "it names no function: 'f: x, y'");
    else gw_push(&s->packs, given(s, text, colon, loc));
    return colon != NULL;
}

static bool add_checkpoint_line(gw_session *s, const char *text, gw_loc loc) {
    return add_checkpoint(s, intern_trimmed(s, text, text + strlen(text)), loc);
}

/* Lines that are no requests, by their first word. */
static const struct {
    const char *word;
    bool (*add)(gw_session *s, const char *text, gw_loc loc);
} statements[] = {
    {"checkpoint ", add_checkpoint_line},
    {"promise ", gw_promise_add},
    {"launch ", add_launch},
    {"pack ", add_pack},
};

static bool read_line(gw_session *s, gw_str line, gw_loc loc) {
    const char *text = gw_cstr(s, line);
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        const size_t n = strlen(statements[i].word);
        if (strncmp(text, statements[i].word, n) == 0) return statements[i].add(s, text + n, loc);
    }
    gw_request_kind kind = read_kind(&text);
    if (!gw_request_split(text)) {
        gw_diag(s, GW_DIAG_BAD_REQUEST, loc, gw_cstr(s, line),
                "it names no function: 'function: outputs wrt inputs'");
        return false;
    }
    add(s, kind, text, loc);
    return true;
}

static bool read_file(gw_session *s, const char *path) {
    size_t count = 0;
    const char *error = NULL;
    char *text = gw_file_text(path, &count, &error);
    if (!text) {
        gw_diag(s, GW_DIAG_CANNOT_READ, (gw_loc){0}, path, error);
        return false;
    }
    bool good = true;
    gw_loc loc = {.file = gw_intern(s, path), .line = 1, .column = 1};
    for (const char *p = text; *p; loc.line++) {
        size_t n = strcspn(p, "\n");
        gw_str line = intern_trimmed(s, p, p + (strcspn(p, "#") < n ? strcspn(p, "#") : n));
        if (line) good &= read_line(s, line, loc);
        p += n + (p[n] == '\n');
    }
    free(text);
    return good;
}

bool gw_requests_add(gw_session *s, const gw_settings *t) {
    bool good = true;
    for (uint32_t i = 0; i < t->promises.count; i++)
        good &= gw_promise_add(s, t->promises.at[i], (gw_loc){0});
    for (uint32_t i = 0; i < t->launches.count; i++)
        good &= add_launch(s, t->launches.at[i], (gw_loc){0});
    for (uint32_t i = 0; i < t->packs.count; i++)
        good &= add_pack(s, t->packs.at[i], (gw_loc){0});
    for (uint32_t i = 0; i < t->requests.count; i++)
        add(s, t->requests.at[i].kind, t->requests.at[i].text, (gw_loc){0});
    for (uint32_t i = 0; i < t->checkpoints.count; i++)
        good &= add_checkpoint(s, gw_intern(s, t->checkpoints.at[i]), (gw_loc){0});
    for (uint32_t i = 0; i < t->request_files.count; i++)
        good &= read_file(s, t->request_files.at[i]);
    return good;
}
