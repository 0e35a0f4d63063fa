/*
 * json_private.h - reading JSON text: just what a compilation database needs.
 */
#ifndef GW_JSON_PRIVATE_H
#define GW_JSON_PRIVATE_H
#include "analysis/ir/support.h"

typedef struct gw_json {
    const char *at; /* what is left to read */
    bool failed;    /* it is no JSON; `at` stays where that was seen */
} gw_json;

/* Skips blanks; whether `token` comes next, which is then behind us. */
bool gw_json_take(gw_json *j, char token);
/* The next string as UTF-8, or NULL with `failed` set (caller frees). */
char *gw_json_string(gw_json *j);
/* Leaves a value of any kind behind. */
void gw_json_skip(gw_json *j);
/* Elements of an array or members of an object that has been entered: true while there is another one.
 * bool first = true; while (gw_json_next(j, ']', &first)) ... */
bool gw_json_next(gw_json *j, char end, bool *first);

/* Adds `text` as the inside of a JSON string. */
void gw_json_escape(gw_text *out, const char *text);

#endif
