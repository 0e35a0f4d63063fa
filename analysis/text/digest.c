/*
 * digest.c - the pass: for each request a number of all that its function is made of, by which `gradwright
 * --check` tells whether a text is that of the source (docs/guide/build.md).
 *
 * Requires IR as the front end leaves it. The number is a hash of the IR's text (printer.c), which is complete:
 * of the function, of all that it calls, of their types, marks and promises, and of the derivatives that the
 * user wrote for what they call. They are copied into a session of their own first, in the order in which they
 * are met, without places in the source and without what tells a function from others of its name. So what is
 * not called, comments and blanks change nothing. What the request itself says is not in it: the text has that
 * in words (stamp.c).
 */
#include "analysis/ir/passes.h"
#include "analysis/text/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct extract {
    gw_session *from;
    gw_session own;                /* shares the interned strings */
    GW_VEC(const gw_func *) found; /* in `from` */
    gw_value_map types;
} extract;

/* ---- what has a place in its name ---- */
/* Behind ":12:3)" or the like at p; NULL: it does not stand there. */
static const char *skip_line_and_column(const char *p) {
    for (unsigned i = 0; i < 2; i++) {
        if (p[0] != ':' || !isdigit((unsigned char)p[1])) return NULL;
        for (p++; isdigit((unsigned char)*p);)
            p++;
    }
    return *p == ')' ? p : NULL;
}

/* A type without a name is "(lambda at x.cpp:1:2)"; one that a function declares has a key of Clang's behind
 * its name, with its offset (gw_front_type_key). */
static gw_str placeless(gw_session *s, gw_str name) {
    const char *p = gw_cstr(s, name);
    if (!strstr(p, " at ") && !strstr(p, " c:")) return name;
    gw_text out = {0};
    while (*p && !(strncmp(p, " c:", 3) == 0 && p[3] != ':')) {
        const char *end = NULL, *place = strncmp(p, " at ", 4) == 0 ? p + 4 : "";
        for (; *place && !end; place++)
            end = skip_line_and_column(place);
        if (end) p = end;
        gw_text_add_char(&out, *p++);
    }
    gw_str result = gw_intern(s, out.at ? out.at : "");
    gw_text_free(&out);
    return result;
}

/* ---- types ---- */
static gw_type take_type(extract *x, gw_type t);

static gw_type take_struct(extract *x, const gw_type_data *d) {
    GW_VEC(gw_field) fields = {0};
    for (uint32_t i = 0; i < d->count; i++) {
        gw_field field = x->from->fields.at[d->first + i];
        field.hidden = 0;
        field.type = take_type(x, field.type);
        gw_push(&fields, field);
    }
    gw_type made = gw_type_struct(&x->own, placeless(x->from, d->name), fields.at, fields.count, d->layout);
    gw_vec_free(&fields);
    return made;
}

static gw_type take_type(extract *x, gw_type t) {
    if (t < GW_T_SCALARS) return t;
    gw_type made = gw_map_get(&x->types, t);
    if (made) return made;
    const gw_type_data d = x->from->types.at[t];
    if (d.kind == GW_TYPE_STRUCT)
        made = take_struct(x, &d);
    else if (d.kind == GW_TYPE_ARRAY)
        made = gw_type_array(&x->own, take_type(x, d.element), d.count);
    else
        made = gw_type_pointer(&x->own, take_type(x, d.element), d.is_const);
    gw_map_set(&x->types, t, made);
    return made;
}

/* ---- functions ---- */
static uint32_t find(extract *x, const gw_func *f) {
    for (uint32_t i = 0; i < x->found.count; i++)
        if (x->found.at[i] == f) return i;
    gw_push(&x->found, f);
    return x->found.count - 1;
}

static void take_rule(extract *x, gw_str callee) {
    const gw_rule *rule = gw_rule_find(x->from, callee);
    if (rule && !gw_rule_find(&x->own, callee)) gw_push(&x->own.rules, *rule);
}

/* A function that is called is named by its number here. */
static void take_op(extract *x, gw_op_data *o) {
    o->loc = (gw_loc){0};
    if (o->code == GW_OP_DEVICE) o->imm.i = 0; /* the number of a request, before which others may stand */
    if (o->dead || o->code != GW_OP_CALL) return;
    take_rule(x, o->callee);
    const gw_func *callee = gw_func_find(x->from, o->callee);
    if (!callee) return;
    char *number = gw_format("%u", find(x, callee));
    o->callee = gw_intern(x->from, number);
    free(number);
}

static void take_func(extract *x, const gw_func *from) {
    gw_func *f = gw_func_copy(from);
    f->session = &x->own;
    f->symbol = f->name;
    f->tag = 0;
    f->loc = (gw_loc){0};
    f->return_type = take_type(x, f->return_type);
    f->return_text = placeless(x->from, f->return_text);
    for (gw_object o = 1; o < f->objects.count; o++) {
        gw_object_data *d = gw_object_at(f, o);
        d->type = take_type(x, d->type);
        d->type_text = placeless(x->from, d->type_text);
        d->loc = (gw_loc){0};
    }
    for (uint32_t i = 0; i < f->params.count; i++) {
        f->params.at[i].type_text = placeless(x->from, f->params.at[i].type_text);
        f->params.at[i].loc = (gw_loc){0};
    }
    for (uint32_t i = 0; i < f->asked.count; i++)
        f->asked.at[i].loc = (gw_loc){0};
    for (uint32_t i = 0; i < f->packed.count; i++)
        f->packed.at[i].loc = (gw_loc){0};
    for (gw_op op = 1; op < f->ops.count; op++)
        take_op(x, gw_op_at(f, op));
    gw_push(&x->own.funcs, f);
}

static void begin(extract *x, gw_session *s) {
    *x = (extract){.from = s, .own = {.interner = s->interner, .is_cuda = s->is_cuda}};
    for (gw_type t = 0; t < GW_T_SCALARS; t++)
        gw_push(&x->own.types, s->types.at[t]);
}

static void end(extract *x) {
    for (uint32_t i = 0; i < x->own.funcs.count; i++)
        gw_func_free(x->own.funcs.at[i]);
    gw_vec_free(&x->own.funcs);
    gw_vec_free(&x->own.rules);
    gw_vec_free(&x->own.types);
    gw_vec_free(&x->own.fields);
    gw_vec_free(&x->found);
    gw_map_free(&x->types);
}

static gw_str digest(gw_session *s, const gw_request *r) {
    extract x;
    gw_text text = {0};
    begin(&x, s);
    find(&x, r->func);
    for (uint32_t i = 0; i < x.found.count; i++)
        take_func(&x, x.found.at[i]);
    gw_print_session(&x.own, &text);
    bool by_option = !r->coarsen_loc.line; /* which the text names */
    if (r->coarsen && !by_option) gw_text_addf(&text, "coarsen %u\n", r->coarsen);
    end(&x);
    char *digits = gw_format("%016" PRIx64, gw_hash(GW_HASH_START, text.at, text.count));
    gw_str result = gw_intern(s, digits);
    free(digits);
    gw_text_free(&text);
    return result;
}

bool gw_pass_digest(gw_run *run) {
    gw_session *s = run->session;
    for (uint32_t i = 0; i < s->requests.count; i++) {
        gw_request *r = &s->requests.at[i];
        if (r->func && !r->implied) r->digest = digest(s, r);
    }
    return true;
}
