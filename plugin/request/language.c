/*
 * language.c - which language a source is read as (contract: request.h): "-x cuda", "-xcuda" and
 * "--language=cuda" are one flag.
 */
#include "plugin/request/request.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    gw_language language;
} names[] = {{"cuda", GW_LANGUAGE_CUDA},
             {"cuda-cpp-output", GW_LANGUAGE_CUDA},
             {"c", GW_LANGUAGE_C},
             {"c-header", GW_LANGUAGE_C},
             {"cpp-output", GW_LANGUAGE_C}};
static const struct {
    const char *end;
    gw_language language;
} endings[] = {{".cu", GW_LANGUAGE_CUDA}, {".cuh", GW_LANGUAGE_CUDA}, {".c", GW_LANGUAGE_C}};

/* The value of the last -x; NULL if there is none. */
static const char *given(const char *const *flags, int count) {
    static const char *const spellings[] = {"-x", "--language"};
    const char *last = NULL;
    for (int i = 0; i < count; i++) {
        if (strcmp(flags[i], "-Xclang") == 0) {
            i++;
            continue;
        }
        for (size_t k = 0; k < sizeof spellings / sizeof *spellings; k++) {
            size_t n = strlen(spellings[k]);
            if (strncmp(flags[i], spellings[k], n) != 0) continue;
            const char *value = flags[i] + n;
            if (k && *value && *value != '=') continue;
            if (!*value && i + 1 < count)
                last = flags[++i];
            else
                last = value + (k && *value);
            break;
        }
    }
    return last;
}

bool gw_language_is_given(const char *const *flags, int count) { return given(flags, count) != NULL; }

gw_language gw_language_of(const char *source, const char *const *flags, int count) {
    const char *name = given(flags, count);
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i].name) == 0) return names[i].language;
    size_t n = strlen(source);
    for (size_t i = 0; !name && i < sizeof endings / sizeof *endings; i++) {
        size_t m = strlen(endings[i].end);
        if (n >= m && strcmp(source + n - m, endings[i].end) == 0) return endings[i].language;
    }
    return GW_LANGUAGE_OTHER;
}
