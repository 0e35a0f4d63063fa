/*
 * emit/signature.c - parameters as the user spelled them, adjoint parameters after them, and long calls and
 * declarations broken into lines.
 */
#include "rewriters/emit/emit_private.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_WIDTH = 104 };

/* "const float (&)[3]" and "x" -> "const float (&x)[3]"; "float *" -> "float *x". */
static char *declarator(const char *type, const char *name) {
    const char *inner = strstr(type, "(&");
    if (!inner) inner = strstr(type, "(*");
    const char *at = inner ? strchr(inner, ')') : strchr(type, '[');
    if (!at) at = type + strlen(type);
    char before = at > type ? at[-1] : ' ';
    bool joined = !*name || before == '*' || before == '&' || before == ' ';
    return gw_format("%.*s%s%s%s", (int)(at - type), type, joined ? "" : " ", name, at);
}

/* The adjoints of distinct parameters are distinct memory (the contract), which the compiler may use. */
static char *with_restrict(const char *type) {
    size_t n = strlen(type);
    bool pointer = n && type[n - 1] == '*';
    return gw_format("%s%s", type, pointer ? "__restrict__" : "");
}

void gw_emit_params_add(gw_emit_params *list, gw_session *s, const char *type, const char *name) {
    gw_push(&list->texts, declarator(type, name));
    gw_push(&list->names, gw_intern(s, name));
}

static bool is_adjoint(const gw_func *f, gw_object o) {
    for (uint32_t i = 0; i < f->params.count; i++)
        if (f->params.at[i].object == o && f->params.at[i].is_adjoint) return true;
    return gw_object_at(f, o)->shadow_of != 0;
}

/* A kernel that writes to nothing of the caller's but adjoints: no cell that it reads through other parameters
 * can change, since theirs are distinct memory. */
static bool writes_adjoints_only(const gw_func *f) {
    if (f->kind != GW_FUNC_KERNEL || !f->primal || f->form == GW_FORM_JVP) return false;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        bool writes = o->code == GW_OP_STORE || o->code == GW_OP_ACCUM || o->code == GW_OP_ATOMIC ||
                      o->code == GW_OP_ADDRESS;
        if (o->dead || !writes || gw_object_is_inner(gw_object_at(f, o->object)->kind)) continue;
        if (!is_adjoint(f, o->object)) return false;
    }
    return true;
}

/* Says so to the compiler, which may then load them ahead of additions to adjoints. Not in a specialisation:
 * nvcc compares the qualifier with the primary template's, which other instantiations share. */
static bool is_input(const gw_func *f, const gw_param *p) {
    const char *type = gw_cstr(f->session, p->type_text);
    return !f->template_head && p->object && gw_object_at(f, p->object)->is_const &&
           strncmp(type, "const ", 6) == 0 && !strchr(type, '(') && writes_adjoints_only(f);
}

void gw_emit_params_of(gw_emitter *e, const gw_func *f, bool is_definition, gw_emit_params *list) {
    gw_session *s = e->session;
    for (uint32_t i = 0; i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        if (gw_param_is_hidden(p)) continue;
        char *type = is_definition && (p->is_adjoint || is_input(f, p))
                         ? with_restrict(gw_cstr(s, p->type_text))
                         : gw_strdup(gw_cstr(s, p->type_text));
        char *nameless = gw_format("unused_%u", i + 1);
        gw_emit_params_add(list, s, type, p->name ? gw_cstr(s, p->name) : nameless);
        free(nameless);
        free(type);
    }
}

void gw_emit_items_free(gw_emit_items *items) {
    for (uint32_t i = 0; i < items->count; i++) free(items->at[i]);
    gw_vec_free(items);
}

void gw_emit_params_free(gw_emit_params *list) {
    for (uint32_t i = 0; i < list->texts.count; i++)
        free(list->texts.at[i]);
    gw_vec_free(&list->texts);
    gw_vec_free(&list->names);
}

void gw_emit_call_text(gw_emitter *e, const char *head, char *const *items, uint32_t count, const char *tail) {
    gw_text text = {0};
    size_t column = 4 * e->depth + strlen(head) + 1;
    gw_text_addf(&text, "%s(", head);
    for (uint32_t i = 0; i < count; i++) {
        bool last = i + 1 == count;
        size_t length = strlen(items[i]) + (last ? strlen(tail) + 1 : 2);
        if (i && column + length > LINE_WIDTH) {
            text.count--; /* the blank behind the comma */
            text.at[text.count] = 0;
            column = 4 * e->depth + 8;
            gw_text_addf(&text, "\n%*s", (int)column, "");
        }
        gw_text_addf(&text, "%s%s", items[i], last ? "" : ", ");
        column += length;
    }
    gw_text_addf(&text, ")%s", tail);
    gw_emit_line(e, "%s", text.at);
    gw_text_free(&text);
}
