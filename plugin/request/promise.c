/*
 * promise.c - statements about index lists as text: GW_INJECTIVE(list) and its like before a function, and from
 * outside "f: injective list" (--promise, or a line of a file of requests that begins with "promise").
 *
 * No libclang.
 */
#include "plugin/request/request.h"

#include "analysis/ir/diagnostics.h"
#include "analysis/ir/promises.h"

#include <ctype.h>
#include <string.h>

bool gw_promise_read(gw_session *s, const char *text, const char *end, gw_promise *out) {
    while (text < end && isspace((unsigned char)*text)) text++;
    while (text < end && isspace((unsigned char)end[-1])) end--;
    for (unsigned k = 0; k < GW_PROMISE_COUNT; k++) {
        size_t n = strlen(gw_promise_rows[k].word);
        if ((size_t)(end - text) <= n || strncmp(text, gw_promise_rows[k].word, n) != 0 ||
            !isspace((unsigned char)text[n]))
            continue;
        text += n + strspn(text + n, " \t");
        *out = (gw_promise){.kind = (gw_promise_kind)k, .name = gw_intern_n(s, text, (size_t)(end - text))};
        return text < end;
    }
    return false;
}

bool gw_promise_add(gw_session *s, const char *text, gw_loc loc) {
    const char *colon = gw_request_split(text);
    gw_given_promise g = {.loc = loc};
    if (!colon || !gw_promise_read(s, colon + 1, text + strlen(text), &g.promise)) {
        gw_diag(s, GW_DIAG_BAD_PROMISE, loc, text);
        return false;
    }
    const char *from = text, *end = colon;
    while (from < end && isspace((unsigned char)*from)) from++;
    while (from < end && isspace((unsigned char)end[-1])) end--;
    g.function = gw_intern_n(s, from, (size_t)(end - from));
    g.promise.loc = loc;
    gw_push(&s->promises, g);
    return true;
}
