/*
 * command_fuzz.c - command lines, arbitrary ones: words between blanks (libFuzzer, preset "fuzz"; replay.c in
 * every build). Reading one must end with settings that say what to do, or a message.
 */
#include "plugin/driver/driver.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const gw_settings *t, const char *error) {
    bool told = t->help || t->version || t->list_passes || t->source || t->options.from_ir;
    if (!error && !told) abort();
    if (error && !*error) abort();
    if (t->clang_args_count < 0) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = gw_alloc(size + 1);
    if (size) memcpy(text, data, size);
    GW_VEC(const char *) words = {0};
    for (char *p = text; *p;) {
        p += strspn(p, " \n");
        if (*p) gw_push(&words, p);
        p += strcspn(p, " \n");
        if (*p) *p++ = 0;
    }
    gw_settings settings;
    gw_settings_start(&settings);
    char *error = gw_settings_read(&settings, (int)words.count, words.at);
    check(&settings, error);
    free(error);
    gw_settings_free(&settings);
    gw_settings_start(&settings);
    for (uint32_t i = 0; i < words.count; i++)
        free(gw_settings_set(&settings, words.at[i]));
    gw_settings_free(&settings);
    gw_vec_free(&words);
    free(text);
    return 0;
}
