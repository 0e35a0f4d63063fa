/*
 * report/profile.c - measured costs, from a text with a line for each: FILE:LINE METRIC VALUE, # begins a
 * comment (contract: report_private.h). FILE is one of the user's files or the emitted one, by its name without
 * folders; a line of the emitted text belongs to the line of the user's that its statement came from
 * (session->emitted).
 */
#include "rewriters/report/report_private.h"

#include "analysis/ir/diagnostics.h"

#include <ctype.h>
#include <string.h>

static gw_str line_text(gw_session *s, const char *at) {
    at += strspn(at, " ");
    return gw_intern_n(s, at, strcspn(at, "\n"));
}

/* What the line of the emitted text came from, NULL if that is not known: of several equal lines, the one of as
 * many. */
static const gw_emitted *statement_at(const gw_run *run, uint32_t line) {
    gw_session *s = run->session;
    const char *at = run->output.at;
    for (uint32_t i = 1; i < line && at; i++) at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
    if (!at) return NULL;
    gw_str text = line_text(s, at);
    uint32_t before = 0;
    for (const char *c = run->output.at; c < at; c = strchr(c, '\n') + 1) before += line_text(s, c) == text;
    for (uint32_t i = 0; i < s->emitted.count; i++)
        if (s->emitted.at[i].text == text && !before--) return &s->emitted.at[i];
    return NULL;
}

static gw_str base_of(gw_session *s, gw_str path) { return gw_intern(s, gw_report_base(gw_cstr(s, path))); }

static void add_measure(gw_report *r, const gw_run *run, gw_loc loc, gw_str metric, gw_str value) {
    gw_session *s = r->s;
    gw_measure m = {.loc = loc, .metric = metric, .value = value};
    const char *output =
        s->options.output ? gw_report_base(s->options.output) : gw_cstr(s, s->include_mode_name);
    if (strcmp(gw_cstr(s, loc.file), output) == 0) {
        const gw_emitted *from = statement_at(run, loc.line);
        if (!from) return;
        m.loc = from->loc;
        m.loc.file = base_of(s, from->loc.file);
        m.code = from->code;
    }
    gw_push(&r->measures, m);
}

/* The next word; its end, or NULL at the end of the line. */
static const char *word(const char **at, const char *end) {
    while (*at < end && isblank((unsigned char)**at)) ++*at;
    const char *from = *at;
    while (*at < end && !isspace((unsigned char)**at)) ++*at;
    return from < *at ? from : NULL;
}

static bool is_number(const char *text, size_t n) {
    char *end, *copy = gw_format("%.*s", (int)n, text);
    (void)strtod(copy, &end);
    bool good = n && !*end && !isalpha((unsigned char)copy[n - 1]);
    free(copy);
    return good;
}

/* What is wrong with the line, or NULL. */
static const char *read_line(gw_report *r, const gw_run *run, const char *at, const char *end) {
    const char *place = word(&at, end), *place_end = at, *metric = word(&at, end), *metric_end = at,
               *value = word(&at, end), *value_end = at;
    if (!place) return NULL;
    if (!metric || !value || word(&at, end)) return "a line is 'FILE:LINE METRIC VALUE'";
    const char *colon = place_end;
    while (colon > place && colon[-1] != ':') colon--;
    uint32_t line = 0;
    for (const char *c = colon; c < place_end && isdigit((unsigned char)*c) && line < 100000000; c++)
        line = 10 * line + (uint32_t)(*c - '0');
    if (colon <= place + 1 || !line || strspn(colon, "0123456789") != (size_t)(place_end - colon))
        return "the place is no 'FILE:LINE'";
    if (!is_number(value, (size_t)(value_end - value))) return "the value is no number";
    gw_session *s = r->s;
    gw_loc loc = {base_of(s, gw_intern_n(s, place, (size_t)(colon - 1 - place))), line, 0};
    add_measure(r, run, loc, gw_intern_n(s, metric, (size_t)(metric_end - metric)),
                gw_intern_n(s, value, (size_t)(value_end - value)));
    return NULL;
}

bool gw_report_profile(gw_report *r, const gw_run *run, const char *path) {
    size_t count;
    const char *error;
    char *text = gw_file_text(path, &count, &error);
    if (!text) {
        gw_diag(r->s, GW_DIAG_CANNOT_READ, (gw_loc){0}, path, error);
        return false;
    }
    gw_loc place = {gw_intern(r->s, path), 0, 1};
    bool good = true;
    for (const char *at = text; good && *at;) {
        const char *end = at + strcspn(at, "\r\n");
        const char *comment = memchr(at, '#', (size_t)(end - at));
        place.line++;
        error = read_line(r, run, at, comment ? comment : end);
        if (error) gw_diag(r->s, GW_DIAG_BAD_PROFILE, place, error);
        good = !error;
        at = end;
        if (*at == '\r' && at[1] == '\n') at++;
        if (*at) at++;
    }
    free(text);
    return good;
}
