/*
 * dependencies.c - the rule of -MD: what the source included when it was parsed, in the syntax that make and
 * ninja share. Blanks, '#' and '$' in names are escaped as gcc does; a gradient of the source's is no
 * dependency.
 */
#include "plugin/driver/driver.h"

#include <stdlib.h>
#include <string.h>

static void add_escaped(gw_text *out, const char *name) {
    for (; *name; name++) {
        const char *before = *name == ' ' || *name == '#' ? "\\" : "";
        if (*name == '$') before = "$";
        gw_text_addf(out, "%s%c", before, *name);
    }
}

static void add_name(gw_text *out, const char *name) {
    char *real = strstr(name, "/../") ? realpath(name, NULL) : NULL;
    add_escaped(out, real ? real : name);
    free(real);
}

static bool is_repeated(const gw_session *s, uint32_t at) {
    for (uint32_t i = 0; i < at; i++)
        if (s->included.at[i] == s->included.at[at]) return true;
    return false;
}

void gw_dependencies_text(const gw_session *s, const gw_settings *t, const char *target, gw_text *out) {
    if (!t->dependency_targets.count) add_escaped(out, target);
    for (uint32_t i = 0; i < t->dependency_targets.count; i++)
        gw_text_addf(out, "%s%s", i ? " " : "", t->dependency_targets.at[i]);
    gw_text_add(out, ":");
    for (uint32_t i = 0; i < s->included.count; i++) {
        if (is_repeated(s, i)) continue;
        gw_text_add(out, " \\\n  ");
        add_name(out, gw_cstr(s, s->included.at[i]));
    }
    gw_text_add(out, "\n");
    for (uint32_t i = 1; i < s->included.count && t->phony_headers; i++) {
        if (is_repeated(s, i) || s->included.at[i] == s->included.at[0]) continue;
        add_name(out, gw_cstr(s, s->included.at[i]));
        gw_text_add(out, ":\n");
    }
}
