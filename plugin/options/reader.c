/* reader.c - reads options by a table (contract: options.h). A misspelt name is answered with the nearest. */
#include "plugin/options/options.h"

#include "analysis/ir/support.h"
#include "plugin/request/request.h"

#include <stdlib.h>
#include <string.h>

typedef GW_VEC(const char *) word_list;

char *gw_option_unknown(const char *what, const char *text, const char *best) {
    if (!best) return gw_format("unknown %s '%s'", what, text);
    return gw_format("unknown %s '%s'; did you mean '%s'?", what, text, best);
}

static bool is_named(const gw_option_row *row, const char *name, size_t length) {
    return length && strlen(row->name) == length && strncmp(row->name, name, length) == 0;
}

unsigned gw_option_find(const gw_option_table *t, const char *word) {
    const bool is_long = strncmp(word, "--", 2) == 0;
    unsigned row = 0;
    for (; row < t->count; row++) {
        if (t->rows[row].brief[0] && strcmp(t->rows[row].brief, word) == 0) break;
        if (is_long && is_named(&t->rows[row], word + 2, strcspn(word + 2, "="))) break;
    }
    return row;
}

/* The value of the row is set; equals: "=value" of its word, or NULL. */
static char *set(const gw_option_table *t, void *to, unsigned id, const char *equals, const char *next,
                 bool *used_next) {
    const gw_option_row *row = &t->rows[id];
    const char *spelled = row->name[0] ? row->name : row->brief;
    const bool takes = row->value[0] != 0, may_lack = row->value[0] == '[';
    if (!takes && equals) return gw_format("option '%s' takes no value", spelled);
    if (takes && (equals ? !equals[1] : !next && !may_lack))
        return gw_format("option '%s' needs a value: %s", spelled, row->value);
    *used_next = takes && !equals && !may_lack;
    const char *value = equals ? equals + 1 : NULL;
    if (*used_next) value = next;
    void *at = (char *)to + t->places[id].at;
    switch (t->places[id].kind) {
    case GW_PLACE_NONE:
        return t->set(to, id, value);
    case GW_PLACE_TEXT:
        *(const char **)at = value;
        return NULL;
    case GW_PLACE_TRUTH:
        *(bool *)at = true;
        return NULL;
    case GW_PLACE_WORDS:
        gw_push((word_list *)at, value);
        return NULL;
    }
    return NULL;
}

/* No row is named so; prefix: "--" or nothing. */
static char *unknown(const gw_option_table *t, const char *text, const char *prefix, bool is_plugin) {
    char *name = gw_format("%.*s", (int)strcspn(text, "="), text);
    const char *best = NULL;
    for (unsigned i = 0; i < t->count; i++)
        if (!is_plugin || t->rows[i].where == GW_OPTION_BOTH) best = gw_nearer(name, best, t->rows[i].name);
    char *said = gw_format("%s%s", prefix, name), *meant = best ? gw_format("%s%s", prefix, best) : NULL;
    char *error = gw_option_unknown("option", said, meant);
    free(name), free(said), free(meant);
    return error;
}

char *gw_option_read(const gw_option_table *t, void *to, const char *word, const char *next, bool *used_next) {
    const unsigned id = gw_option_find(t, word);
    const bool is_long = strncmp(word, "--", 2) == 0;
    *used_next = false;
    if (id < t->count) return set(t, to, id, is_long ? strchr(word, '=') : NULL, next, used_next);
    if (!is_long) return gw_option_unknown("option", word, NULL);
    return unknown(t, word + 2, "--", false);
}

bool gw_option_step(const gw_option_table *t, void *to, int count, char **words, int *at,
                    bool (*say)(const char *format, ...)) {
    bool used_next;
    char *error = gw_option_read(t, to, words[*at], *at + 1 < count ? words[*at + 1] : NULL, &used_next);
    const bool good = !error;
    if (error && *error) say("%s", error);
    free(error);
    *at += used_next;
    return good;
}

char *gw_option_read_plugin(const gw_option_table *t, void *to, const char *text) {
    bool used_next;
    for (unsigned id = 0; id < t->count; id++)
        if (t->rows[id].where == GW_OPTION_BOTH && is_named(&t->rows[id], text, strcspn(text, "=")))
            return set(t, to, id, strchr(text, '='), NULL, &used_next);
    return unknown(t, text, "", true);
}

void gw_option_wrapped(FILE *out, const char *text) {
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

void gw_option_help(const gw_option_table *t, FILE *out) {
    for (unsigned i = 0; i < t->count; i++) {
        const gw_option_row *row = &t->rows[i];
        const bool has_both = row->name[0] && row->brief[0], may_lack = row->value[0] == '[';
        fputs("  ", out);
        if (row->brief[0]) fprintf(out, "%s%s%s", row->brief, row->value[0] ? " " : "", row->value);
        if (has_both) fputs(", ", out);
        if (row->name[0]) {
            const char *equals = row->value[0] ? "=" : "";
            fprintf(out, "--%s%s%s%s", row->name, may_lack ? "[" : "", equals, row->value + may_lack);
        }
        fputc('\n', out);
        gw_option_wrapped(out, row->help);
    }
}
