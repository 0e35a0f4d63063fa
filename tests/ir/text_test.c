/*
 * text_test.c - the IR's text: what is printed is read back as the same session (compared field by field),
 * prints the same again, and no text whatever makes the parser crash, hang or leak.
 */
#include "analysis/ir/diagnostics.h"
#include "random_ir.h"
#include "same.h"
#include "analysis/text/text.h"

#include <stdlib.h>
#include <string.h>

static int failures;
#define EXPECT(ok, ...)                                                                                        \
    do {                                                                                                       \
        if (!(ok)) {                                                                                           \
            printf("%s:%d: ", __FILE__, __LINE__);                                                             \
            printf(__VA_ARGS__);                                                                               \
            putchar('\n');                                                                                     \
            failures++;                                                                                        \
        }                                                                                                      \
    } while (0)

static char *read_file(const char *folder, const char *name) {
    char *path = gw_format("%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    gw_text text = {0};
    gw_text_add(&text, "");
    char line[4096];
    while (file && fgets(line, sizeof line, file))
        gw_text_add(&text, line);
    if (file) fclose(file);
    EXPECT(text.count, "cannot read %s", path);
    free(path);
    return text.at;
}

static char *print(const gw_session *s) {
    gw_text out = {0};
    gw_print_session(s, &out);
    return out.at;
}

/* Parses and prints; NULL after an error, which is shown. */
static char *print_again(const char *text, const gw_session *same_as) {
    gw_session *s = gw_session_new();
    char *out = NULL;
    if (gw_parse_session(s, text, "text.gwir")) {
        const char *why = same_as ? same_session(same_as, s) : NULL;
        EXPECT(!why, "read back differently: %s", why);
        out = print(s);
    } else {
        gw_diag_print(s, stdout);
    }
    gw_session_free(s);
    return out;
}

static void test_sample(const char *folder) {
    char *written = read_file(folder, "sample.gwir"), *golden = read_file(folder, "sample.golden.gwir");
    char *once = print_again(written, NULL), *twice = print_again(golden, NULL);
    EXPECT(once && strcmp(once, golden) == 0, "sample.gwir does not print as sample.golden.gwir:\n%s",
           once ? once : "");
    EXPECT(twice && strcmp(twice, golden) == 0, "sample.golden.gwir does not print as itself");
    free(written);
    free(golden);
    free(once);
    free(twice);
}

static void test_random(void) {
    for (uint64_t seed = 1; seed <= 400; seed++) {
        gw_session *s = random_session(seed);
        for (uint32_t i = 0; i < s->funcs.count; i++) {
            char *why = NULL;
            EXPECT(gw_verify(s->funcs.at[i], &why), "seed %d: %s", (int)seed, why);
            free(why);
        }
        char *text = print(s), *again = print_again(text, s);
        EXPECT(again && strcmp(text, again) == 0, "seed %d does not print the same again", (int)seed);
        free(text);
        free(again);
        gw_session_free(s);
    }
}

/* Any text: legal, and then it prints stably; or refused with exactly one located diagnostic. */
static bool try_text(const char *text) {
    gw_session *s = gw_session_new();
    bool ok = gw_parse_session(s, text, "mutant.gwir");
    if (ok) {
        char *once = print(s), *twice = print_again(once, s);
        EXPECT(twice && strcmp(once, twice) == 0, "a legal text does not print the same again:\n%s", once);
        free(once);
        free(twice);
    } else {
        EXPECT(s->diagnostics.count == 1, "%u diagnostics", s->diagnostics.count);
        EXPECT(s->diagnostics.count && s->diagnostics.at[0].code == GW_DIAG_BAD_IR &&
                   s->diagnostics.at[0].loc.line,
               "a refusal without a place");
    }
    gw_session_free(s);
    return ok;
}

static char *mutate(random_source *r, const char *text) {
    static const char *const pieces[] = {
        "%x",    "}", "{", "\n", "\"",     "[",     "ret",   "for lt", " #1: ", "99999999999999999999",
        "@walk", "-", "!", "'2", "struct", "const", "yield", "f32",    "\\x00", "\xff"};
    size_t n = strlen(text), at = random_below(r, (uint32_t)n), length = random_below(r, 20);
    if (at + length > n) length = n - at;
    char *head = gw_format("%.*s", (int)at, text), *out;
    uint32_t how = random_below(r, 5);
    const char *piece = pieces[random_below(r, sizeof pieces / sizeof *pieces)];
    size_t other = random_below(r, (uint32_t)n);
    if (how == 0)
        out = gw_format("%s%s", head, text + at + length); /* cut */
    else if (how == 1)
        out = gw_format("%s%s%s", head, piece, text + at); /* insert */
    else if (how == 2)
        out = gw_format("%s%.*s%s", head, (int)length, text + other, text + at); /* copy */
    else if (how == 3)
        out = gw_format("%s%s%s", head, piece, text + at + length); /* replace */
    else {
        out = gw_strdup(text);
        out[at] = (char)(1 + random_below(r, 255));
    }
    free(head);
    return out;
}

static void test_mutants(const char *folder) {
    enum { COUNT = 20000 };
    char *text = read_file(folder, "sample.golden.gwir");
    random_source r = {7};
    int legal = 0;
    for (int i = 0; i < COUNT; i++) {
        char *mutant = mutate(&r, text);
        for (uint32_t more = random_below(&r, 3); more; more--) {
            char *next = mutate(&r, mutant);
            free(mutant);
            mutant = next;
        }
        legal += try_text(mutant);
        free(mutant);
    }
    printf("%d mutants, %d of them legal\n", COUNT, legal);
    EXPECT(legal > COUNT / 200 && legal < COUNT / 2, "the mutants test only one side");
    size_t last =
        strlen(text) -
        strlen("}\n"); /* without the last brace it is no text, nor is any part of the last function */
    const char *last_func = strstr(text, "\nfunc @walk'2");
    for (size_t n = last; n > 0; n -= n > 7 ? 7 : n) {
        char *part = gw_format("%.*s", (int)n, text);
        EXPECT(!try_text(part) || text + n <= last_func + 1, "the first %zu bytes are legal", n);
        free(part);
    }
    free(text);
}

static void test_depth(void) {
    static const struct {
        int depth;
        bool ok;
    } cases[] = {{400, true}, {100000, false}};
    for (int c = 0; c < 2; c++) {
        gw_text t = {0};
        gw_text_add(&t, "gradwright_ir 1\nfunc @f host primal {\n body {\n %c: bool = const true\n");
        for (int i = 0; i < cases[c].depth; i++)
            gw_text_add(&t, "if %c {\n");
        for (int i = 0; i < cases[c].depth; i++)
            gw_text_add(&t, "yield } else { yield }\n");
        gw_text_add(&t, "ret } }\n");
        EXPECT(try_text(t.at) == cases[c].ok, "%d regions in one another", cases[c].depth);
        gw_text_free(&t);
    }
    gw_text brackets = {0};
    gw_text_add(&brackets, "gradwright_ir 1\nstruct s { x: ");
    for (int i = 0; i < 100000; i++)
        gw_text_add(&brackets, "[2]");
    gw_text_add(&brackets, "f32 }\n");
    EXPECT(!try_text(brackets.at), "100000 dimensions");
    EXPECT(!try_text("gradwright_ir 1\nstruct s { x: *[2]**[3]*const **[2]*[4]*const *[5]**f32, y: * }\n"),
           "no type");
    EXPECT(!try_text("gradwright_ir 1\nstruct s { x: *const const f32 }\n"), "const twice");
    EXPECT(try_text("gradwright_ir 1\nstruct s { x: f32 at 12 } size 16 align 16\n"), "a layout");
    EXPECT(!try_text("gradwright_ir 1\nstruct s { x: f32 at 4 } size 8\n"), "a size without an alignment");
    EXPECT(!try_text("gradwright_ir 1\nstruct s { x: f32 at 4 } size 12 align 12\n"),
           "an alignment that is no power of two");
    EXPECT(!try_text("gradwright_ir 1\nstruct s { x: f32 at 4 } size 12 align 8\n"),
           "a size that is no multiple of the alignment");
    EXPECT(!try_text("gradwright_ir 1\nstruct s { x: f32 at 12 } size 8 align 4\n"),
           "a member behind the struct");
    EXPECT(!try_text("gradwright_ir 1\nstruct s { x: f32 at 4 }\n"), "a place in a struct of no layout");
    gw_text_free(&brackets);
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    test_sample(argv[1]);
    test_random();
    test_depth();
    test_mutants(argv[1]);
    printf(failures ? "%d failures\n" : "passed\n", failures);
    return failures != 0;
}
