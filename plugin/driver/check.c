/*
 * check.c - --check: is an emitted text what would be made of the source now? (contract: driver.h)
 *
 * The text says at its end what it was made from (stamp.c); the session says what the source is, as far as the
 * pass "digest". Another version's digests mean something else, so nothing else is compared then.
 */
#include "plugin/driver/driver.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/requests.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct check {
    gw_session *s;
    const char *path, *again; /* the text; the command that makes it */
    gw_stamp stamp;
    bool *used; /* by request of the stamp: it is one of the source's */
} check;

/* A request of the source as a stamp has it. */
typedef struct wanted {
    const gw_request *request;
    gw_str text;
    size_t key;
    bool met;
} wanted;
typedef GW_VEC(wanted) wanted_list;

/* ---- the command line ---- */
static void add_word(gw_text *out, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
    bool quoted = !*word || word[strspn(word, plain)];
    gw_text_add(out, quoted ? " '" : " ");
    for (const char *c = word; *c; c++)
        gw_text_addf(out, *c == '\'' ? "'\\%c'" : "%c", *c);
    if (quoted) gw_text_add(out, "'");
}

/* The caller frees it. */
static char *command_again(const gw_settings *t) {
    gw_text out = {0};
    bool ended = false;
    gw_text_add(&out, "gradwright");
    for (int i = 0; i < t->words_count; i++) {
        const char *word = t->words[i];
        ended |= strcmp(word, "--") == 0;
        if (!ended && strcmp(word, "--check") == 0) continue;
        bool is_text = !ended && word == t->text_named;
        add_word(&out, is_text ? t->source : word);
        if (is_text) gw_text_add(&out, " -o"), add_word(&out, word);
    }
    return out.at;
}

static bool is_text_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return strstr(slash ? slash : path, ".grad.") != NULL;
}

char *gw_check_begin(gw_settings *t) {
    if (!t->check || t->options.output || !is_text_name(t->source)) return NULL;
    const char *why, *slash = strrchr(t->source, '/');
    size_t count;
    char *text = gw_file_text(t->source, &count, &why);
    if (!text) return gw_format("cannot read '%s': %s", t->source, why);
    char *name = gw_stamp_source(text), *error = NULL;
    free(text);
    if (!name) return gw_format("'%s' is no text of Gradwright's", t->source);
    char *path = gw_format("%.*s%s", slash ? (int)(slash + 1 - t->source) : 0, t->source, name);
    if (access(path, F_OK) == 0) {
        t->options.output = t->text_named = t->source;
        t->source = t->source_found = path;
    } else {
        error = gw_format("'%s' was made from '%s', which is not beside it: 'gradwright SOURCE -o %s --check'",
                          t->source, name, t->source);
        free(path);
    }
    free(name);
    return error;
}

/* ---- what is said ---- */
/* "gradient 'both' of 'ns::f'"; the caller frees it. */
static char *describe(const gw_session *s, const gw_request *r) {
    const char *made = gw_request_rows[r->kind].made, *function = gw_cstr(s, r->function);
    return r->name ? gw_format("%s '%s' of '%s'", made, gw_cstr(s, r->name), function)
                   : gw_format("%s of '%s'", made, function);
}

static void say_stale(const check *c, char *why) {
    gw_diag(c->s, GW_DIAG_STALE_TEXT, (gw_loc){0}, c->path, why, c->again);
    free(why);
}

static void compare_options(const check *c) {
    const char *then = gw_cstr(c->s, c->stamp.options), *now = c->s->options.given;
    if (strcmp(then, now) == 0) return;
    char *made = *then ? gw_format("with '%s'", then) : gw_strdup("without options that change it"),
         *called = *now ? gw_format("'%s'", now) : gw_strdup("no such options");
    say_stale(c, gw_format("it was made %s, and this call has %s", made, called));
    free(made);
    free(called);
}

/* ---- requests ---- */
static wanted_list wanted_of(gw_session *s) {
    wanted_list list = {0};
    for (uint32_t i = 0; i < s->requests.count; i++) {
        wanted w = {.request = &s->requests.at[i]};
        gw_text text = {0};
        gw_stamp_request(s, w.request, &text, &w.key);
        w.text = gw_intern(s, text.at);
        gw_text_free(&text);
        gw_push(&list, w);
    }
    return list;
}

typedef enum likeness { SAME, SAME_REQUEST, SAME_KEY } likeness;

static bool is_like(const check *c, const wanted *w, const gw_stamped *made, likeness how) {
    const char *now = gw_cstr(c->s, w->text), *then = gw_cstr(c->s, made->request);
    if (how == SAME_KEY) /* "f: both = y wrt x" is no request of f without a name */
        return strncmp(now, then, w->key) == 0 && (w->request->name || !strchr(then + w->key, '='));
    return w->text == made->request && (how == SAME_REQUEST || w->request->digest == made->digest);
}

/* The first of the stamp's requests that is none of the source's yet; overloads have one name, so those that
 * fit best go first. NULL if there is none. */
static const gw_stamped *take(const check *c, wanted *w, likeness how) {
    for (uint32_t i = 0; i < c->stamp.requests.count && !w->met; i++) {
        const gw_stamped *made = &c->stamp.requests.at[i];
        if (c->used[i] || !is_like(c, w, made, how)) continue;
        w->met = c->used[i] = true;
        return made;
    }
    return NULL;
}

static void say_changed(const check *c, const wanted *w, const gw_stamped *made) {
    static const char *const changed = "the function, what it calls, or what is stated of them has changed";
    const gw_request *r = w->request;
    const char *then = gw_cstr(c->s, made->request) + w->key, *now = gw_cstr(c->s, w->text) + w->key;
    bool asked_otherwise = strcmp(then, now) != 0;
    char *what = describe(c->s, r), *why;
    if (asked_otherwise)
        why = gw_format("it was asked for as '%s', and is as '%s'", then, now);
    else
        why = gw_strdup(changed);
    gw_loc loc = asked_otherwise && r->loc.line ? r->loc : r->func->loc;
    gw_diag(c->s, GW_DIAG_STALE_DERIVATIVE, loc, what, c->path, why, c->again);
    free(what);
    free(why);
}

static void match(const check *c, wanted_list *list, likeness how) {
    for (uint32_t i = 0; i < list->count; i++) {
        const gw_stamped *made = take(c, &list->at[i], how);
        if (made && how != SAME) say_changed(c, &list->at[i], made);
    }
}

static void compare_requests(const check *c) {
    wanted_list list = wanted_of(c->s);
    match(c, &list, SAME);
    match(c, &list, SAME_REQUEST);
    match(c, &list, SAME_KEY);
    for (uint32_t i = 0; i < list.count; i++) {
        if (list.at[i].met) continue;
        char *what = describe(c->s, list.at[i].request);
        gw_diag(c->s, GW_DIAG_MISSING_DERIVATIVE, list.at[i].request->func->loc, c->path, what, c->again);
        free(what);
    }
    gw_vec_free(&list);
    gw_loc loc = {.file = gw_intern(c->s, c->path), .column = 1};
    for (uint32_t i = 0; i < c->stamp.requests.count; i++) {
        const char *request = gw_cstr(c->s, c->stamp.requests.at[i].request);
        loc.line = c->stamp.requests.at[i].line;
        if (!c->used[i]) gw_diag(c->s, GW_DIAG_UNASKED_DERIVATIVE, loc, c->path, request, c->again);
    }
}

/* ---- one text ---- */
static void compare(const check *c, const char *source) {
    const gw_stamp *stamp = &c->stamp;
    const char *slash = strrchr(source, '/'), *name = slash ? slash + 1 : source;
    const char *version = gw_cstr(c->s, stamp->version), *own = gw_stamp_version();
    const char *made_from = gw_cstr(c->s, stamp->source);
    if (!stamp->version) {
        gw_diag(c->s, GW_DIAG_NO_STAMP, (gw_loc){0}, c->path, "it is no text of Gradwright's",
                "name the text by -o");
    } else if (strcmp(version, own) != 0) {
        say_stale(c, gw_format("Gradwright %s made it, and this is %s", version, own));
    } else if (!stamp->has_end) {
        char *again = gw_format("make it anew: %s", c->again);
        gw_diag(c->s, GW_DIAG_NO_STAMP, (gw_loc){0}, c->path, "its last lines are missing", again);
        free(again);
    } else if (strcmp(made_from, name) != 0) {
        say_stale(c, gw_format("it was made from '%s', and this call names '%s'", made_from, name));
    } else {
        if (!stamp->is_whole) gw_diag(c->s, GW_DIAG_EDITED_TEXT, (gw_loc){0}, c->path, c->again);
        compare_options(c);
        compare_requests(c);
    }
}

static void check_text(gw_session *s, const gw_settings *t, const char *path) {
    size_t count;
    const char *why;
    char *text = gw_file_text(path, &count, &why);
    if (!text) {
        gw_diag(s, GW_DIAG_CANNOT_READ, (gw_loc){0}, path, why);
        return;
    }
    char *again = command_again(t);
    check c = {.s = s, .path = path, .again = again};
    gw_stamp_read(s, text, count, &c.stamp);
    c.used = gw_alloc(c.stamp.requests.count * sizeof *c.used);
    compare(&c, t->source);
    free(c.used);
    gw_stamp_free(&c.stamp);
    free(again);
    free(text);
}

bool gw_check(gw_run *run, const gw_settings *t, const char *path) {
    check_text(run->session, t, path);
    if (t->options.declarations) check_text(run->session, t, t->options.declarations);
    return !gw_session_failed(run->session);
}
