/*
 * report/call_words.c - the calls of a program and their reverses in words (contract: call_words_private.h).
 */
#include "rewriters/report/call_words_private.h"

#include "analysis/ir/device.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>

/* Why there is nothing to do: always, or where cells have no derivative. */
static const char *const nothing[GW_DEVICE_COUNT] = {
    [GW_DEVICE_FREE] = "nothing: what the way back needs of it stays until then",
    [GW_DEVICE_COPY] = "nothing: its cells have no derivative",
    [GW_DEVICE_COPY_QUEUED] = "nothing: its cells have no derivative",
    [GW_DEVICE_SET] = "nothing: its cells have no derivative",
    [GW_DEVICE_SET_QUEUED] = "nothing: its cells have no derivative",
    [GW_DEVICE_COPY_2D] = "nothing: its cells have no derivative",
    [GW_DEVICE_COPY_2D_QUEUED] = "nothing: its cells have no derivative",
    [GW_DEVICE_SET_2D] = "nothing: its cells have no derivative",
    [GW_DEVICE_SET_2D_QUEUED] = "nothing: its cells have no derivative",
    [GW_DEVICE_COPY_3D] = "nothing: its cells have no derivative",
    [GW_DEVICE_COPY_3D_QUEUED] = "nothing: its cells have no derivative",
    [GW_DEVICE_SET_3D] = "nothing: its cells have no derivative",
    [GW_DEVICE_SET_3D_QUEUED] = "nothing: its cells have no derivative",
    [GW_DEVICE_SEND] = "nothing: its values have no derivative",
    [GW_DEVICE_FETCH] = "nothing: its values have no derivative",
    [GW_DEVICE_RECORD] = "waits of streams are turned around",
    [GW_DEVICE_WAIT_EVENT] = "waits of streams are turned around",
    [GW_DEVICE_LAUNCH] = "nothing: what the kernel writes has no derivative",
};

static void add(gw_call_words *out, char *line) { gw_push(&out->reverse, line); }

/* Variables of the device's, which the kernel knows by their names, stand behind those of the text. */
static uint32_t shown(const gw_call_fact *c) {
    uint32_t count = c->what == GW_DEVICE_LAUNCH ? c->arguments.count : 0;
    while (count && c->kernel->params.at[count - 1].is_global)
        count--;
    return count;
}

/* Argument i as the source has it, or as the callee calls it. */
static void add_argument(const gw_session *s, const gw_call_fact *c, const gw_call_words *w, uint32_t i,
                         gw_text *list) {
    gw_text one = {0};
    const uint32_t count = shown(c);
    const char *word = i ? "its source" : "what it writes";
    if (c->what == GW_DEVICE_LAUNCH) word = gw_cstr(s, c->arguments.at[i].name);
    const bool hidden = c->what == GW_DEVICE_LAUNCH && i >= count;
    if (hidden || !w->call || !gw_call_text_argument(w->call, i, count, &one)) gw_text_add(&one, word);
    gw_text_addf(list, "%s%s", list->count ? ", " : "", one.at);
    gw_text_free(&one);
}

/* ---- launches ---- */

typedef bool wanted(const gw_call_argument *a);
static bool is_read_back(const gw_call_argument *a) { return a->read_back; }
static bool is_only_input(const gw_call_argument *a) { return a->input && !a->output; }
static bool is_only_output(const gw_call_argument *a) { return a->output && !a->input; }
static bool is_both(const gw_call_argument *a) { return a->input && a->output; }
static bool waits(const gw_call_argument *a) { return a->waits; }

/* A line of those arguments, if there are any. */
static void add_list(const gw_session *s, const gw_call_fact *c, gw_call_words *out, wanted *which,
                     const char *format) {
    gw_text list = {0};
    for (uint32_t i = 0; i < c->arguments.count; i++)
        if (which(&c->arguments.at[i])) add_argument(s, c, out, i, &list);
    if (list.count) add(out, gw_format(format, list.at));
    gw_text_free(&list);
}

static void add_launch(const gw_session *s, const gw_call_fact *c, gw_call_words *out) {
    add(out, gw_strdup(gw_cstr(s, gw_derived_part_name(c->gradient, GW_DERIVED_LAUNCH))));
    add_list(s, c, out, is_read_back, "reads %s as before the call: saved before that is overwritten");
    add_list(s, c, out, is_only_output, "consumes the adjoint of %s");
    add_list(s, c, out, is_both, "turns the adjoint of %s: of what was left in, of what was there before out");
    add_list(s, c, out, is_only_input, "adds to the adjoint of %s");
    add_list(s, c, out, waits, "waits for the stream: the adjoint of %s, passed by value, is used on the host");
    if (c->leaves_tape)
        add(out, gw_strdup("reads the tape that the call left: the reverse needs what the kernel overwrites, "
                           "so that the first half of a split gradient runs forward in its place"));
    if (c->is_measured) add(out, gw_strdup("waits for the stream: the size of its tape is measured"));
}

/* ---- copies ---- */

static void add_copy(const gw_session *s, const gw_call_fact *c, uint32_t source, gw_call_words *out) {
    gw_text to = {0}, from = {0};
    add_argument(s, c, out, 0, &to);
    add_argument(s, c, out, source, &from);
    add(out, gw_format("adds the adjoint of %s to that of %s, and zeroes the former", to.at, from.at));
    if (c->between)
        add(out, gw_strdup("waits for the stream where the host's memory is pageable: its adjoint lies there"));
    gw_text_free(&to);
    gw_text_free(&from);
}

static void add_set(const gw_session *s, const gw_call_fact *c, gw_call_words *out) {
    gw_text to = {0};
    add_argument(s, c, out, 0, &to);
    add(out, gw_format("sets the adjoint of %s to 0", to.at));
    gw_text_free(&to);
}

/* ---- all ---- */

static char *loops(const gw_call_fact *c) {
    gw_text text = {0};
    gw_text_add(&text, c->loops.count ? "in the loop of line " : "");
    if (c->loops.count > 1) {
        gw_text_free(&text);
        gw_text_add(&text, "in the loops of lines ");
    }
    for (uint32_t i = 0; i < c->loops.count; i++)
        gw_text_addf(&text, "%s%u", i ? ", " : "", c->loops.at[i]);
    return text.at;
}

static void add_reverse(const gw_session *s, const gw_call_fact *c, gw_call_words *out) {
    switch (c->what) {
    case GW_DEVICE_ALLOC:
    case GW_DEVICE_ALLOC_MANAGED:
    case GW_DEVICE_ALLOC_PINNED:
        add(out, gw_strdup("gives back the memory and its adjoint, which is made when it is first asked for"));
        return;
    case GW_DEVICE_COPY:
    case GW_DEVICE_COPY_QUEUED:
        if (c->is_active) add_copy(s, c, 1, out);
        break;
    case GW_DEVICE_COPY_2D:
    case GW_DEVICE_COPY_2D_QUEUED:
        if (c->is_active) add_copy(s, c, 2, out);
        break;
    case GW_DEVICE_COPY_3D:
    case GW_DEVICE_COPY_3D_QUEUED:
        if (c->is_active)
            add(out, gw_strdup("adds the adjoint of the box to that of its source, and zeroes the former"));
        break;
    case GW_DEVICE_SEND:
        if (c->is_active) add(out, gw_strdup("takes the adjoints of the cells for those of the host's values"));
        if (c->is_active) add(out, gw_strdup("waits for the stream where they are used"));
        break;
    case GW_DEVICE_FETCH:
        if (c->is_active) add(out, gw_strdup("adds the adjoints of the host's values to those of the cells"));
        break;
    case GW_DEVICE_SET:
    case GW_DEVICE_SET_QUEUED:
    case GW_DEVICE_SET_2D:
    case GW_DEVICE_SET_2D_QUEUED:
    case GW_DEVICE_SET_3D:
    case GW_DEVICE_SET_3D_QUEUED:
        if (c->is_active) add_set(s, c, out);
        break;
    case GW_DEVICE_LAUNCH:
        if (c->is_active) add_launch(s, c, out);
        break;
    default:
        break;
    }
    if (out->reverse.count) return;
    const char *without = gw_device_rows[c->what].reverses ? "is taken back in its place" : "nothing";
    add(out, gw_strdup(nothing[c->what] ? nothing[c->what] : without));
}

void gw_call_words_make(const gw_session *s, gw_source_text *source, const gw_call_fact *c,
                        gw_call_words *out) {
    *out = (gw_call_words){.where = loops(c)};
    gw_text call = {0};
    if (gw_call_text(s, source, c, &call)) out->call = gw_strdup(call.at);
    gw_text_free(&call);
    add_reverse(s, c, out);
    if (c->bytes) add(out, gw_format("bytes at most: %s", c->bytes));
    if (out->call) return;
    out->call = c->kernel ? gw_format("%s<<<...>>>(...)", gw_kernel_shown(c->kernel))
                          : gw_strdup(gw_device_rows[c->what].text);
}

void gw_call_words_free(gw_call_words *w) {
    for (uint32_t i = 0; i < w->reverse.count; i++)
        free(w->reverse.at[i]);
    gw_vec_free(&w->reverse);
    free(w->call);
    free(w->where);
}
