/* names.c - which names are free (contract: formula.h). */
#include "rewriters/formula/formula.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *spelling;
    gw_opcode code;
} functions[] = {
#define GW_INTRIN(spelling, OP, type, fast) {spelling, GW_OP_##OP},
#include "analysis/ir/intrin.def"
    /* What emission spells by itself (emit/text/expression.c, emit/text/math.c). */
    {"min", GW_OP_IMIN}, {"llmin", GW_OP_IMIN}, {"ullmin", GW_OP_IMIN},
    {"max", GW_OP_IMAX}, {"llmax", GW_OP_IMAX}, {"ullmax", GW_OP_IMAX},
    {"abs", GW_OP_IABS}, {"llabs", GW_OP_IABS},
};

bool gw_names_have(const gw_name_list *list, gw_str name) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->at[i] == name) return true;
    return false;
}

static void add_called(gw_session *s, gw_opcode code, gw_name_list *list) {
    static const char *const suffixes[] = {"", "f", "l"};
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (functions[i].code == code) gw_push(list, gw_intern(s, functions[i].spelling));
    for (unsigned i = 0; i < 3; i++) {
        char *name = gw_format("%s%s", gw_op_rows[code].text, suffixes[i]);
        gw_push(list, gw_intern(s, name));
        free(name);
    }
}

static void add_called_by(const gw_func *f, gw_name_list *list) {
    gw_session *s = f->session;
    bool seen[GW_OP_COUNT] = {false};
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead) continue;
        if (o->code == GW_OP_CALL) {
            const gw_func *callee = gw_func_find(s, o->callee);
            const char *name = gw_cstr(s, callee ? callee->name : o->callee), *colon = strrchr(name, ':');
            gw_push(list, gw_intern(s, colon ? colon + 1 : name));
        } else if (!seen[o->code] &&
                   (gw_op_is_function((gw_opcode)o->code) || o->code == GW_OP_IMIN || o->code == GW_OP_IMAX)) {
            add_called(s, (gw_opcode)o->code, list);
        }
        seen[o->code] = true;
    }
}

/* A struct's tag in C has names of its own. */
static bool is_tag(const char *text, const char *at) {
    static const char *const words[] = {"struct ", "union ", "enum "};
    for (unsigned i = 0; i < 3; i++) {
        size_t n = strlen(words[i]);
        if ((size_t)(at - text) >= n && strncmp(at - n, words[i], n) == 0) return true;
    }
    return false;
}

/* Identifiers of a type or a template's parameters as C spells them. What is qualified nothing hides. */
static void add_identifiers(gw_session *s, const char *text, gw_name_list *list) {
    for (const char *at = text; *at;) {
        size_t n = 0;
        while (gw_is_word(at[n])) n++;
        bool qualified = at > text && at[-1] == ':';
        if (n && !isdigit((unsigned char)*at) && !qualified && !is_tag(text, at))
            gw_push(list, gw_intern_n(s, at, n));
        at += n ? n : 1;
    }
}

/* Functions that pointers are compared with. */
static void add_compared(const gw_func *f, gw_name_list *list) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_LOAD) continue;
        const char *is = strstr(gw_cstr(f->session, o->path), GW_PATH_IS);
        if (is) add_identifiers(f->session, is + strlen(GW_PATH_IS), list);
    }
}

void gw_names_used(const gw_func *f, gw_name_list *list) {
    gw_session *s = f->session;
    add_identifiers(s, gw_cstr(s, f->template_head), list);
    add_identifiers(s, gw_cstr(s, f->return_text), list);
    for (uint32_t i = 0; i < f->params.count; i++) {
        if (gw_param_is_hidden(&f->params.at[i])) continue;
        add_identifiers(s, gw_cstr(s, f->params.at[i].type_text), list);
        add_identifiers(s, gw_cstr(s, f->params.at[i].pattern), list);
    }
    for (gw_object o = 1; o < f->objects.count; o++) {
        const gw_object_data *d = gw_object_at(f, o);
        if (d->kind == GW_OBJECT_GLOBAL) gw_push(list, d->name);
        add_identifiers(s, gw_type_c(s, d->type), list);
    }
    add_called_by(f, list);
    add_compared(f, list);
}

/* ---- parameters ---- */

static void rename_param(gw_func *f, gw_param *p, gw_str name) {
    p->name = name;
    if (p->object) gw_object_at(f, p->object)->name = name;
    if (p->value) gw_value_at(f, p->value)->name = name;
}

static bool is_macro(const gw_session *s, gw_str name) {
    for (uint32_t i = 0; i < s->macros.count; i++)
        if (s->macros.at[i] == name) return true;
    return false;
}

typedef struct taken {
    const gw_session *s;
    gw_name_list before, all; /* by others than the parameters behind; and by those too */
} taken;

static bool is_taken(const void *by, gw_str name) {
    const taken *t = by;
    return gw_names_have(&t->all, name) || is_macro(t->s, name);
}

void gw_names_settle(gw_func *f) {
    gw_session *s = f->session;
    taken t = {.s = s};
    gw_names_used(f, &t.before);
    for (uint32_t i = 0; i < t.before.count; i++) gw_push(&t.all, t.before.at[i]);
    for (uint32_t i = 0; i < f->params.count; i++) gw_push(&t.all, f->params.at[i].name);
    for (uint32_t i = 0; i < f->params.count; i++) {
        gw_param *p = &f->params.at[i];
        if (gw_param_is_hidden(p) || !p->name) continue;
        /* The source itself has the name of a parameter of the primal: no macro is in its way. */
        const bool ours = p->is_adjoint || p->tangent_of;
        bool hidden = gw_names_have(&t.before, p->name) || (ours && is_macro(s, p->name));
        if (hidden) rename_param(f, p, gw_free_name(s, gw_cstr(s, p->name), is_taken, &t));
        gw_push(&t.before, p->name);
        gw_push(&t.all, p->name);
    }
    gw_vec_free(&t.before);
    gw_vec_free(&t.all);
}
