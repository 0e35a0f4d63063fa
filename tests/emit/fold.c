/* fold.c - where a line of emitted text that is too long is broken. */
#include "rewriters/emit/text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text;
    size_t width;
    const char *want;
} rows[] = {
    {"", 20, ""},
    {"}\n", 20, "}\n"},
    {"a = b + c;", 10, "a = b + c;"},
    /* the sign that binds least, and of those the last one that fits */
    {"a = b * c + d * e + f * g;", 24, "a = b * c + d * e +\n        f * g;"},
    {"a = b && c < d || e && f;", 24, "a = b && c < d ||\n        e && f;"},
    {"a = flag ? one : another;", 20, "a = flag ? one\n        : another;"},
    /* where the fewest brackets are open */
    {"f(a * (b + c + d), e) * g;", 25, "f(a * (b + c + d), e) *\n        g;"},
    {"call(first, g(second, third), last);", 22, "call(first,\n        g(second,\n        third), last);"},
    {"array<float, 3> all(a, b);", 25, "array<float, 3> all(a,\n        b);"},
    {"kernel<<<grid, block>>>(a, b);", 28, "kernel<<<grid, block>>>(a,\n        b);"},
    {"p->count << 2 > limit + other;", 28, "p->count << 2 >\n        limit + other;"},
    {"for (int i = 0; i < n + m; ++i) {", 30, "for (int i = 0; i < n + m;\n        ++i) {"},
    /* nothing else is there */
    {"const double name = a_long_name;", 30, "const double name =\n        a_long_name;"},
    {"return \"a text of words\";", 20, "return \"a text of \"\n        \"words\";"},
    {"return \"a, b + c\" + name;", 22, "return \"a, b + c\" +\n        name;"},
    {"put('\"', a + b, c + d);", 20, "put('\"', a + b,\n        c + d);"},
    /* what is no end of a text: a backslash behind a backslash; what begins none: an apostrophe in a number, a
     * quotation mark in a comment */
    {"put(\"a\\\\\", b + c, d + e);", 20, "put(\"a\\\\\", b + c,\n        d + e);"},
    {"put(\"a \\\" b\", c + d, e);", 20, "put(\"a \\\" b\", c + d,\n        e);"},
    {"put('\\'', a + \"b\", c + d);", 20, "put('\\'', a + \"b\",\n        c + d);"},
    {"put('\\\\', \"b c\", d + e);", 20, "put('\\\\', \"b c\",\n        d + e);"},
    {"put(1'000'000, a, b + c);", 20, "put(1'000'000, a,\n        b + c);"},
    {"put(L'\"', a + b, c + d);", 20, "put(L'\"', a + b,\n        c + d);"},
    {"put(/* it's 1\" */ a, b + c);", 22, "put(/* it's 1\" */ a,\n        b + c);"},
    {"put(/* b, or c */ a + b);", 22, "put(/* b, or c */ a +\n        b);"},
    {"thisIsOneWordAndNothingElse();", 20, "thisIsOneWordAndNothingElse();"},
    /* lines that stay: directives, what has a comment; comments themselves are broken at blanks */
    {"#define NAME a + b + c + d", 20, "#define NAME a + b + c + d"},
    {"a = b + c + d; // a note", 20, "a = b + c + d; // a note"},
    {"    // a note of many words", 20, "    // a note of\n    // many words"},
    /* the head of a template is a line of its own; lines that are broken already go on four deeper */
    {"template <> inline int name();", 25, "template <>\ninline int name();"},
    {"f(a,\n    b + c, d + e)", 15, "f(a,\n    b + c,\n        d + e)"},
};

int main(void) {
    int failed = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *got = gw_emit_folded(rows[i].text, rows[i].width);
        if (strcmp(got, rows[i].want) != 0) {
            printf("row %zu:\n%s\nis broken so:\n%s\nnot so:\n%s\n", i, rows[i].text, got, rows[i].want);
            failed++;
        }
        free(got);
    }
    return failed != 0;
}
