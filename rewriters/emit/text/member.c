/*
 * emit/text/member.c - members of structs, and those among them that are not public.
 *
 * An explicit instantiation may name every member of a class ([temp.explicit]), so the text has one for each
 * class whose members it needs: emitted/open.h makes of it a function that gives the member of an object.
 */
#include "analysis/ir/diagnostics.h"
#include "rewriters/emit/text/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

char *gw_emit_member(gw_session *s, const char *object, const gw_field *field) {
    const char *name = gw_cstr(s, field->name);
    gw_hidden *h = field->hidden ? &s->hidden.at[field->hidden - 1] : NULL;
    if (!h) return gw_format("%s.%s", object, name);
    const char *holder = gw_cstr(s, h->holder), *cast = h->is_closed ? "(%s &)%s" : "((%s &)%s)";
    char *base = h->is_behind ? gw_format(cast, holder, object) : gw_strdup(object);
    h->is_used = true;
    char *text = h->is_closed ? gw_format("gw_open_%s(%s)", name, base) : gw_format("%s.%s", base, name);
    free(base);
    return text;
}

char *gw_emit_opening(gw_session *s, const char **at) {
    const char *holder = *at + 1, *member = strchr(holder, ';') + 1, *end = strchr(member, ';');
    const gw_str class = gw_intern_n(s, holder, (size_t)(member - 1 - holder));
    const gw_str name = gw_intern_n(s, member, (size_t)(end - member));
    for (uint32_t i = 0; i < s->hidden.count; i++)
        s->hidden.at[i].is_used |= s->hidden.at[i].holder == class && s->hidden.at[i].member == name;
    *at = end;
    return gw_format("gw_open_%s", gw_cstr(s, name));
}

bool gw_emit_opens(const gw_session *s, gw_type t, const char *path) {
    bool opens = false;
    while (*path) {
        const size_t n = strcspn(path + 1, ".[");
        const gw_field *field = *path == '.' ? gw_type_field(s, t, path + 1, n) : NULL;
        opens |= field && field->hidden;
        t = field ? field->type : s->types.at[t].element;
        path += n + 1;
    }
    return opens;
}

char *gw_emit_leaf(gw_session *s, gw_type t, const char *object, const char *path) {
    char *text = gw_strdup(object);
    while (*path) {
        const size_t n = strcspn(path + 1, ".[");
        const gw_field *field = *path == '.' ? gw_type_field(s, t, path + 1, n) : NULL;
        char *more = field ? gw_emit_member(s, text, field) : gw_format("%s%.*s", text, (int)n + 1, path);
        t = field ? field->type : s->types.at[t].element;
        free(text);
        text = more;
        path += n + 1;
    }
    return text;
}

/* The name of what is opened in "ns::box<float, 3>"; caller frees. A _ beside :: is another one, so that a_::b
 * and a::_b have two. */
static char *space_of(const gw_session *s, gw_str class) {
    gw_text name = {0};
    gw_text_add(&name, "gw_opened_");
    const char *first = gw_cstr(s, class);
    for (const char *c = first; *c; c++) {
        const bool beside = *c == '_' && (c[1] == ':' || (c > first && c[-1] == ':'));
        gw_text_addf(&name, "%c%s", isalnum((unsigned char)*c) ? *c : '_', beside ? "u" : "");
    }
    return name.at;
}

bool gw_emit_check_members(const gw_func *f) {
    gw_session *s = f->session;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        const gw_object_data *d = o->object ? gw_object_at(f, o->object) : NULL;
        if (o->dead || !d || !d->shadow_of || (o->code != GW_OP_STORE && o->code != GW_OP_ACCUM)) continue;
        if (gw_object_is_inner(d->kind)) continue;
        const char *path = gw_cstr(s, o->path);
        const gw_field *field = gw_path_const_member(s, d->type, path + (d->kind == GW_OBJECT_POINTER ? 2 : 0));
        if (!field) continue;
        gw_diag(s, GW_DIAG_CONST_MEMBER, o->loc, gw_cstr(s, f->primal->qualified), gw_cstr(s, field->name));
        return false;
    }
    return true;
}

gw_str gw_emit_static_member(gw_session *s, uint32_t hidden) {
    gw_hidden *h = &s->hidden.at[hidden - 1];
    char *space = space_of(s, h->holder);
    char *text = gw_format("%s::gw_open_%s()", space, gw_cstr(s, h->member));
    const gw_str name = gw_intern(s, text);
    h->is_used = true;
    free(space), free(text);
    return name;
}

/* All that is closed in the class, so that every text opens the same and one of them is enough. */
static void open_class(const gw_session *s, gw_str holder, gw_text *out) {
    char *space = space_of(s, holder);
    const char *class = gw_cstr(s, holder);
    gw_text_addf(out, "\n// an explicit instantiation may name what %s keeps from others\n", class);
    gw_text_addf(out, "#ifndef %s_\n#define %s_\ninline namespace %s {\n", space, space, space);
    for (uint32_t i = 0; i < s->hidden.count; i++) {
        const gw_hidden *h = &s->hidden.at[i];
        if (h->holder != holder || !h->is_closed || h->is_behind) continue;
        const char *kind = h->is_static ? "_STATIC" : "";
        gw_text_addf(out, "GW_OPEN%s(%s, %s)\n", kind, gw_cstr(s, h->member), class);
    }
    gw_text_add(out, "}\n#endif\n");
    free(space);
}

void gw_emit_openings(const gw_session *s, gw_text *out) {
    bool any = false;
    for (uint32_t i = 0; i < s->hidden.count; i++) {
        bool is_first = s->hidden.at[i].is_used && s->hidden.at[i].is_closed;
        for (uint32_t k = 0; k < i && is_first; k++)
            is_first = s->hidden.at[k].holder != s->hidden.at[i].holder || !s->hidden.at[k].is_used ||
                       !s->hidden.at[k].is_closed;
        if (!is_first) continue;
        if (!any) gw_text_add(out, "#include <gradwright/emitted/open.h>\n");
        any = true;
        open_class(s, s->hidden.at[i].holder, out);
    }
}
