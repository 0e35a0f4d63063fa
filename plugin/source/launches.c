/*
 * launches.c - kernel launches with blanks inside of their brackets (contract: source.h).
 *
 * `<<` and `<` stand side by side in no other text than `operator<< <`. Where a launch has begun, its end is
 * the first `>>>` that is in no bracket and has `(` behind it, and with blanks only if there is none without.
 */
#include "plugin/source/source.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static size_t skip_blanks(const char *text, size_t i) { return i + strspn(text + i, " \t\r\n"); }

static size_t skip_quoted(const char *text, size_t i) {
    const char quote = text[i++];
    while (text[i] && text[i] != quote && text[i] != '\n')
        i += text[i] == '\\' && text[i + 1] ? 2 : 1;
    return text[i] == quote ? i + 1 : i;
}

static size_t skip_raw(const char *text, size_t i) {
    const char *open = strchr(text + i, '(');
    if (!open || open - (text + i) > 20) return skip_quoted(text, i);
    char end[24];
    int n = (int)(open - (text + i)) - 1;
    snprintf(end, sizeof end, ")%.*s\"", n, text + i + 1);
    const char *close = strstr(open, end);
    return close ? (size_t)(close - text) + strlen(end) : strlen(text);
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Behind the comment or the literal that begins here, else `i`. */
static size_t skip_dead(const char *text, size_t i) {
    if (text[i] == '/' && text[i + 1] == '/') return i + strcspn(text + i, "\n");
    if (text[i] == '/' && text[i + 1] == '*') {
        const char *end = strstr(text + i + 2, "*/");
        return end ? (size_t)(end - text) + 2 : strlen(text);
    }
    if (text[i] == '"') return i && text[i - 1] == 'R' ? skip_raw(text, i) : skip_quoted(text, i);
    const bool digits = i && is_word(text[i - 1]); /* 1'000 */
    return text[i] == '\'' && !digits ? skip_quoted(text, i) : i;
}

/* Two of these brackets and a third, with or without blanks between; *end is behind it. */
static bool is_triple(const char *text, size_t i, char bracket, size_t *end) {
    if (text[i] != bracket || text[i + 1] != bracket) return false;
    i = skip_blanks(text, i + 2);
    *end = i + 1;
    return text[i] == bracket;
}

static bool is_behind_operator(const char *text, size_t i) {
    static const char word[] = "operator";
    const size_t n = sizeof word - 1;
    while (i && isspace((unsigned char)text[i - 1])) i--;
    return i >= n && memcmp(text + i - n, word, n) == 0;
}

/* The begin of the launch's closing brackets, 0 if there are none; `tight`: without blanks. */
static size_t find_close(const char *text, size_t i, bool tight, size_t *end) {
    for (int depth = 0; text[i];) {
        const size_t behind = skip_dead(text, i);
        if (behind != i) {
            i = behind;
            continue;
        }
        if (depth == 0 && text[i] == ';') return 0;
        const bool closes = depth == 0 && is_triple(text, i, '>', end) && text[skip_blanks(text, *end)] == '(';
        if (closes && (!tight || *end == i + 3)) return i;
        if (strchr("([{", text[i])) depth++;
        if (strchr(")]}", text[i]) && --depth < 0) return 0;
        i++;
    }
    return 0;
}

/* Puts the blanks behind the third bracket; false if there are none. */
static bool close_up(char *text, size_t begin, size_t end) {
    const size_t blanks = end - begin - 3;
    memmove(text + begin + 3, text + begin + 2, blanks);
    text[begin + 2] = text[begin];
    return blanks != 0;
}

bool gw_respell_launches(char *text) {
    bool any = false;
    for (size_t i = 0; text[i];) {
        size_t behind = skip_dead(text, i), end = 0, last = 0;
        if (behind != i) {
            i = behind;
        } else if (text[i] == '<' && is_triple(text, i, '<', &end)) {
            const bool launch = !is_behind_operator(text, i);
            size_t close = launch ? find_close(text, end, true, &last) : 0;
            if (launch && !close) close = find_close(text, end, false, &last);
            if (close && close_up(text, i, end)) any = true;
            if (close && close_up(text, close, last)) any = true;
            i = end;
        } else {
            i++;
        }
    }
    return any;
}

static char *read_text(const char *path) {
    struct stat status;
    FILE *file = stat(path, &status) == 0 && S_ISREG(status.st_mode) ? fopen(path, "rb") : NULL;
    char *text = NULL;
    size_t size = 0;
    FILE *out = file ? open_memstream(&text, &size) : NULL;
    char part[4096];
    for (size_t n; out && (n = fread(part, 1, sizeof part, file)) > 0;) fwrite(part, 1, n, out);
    if (out) fclose(out);
    if (file) fclose(file);
    return text;
}

typedef struct search {
    gw_respelled_files *found;
    char **seen;
    size_t seen_count;
} search;

static bool is_new(search *s, const char *path) {
    for (size_t i = 0; i < s->seen_count; i++)
        if (strcmp(s->seen[i], path) == 0) return false;
    char **more = realloc(s->seen, (s->seen_count + 1) * sizeof *more), *copy = strdup(path);
    if (more) s->seen = more;
    if (!more || !copy) return false;
    s->seen[s->seen_count++] = copy;
    return true;
}

static void visit(search *s, const char *path);

/* Each file that a line `#include "name"` of the text leads to from the folder of `path`. */
static void visit_included(search *s, const char *path, const char *text) {
    const char *slash = strrchr(path, '/');
    const int folder = slash ? (int)(slash - path) + 1 : 0;
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *at = line + strspn(line, " \t");
        if (*at != '#') continue;
        at++;
        at += strspn(at, " \t");
        if (strncmp(at, "include", 7) != 0) continue;
        at += 7 + strspn(at + 7, " \t");
        const size_t n = *at == '"' ? strcspn(at + 1, "\"\n") : 0, size = (size_t)folder + n + 1;
        char *name = n ? malloc(size) : NULL;
        if (!name) continue;
        snprintf(name, size, "%.*s%.*s", at[1] == '/' ? 0 : folder, path, (int)n, at + 1);
        visit(s, name);
        free(name);
    }
}

static void visit(search *s, const char *path) {
    char *text = is_new(s, path) ? read_text(path) : NULL;
    if (!text) return;
    visit_included(s, path, text);
    gw_respelled *more = NULL;
    if (gw_respell_launches(text)) more = realloc(s->found->at, (s->found->count + 1) * sizeof *more);
    if (more) {
        s->found->at = more;
        s->found->at[s->found->count++] = (gw_respelled){strdup(path), text};
    } else {
        free(text);
    }
}

void gw_respelled_find(const char *source, gw_respelled_files *found) {
    search s = {found, NULL, 0};
    *found = (gw_respelled_files){0};
    visit(&s, source);
    for (size_t i = 0; i < s.seen_count; i++) free(s.seen[i]);
    free(s.seen);
}

void gw_respelled_free(gw_respelled_files *files) {
    for (size_t i = 0; i < files->count; i++) {
        free(files->at[i].path);
        free(files->at[i].text);
    }
    free(files->at);
    *files = (gw_respelled_files){0};
}
