/*
 * emit/text/numeric.c - derivatives that are central differences (GW_NUMERIC), as text: they have the
 * parameters of derivatives that a user writes (frontend/request/rule.c), and do what those do.
 *
 *     void f_numeric_pullback(<the function's parameters>, d_return, <an adjoint for each number>)
 *     RESULT f_numeric_jvp(<the function's parameters>, <a tangent for each number>, t_return)
 *
 * The pullback calls the function twice for each number that it is differentiated by, with copies of what
 * pointers lead to. Where it writes some, what comes of a call is first added up as the adjoints weigh it
 * (f_numeric_sum). The jvp calls it twice, along the tangents, which move the inputs so far that the one which
 * moves most, beside the greater of its size and 1, moves by the step.
 */
#include "analysis/ir/differences.h"
#include "rewriters/emit/text/text_private.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>
#include <string.h>

typedef struct numeric {
    gw_emitter *e;
    const gw_rule *rule;
    gw_names names, shadows;   /* by parameter; 0: none */
    gw_names counts, up, down; /* how far it leads, and copies of that: in a pullback, `up` alone */
    gw_names seeds;            /* copies of adjoints */
    gw_str given;              /* d_return, t_return */
    const char *i;             /* that loops count */
    bool is_c;
} numeric;

static const char *text_of(const numeric *n, gw_str name) { return gw_cstr(n->e->session, name); }

static gw_str unique(const numeric *n, const char *format, const char *of) {
    char *wish = gw_format(format, of);
    gw_str name = gw_emit_unique(n->e, wish);
    free(wish);
    return name;
}

static const gw_rule_param *param(const numeric *n, uint32_t i) { return &n->rule->params.at[i]; }
static uint32_t count_of(const numeric *n) { return n->rule->params.count; }

static bool writes(const numeric *n) {
    bool found = false;
    for (uint32_t i = 0; i < count_of(n); i++)
        found |= param(n, i)->writes;
    return found;
}

static gw_type number_of(const numeric *n, gw_str type) { return gw_differences_number(n->e->session, type); }

static const char *suffix_of(gw_type number) {
    if (number == GW_T_F32) return "f";
    return number == GW_T_F80 ? "l" : "";
}

/* What sums and steps along tangents are computed in. */
static gw_type wide(const numeric *n) {
    for (uint32_t i = 0; i <= count_of(n); i++) {
        const gw_str type = i < count_of(n) ? param(n, i)->cell : n->rule->status;
        if (type && number_of(n, type) == GW_T_F80) return GW_T_F80;
    }
    return GW_T_F64;
}

static const char *spelled(const numeric *n, gw_type number) {
    return gw_cstr(n->e->session, n->e->session->types.at[number].name);
}

static void begin(numeric *n) {
    for (uint32_t i = 0; i < count_of(n); i++) {
        gw_push(&n->names, unique(n, "%s", text_of(n, param(n, i)->name)));
        gw_push(&n->shadows, 0), gw_push(&n->counts, 0), gw_push(&n->up, 0), gw_push(&n->down, 0);
        gw_push(&n->seeds, 0);
    }
    n->i = text_of(n, gw_emit_unique(n->e, "i"));
}

static void end(numeric *n) {
    gw_vec_free(&n->names), gw_vec_free(&n->shadows), gw_vec_free(&n->counts), gw_vec_free(&n->up);
    gw_vec_free(&n->down), gw_vec_free(&n->seeds);
    gw_emit_scope_close(n->e);
    gw_emit_line(n->e, "}");
}

/* ---- heads ---- */
static char *own_name(const numeric *n, const char *ending) {
    return gw_format("%s_numeric_%s", text_of(n, gw_callee_local_name(n->e->session, "", n->rule->function)),
                     ending);
}

static void add(const numeric *n, gw_emit_params *list, const char *type, const char *name) {
    gw_emit_params_add(list, n->e->session, type, name);
}

static void add_primal(const numeric *n, gw_emit_params *list) {
    for (uint32_t i = 0; i < count_of(n); i++)
        add(n, list, text_of(n, param(n, i)->type), text_of(n, n->names.at[i]));
}

static void open_head(const numeric *n, const char *result, const char *ending, gw_emit_params *list) {
    char *name = own_name(n, ending), *head = gw_format("static inline %s %s", result, name);
    n->e->depth--;
    gw_emit_call_text(n->e, head, list->texts.at, list->texts.count, " {");
    n->e->depth++;
    free(head), free(name);
    gw_emit_params_free(list);
}

/* "3 * n" in the names that parameters have here. */
static char *extent_text(const numeric *n, gw_str extent) {
    gw_text out = {0};
    for (const char *p = text_of(n, extent); *p;) {
        size_t length = 0;
        while (gw_is_word(p[length]))
            length++;
        const gw_str word = gw_intern_n(n->e->session, p, length ? length : 1);
        gw_str name = word;
        for (uint32_t i = 0; length && i < count_of(n); i++)
            if (param(n, i)->name == word) name = n->names.at[i];
        gw_text_add(&out, text_of(n, name));
        p += length ? length : 1;
    }
    return out.at;
}

/* ---- copies ---- */
static gw_str copy(const numeric *n, uint32_t i, gw_str from, const char *format) {
    const char *cell = text_of(n, param(n, i)->cell), *name = text_of(n, n->names.at[i]);
    const gw_str made = unique(n, format, name);
    gw_emit_line(n->e, "%s *const %s = (%s *)gw_copied(%s, %s * sizeof *%s);", cell, text_of(n, made), cell,
                 text_of(n, from), text_of(n, n->counts.at[i]), name);
    if (n->is_c) return made;
    gw_emit_line(n->e, "const gw_space_end %s = {%s};", text_of(n, unique(n, "%s_end", text_of(n, made))),
                 text_of(n, made));
    return made;
}

/* The head of a loop over what parameter i leads to, where it has a shadow. */
static char *each(const numeric *n, uint32_t i) {
    return gw_format("for (size_t %s = 0; %s && %s < %s; %s++)", n->i, text_of(n, n->shadows.at[i]), n->i,
                     text_of(n, n->counts.at[i]), n->i);
}

static void clear(const numeric *n, uint32_t i) {
    char *loop = each(n, i);
    gw_emit_line(n->e, "%s %s[%s] = 0;", loop, text_of(n, n->shadows.at[i]), n->i);
    free(loop);
}

static void copy_all(numeric *n, bool reverse) {
    for (uint32_t i = 0; i < count_of(n); i++) {
        const char *name = text_of(n, n->names.at[i]);
        if (!param(n, i)->extent) continue;
        n->counts.at[i] = unique(n, "%s_count", name);
        char *extent = extent_text(n, param(n, i)->extent);
        gw_emit_line(n->e, "const size_t %s = (size_t)(%s);", text_of(n, n->counts.at[i]), extent);
        free(extent);
        n->up.at[i] = copy(n, i, n->names.at[i], reverse ? "%s_at" : "%s_up");
        if (!reverse) n->down.at[i] = copy(n, i, n->names.at[i], "%s_down");
        if (!reverse || !param(n, i)->writes) continue;
        n->seeds.at[i] = copy(n, i, n->shadows.at[i], "%s_seeds");
        clear(n, i);
    }
}

static void free_all(const numeric *n) {
    for (uint32_t i = 0; n->is_c && i < count_of(n); i++) {
        const gw_str made[] = {n->up.at[i], n->down.at[i], n->seeds.at[i]};
        for (uint32_t k = 0; k < 3; k++)
            if (made[k] && param(n, i)->extent) gw_emit_line(n->e, "free(%s);", text_of(n, made[k]));
    }
}

static void say_unused(const numeric *n, bool reverse) {
    for (uint32_t i = 0; i < count_of(n); i++)
        if (n->shadows.at[i] && !param(n, i)->is_active && !param(n, i)->writes)
            gw_emit_line(n->e, "(void)%s;", text_of(n, n->shadows.at[i]));
    if (reverse && n->given && !n->rule->of_result) gw_emit_line(n->e, "(void)%s;", text_of(n, n->given));
}

/* ---- calls ---- */
static void call(const numeric *n, const char *before, const gw_names *moved, bool sums) {
    gw_emit_items items = {0};
    const char *function = gw_cstr(n->e->session, n->rule->function);
    char *sum = own_name(n, "sum");
    char *head = sums ? gw_format("%s%s", before, sum)
                      : gw_format("%s%.*s", before, (int)strcspn(function, "'"), function);
    for (uint32_t i = 0; i < count_of(n); i++) {
        gw_str name = moved ? moved->at[i] : 0;
        gw_push(&items, gw_strdup(text_of(n, name ? name : n->names.at[i])));
    }
    for (uint32_t i = 0; sums && i < count_of(n); i++) {
        if (!param(n, i)->writes) continue;
        gw_push(&items, gw_strdup(text_of(n, n->names.at[i])));
        gw_push(&items, gw_strdup(text_of(n, n->seeds.at[i])));
    }
    if (sums && n->rule->of_result) gw_push(&items, gw_strdup(text_of(n, n->given)));
    gw_emit_call_text(n->e, head, items.at, items.count, ";");
    gw_emit_items_free(&items);
    free(head), free(sum);
}

/* ---- what adjoints weigh of a call's results ---- */
static void write_sum(gw_emitter *e, const gw_rule *rule) {
    numeric n = {.e = e, .rule = rule, .is_c = e->language == GW_EMIT_C};
    const char *type = spelled(&n, wide(&n)),
               *result = rule->of_result ? gw_cstr(e->session, rule->status) : NULL;
    gw_emit_params list = {0};
    gw_emit_line(e,
                 "// What its results are worth by their adjoints; what it wrote is as it was `before`, then.");
    gw_emit_scope_open(e);
    begin(&n);
    add_primal(&n, &list);
    gw_names before = {0};
    for (uint32_t i = 0; i < count_of(&n); i++) {
        gw_push(&before, 0);
        if (!param(&n, i)->writes) continue;
        before.at[i] = unique(&n, "%s_before", text_of(&n, n.names.at[i]));
        n.shadows.at[i] = unique(&n, "d_%s", text_of(&n, n.names.at[i]));
        char *cells = gw_format("const %s *", text_of(&n, param(&n, i)->cell));
        add(&n, &list, cells, text_of(&n, before.at[i]));
        add(&n, &list, cells, text_of(&n, n.shadows.at[i]));
        free(cells);
    }
    n.given = gw_emit_unique(e, "d_return");
    if (result) add(&n, &list, result, text_of(&n, n.given));
    open_head(&n, type, "sum", &list);
    const char *sum = text_of(&n, gw_emit_unique(e, "sum"));
    gw_emit_line(e, "%s %s = 0;", type, sum);
    const char *value = result ? text_of(&n, gw_emit_unique(e, "value")) : NULL;
    char *head = result ? gw_format("const %s %s = ", result, value) : gw_strdup("");
    call(&n, head, NULL, false);
    if (result)
        gw_emit_line(e, "if (%s != 0) %s += %s * %s;", text_of(&n, n.given), sum, text_of(&n, n.given), value);
    for (uint32_t i = 0; i < count_of(&n); i++) {
        if (!param(&n, i)->writes) continue;
        const char *name = text_of(&n, n.names.at[i]), *d = text_of(&n, n.shadows.at[i]);
        char *extent = extent_text(&n, param(&n, i)->extent);
        gw_emit_line(e, "for (size_t %s = 0; %s < (size_t)(%s); %s++) {", n.i, n.i, extent, n.i);
        gw_emit_line(e, "    if (%s && %s[%s] != 0) %s += %s[%s] * %s[%s];", d, d, n.i, sum, d, n.i, name, n.i);
        gw_emit_line(e, "    %s[%s] = %s[%s];", name, n.i, text_of(&n, before.at[i]), n.i);
        gw_emit_line(e, "}");
        free(extent);
    }
    gw_emit_line(e, "return %s;", sum);
    gw_vec_free(&before);
    free(head);
    end(&n);
}

/* ---- the pullback ---- */
/* What is added to the adjoint of a number, or of each to which parameter i leads. */
static void write_input(numeric *n, uint32_t i) {
    gw_emitter *e = n->e;
    const gw_rule_param *p = param(n, i);
    const char *cell = text_of(n, p->cell), *name = text_of(n, n->names.at[i]),
               *f = suffix_of(number_of(n, p->cell));
    const bool sums = writes(n), array = p->extent != 0;
    const gw_type number = sums ? wide(n) : number_of(n, n->rule->status);
    const char *type = spelled(n, number), *d = text_of(n, n->shadows.at[i]);
    char *index = array ? gw_format("[%s]", n->i) : gw_strdup(""), *loop = each(n, i);
    if (array) {
        gw_emit_line(e, "%s {", loop);
        gw_emit_scope_open(e);
    }
    const char *step = text_of(n, unique(n, "%s_step", name)), *up = text_of(n, unique(n, "%s_more", name)),
               *down = text_of(n, unique(n, "%s_less", name));
    gw_emit_line(e, "const %s %s = %s%s * fmax%s(fabs%s(%s%s), 1), %s = %s%s + %s, %s = %s%s - %s;", cell, step,
                 gw_differences_step(e->session, n->rule), *f == 'l' ? "L" : f, f, f, name, index, up, name,
                 index, step, down, name, index, step);
    gw_names moved = {0};
    for (uint32_t k = 0; k < count_of(n); k++)
        gw_push(&moved, n->up.at[k]);
    const char *values[2];
    for (uint32_t side = 0; side < 2; side++) {
        const char *to = side ? down : up;
        if (array)
            gw_emit_line(e, "%s%s = %s;", text_of(n, n->up.at[i]), index, to);
        else
            moved.at[i] = gw_intern(e->session, to);
        values[side] = text_of(n, unique(n, side ? "%s_below" : "%s_above", name));
        char *before = gw_format("const %s %s = ", type, values[side]);
        call(n, before, &moved, sums);
        free(before);
    }
    if (array) gw_emit_line(e, "%s%s = %s%s;", text_of(n, n->up.at[i]), index, name, index);
    char *made = gw_format("(%s - %s) / (%s - %s)", values[0], values[1], up, down);
    char *target = gw_format("%s%s%s", array ? "" : "*", d, index);
    char *part = sums ? gw_strdup(made) : gw_format("%s * (%s)", text_of(n, n->given), made);
    if (number == number_of(n, p->cell)) gw_emit_line(e, "%s += %s;", target, part);
    else gw_emit_line(e, "%s += (%s)(%s);", target, cell, part);
    free(part);
    if (array) {
        gw_emit_scope_close(e);
        gw_emit_line(e, "}");
    }
    gw_vec_free(&moved);
    free(made), free(target), free(index), free(loop);
}

static void write_pullback(gw_emitter *e, const gw_rule *rule) {
    numeric n = {.e = e, .rule = rule, .is_c = e->language == GW_EMIT_C};
    gw_emit_params list = {0};
    gw_emit_scope_open(e);
    begin(&n);
    add_primal(&n, &list);
    if (number_of(&n, rule->status) != GW_T_VOID) {
        n.given = gw_emit_unique(e, "d_return");
        add(&n, &list, text_of(&n, rule->status), text_of(&n, n.given));
    }
    for (uint32_t i = 0; i < count_of(&n); i++) {
        if (!param(&n, i)->taken) continue;
        n.shadows.at[i] = unique(&n, "d_%s", text_of(&n, n.names.at[i]));
        char *type = gw_format("%s *", text_of(&n, param(&n, i)->cell));
        add(&n, &list, type, text_of(&n, n.shadows.at[i]));
        free(type);
    }
    open_head(&n, "void", "pullback", &list);
    say_unused(&n, true);
    if (!writes(&n)) gw_emit_line(e, "if (%s == 0) return;", text_of(&n, n.given));
    copy_all(&n, true);
    for (uint32_t i = 0; i < count_of(&n); i++)
        if (param(&n, i)->is_active) write_input(&n, i);
    free_all(&n);
    end(&n);
}

/* ---- the jvp ---- */
static void write_reach(const numeric *n, uint32_t i, const char *reach) {
    const char *f = suffix_of(wide(n)), *name = text_of(n, n->names.at[i]), *t = text_of(n, n->shadows.at[i]);
    const bool array = param(n, i)->extent != 0;
    char *index = array ? gw_format("[%s]", n->i) : gw_strdup(""), *loop = array ? each(n, i) : NULL;
    if (array) gw_emit_line(n->e, "%s", loop);
    n->e->depth += array;
    gw_emit_line(n->e, "%s = fmax%s(%s, fabs%s(%s%s) / fmax%s(fabs%s(%s%s), 1));", reach, f, reach, f, t, index,
                 f, f, name, index);
    n->e->depth -= array;
    free(index), free(loop);
}

static void move(numeric *n, uint32_t i, const char *step) {
    const gw_rule_param *p = param(n, i);
    const char *cell = text_of(n, p->cell), *name = text_of(n, n->names.at[i]),
               *t = text_of(n, n->shadows.at[i]);
    const bool same = number_of(n, p->cell) == wide(n);
    char *moved = p->extent ? gw_format("%s * %s[%s]", step, t, n->i) : gw_format("%s * %s", step, t);
    char *by = same ? gw_strdup(moved) : gw_format("(%s)(%s)", cell, moved), *loop = each(n, i);
    if (p->extent) {
        gw_emit_line(n->e, "%s {", loop);
        gw_emit_line(n->e, "    %s[%s] += %s;", text_of(n, n->up.at[i]), n->i, by);
        gw_emit_line(n->e, "    %s[%s] -= %s;", text_of(n, n->down.at[i]), n->i, by);
        gw_emit_line(n->e, "}");
    } else {
        n->up.at[i] = unique(n, "%s_up", name), n->down.at[i] = unique(n, "%s_down", name);
        gw_emit_line(n->e, "const %s %s = %s + %s, %s = %s - %s;", cell, text_of(n, n->up.at[i]), name, by,
                     text_of(n, n->down.at[i]), name, by);
    }
    free(by), free(moved), free(loop);
}

/* target = (up - down) / (2 * step) */
static void divide(const numeric *n, const char *before, gw_str cell, const char *up, const char *down,
                   const char *step) {
    char *made = gw_format("(%s - %s) / (2 * %s)", up, down, step);
    if (number_of(n, cell) == wide(n)) gw_emit_line(n->e, "%s = %s;", before, made);
    else gw_emit_line(n->e, "%s = (%s)(%s);", before, text_of(n, cell), made);
    free(made);
}

static void write_tangents(numeric *n, const char *reach) {
    gw_emitter *e = n->e;
    const char *result = n->rule->of_result ? text_of(n, n->rule->status) : NULL, *values[2] = {0};
    const char *step = text_of(n, gw_emit_unique(e, "step")), *type = spelled(n, wide(n));
    gw_emit_line(e, "const %s %s = %s%s / %s;", type, step, gw_differences_step(e->session, n->rule),
                 *suffix_of(wide(n)) ? "L" : "", reach);
    for (uint32_t i = 0; i < count_of(n); i++)
        if (param(n, i)->is_active) move(n, i, step);
    for (uint32_t side = 0; side < 2; side++) {
        char *head = NULL;
        if (result) {
            values[side] = text_of(n, gw_emit_unique(e, side ? "below" : "above"));
            head = gw_format("const %s %s = ", result, values[side]);
        }
        call(n, head ? head : "", side ? &n->down : &n->up, false);
        free(head);
    }
    if (result) {
        char *target = gw_format("*%s", text_of(n, n->given));
        divide(n, target, n->rule->status, values[0], values[1], step);
        free(target);
    }
    for (uint32_t i = 0; i < count_of(n); i++) {
        if (!param(n, i)->writes) continue;
        const char *t = text_of(n, n->shadows.at[i]);
        char *loop = each(n, i), *before = gw_format("%s %s[%s]", loop, t, n->i),
             *up = gw_format("%s[%s]", text_of(n, n->up.at[i]), n->i),
             *down = gw_format("%s[%s]", text_of(n, n->down.at[i]), n->i);
        divide(n, before, param(n, i)->cell, up, down, step);
        free(loop), free(before), free(up), free(down);
    }
}

static void write_along_body(numeric *n) {
    gw_emitter *e = n->e;
    const gw_rule *rule = n->rule;
    say_unused(n, false);
    copy_all(n, false);
    if (n->given) gw_emit_line(e, "*%s = 0;", text_of(n, n->given));
    const char *reach = text_of(n, gw_emit_unique(e, "reach"));
    gw_emit_line(e, "%s %s = 0;", spelled(n, wide(n)), reach);
    for (uint32_t i = 0; i < count_of(n); i++)
        if (param(n, i)->is_active) write_reach(n, i, reach);
    gw_emit_line(e, "if (%s > 0) {", reach);
    gw_emit_scope_open(e);
    write_tangents(n, reach);
    gw_emit_scope_close(e);
    if (writes(n)) gw_emit_line(e, "} else {");
    e->depth++;
    for (uint32_t i = 0; i < count_of(n); i++)
        if (param(n, i)->writes) clear(n, i);
    e->depth--;
    gw_emit_line(e, "}");
    bool frees = false;
    for (uint32_t i = 0; i < count_of(n); i++)
        frees |= n->is_c && param(n, i)->extent;
    if (!frees || !rule->status) {
        call(n, rule->status ? "return " : "", NULL, false);
        free_all(n);
        return;
    }
    const char *value = text_of(n, gw_emit_unique(e, "value"));
    char *head = gw_format("const %s %s = ", text_of(n, rule->status), value);
    call(n, head, NULL, false);
    free_all(n);
    gw_emit_line(e, "return %s;", value);
    free(head);
}

static void write_jvp(gw_emitter *e, const gw_rule *rule) {
    numeric n = {.e = e, .rule = rule, .is_c = e->language == GW_EMIT_C};
    gw_emit_params list = {0};
    gw_emit_scope_open(e);
    begin(&n);
    add_primal(&n, &list);
    for (uint32_t i = 0; i < count_of(&n); i++) {
        if (!param(&n, i)->taken) continue;
        n.shadows.at[i] = unique(&n, "t_%s", text_of(&n, n.names.at[i]));
        add(&n, &list, text_of(&n, param(&n, i)->type), text_of(&n, n.shadows.at[i]));
    }
    const char *result = rule->status ? gw_cstr(e->session, rule->status) : "void";
    if (number_of(&n, rule->status) != GW_T_VOID) {
        char *type = gw_format("%s *", result);
        n.given = gw_emit_unique(e, "t_return");
        add(&n, &list, type, text_of(&n, n.given));
        free(type);
    }
    open_head(&n, result, "jvp", &list);
    write_along_body(&n);
    end(&n);
}

void gw_emit_differences(gw_emitter *e, const gw_rule *rule, bool reverse) {
    gw_text says = {0};
    gw_differences_say(e->session, rule, &says);
    says.at[0] = 'T';
    char *comment = gw_emit_comment_of(says.at);
    gw_emit_line(e, "%s", "");
    gw_emit_line(e, "%s", comment);
    if (reverse) {
        numeric n = {.e = e, .rule = rule};
        if (writes(&n)) write_sum(e, rule), gw_emit_line(e, "%s", "");
    }
    if (reverse)
        write_pullback(e, rule);
    else
        write_jvp(e, rule);
    gw_text_free(&says);
    free(comment);
}
