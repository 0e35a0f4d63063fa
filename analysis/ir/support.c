/*
 * support.c - memory, growable arrays, text buffers and interned strings (contract: ir/support.h).
 */
#include "analysis/ir/ir.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void out_of_memory(void) {
    fputs("gradwright: out of memory\n", stderr);
    abort();
}

void *gw_alloc(size_t bytes) {
    void *p = calloc(1, bytes ? bytes : 1);
    if (!p) out_of_memory();
    return p;
}

void *gw_realloc(void *old, size_t bytes) {
    void *p = realloc(old, bytes ? bytes : 1);
    if (!p) out_of_memory();
    return p;
}

bool gw_is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

char *gw_strdup(const char *text) {
    size_t n = strlen(text) + 1;
    char *p = gw_alloc(n);
    memcpy(p, text, n);
    return p;
}

/* Most of what is formatted is short. */
static char *format_list(const char *format, va_list list) {
    char shortly[128];
    va_list again;
    va_copy(again, list);
    int n = vsnprintf(shortly, sizeof shortly, format, again);
    va_end(again);
    if (n < 0) return gw_strdup("");
    char *p = gw_alloc((size_t)n + 1);
    if ((size_t)n < sizeof shortly)
        memcpy(p, shortly, (size_t)n + 1);
    else
        vsnprintf(p, (size_t)n + 1, format, list);
    return p;
}

char *gw_format(const char *format, ...) {
    va_list list;
    va_start(list, format);
    char *p = format_list(format, list);
    va_end(list);
    return p;
}

void *gw_vec_grow(void *at, uint32_t *room, uint32_t count, size_t size) {
    if (count < *room) return at;
    if (*room > UINT32_MAX / 2) out_of_memory();
    *room = *room ? *room * 2 : 8;
    return gw_realloc(at, *room * size);
}

/* ---- text ---- */
static void make_room(gw_text *t, size_t n) {
    if (t->count + n + 1 <= t->room) return;
    t->room = (t->count + n + 1) * 2;
    t->at = gw_realloc(t->at, t->room);
}

static void text_add_n(gw_text *t, const char *s, size_t n) {
    make_room(t, n);
    memcpy(t->at + t->count, s, n);
    t->count += n;
    t->at[t->count] = 0;
}

void gw_text_add(gw_text *t, const char *s) { text_add_n(t, s, strlen(s)); }

void gw_text_add_char(gw_text *t, char c) { text_add_n(t, &c, 1); }

/* Into the text itself, again if its room was too small. */
void gw_text_addf(gw_text *t, const char *format, ...) {
    va_list list;
    size_t room = 64;
    for (int round = 0; round < 2; round++) {
        make_room(t, room);
        va_start(list, format);
        const int n = vsnprintf(t->at + t->count, room + 1, format, list);
        va_end(list);
        if (n >= 0 && (size_t)n <= room) {
            t->count += (size_t)n;
            return;
        }
        if (n < 0) break;
        room = (size_t)n;
    }
    t->at[t->count] = 0;
}

static char shown(char c) {
    if (c == '_') return '-';
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

void gw_text_add_name(gw_text *t, const char *row) {
    for (; *row; row++)
        gw_text_add_char(t, shown(*row));
}

bool gw_text_is_name(const char *name, const char *row) {
    while (*name && *name == shown(*row))
        name++, row++;
    return !*name && !*row;
}

void gw_text_free(gw_text *t) {
    free(t->at);
    *t = (gw_text){0};
}

uint64_t gw_hash(uint64_t before, const char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        before = (before ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    return before;
}

/* How long a sequence is that begins so; 0: none does. */
static size_t utf8_length(unsigned char first) {
    if (first < 0x80) return 1;
    if (first < 0xC2 || first >= 0xF5) return 0;
    if (first < 0xE0) return 2;
    return first < 0xF0 ? 3 : 4;
}

size_t gw_utf8_sequence(const char *text, size_t left) {
    const unsigned char *at = (const unsigned char *)text;
    size_t n = utf8_length(at[0]);
    if (!n || n > left) return 0;
    for (size_t i = 1; i < n; i++)
        if ((at[i] & 0xC0) != 0x80) return 0;
    bool overlong = (at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xF0 && at[1] < 0x90);
    bool outside = (at[0] == 0xED && at[1] > 0x9F) || (at[0] == 0xF4 && at[1] > 0x8F);
    return overlong || outside ? 0 : n;
}

uint32_t gw_utf8_count(const char *text, size_t bytes) {
    uint32_t count = 0;
    for (size_t i = 0, n; i < bytes; i += n ? n : 1, count++)
        n = gw_utf8_sequence(text + i, bytes - i);
    return count;
}

/* ---- interned strings: open addressing over indices into `strings` ---- */
struct gw_interner {
    GW_VEC(char *) strings; /* [0] is "" */
    uint32_t *slots;
    uint32_t slot_count;
};

static uint32_t hash_text(const char *s, size_t n) {
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)s[i]) * 16777619u;
    return h;
}

static uint32_t *find_slot(struct gw_interner *in, const char *s, size_t n) {
    uint32_t mask = in->slot_count - 1, i = hash_text(s, n) & mask;
    while (in->slots[i]) {
        const char *have = in->strings.at[in->slots[i]];
        if (strlen(have) == n && memcmp(have, s, n) == 0) break;
        i = (i + 1) & mask;
    }
    return &in->slots[i];
}

static void rehash(struct gw_interner *in, uint32_t count) {
    free(in->slots);
    in->slots = gw_alloc(count * sizeof *in->slots);
    in->slot_count = count;
    for (uint32_t i = 1; i < in->strings.count; i++)
        *find_slot(in, in->strings.at[i], strlen(in->strings.at[i])) = i;
}

gw_str gw_intern_n(struct gw_session *s, const char *text, size_t n) {
    struct gw_interner *in = s->interner;
    if (n == 0) return 0;
    uint32_t *slot = find_slot(in, text, n);
    if (*slot) return *slot;
    if (in->strings.count * 2 > in->slot_count) {
        rehash(in, in->slot_count * 2);
        slot = find_slot(in, text, n);
    }
    char *copy = gw_alloc(n + 1);
    memcpy(copy, text, n);
    *slot = in->strings.count;
    gw_push(&in->strings, copy);
    return in->strings.count - 1;
}

gw_str gw_intern(struct gw_session *s, const char *text) { return gw_intern_n(s, text, strlen(text)); }
const char *gw_cstr(const struct gw_session *s, gw_str str) { return s->interner->strings.at[str]; }

/* ---- session ---- */
static void interner_new(gw_session *s) {
    s->interner = gw_alloc(sizeof *s->interner);
    gw_push(&s->interner->strings, gw_strdup(""));
    rehash(s->interner, 256);
}

int gw_str_order(const gw_session *s, gw_str a, gw_str b) { return strcmp(gw_cstr(s, a), gw_cstr(s, b)); }

gw_session *gw_session_new(void) {
    gw_session *s = gw_alloc(sizeof *s);
    interner_new(s);
    static const char *const c_names[] = {
#define GW_TYPE(NAME, text, c, bytes, cls) c,
#include "analysis/ir/types.def"
#undef GW_TYPE
    };
    for (uint32_t i = 0; i < GW_T_SCALARS; i++)
        gw_push(&s->types, ((gw_type_data){.kind = GW_TYPE_SCALAR, .name = gw_intern(s, c_names[i])}));
    gw_push(&s->decisions, (gw_decision){.other = 0});
    gw_push(&s->choices, (gw_rung_choice){.rung = 0});
    s->options.verify = true;
    s->is_cuda = true;
    return s;
}

#define COPY(to, from, list)                                                                                   \
    do {                                                                                                       \
        (to)->list.room = (from)->list.count;                                                                  \
        (to)->list.at = gw_alloc((from)->list.count * sizeof *(from)->list.at);                                \
        if ((from)->list.count)                                                                                \
            memcpy((to)->list.at, (from)->list.at, (from)->list.count * sizeof *(from)->list.at);              \
    } while (0)

gw_func *gw_func_copy(const gw_func *f) {
    gw_func *copy = gw_alloc(sizeof *copy);
    *copy = *f;
    COPY(copy, f, params);
    COPY(copy, f, objects);
    COPY(copy, f, ops);
    COPY(copy, f, values);
    COPY(copy, f, regions);
    COPY(copy, f, operands);
    COPY(copy, f, assumptions);
    COPY(copy, f, promises);
    COPY(copy, f, launch);
    COPY(copy, f, asked);
    COPY(copy, f, packed);
    return copy;
}

void gw_func_free(gw_func *f) {
    gw_vec_free(&f->params);
    gw_vec_free(&f->objects);
    gw_vec_free(&f->ops);
    gw_vec_free(&f->values);
    gw_vec_free(&f->regions);
    gw_vec_free(&f->operands);
    gw_vec_free(&f->assumptions);
    gw_vec_free(&f->promises);
    gw_vec_free(&f->launch);
    gw_vec_free(&f->asked);
    gw_vec_free(&f->packed);
    free(f);
}

void gw_names_copy(gw_names *to, const gw_names *from) {
    *to = (gw_names){0};
    for (uint32_t i = 0; i < from->count; i++)
        gw_push(to, from->at[i]);
}

bool gw_names_are_same(const gw_names *a, const gw_names *b) {
    for (uint32_t i = 0; i < a->count; i++) {
        bool found = false;
        for (uint32_t k = 0; k < b->count; k++)
            found |= a->at[i] == b->at[k];
        if (!found) return false;
    }
    return a->count == b->count;
}

bool gw_request_asks_same(const gw_request *a, const gw_request *b) {
    return gw_names_are_same(&a->dependents, &b->dependents) &&
           gw_names_are_same(&a->independents, &b->independents) && gw_names_are_same(&a->fresh, &b->fresh);
}

uint32_t gw_request_beside(gw_session *s, uint32_t request, gw_str name) {
    const gw_request q = s->requests.at[request];
    gw_request made = q;
    made.name = name;
    made.in_place_of = 1 + request;
    made.digest = 0; /* of the user's requests */
    gw_names_copy(&made.dependents, &q.dependents);
    gw_names_copy(&made.independents, &q.independents);
    gw_names_copy(&made.kept, &q.kept);
    gw_names_copy(&made.dependent_extents, &q.dependent_extents);
    gw_names_copy(&made.independent_extents, &q.independent_extents);
    gw_names_copy(&made.fresh, &q.fresh);
    gw_push(&s->requests, made);
    return s->requests.count - 1;
}

static bool has_inlining(const gw_inlining *list, uint32_t count, gw_str symbol, bool whole) {
    for (uint32_t i = 0; i < count; i++)
        if (list[i].symbol == symbol && (list[i].whole || !whole)) return true;
    return false;
}

bool gw_ask_to_inline(gw_session *s, gw_str symbol, bool whole) {
    if (s->options.from_ir || has_inlining(s->inlining.at, s->inlining.count, symbol, whole)) return false;
    if (!has_inlining(s->to_inline.at, s->to_inline.count, symbol, whole))
        gw_push(&s->to_inline, ((gw_inlining){symbol, whole}));
    return true;
}

void gw_session_free(gw_session *s) {
    if (!s) return;
    for (uint32_t i = 0; i < s->funcs.count; i++)
        gw_func_free(s->funcs.at[i]);
    for (uint32_t i = 0; i < s->requests.count; i++) {
        gw_vec_free(&s->requests.at[i].dependents);
        gw_vec_free(&s->requests.at[i].independents);
        gw_vec_free(&s->requests.at[i].kept);
        gw_vec_free(&s->requests.at[i].dependent_extents);
        gw_vec_free(&s->requests.at[i].independent_extents);
        gw_vec_free(&s->requests.at[i].fresh);
    }
    gw_vec_free(&s->funcs);
    gw_vec_free(&s->inlining);
    gw_vec_free(&s->to_inline);
    gw_vec_free(&s->joined);
    gw_vec_free(&s->to_join);
    gw_vec_free(&s->refused);
    gw_vec_free(&s->passed_over);
    gw_vec_free(&s->requests);
    gw_vec_free(&s->promises);
    gw_vec_free(&s->launches);
    gw_vec_free(&s->packs);
    for (uint32_t i = 0; i < s->captures.count; i++)
        gw_vec_free(&s->captures.at[i].members);
    gw_vec_free(&s->captures);
    for (uint32_t i = 0; i < s->rules.count; i++)
        gw_vec_free(&s->rules.at[i].params);
    gw_vec_free(&s->rules);
    gw_vec_free(&s->checkpoints);
    gw_vec_free(&s->included);
    gw_vec_free(&s->directives);
    gw_vec_free(&s->macros);
    gw_vec_free(&s->declared);
    gw_vec_free(&s->diagnostics);
    gw_vec_free(&s->decisions);
    gw_vec_free(&s->choices);
    gw_vec_free(&s->emitted);
    gw_vec_free(&s->types);
    gw_vec_free(&s->fields);
    gw_vec_free(&s->hidden);
    for (uint32_t i = 0; i < s->interner->strings.count; i++)
        free(s->interner->strings.at[i]);
    gw_vec_free(&s->interner->strings);
    free(s->interner->slots);
    free(s->interner);
    free(s);
}
