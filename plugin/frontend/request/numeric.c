/*
 * frontend/request/numeric.c - GW_NUMERIC("f wrt x, y[0:n] step 1e-4"): a function of the host whose
 * derivatives are central differences, because its author has no others.
 *
 * The text is that of a Jacobian's request: outputs are the function itself, which stands for what it returns
 * and may be left out, and pointers that it writes through; extents say how far pointers go. What is not named
 * is held. Nothing else is known of the function: a body is not looked at, and it must have no effects but on
 * its outputs, which its author states. A pointer through which it may write is named, and one to integers is
 * const, so that calls at other points leave nothing behind.
 *
 * What is read here is a rule (rule.c) whose pullback and jvp are written by rewriters/emit/text/numeric.c.
 */
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/device/device.h"
#include "plugin/frontend/request/request.h"
#include "plugin/frontend/type/type.h"
#include "plugin/request/request.h"

#include "analysis/ir/diagnostics.h"
#include "analysis/ir/differences.h"
#include "analysis/ir/requests.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct reading {
    gw_unit *u;
    const gw_mark *m;
    CXCursor f; /* canonical */
    gw_rule *rule;
    bool failed;
} reading;

static void fault(reading *r, const char *why, const char *way_out) {
    gw_session *s = r->u->session;
    if (!r->failed)
        gw_diag(s, GW_DIAG_BAD_NUMERIC, r->m->loc, gw_cstr(s, r->m->text),
                gw_cstr(s, gw_front_qualified(r->u, r->f)), why, way_out);
    r->failed = true;
}

/* ---- the function ---- */
static const char scalars[] =
    "call it in a function of the host of your own, of scalars and pointers to scalars, and "
    "write it before that";

static void check_function(reading *r) {
    const bool device = gw_front_function_kind(r->u, r->f) != GW_FUNC_HOST || gw_front_names_stream(r->u, r->f);
    if (device)
        fault(r, "it works on the device",
               "write its derivative (GW_DERIVATIVE_OF), or call it in a function of the host");
    if (gw_front_is_method(r->f)) fault(r, "it is a member of a class", scalars);
    if (r->failed) return;
    char *why = gw_front_why_no_rule(r->u, r->f, true);
    if (why) fault(r, why, scalars);
    free(why);
}

static CXType plain(CXType type) { return clang_getUnqualifiedType(clang_getCanonicalType(type)); }

static gw_rule_param describe(reading *r, uint32_t i) {
    gw_unit *u = r->u;
    CXType type = clang_getArgType(clang_getCursorType(r->f), i), t = plain(type), cell = t;
    gw_rule_param p = {0};
    p.name = gw_front_intern(u, clang_getCursorSpelling(clang_Cursor_getArgument(r->m->spelled, i)));
    if (!*gw_cstr(u->session, p.name)) {
        char *name = gw_format("x%u", i);
        p.name = gw_intern(u->session, name);
        free(name);
    }
    p.is_memory = t.kind == CXType_Pointer && gw_front_passed_number(u, type) != GW_T_VOID;
    if (p.is_memory) cell = clang_getPointeeType(t);
    p.writes = p.is_memory && !clang_isConstQualifiedType(cell);
    p.type = gw_front_type_text(u, t);
    p.is_enumerated = gw_front_enumeration(u, type) != 0;
    p.cell = gw_front_type_text(u, plain(cell));
    p.taken = gw_differences_number(u->session, p.cell) != GW_T_VOID;
    return p;
}

/* ---- its text ---- */
static gw_rule_param *named(const reading *r, gw_str name) {
    for (uint32_t i = 0; i < r->rule->params.count; i++)
        if (r->rule->params.at[i].name == name) return &r->rule->params.at[i];
    return NULL;
}

/* Every name in it is an integer that is passed by value. */
static bool is_of_integers(const reading *r, gw_str extent) {
    gw_session *s = r->u->session;
    for (const char *p = gw_cstr(s, extent); *p;) {
        size_t n = 0;
        while (gw_is_word(p[n]))
            n++;
        if (n && !isdigit((unsigned char)*p)) {
            const gw_rule_param *x = named(r, gw_intern_n(s, p, n));
            const gw_type type = x ? gw_front_shape(r->u, clang_getArgType(clang_getCursorType(r->f),
                                                                           (unsigned)(x - r->rule->params.at)))
                                   : GW_T_VOID;
            if (type == GW_T_VOID || type >= GW_T_SCALARS || gw_type_is_float(type)) return false;
        } else if (!n && !strchr("+-*/%() ", *p)) {
            return false;
        }
        p += n ? n : 1;
    }
    return true;
}

static void say(reading *r, const char *format, gw_str name, const char *way_out) {
    char *why = gw_format(format, gw_cstr(r->u->session, name));
    fault(r, why, way_out);
    free(why);
}

static void take_name(reading *r, gw_str name, gw_str extent, bool output) {
    gw_rule_param *p = named(r, name);
    const bool itself = name == gw_front_intern(r->u, clang_getCursorSpelling(r->f));
    if (output && itself && !p) {
        if (extent || !r->rule->of_result)
            say(r, "'%s' returns no floating-point number", name, "name what it writes");
        return;
    }
    if (!p) {
        say(r, "'%s' is no parameter of it", name, "name parameters, as this declaration has them");
    } else if (!p->taken) {
        say(r, "'%s' is no floating-point number", name, "name those that carry a derivative");
    } else if (!p->is_memory) {
        if (output)
            say(r, "'%s' is passed by value", name, "name what it writes, or the function itself");
        else if (extent)
            say(r, "'%s' is one number", name, "leave its extent out");
    } else if (output && !p->writes) {
        say(r, "'%s' leads to what is const", name, "name what it writes");
    } else if (extent && !is_of_integers(r, extent)) {
        say(r, "the extent of '%s' is made of other things than numbers, + - * / %% and its integer parameters",
            name, "give the function a parameter that says it");
    } else if (extent && p->extent && extent != p->extent) {
        say(r, "'%s' has two extents", name, "write one of them");
    }
    if (r->failed) return;
    if (extent) p->extent = extent;
    if (!output) p->is_active = true;
    if (output) p->only_for = 1; /* an output, until all are read */
}

/* Takes " step 1e-4" from the end. */
static char *take_step(reading *r) {
    gw_session *s = r->u->session;
    char *text = gw_strdup(gw_cstr(s, r->m->text)), *at = strstr(text, " step ");
    if (!at) return text;
    *at = 0;
    const char *number = at + strlen(" step ");
    char *end;
    const double step = strtod(number, &end);
    if (end == number || *end || !(step > 0 && step < 1))
        fault(r, "what follows 'step' is no number between 0 and 1", "write 'step 1e-4', or leave it out");
    r->rule->step = gw_intern(s, number);
    return text;
}

static void read_text(reading *r) {
    gw_session *s = r->u->session;
    static const char way_out[] = "write 'f wrt x, y[0:n]', with the names of this declaration";
    char *text = take_step(r);
    gw_request q = {.kind = GW_REQUEST_JACOBIAN, .text = gw_intern(s, text)};
    const char *wrong = gw_request_read(s, &q);
    free(text);
    if (!wrong && (q.name || q.is_sparse || q.fresh.count || q.kept.count || q.model))
        wrong = "it says more than outputs and inputs";
    if (wrong) fault(r, wrong, way_out);
    const bool all = !q.dependents.count, returns = r->rule->of_result;
    bool itself = all;
    for (uint32_t i = 0; !r->failed && i < q.dependents.count; i++) {
        itself |= q.dependents.at[i] == gw_front_intern(r->u, clang_getCursorSpelling(r->f));
        take_name(r, q.dependents.at[i], q.dependent_extents.at[i], true);
    }
    for (uint32_t i = 0; !r->failed && i < q.independents.count; i++)
        take_name(r, q.independents.at[i], q.independent_extents.at[i], false);
    if (all && !returns)
        fault(r, "it returns no floating-point number", "name what it writes: 'y[0:n] wrt x'");
    r->rule->of_result = itself && returns;
    gw_request_free(&q);
}

static void say_endless(reading *r, gw_str name) {
    char *way_out = gw_format("say how many it leads to, in numbers and the function's integers: '%s[0:n]'",
                              gw_cstr(r->u->session, name));
    say(r, "it does not say how many numbers '%s' leads to", name, way_out);
    free(way_out);
}

/* Calls at other points must leave nothing behind. */
static void check_pointers(reading *r) {
    for (uint32_t i = 0; i < r->rule->params.count; i++) {
        gw_rule_param *p = &r->rule->params.at[i];
        if (p->is_memory && (p->is_active || p->only_for) && !p->extent)
            say_endless(r, p->name);
        else if (p->writes && !p->taken)
            say(r, "it may write integers through '%s'", p->name, "make that pointer const");
        else if (p->writes && !p->extent)
            say(r, "it may write through '%s', which it does not name", p->name,
                "name it as an output, with its extent, or make that pointer const");
        if (p->extent) p->writes &= p->only_for == 1;
        p->only_for = 0;
    }
}

/* "ns::f_numeric_pullback" */
static gw_str derived(reading *r, const char *ending) {
    char *name = gw_format("%s_numeric_%s", gw_cstr(r->u->session, gw_front_qualified(r->u, r->f)), ending);
    gw_str made = gw_intern(r->u->session, name);
    free(name);
    return made;
}

bool gw_front_read_numeric(gw_unit *u, const gw_mark *m, gw_rule *out) {
    reading r = {.u = u, .m = m, .f = m->decl, .rule = out};
    check_function(&r);
    if (r.failed) return false;
    CXType type = clang_getCursorType(r.f), result = clang_getCanonicalType(clang_getResultType(type));
    out->numeric = m->text;
    out->pullback = derived(&r, "pullback"), out->jvp = derived(&r, "jvp");
    out->of_result = gw_type_is_float(gw_front_shape(u, result));
    out->status = result.kind == CXType_Void ? 0 : gw_front_type_text(u, plain(result));
    for (int i = 0; i < clang_getNumArgTypes(type); i++)
        gw_push(&out->params, describe(&r, (uint32_t)i));
    read_text(&r);
    if (!r.failed) check_pointers(&r);
    return !r.failed;
}
