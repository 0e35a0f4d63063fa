/*
 * emit/text/copy.c - variables take new values all at once: the end of a loop's body or a branch's arm.
 *
 * The assignments are ordered so that each variable is read before it is changed; where they form a cycle
 * (a swap), one value goes through a temporary. A copy of a variable to itself is not written.
 */
#include "rewriters/emit/text/text_private.h"

#include <stdlib.h>

static bool copy_reads(const gw_emitter *e, const gw_emit_copy *c, gw_value root) {
    return !c->text && gw_emit_reads(&e->plan, c->source, root);
}

/* May copy i be written now: no other open copy, nor `stop`, still reads what it changes? */
static bool is_free(const gw_emitter *e, const gw_emit_copy *copies, uint32_t count, uint32_t i,
                    gw_value stop) {
    for (uint32_t j = 0; j < count; j++)
        if (j != i && copies[j].root && copy_reads(e, &copies[j], copies[i].root)) return false;
    return !stop || !gw_emit_reads(&e->plan, stop, copies[i].root);
}

static char *temporary(gw_emitter *e, gw_type type, gw_value source, const char *wish) {
    char *text = gw_emit_text(e, source, GW_IN_ASSIGN, GW_PREC_ASSIGN);
    gw_str name = gw_emit_unique(e, wish);
    gw_emit_line(e, type == GW_T_ADDRESS ? "%sconst %s = %s;" : "const %s %s = %s;", gw_emit_type(e, type),
                 gw_cstr(e->session, name), text);
    free(text);
    return gw_strdup(gw_cstr(e->session, name));
}

static void write_copy(gw_emitter *e, gw_emit_copy *c) {
    if (!c->text && gw_emit_holds(e, c->root, c->source)) {
        c->root = 0;
        return;
    }
    if (c->text)
        gw_emit_assign(e, c->root, c->text);
    else
        gw_emit_assign_value(e, c->root, c->source);
    c->root = 0;
}

static bool write_free_copies(gw_emitter *e, gw_emit_copy *copies, uint32_t count, gw_value stop) {
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        if (!copies[i].root || !is_free(e, copies, count, i, stop)) continue;
        write_copy(e, &copies[i]);
        any = true;
    }
    return any;
}

static char *next_name(gw_emitter *e, gw_value root) {
    gw_str name = e->variable_name[root];
    return gw_format("next_%s", name ? gw_cstr(e->session, name) : "value");
}

/* Breaks a cycle: the stop flag first, then one source. True if something was put into a temporary. */
static bool break_cycle(gw_emitter *e, gw_emit_copy *copies, uint32_t count, gw_value stop, char **stop_text) {
    for (uint32_t i = 0; i < count; i++) {
        if (!copies[i].root) continue;
        if (stop && !*stop_text && gw_emit_reads(&e->plan, stop, copies[i].root)) {
            *stop_text = temporary(e, GW_T_BOOL, stop, "stop");
            return true;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!copies[i].root || copies[i].text) continue;
        char *wish = next_name(e, copies[i].root);
        copies[i].text = temporary(e, gw_typeof(e->f, copies[i].root), copies[i].source, wish);
        free(wish);
        return true;
    }
    return false;
}

char *gw_emit_copies(gw_emitter *e, gw_emit_copy *copies, uint32_t count, gw_value stop, bool *stop_is_late) {
    char *stop_text = NULL;
    for (uint32_t i = 0; i < count; i++) {
        copies[i].root = gw_emit_variable(&e->plan, copies[i].root);
        if (gw_emit_same_variable(&e->plan, copies[i].root, copies[i].source)) copies[i].root = 0;
    }
    do
        while (write_free_copies(e, copies, count, stop_text ? 0 : stop)) {
        }
    while (break_cycle(e, copies, count, stop, &stop_text));
    for (uint32_t i = 0; i < count; i++)
        free(copies[i].text);
    if (stop_is_late) *stop_is_late = !stop_text;
    return stop_text || !stop ? stop_text : gw_emit_text(e, stop, GW_IN_EXACT, GW_PREC_ASSIGN);
}
