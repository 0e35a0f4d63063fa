/*
 * request_fuzz.c - requests as text, arbitrary ones (libFuzzer, preset "fuzz"; replay.c in every build).
 *
 * Whatever the text is, reading it must end with a request or a message. One that was read means the same when
 * it is written down again, and a target's texts are as tight as they get.
 */
#include "plugin/request/request.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void add_names(const gw_session *s, const gw_str *names, uint32_t count, gw_text *out) {
    for (uint32_t i = 0; i < count; i++)
        gw_text_addf(out, "%s%s", i ? " , " : " ", gw_cstr(s, names[i]));
}

static void free_names(gw_request *r) {
    gw_vec_free(&r->dependents);
    gw_vec_free(&r->independents);
}

static void must_round_trip(gw_session *s, const gw_request *r) {
    gw_text text = {0};
    if (r->name) gw_text_addf(&text, "%s=", gw_cstr(s, r->name));
    add_names(s, r->dependents.at, r->dependents.count, &text);
    gw_text_add(&text, " wrt");
    add_names(s, r->independents.at, r->independents.count, &text);
    gw_request again = {.kind = r->kind, .text = gw_intern(s, text.at)};
    if (gw_request_read(s, &again) || !gw_request_equal(r, &again) || !again.independents.count) abort();
    free_names(&again);
    gw_text_free(&text);
}

static void must_be_tight(gw_session *s, gw_str text) {
    const char *from = gw_cstr(s, text);
    if (gw_request_tight(s, from, from + strlen(from)) != text) abort();
}

static void read_target(gw_session *s, const char *text, size_t n) {
    gw_request_target target;
    if (gw_request_read_target(s, gw_intern_n(s, text, n), &target)) return;
    if (!target.name || !target.qualified) abort();
    must_be_tight(s, target.qualified);
    must_be_tight(s, target.arguments);
    must_be_tight(s, target.parameters);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = gw_alloc(size + 1);
    if (size) memcpy(text, data, size);
    gw_session *s = gw_session_new();
    const char *colon = gw_request_split(text);
    if (colon) read_target(s, text, (size_t)(colon - text));
    gw_request r = {.text = gw_intern(s, colon ? colon + 1 : text)};
    if (!gw_request_read(s, &r)) must_round_trip(s, &r);
    free_names(&r);
    gw_session_free(s);
    free(text);
    return 0;
}
