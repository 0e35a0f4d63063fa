/*
 * emit/text/fold.c - breaks lines of the text that are too long: where the fewest brackets are open, and there
 * at the sign that binds least.
 */
#include "rewriters/emit/text/text_private.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What a line may be broken at, the loosest first; those of one rank are as good, and the last one is taken. */
static const struct sign {
    const char *text;
    int rank;
    enum { ENDS, LEADS, ASSIGNS } stands; /* ends the line, begins the next one; where nothing else is */
} signs[] = {{"; ", 0, ENDS},    {", ", 1, ENDS},   {" ? ", 2, LEADS},    {" : ", 2, LEADS},
             {" || ", 3, ENDS},  {" && ", 4, ENDS}, {" | ", 5, ENDS},     {" ^ ", 6, ENDS},
             {" & ", 7, ENDS},   {" == ", 8, ENDS}, {" != ", 8, ENDS},    {" < ", 9, ENDS},
             {" <= ", 9, ENDS},  {" > ", 9, ENDS},  {" >= ", 9, ENDS},    {" << ", 10, ENDS},
             {" >> ", 10, ENDS}, {" + ", 11, ENDS}, {" - ", 11, ENDS},    {" * ", 12, ENDS},
             {" / ", 12, ENDS},  {" % ", 12, ENDS}, {" = ", 13, ASSIGNS}, {" += ", 13, ASSIGNS}};
enum { SIGNS = sizeof signs / sizeof *signs, DEEP = 1000 };

/* The line ends at `end`, the next one begins at `next` of it. */
typedef struct cut {
    size_t end, next;
    int depth, rank;
    const char *more; /* what a text in quotes that is broken has there */
} cut;

static const struct sign *sign_at(const char *at) {
    for (size_t i = 0; i < SIGNS; i++)
        if (strncmp(at, signs[i].text, strlen(signs[i].text)) == 0) return &signs[i];
    return NULL;
}

static void take(cut *best, cut c, size_t least, size_t width) {
    if (c.end <= least || c.end > width) return;
    if (best->end && (c.depth > best->depth || (c.depth == best->depth && c.rank > best->rank))) return;
    *best = c;
}

/* "<" of a template's arguments or a launch; comparisons have blanks, which sign_at takes. */
static bool opens(const char *line, size_t at) {
    return strchr("([{", line[at]) || (line[at] == '<' && line[at + 1] != ' ' && line[at + 1] != '=');
}
static bool closes(const char *line, size_t at) {
    return strchr(")]}", line[at]) || (line[at] == '>' && at && line[at - 1] != '-');
}

/* An apostrophe in a number divides its digits. */
static bool divides_digits(const char *line, size_t at) {
    size_t begin = at;
    while (begin && (isalnum((unsigned char)line[begin - 1]) || strchr("'.", line[begin - 1])))
        begin--;
    return begin < at && isdigit((unsigned char)line[begin]);
}

/* What is open behind the character at *at: '"' a text, '\'' a character, '*' a comment, 0 none of them. Steps
 * over the first of two characters that are one. */
static char open_behind(const char *line, size_t *at, char open) {
    const char c = line[*at], next = line[*at + 1];
    const bool begins_comment = c == '/' && next == '*', ends_comment = c == '*' && next == '/';
    if (open == '*') {
        *at += ends_comment;
        return ends_comment ? 0 : open;
    }
    if (open) {
        *at += c == '\\' && next;
        return c == open ? 0 : open;
    }
    *at += begins_comment;
    if (begins_comment) return '*';
    return c == '"' || (c == '\'' && !divides_digits(line, *at)) ? c : 0;
}

/* The best place behind `least` of the first `width` characters; its end is 0 if there is none. */
static cut find_cut(const char *line, size_t least, size_t width) {
    cut best = {0};
    char open = 0;
    int depth = 0;
    for (size_t at = strspn(line, " "); line[at] && at <= width; at++) {
        const char before = open;
        open = open_behind(line, &at, open);
        const struct sign *sign = sign_at(line + at);
        if (open || before) {
            if (open == '"' && line[at] == ' ')
                take(&best, (cut){at + 1, at + 1, 2 * DEEP, 0, "\""}, least, width - 1);
        } else if (sign) {
            const size_t n = strlen(sign->text);
            const int deep = depth + (sign->stands == ASSIGNS ? DEEP : 0);
            const size_t end = sign->stands == LEADS ? at : at + n - 1;
            take(&best, (cut){end, end + 1, deep, sign->rank, ""}, least, width);
            at += n - 2; /* a sign's blank may begin another one */
        } else {
            depth += opens(line, at);
            depth -= closes(line, at);
        }
    }
    return best;
}

/* Behind the head of a template, whose rest goes on below it; 0 if the line has none. */
static size_t template_head(const char *line) {
    const size_t indent = strspn(line, " ");
    if (strncmp(line + indent, "template <", 10) != 0) return 0;
    int depth = 1;
    size_t at = indent + 10;
    for (; line[at] && depth; at++)
        depth += (line[at] == '<') - (line[at] == '>');
    return line[at] == ' ' ? at : 0;
}

static char *cut_off(gw_text *out, char *line, cut c, size_t indent) {
    gw_text_addf(out, "%.*s%s\n", (int)c.end, line, c.more);
    char *next = gw_format("%*s%s%s", (int)indent, "", c.more, line + c.next);
    free(line);
    return next;
}

/* A comment is broken at blanks. */
static char *fold_comment(gw_text *out, char *line, size_t indent, size_t width) {
    while (strlen(line) > width) {
        size_t end = width;
        while (end > indent + 3 && line[end] != ' ')
            end--;
        if (end <= indent + 3) break;
        gw_text_addf(out, "%.*s\n", (int)end, line);
        char *next = gw_format("%*s// %s", (int)indent, "", line + end + 1);
        free(line);
        line = next;
    }
    return line;
}

/* Adds one line; `deeper` is how much deeper its parts stand. Takes it. */
static void fold_line(gw_text *out, char *line, size_t deeper, size_t width) {
    const size_t indent = strspn(line, " "), head = template_head(line);
    if (strlen(line) > width && strncmp(line + indent, "//", 2) == 0) {
        line = fold_comment(out, line, indent, width);
    } else if (line[indent] != '#' && !strstr(line, "//")) {
        if (strlen(line) > width && head) line = cut_off(out, line, (cut){head, head + 1, 0, 0, ""}, indent);
        while (strlen(line) > width) {
            const cut c = find_cut(line, indent + deeper, width);
            if (!c.end) break;
            line = cut_off(out, line, c, indent + deeper);
        }
    }
    gw_text_add(out, line);
    free(line);
}

char *gw_emit_folded(const char *text, size_t width) {
    gw_text out = {0};
    for (const char *at = text, *end; *at || at == text; at = end + 1) {
        end = at + strcspn(at, "\n");
        fold_line(&out, gw_format("%.*s", (int)(end - at), at), at == text ? 8 : 4, width);
        if (!*end) break;
        gw_text_add(&out, "\n");
    }
    if (!out.at) gw_text_add(&out, "");
    return out.at;
}
