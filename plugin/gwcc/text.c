/* Strings that live until the process ends, and vectors of them. */
#include "plugin/gwcc/gwcc_private.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct chunk {
    struct chunk *next;
    char text[];
} chunk;

static chunk *chunks;

static void *must(void *memory) {
    if (!memory) {
        fputs("gwcc: error: out of memory\n", stderr);
        abort();
    }
    return memory;
}

const char *gwcc_text(const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    const size_t size = length < 0 ? 1 : (size_t)length + 1;
    chunk *c = must(malloc(sizeof *c + size));
    c->next = chunks;
    chunks = c;
    c->text[0] = '\0';
    vsnprintf(c->text, size, format, again);
    va_end(again);
    return c->text;
}

void gwcc_push(gwcc_words *words, const char *word) {
    if (words->count + 2 > words->room) {
        words->room = words->room ? 2 * words->room : 32;
        words->items = must(realloc(words->items, words->room * sizeof *words->items));
    }
    words->items[words->count++] = word;
    words->items[words->count] = NULL;
}

void gwcc_words_free(gwcc_words *words) {
    free(words->items);
    *words = (gwcc_words){0};
}

void gwcc_push_all(gwcc_words *words, const gwcc_words *more) {
    for (size_t i = 0; i < more->count; ++i)
        gwcc_push(words, more->items[i]);
}

void gwcc_push_list(gwcc_words *words, const char *const *list) {
    for (; *list; ++list)
        gwcc_push(words, *list);
}

/* FNV-1a; the null byte of each word counts. */
const char *gwcc_hash(const gwcc_words *words) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < words->count; ++i)
        for (const char *c = words->items[i];; ++c) {
            hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
            if (!*c) break;
        }
    return gwcc_text("%016llx", (unsigned long long)hash);
}

bool gwcc_starts(const char *text, const char *prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

bool gwcc_ends(const char *text, const char *suffix) {
    const size_t length = strlen(text), tail = strlen(suffix);
    return length > tail && strcmp(text + length - tail, suffix) == 0;
}

const char *gwcc_stem(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return gwcc_text("%.*s", (int)(dot && dot != name ? (size_t)(dot - name) : strlen(name)), name);
}

const char *gwcc_directory(const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash) return ".";
    return slash == path ? "/" : gwcc_text("%.*s", (int)(slash - path), path);
}

bool gwcc_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("gwcc: error: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return false;
}
