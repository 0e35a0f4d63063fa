/*
 * replay.c - stands in for libFuzzer where the compiler has none: a harness on each line of the files that are
 * named, on each file as a whole, and on what a fixed sequence of changes makes of the lines.
 *
 *     NAME_replay FILE...
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CHANGED = 2000, LONGEST = 4096 };

static uint64_t state = 12;
static uint64_t next(uint64_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % below;
}

/* One change: a byte flipped, removed or put in, or a part of the line repeated. */
static size_t change(char *text, size_t n) {
    static const char some[] = "<>(){}=:,.*& \t\n-wrtaA9_";
    size_t at = n ? next(n) : 0, part = n > at ? 1 + next(n - at) : 0;
    switch (next(4)) {
    case 0:
        if (n) text[at] = some[next(sizeof some)];
        return n;
    case 1:
        if (n) memmove(text + at, text + at + 1, n - at - 1);
        return n ? n - 1 : 0;
    case 2:
        if (n + 1 >= LONGEST) return n;
        memmove(text + at + 1, text + at, n - at);
        text[at] = some[next(sizeof some - 1)];
        return n + 1;
    default:
        if (n + part >= LONGEST) return n;
        memmove(text + at + part, text + at, n - at);
        return n + part;
    }
}

static void run(const char *text, size_t n) {
    char changed[LONGEST];
    LLVMFuzzerTestOneInput((const uint8_t *)text, n);
    if (n >= LONGEST) return;
    for (int i = 0; i < CHANGED; i++) {
        size_t size = n;
        memcpy(changed, text, n);
        for (uint64_t k = 1 + next(4); k; k--)
            size = change(changed, size);
        LLVMFuzzerTestOneInput((const uint8_t *)changed, size);
    }
}

int main(int count, char **names) {
    unsigned lines = 0;
    for (int i = 1; i < count; i++) {
        FILE *file = fopen(names[i], "r");
        if (!file) {
            perror(names[i]);
            return 1;
        }
        static char text[1 << 16];
        size_t n = fread(text, 1, sizeof text - 1, file);
        fclose(file);
        LLVMFuzzerTestOneInput((const uint8_t *)text, n);
        for (size_t at = 0; at < n; lines++) {
            const char *end = memchr(text + at, '\n', n - at);
            size_t length = end ? (size_t)(end - text) - at : n - at;
            run(text + at, length);
            at += length + 1;
        }
    }
    printf("%u lines, %d changed texts of each\n", lines, CHANGED);
    return lines ? 0 : 1;
}
