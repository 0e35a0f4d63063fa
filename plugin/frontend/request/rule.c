/*
 * frontend/request/rule.c - derivatives that the user wrote: GW_DERIVATIVE_OF("pullback of f"),
 * GW_DERIVATIVE_OF("jvp of f"), and GW_NONDIFFERENTIABLE; those that are differences are read by numeric.c.
 *
 * Such a function has the signature that Gradwright would give it for a request with respect to all
 * floating-point parameters; this is checked parameter by parameter. A call of f is then never inlined: it
 * stays a call, and its derivative is a call of the user's function. f must be without effects, which its
 * author states.
 */
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/device/device.h"
#include "plugin/frontend/request/request.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/diagnostics.h"
#include "analysis/ir/requests.h"

#include <stdlib.h>
#include <string.h>

/* One parameter that a rule must have. */
typedef struct wanted {
    CXType type;
    bool is_pointer;
    bool may_be_const; /* what it leads to: a tangent that is read only */
    gw_str name;
} wanted;
typedef struct signature {
    GW_VEC(wanted) params;
    CXType result;
    bool returns; /* else void */
    bool device;  /* it works on memory of the device (device/rule.c): a pullback may return its status */
} signature;

static CXType plain(CXType type) { return clang_getUnqualifiedType(clang_getCanonicalType(type)); }

static bool is_wanted(const void *signature_of, gw_str name) {
    const signature *w = signature_of;
    for (uint32_t i = 0; i < w->params.count; i++)
        if (w->params.at[i].name == name) return true;
    return false;
}

static void want(gw_unit *u, signature *w, const char *prefix, CXType type, bool is_pointer,
                 CXCursor parameter) {
    const char *name = gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(parameter)));
    char *text = gw_format("%s%s", prefix, name);
    gw_push(&w->params,
            ((wanted){.type = plain(type),
                      .is_pointer = is_pointer,
                      .name = *name ? gw_free_name(u->session, text, is_wanted, w) : 0}));
    free(text);
}

/* Derivatives of each floating-point parameter, and of what pointers to such lead to: a pullback adds to them,
 * a jvp reads those of what the function reads only. */
static void want_all(gw_unit *u, signature *w, const char *prefix, bool is_pullback, CXCursor f) {
    CXType type = clang_getCursorType(f);
    for (int i = 0; i < clang_getNumArgTypes(type); i++) {
        CXType t = clang_getArgType(type, (unsigned)i);
        CXCursor parameter = clang_Cursor_getArgument(f, (unsigned)i);
        gw_shape number = gw_front_passed_number(u, t);
        if (w->device) {
            CXType cell = gw_front_device_number(u, t);
            const bool pointer = is_pullback || plain(t).kind == CXType_Pointer;
            if (cell.kind == CXType_Invalid) continue;
            want(u, w, prefix, cell, pointer, parameter);
            w->params.at[w->params.count - 1].may_be_const =
                !is_pullback && clang_isConstQualifiedType(clang_getPointeeType(plain(t)));
        } else if (gw_type_is_float(gw_front_shape(u, t)))
            want(u, w, prefix, t, is_pullback, parameter);
        else if (gw_type_is_float(number))
            want(u, w, prefix, is_pullback ? clang_getPointeeType(plain(t)) : t, is_pullback, parameter);
    }
}

static void make_signature(gw_unit *u, CXCursor f, bool is_pullback, signature *w) {
    CXType type = clang_getCursorType(f);
    w->result = clang_getResultType(type);
    w->returns = !is_pullback;
    for (int i = 0; i < clang_getNumArgTypes(type); i++)
        want(u, w, "", clang_getArgType(type, (unsigned)i), false, clang_Cursor_getArgument(f, (unsigned)i));
    wanted result = {.type = plain(w->result),
                     .is_pointer = !is_pullback,
                     .name = gw_intern(u->session, is_pullback ? "d_return" : "t_return")};
    bool is_float = gw_type_is_float(gw_front_shape(u, w->result));
    if (is_pullback && is_float) gw_push(&w->params, result);
    want_all(u, w, is_pullback ? "d_" : "t_", is_pullback, f);
    if (!is_pullback && is_float) gw_push(&w->params, result);
}

static const char *type_text(gw_unit *u, CXType type) {
    return gw_cstr(u->session, gw_front_type_text(u, type));
}

/* "void f_back(double x, double d_return, double *d_x)" */
static char *prototype(gw_unit *u, const signature *w, const char *name) {
    gw_text text = {0};
    gw_text_addf(&text, "%s %s(", w->returns ? type_text(u, plain(w->result)) : "void", name);
    for (uint32_t i = 0; i < w->params.count; i++) {
        const wanted *p = &w->params.at[i];
        const char *own = gw_cstr(u->session, p->name), *type = type_text(u, p->type);
        const char *between = !*own || type[strlen(type) - 1] == '*' ? "" : " ";
        if (p->is_pointer) between = " *";
        gw_text_addf(&text, "%s%s%s%s", i ? ", " : "", type, between, own);
    }
    gw_text_add(&text, ")");
    return text.at;
}

static bool fits(const wanted *w, CXType type) {
    CXType have = plain(type);
    if (!w->is_pointer) return clang_equalTypes(have, w->type);
    if (have.kind != CXType_Pointer) return false;
    CXType pointee = clang_getPointeeType(have);
    const bool is_const = clang_isConstQualifiedType(pointee) != 0;
    return (!is_const || w->may_be_const) && clang_equalTypes(plain(pointee), w->type);
}

/* What is wrong with the rule's declaration, or NULL; the caller frees it. */
static char *mismatch(gw_unit *u, const signature *w, CXCursor f, CXCursor rule) {
    CXType type = clang_getCursorType(rule), result = clang_getResultType(type);
    uint32_t count = (uint32_t)clang_getNumArgTypes(type);
    bool returns = w->returns ? clang_equalTypes(plain(result), plain(w->result)) : result.kind == CXType_Void;
    for (uint32_t i = 0; i < count && i < w->params.count; i++) {
        CXType have = clang_getArgType(type, i);
        const wanted *p = &w->params.at[i];
        if (!fits(p, have))
            return gw_format("parameter %u is '%s' instead of '%s%s'", i + 1, type_text(u, have),
                             type_text(u, p->type), p->is_pointer ? " *" : "");
    }
    if (count != w->params.count)
        return gw_format("it has %u parameters instead of %u", count, w->params.count);
    if (!returns && !(w->device && clang_equalTypes(plain(result), plain(w->result))))
        return gw_format("it returns '%s' instead of '%s'", type_text(u, result),
                         w->returns ? type_text(u, plain(w->result)) : "void");
    gw_func_kind own = gw_front_function_kind(u, rule), wants = gw_front_function_kind(u, f);
    if (own != wants && own != GW_FUNC_HOST_DEVICE)
        return gw_strdup("it does not run where that function does");
    return NULL;
}

/* The session's rule for the function, which is made. */
static gw_rule *make_rule(gw_unit *u, CXCursor f) {
    gw_session *s = u->session;
    uint32_t known = gw_front_rule_of(u, f);
    if (known != UINT32_MAX) return &s->rules.at[u->rules.at[known].rule];
    gw_str name = gw_front_symbol(u, f);
    gw_push(&u->rules, ((gw_unit_rule){.function = f, .rule = s->rules.count}));
    gw_push(&s->rules, ((gw_rule){.function = name}));
    return &s->rules.at[s->rules.count - 1];
}

/* The function that "pullback of ns::f" is about, canonical; a null cursor after a diagnostic. */
static CXCursor read_rule(gw_unit *u, const gw_mark *m, bool *is_pullback) {
    gw_session *s = u->session;
    const char *text = gw_cstr(s, m->text), *wrong = NULL;
    gw_request_target target = {0};
    gw_cursors found = {0};
    *is_pullback = strncmp(text, "pullback of ", 12) == 0;
    if (*is_pullback || strncmp(text, "jvp of ", 7) == 0)
        wrong = gw_request_read_target(s, gw_intern(s, text + (*is_pullback ? 12 : 7)), &target);
    else
        wrong = "it says neither 'pullback of' nor 'jvp of'";
    if (wrong) {
        gw_diag(s, GW_DIAG_BAD_RULE, m->loc, text, wrong, "write 'pullback of f' or 'jvp of f'");
        return clang_getNullCursor();
    }
    gw_front_find_everywhere(u, &target, &found);
    CXCursor f = found.count == 1 ? found.at[0] : clang_getNullCursor();
    if (!found.count) gw_front_say_no_function(u, target.qualified, &target, m->loc);
    if (found.count > 1)
        gw_diag(s, GW_DIAG_BAD_RULE, m->loc, text, "several functions have this name",
                "add the parameters: 'pullback of f(double, int)'");
    gw_vec_free(&found);
    return f;
}

/* What a function that works on memory of the device is, and what its pullback takes. */
static bool describe_device(gw_unit *u, CXCursor f, const gw_mark *m, gw_rule *out) {
    const char *why;
    bool good = gw_front_device_rule(u, f, out, &why);
    const char *name = gw_cstr(u->session, gw_front_qualified(u, f));
    if (!good) gw_diag(u->session, GW_DIAG_RULE_FUNCTION, m->loc, name, why);
    return good;
}

static bool check_function(gw_unit *u, CXCursor f, gw_loc loc, bool differentiable) {
    gw_session *s = u->session;
    char *why = gw_front_why_no_rule(u, f, differentiable);
    const CXType type = clang_getCursorType(f);
    for (int i = 0; !why && !s->is_c && i < clang_getNumArgTypes(type); i++)
        if (gw_front_enumeration(u, clang_getArgType(type, (unsigned)i)))
            why = gw_strdup("it takes an enumeration: take an integer");
    if (why) gw_diag(s, GW_DIAG_RULE_FUNCTION, loc, gw_cstr(s, gw_front_qualified(u, f)), why);
    free(why);
    return !why;
}

/* What it is given stays as it is: values, and pointers and references to what is const. */
static bool only_reads(CXCursor f) {
    CXType type = clang_getCursorType(f);
    for (int i = 0; i < clang_getNumArgTypes(type); i++) {
        CXType t = clang_getCanonicalType(clang_getArgType(type, (unsigned)i)),
               pointee = clang_getPointeeType(t);
        if (pointee.kind != CXType_Invalid && !clang_isConstQualifiedType(pointee)) return false;
    }
    return !gw_front_is_method(f) || clang_CXXMethod_isStatic(f) || clang_CXXMethod_isConst(f);
}

/* One that works on memory of the device: its calls stay, and are no part of any derivative. */
static void add_passive(gw_unit *u, const gw_mark *m) {
    gw_rule described = {.is_nondifferentiable = true};
    const char *why;
    if (!gw_front_device_rule(u, m->decl, &described, &why)) {
        gw_diag(u->session, GW_DIAG_RULE_FUNCTION, m->loc, gw_cstr(u->session, gw_front_qualified(u, m->decl)),
                why);
        gw_vec_free(&described.params);
        return;
    }
    gw_rule *rule = make_rule(u, m->decl);
    gw_vec_free(&rule->params);
    described.function = rule->function;
    *rule = described;
}

/* GW_NONDIFFERENTIABLE. What returns nothing and writes nowhere is no part of any derivative; a member is
 * inlined, since calls name functions without an object. */
static void add_nondifferentiable(gw_unit *u, const gw_mark *m) {
    gw_session *s = u->session;
    CXType result = clang_getCanonicalType(clang_getCursorResultType(m->decl));
    bool member = gw_front_is_method(m->decl) && !clang_CXXMethod_isStatic(m->decl),
         reads = only_reads(m->decl);
    gw_shape shape = gw_front_shape(u, result);
    bool drop = result.kind == CXType_Void && reads,
         in_line = member && reads && shape != GW_T_VOID && shape < GW_T_SCALARS;
    const char *why = !drop && !in_line ? "it returns no number" : NULL;
    if (!reads) why = "it may change its object or what it is given: make it const";
    if (clang_CXXMethod_isVirtual(m->decl)) why = "it is virtual: mark a function that it calls";
    if (!member) why = NULL;
    if (why) gw_diag(s, GW_DIAG_NO_MARK, m->loc, gw_cstr(s, gw_front_qualified(u, m->decl)), why);
    if (!why && !drop && !member && gw_front_names_stream(u, m->decl)) {
        add_passive(u, m);
        return;
    }
    if (why || (!drop && !in_line && !check_function(u, m->decl, m->loc, false))) return;
    make_rule(u, m->decl)->is_nondifferentiable = true;
    gw_unit_rule *rule = &u->rules.at[gw_front_rule_of(u, m->decl)];
    rule->is_dropped = drop;
    rule->is_inlined = in_line;
}

/* The rule has what was described. */
static void take_device(gw_unit *u, const gw_mark *m, bool is_pullback, gw_rule *described, gw_rule *rule) {
    const gw_rule_fault *fault = is_pullback ? gw_front_device_pullback(u, m->decl, described) : NULL;
    if (fault)
        gw_diag(u->session, GW_DIAG_BAD_RULE, m->loc, gw_cstr(u->session, m->text), fault->why, fault->way_out);
    gw_vec_free(&rule->params);
    const gw_rule before = *rule;
    *rule = *described;
    rule->function = before.function, rule->pullback = before.pullback, rule->jvp = before.jvp;
}

static void add_rule(gw_unit *u, const gw_mark *m) {
    gw_session *s = u->session;
    bool is_pullback;
    CXCursor f = read_rule(u, m, &is_pullback);
    if (clang_Cursor_isNull(f)) return;
    gw_rule described = {0};
    const bool device = gw_front_names_stream(u, f);
    if (!(device ? describe_device(u, f, m, &described) : check_function(u, f, m->loc, true))) {
        gw_vec_free(&described.params);
        return;
    }
    gw_str own = gw_front_qualified(u, m->decl);
    const char *name = gw_cstr(s, gw_front_qualified(u, f)), *kind = is_pullback ? "pullback" : "jvp";
    signature w = {.device = device};
    make_signature(u, f, is_pullback, &w);
    char *wrong = mismatch(u, &w, f, m->decl), *text = prototype(u, &w, gw_cstr(s, own));
    if (wrong) gw_diag(s, GW_DIAG_RULE_SIGNATURE, m->loc, gw_cstr(s, own), kind, name, wrong, text);
    gw_rule *rule = wrong ? NULL : make_rule(u, f);
    gw_str *place = NULL;
    if (rule) place = is_pullback ? &rule->pullback : &rule->jvp;
    if (place && *place && *place != own)
        gw_diag(s, GW_DIAG_RULE_TWICE, m->loc, name, kind, gw_cstr(s, *place));
    if (place) *place = own;
    if (rule && device && (is_pullback || !rule->params.count))
        take_device(u, m, is_pullback, &described, rule);
    else
        gw_vec_free(&described.params);
    free(wrong);
    free(text);
    gw_vec_free(&w.params);
}

/* GW_ORDERED. A function that takes no numbers has no derivative, and needs no rule. */
static void add_ordered(gw_unit *u, const gw_mark *m) {
    gw_session *s = u->session;
    const char *name = gw_cstr(s, gw_front_qualified(u, m->decl)), *why = NULL;
    if (gw_front_function_kind(u, m->decl) != GW_FUNC_HOST) why = "it does not run on the host";
    else if (gw_front_names_stream(u, m->decl)) why = "it names a stream, whose order its calls have";
    if (why) gw_diag(s, GW_DIAG_RULE_FUNCTION, m->loc, name, why);
    else if (check_function(u, m->decl, m->loc, true)) make_rule(u, m->decl)->is_ordered = true;
}

/* Takes the place of derivatives that the user did not write. */
static void add_numeric(gw_unit *u, const gw_mark *m) {
    gw_session *s = u->session;
    gw_rule described = {0};
    const uint32_t known = gw_front_rule_of(u, m->decl);
    const gw_rule *have = known == UINT32_MAX ? NULL : &s->rules.at[u->rules.at[known].rule];
    if (have && have->numeric == m->text) return; /* a declaration further down inherits the mark */
    const char *why = NULL;
    if (have && have->is_nondifferentiable) why = "it is GW_NONDIFFERENTIABLE, too";
    else if (have && have->is_ordered) why = "it is GW_ORDERED, and differences call it again";
    else if (have && have->numeric) why = "another one stands before it";
    else if (have && have->pullback && have->jvp) why = "its pullback and its jvp are given";
    if (why)
        gw_diag(s, GW_DIAG_BAD_NUMERIC, m->loc, gw_cstr(s, m->text), gw_cstr(s, gw_front_qualified(u, m->decl)),
                why, "keep one of them");
    if (why || !gw_front_read_numeric(u, m, &described)) {
        gw_vec_free(&described.params);
        return;
    }
    gw_rule *rule = make_rule(u, m->decl);
    described.function = rule->function;
    described.by_pullback = !rule->pullback, described.by_jvp = !rule->jvp;
    if (rule->pullback) described.pullback = rule->pullback;
    if (rule->jvp) described.jvp = rule->jvp;
    gw_vec_free(&rule->params);
    *rule = described;
}

bool gw_front_rules(gw_unit *u) {
    gw_marks marks = {0};
    gw_front_find_marks(u, &marks);
    for (uint32_t i = 0; i < marks.count; i++) {
        const gw_mark *m = &marks.at[i];
        if (m->is_rule)
            add_rule(u, m);
        else if (m->is_ordered)
            add_ordered(u, m);
        else if (!m->is_numeric)
            add_nondifferentiable(u, m);
    }
    for (uint32_t i = 0; i < marks.count; i++)
        if (marks.at[i].is_numeric) add_numeric(u, &marks.at[i]);
    gw_vec_free(&marks);
    return !u->session->failed;
}
