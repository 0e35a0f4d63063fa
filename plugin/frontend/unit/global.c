/*
 * frontend/unit/global.c - variables at file scope that become parameters of a lowered function, with an
 * adjoint.
 *
 * Sound because every access of the function stands in its own body: a function that is called and not inlined,
 * and has the variable too, is refused, and so is a constant whose value the front end puts in its place. Nor
 * may a function store to a variable that a called one reads: a gradient calls it again, and has not performed
 * the store.
 */
#include "plugin/frontend/unit/unit.h"

#include "analysis/ir/device.h"
#include "analysis/ir/diagnostics.h"

#include <string.h>

/* The last part of a qualified name: of ns::table, table. */
static const char *last_part(const char *name) {
    const char *colon = strrchr(name, ':');
    return colon ? colon + 1 : name;
}

/* For ns::mask<float> that is mask_float, so that two of a template differ. */
gw_str gw_front_variable_base(gw_session *s, gw_str name) {
    gw_text text = {0};
    for (const char *at = last_part(gw_cstr(s, name)); *at; at++)
        if (!strchr("<>, -", *at))
            gw_text_add_char(&text, *at);
        else if (at[1] && *at != ' ')
            gw_text_add_char(&text, '_');
    const gw_str base = gw_intern(s, text.at);
    gw_text_free(&text);
    return base;
}

/* A parameter of the text, or a variable that is one already; NULL: none. */
const gw_param *gw_front_param_named(const gw_func *f, gw_str base) {
    for (uint32_t i = 0; i < f->params.count; i++)
        if (f->params.at[i].name == base && !f->params.at[i].is_result) return &f->params.at[i];
    return NULL;
}

/* The function's variable of that name; the number of them. */
uint32_t gw_front_find_global(const gw_func *f, const char *base, gw_object *found) {
    uint32_t count = 0;
    for (gw_object o = 1; o < f->objects.count; o++) {
        const gw_object_data *d = gw_object_at(f, o);
        const char *name = last_part(gw_cstr(f->session, d->name));
        const size_t n = strcspn(name, "<"); /* of a template's */
        if (d->kind != GW_OBJECT_GLOBAL || strlen(base) != n || strncmp(name, base, n) != 0) continue;
        *found = o;
        count++;
    }
    return count;
}

/* ---- called functions that have the variable too ---- */
typedef struct callers {
    gw_unit *u;
    const char *variable; /* its name, or the last part of it */
    bool is_whole;
    GW_VEC(const gw_func *) seen;
    bool called, ruled; /* by a function that is called; by one with a derivative of the user's */
} callers;

static bool is_meant(const callers *w, gw_str name) {
    const char *text = gw_cstr(w->u->session, name);
    return strcmp(w->is_whole ? text : last_part(text), w->variable) == 0;
}

static bool has_variable(const callers *w, const gw_func *f) {
    for (gw_object o = 1; o < f->objects.count; o++)
        if (gw_object_at(f, o)->kind == GW_OBJECT_GLOBAL && is_meant(w, gw_object_at(f, o)->name)) return true;
    return false;
}

bool gw_front_is_global_variable(CXCursor c) {
    return gw_front_is_of_variable_template(c) ||
           (clang_getCursorKind(c) == CXCursor_VarDecl && clang_Cursor_hasVarDeclGlobalStorage(c) == 1);
}

static bool names_variable(gw_unit *u, CXCursor c, const void *w) {
    CXCursor of = clang_getCursorReferenced(c);
    return gw_front_is_global_variable(of) && is_meant(w, gw_front_display(u, clang_getCanonicalCursor(of)));
}

static void visit_callees(callers *w, const gw_func *f) {
    for (uint32_t i = 0; i < w->seen.count; i++)
        if (w->seen.at[i] == f) return;
    gw_push(&w->seen, f);
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        const bool is_rule = o->code == GW_OP_DEVICE && o->attr == GW_DEVICE_RULE;
        if (o->dead || (o->code != GW_OP_CALL && !is_rule)) continue;
        CXCursor body = gw_front_rule_body(w->u, o->callee);
        if (!clang_Cursor_isNull(body)) {
            w->ruled |= gw_front_reaches(w->u, body, names_variable, w);
            continue;
        }
        const gw_func *callee = gw_func_find(f->session, o->callee);
        w->called |= callee && callee != f && has_variable(w, callee);
        if (callee) visit_callees(w, callee);
    }
}

/* What the request cannot name because of a function that is called, or NULL. */
const char *gw_front_called_with(gw_unit *u, const gw_func *f, const char *variable, bool is_whole) {
    callers w = {.u = u, .variable = variable, .is_whole = is_whole};
    visit_callees(&w, f);
    gw_vec_free(&w.seen);
    if (w.ruled) return "a request for a variable that a function with a custom derivative uses";
    return w.called ? "a request for a variable that a called function uses" : NULL;
}

/* "double[4]" of a variable double t[3][4]: what a pointer to its first element leads to. */
static gw_str cell_text(gw_session *s, gw_type t) {
    gw_text text = {0};
    if (s->types.at[t].kind == GW_TYPE_ARRAY) t = s->types.at[t].element;
    gw_type cell = t;
    while (s->types.at[cell].kind == GW_TYPE_ARRAY)
        cell = s->types.at[cell].element;
    gw_text_add(&text, gw_type_c(s, cell));
    for (; s->types.at[t].kind == GW_TYPE_ARRAY; t = s->types.at[t].element)
        gw_text_addf(&text, "[%u]", s->types.at[t].count);
    gw_str made = gw_intern(s, text.at);
    gw_text_free(&text);
    return made;
}

/* Why a request cannot name it, or NULL; `count`: how many variables of the function it may mean. */
const char *gw_front_global_obstacle(gw_unit *u, const gw_object_data *d, uint32_t count) {
    if (count && !gw_front_is_spelled(u, cell_text(u->session, d->type)))
        return "a request for a variable of a type without a name";
    bool constant = d->is_const && !d->is_constant_memory && d->type < GW_T_SCALARS;
    return constant ? "a request for a constant" : NULL;
}

void gw_front_add_global(gw_func *f, gw_object object, gw_str base) {
    gw_session *s = f->session;
    gw_object_data *d = gw_object_at(f, object);
    d->type_text = cell_text(s, d->type);
    gw_push(&f->params,
            ((gw_param){
                .name = base, .type_text = d->type_text, .object = object, .is_global = true, .loc = d->loc}));
}

/* No request need name what a program writes. */
bool gw_front_bind_symbol(gw_unit *u, gw_func *f, gw_str name) {
    gw_session *s = u->session;
    const gw_str base = gw_front_variable_base(s, name);
    gw_object object = 0;
    for (gw_object o = 1; o < f->objects.count; o++)
        if (gw_object_at(f, o)->kind == GW_OBJECT_GLOBAL && gw_object_at(f, o)->name == name) object = o;
    const gw_param *known = gw_front_param_named(f, base);
    const char *what = NULL;
    if (gw_front_called_with(u, f, gw_cstr(s, name), true))
        what = "a kernel that calls a function with a variable which a program writes";
    if (!what && (!object || (known && known->object == object))) return true;
    gw_object_data *d = gw_object_at(f, object);
    if (!what && known) what = "a launch of a kernel with a parameter and a variable of one name";
    if (!what) what = gw_front_global_obstacle(u, d, 1);
    if (what) {
        gw_diag(s, GW_DIAG_UNSUPPORTED, f->loc, what, "pass the variable as a parameter");
        return false;
    }
    gw_front_add_global(f, object, base);
    return true;
}
