/*
 * ir_fuzz.c - the IR's parser on arbitrary text (libFuzzer, preset "fuzz").
 *
 * Whatever the text is, parsing must end with a session or a diagnostic. What was accepted and verifies must
 * print to a text that parses again to the same print.
 */
#include "analysis/ir/ir.h"
#include "analysis/text/text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool verifies(const gw_session *s) {
    for (uint32_t i = 0; i < s->funcs.count; i++) {
        char *why = NULL;
        bool legal = gw_verify(s->funcs.at[i], &why);
        free(why);
        if (!legal) return false;
    }
    return true;
}

static void must_round_trip(const gw_session *s) {
    gw_text first = {0}, second = {0};
    gw_print_session(s, &first);
    gw_session *again = gw_session_new();
    if (!gw_parse_session(again, first.at ? first.at : "", "print")) abort();
    gw_print_session(again, &second);
    if (strcmp(first.at ? first.at : "", second.at ? second.at : "") != 0) abort();
    gw_session_free(again);
    gw_text_free(&first);
    gw_text_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = gw_alloc(size + 1);
    if (size) memcpy(text, data, size);
    gw_session *s = gw_session_new();
    if (gw_parse_session(s, text, "fuzz") && verifies(s)) must_round_trip(s);
    gw_session_free(s);
    free(text);
    return 0;
}
