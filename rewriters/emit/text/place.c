/*
 * emit/text/place.c - cells of memory as C lvalues.
 *
 * The adjoint of a struct is a struct of the same type, so a member `const T *x` of it leads to cells that are
 * written: such an access casts const away, which C and C++ allow where the memory itself is not const.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/promises.h"
#include "analysis/ir/question.h"
#include "analysis/ir/rungs.h"
#include "rewriters/accumulate/accumulate.h"
#include "rewriters/emit/text/text_private.h"

#include <stdlib.h>
#include <string.h>

gw_str gw_emit_object(gw_emitter *e, gw_object o) {
    const gw_object_data *d = gw_object_at(e->f, o);
    if (d->hidden) return gw_emit_static_member(e->session, d->hidden);
    return e->object_name[o] ? e->object_name[o] : d->name;
}

/* ---- places ---- */
typedef struct cursor {
    gw_emitter *e;
    gw_op op;
    uint32_t next; /* index operand */
    const char *path;
    gw_text text;
    const char *instead; /* of the text of index operand `replaced`; NULL: of none */
    uint32_t replaced;
} cursor;

static bool next_is_zero(const cursor *c) {
    int64_t x;
    if (c->instead && c->next == c->replaced) return false;
    return gw_const_int(c->e->f, gw_operand(c->e->f, c->op, c->next), &x) && x == 0;
}

/* "double *"; of an array "double (*)[3]". */
static char *pointer_to(const cursor *c, gw_type cell) {
    const gw_session *s = c->e->session;
    gw_text lengths = {0};
    for (; s->types.at[cell].kind == GW_TYPE_ARRAY; cell = s->types.at[cell].element)
        gw_text_addf(&lengths, "[%u]", (unsigned)s->types.at[cell].count);
    const char *type = gw_emit_type(c->e, cell);
    char *text = lengths.at ? gw_format("%s (*)%s", type, lengths.at) : gw_format("%s *", type);
    gw_text_free(&lengths);
    return text;
}

/* The path so far ends in a pointer to const; its cell is to be written. */
static void cast_const_away(cursor *c, gw_type cell) {
    char *type = pointer_to(c, cell);
    gw_text text = {0};
    gw_text_addf(&text, c->e->language == GW_EMIT_C ? "((%s)%s)" : "const_cast<%s>(%s)", type, c->text.at);
    gw_text_free(&c->text);
    free(type);
    c->text = text;
}

/* What the "[]" at c->path leads to, if it is the last pointer on the way and to const in a mirror that is
 * written there; else GW_T_VOID. */
static gw_type const_target(const cursor *c, const char *whole) {
    const gw_session *s = c->e->session;
    const gw_op_data *o = gw_op_at(c->e->f, c->op);
    const gw_object_data *object = gw_object_at(c->e->f, o->object);
    size_t skip = object->kind == GW_OBJECT_POINTER ? 2 : 0, n = (size_t)(c->path - whole);
    if (o->code == GW_OP_LOAD || !object->shadow_of || n < skip) return GW_T_VOID;
    char *before = gw_format("%.*s", (int)(n - skip), whole + skip);
    const gw_type_data *d = &s->types.at[gw_type_at_path(s, object->type, before)];
    free(before);
    bool last = d->kind == GW_TYPE_POINTER && !gw_path_through_pointer(s, d->element, c->path + 2);
    return last && d->is_const ? d->element : GW_T_VOID;
}

static void add_index(cursor *c) {
    uint32_t at = c->next++;
    char *index = c->instead && at == c->replaced
                      ? gw_strdup(c->instead)
                      : gw_emit_text(c->e, gw_operand(c->e->f, c->op, at), GW_IN_INDEX, GW_PREC_ASSIGN);
    gw_text_addf(&c->text, "[%s]", index);
    free(index);
    c->path += 2;
}

/* What the tangents of one thing in several directions lie in, a row, and not what one pointer leads to. */
static bool is_row(const gw_func *f, gw_object o) {
    for (uint32_t i = 0; gw_directions(f) && i < f->params.count; i++)
        if (f->params.at[i].object == o && f->params.at[i].is_adjoint) return true;
    return false;
}

static gw_str copy_name(const gw_emitter *e, gw_object object) {
    return e->block_copies ? e->block_copies[gw_copied_number(e->f, object)] : 0;
}

/* Base of a pointer's cell; true if that is all there is and it reads *p. */
static bool add_base(cursor *c) {
    const gw_op_data *op = gw_op_at(c->e->f, c->op);
    const gw_object_data *o = gw_object_at(c->e->f, op->object);
    bool of_block = op->code == GW_OP_ACCUM && op->attr == GW_ACCUMULATE_COPIES;
    const char *name = gw_cstr(c->e->session, of_block ? copy_name(c->e, op->object)
                                                       : gw_emit_object(c->e, op->object));
    if (o->is_container) {
        gw_text_add(&c->text, name);
        return false;
    }
    if (gw_emit_is_together(c->e, gw_op_at(c->e->f, c->op)->object)) {
        gw_text_add(&c->text, gw_cstr(c->e->session, c->e->records));
        add_index(c);
        gw_text_addf(&c->text, ".%s", name);
        return false;
    }
    if (o->kind != GW_OBJECT_POINTER || strncmp(c->path, "[]", 2) != 0 || !next_is_zero(c)) {
        gw_text_addf(&c->text, o->is_reference && o->kind == GW_OBJECT_POINTER ? "(&%s)" : "%s", name);
        return false;
    }
    const bool is_sums = of_block && gw_rung_sums_in_block(c->e->f, op->object); /* no pointer */
    if (is_sums || (!o->is_reference && c->path[2] == '[') || is_row(c->e->f, op->object)) {
        gw_text_add(&c->text, name);
        return false;
    }
    c->next++;
    c->path += 2;
    bool asks = strcmp(c->path, GW_PATH_PRESENT) == 0;
    bool alone = !o->is_reference && (*c->path == 0 || asks);
    gw_text_addf(&c->text, "%s%s", alone ? "*" : "", name);
    if (!o->is_reference && *c->path == '.' && !asks) {
        gw_text_add(&c->text, "->");
        c->path++;
    }
    return alone;
}

static bool after_arrow(const cursor *c) { return c->text.count && c->text.at[c->text.count - 1] == '>'; }

/* The parts of a complex number are no members; the type of the part that c->path names, else GW_T_VOID. */
static gw_type complex_part(const cursor *c, const char *whole) {
    const gw_session *s = c->e->session;
    const gw_object_data *object = gw_object_at(c->e->f, gw_op_at(c->e->f, c->op)->object);
    size_t skip = object->kind == GW_OBJECT_POINTER ? 2 : 0, n = (size_t)(c->path - whole) - after_arrow(c);
    if (n < skip) return GW_T_VOID;
    char *before = gw_format("%.*s", (int)(n - skip), whole + skip);
    const gw_type_data *d = &s->types.at[gw_type_at_path(s, object->type, before)];
    free(before);
    const char *name = d->kind == GW_TYPE_STRUCT ? gw_cstr(s, d->name) : "";
    bool is_complex = strncmp(name, "std::complex<", 13) == 0 || strncmp(name, "_Complex ", 9) == 0;
    return is_complex ? s->fields.at[d->first].type : GW_T_VOID;
}

/* [complex.numbers.general], C17 6.2.5: a complex number may be read and written as an array of its two
 * parts. */
static void add_complex_part(cursor *c, gw_type part) {
    bool arrow = after_arrow(c), reads = gw_op_at(c->e->f, c->op)->code == GW_OP_LOAD;
    gw_text text = {0};
    bool is_c = c->e->language == GW_EMIT_C, imaginary = c->path[arrow ? 0 : 1] == 'i';
    const char *type = gw_emit_type(c->e, part), *qualifier = reads ? "const " : "";
    int length = (int)(c->text.count - (arrow ? 2 : 0));
    if (is_c)
        gw_text_addf(&text, "((%s%s *)%s%.*s)[%d]", qualifier, type, arrow ? "" : "&", length, c->text.at,
                     imaginary);
    else
        gw_text_addf(&text, "reinterpret_cast<%s%s (&)[2]>(%s%.*s)[%d]", qualifier, type, arrow ? "*" : "",
                     length, c->text.at, imaginary);
    c->path += strcspn(c->path + 1, ".[") + 1;
    gw_text_free(&c->text);
    c->text = text;
}

/* The member that c->path names next, if text may not name it; else NULL. */
static const gw_field *hidden_member(const cursor *c, const char *whole) {
    const gw_session *s = c->e->session;
    const gw_object_data *object = gw_object_at(c->e->f, gw_op_at(c->e->f, c->op)->object);
    const bool arrow = after_arrow(c);
    const size_t skip = object->kind == GW_OBJECT_POINTER ? 2 : 0, n = (size_t)(c->path - whole) - arrow;
    if (!s->hidden.count || n < skip) return NULL;
    char *before = gw_format("%.*s", (int)(n - skip), whole + skip);
    const gw_type type = gw_type_at_path(s, object->type, before);
    const char *name = c->path + !arrow;
    const gw_field *field = gw_type_field(s, type, name, strcspn(name, ".["));
    free(before);
    return field && field->hidden ? field : NULL;
}

static void add_hidden_member(cursor *c, const gw_field *field) {
    const bool arrow = after_arrow(c);
    char *object = arrow ? gw_format("*%.*s", (int)c->text.count - 2, c->text.at) : gw_strdup(c->text.at);
    char *opened = gw_emit_member(c->e->session, object, field);
    free(object);
    c->path += strcspn(c->path + 1, ".[") + 1;
    gw_text_free(&c->text);
    gw_text_add(&c->text, opened);
    free(opened);
}

/* The adjoint or tangent of what the caller gave. */
static bool is_mirror(const gw_func *f, gw_object o) {
    bool is = gw_object_at(f, o)->shadow_of != 0;
    for (uint32_t i = 0; i < f->params.count && !is; i++)
        is = f->params.at[i].object == o && f->params.at[i].is_adjoint;
    return is;
}

/* "gw_as<circle>(*s)" of "s->" and the class's name, which c->path has next. */
static void see_as(cursor *c, const char *what) {
    const bool arrow = after_arrow(c);
    const char *name = c->path + !arrow + 1;
    const size_t n = strcspn(name, ".[");
    gw_text text = {0};
    gw_text_addf(&text, arrow ? "%s<%.*s>(*%.*s)" : "%s<%.*s>(%.*s)", what, (int)n, name,
                 (int)c->text.count - 2 * arrow, c->text.at);
    c->path = name + n;
    gw_text_free(&c->text);
    c->text = text;
}

const char *gw_emit_parameter_called(gw_emitter *e, const char *name, size_t length) {
    const gw_str wanted = gw_intern_n(e->session, name, length);
    for (uint32_t i = 0; i < e->f->params.count; i++) {
        const gw_object o = e->f->params.at[i].object;
        if (o && gw_object_at(e->f, o)->name == wanted) return gw_cstr(e->session, gw_emit_object(e, o));
    }
    return gw_cstr(e->session, wanted);
}

/* The question that c->path has next, to what is written so far. */
static gw_piece ask(cursor *c) {
    const bool arrow = after_arrow(c), is_star = c->text.at[0] == '*';
    const char *step = gw_cstr(c->e->session, gw_op_at(c->e->f, c->op)->path);
    char *expression = gw_question_expression(gw_question_in(step));
    char *object = gw_format(is_star ? "(%.*s)" : "%.*s", (int)c->text.count - 2 * arrow, c->text.at);
    const uint32_t first = c->next;
    bool compares = false;
    gw_text text = {0};
    for (const char *at = expression; *at; at++) {
        if (*at != '$') {
            gw_text_addf(&text, "%c", *at);
        } else if (*++at == 'c') {
            compares = true;
        } else if (*at == '$') {
            gw_text_add(&text, "$");
        } else if (*at == 'o') {
            const size_t n = strcspn(at + 1, ";");
            gw_text_add(&text, gw_emit_parameter_called(c->e, at + 1, n));
            at += n + 1;
        } else if (*at == 'h') {
            char *opened = gw_emit_opening(c->e->session, &at);
            gw_text_add(&text, opened);
            free(opened);
        } else if (*at == 'p') {
            const size_t n = strlen(object);
            const bool is_first = n > 3 && strcmp(object + n - 3, "[0]") == 0;
            gw_text_addf(&text, arrow || is_first ? "%.*s" : "&%.*s", (int)(n - 3 * is_first), object);
        } else if (*at == '0') {
            const bool member = arrow && at[1] == '.';
            const char *alone = arrow ? "(*%s)" : "%s";
            gw_text_addf(&text, member ? "%s->" : alone, object);
            at += member;
        } else {
            const gw_value v = gw_operand(c->e->f, c->op, first + (uint32_t)(*at - '1'));
            char *operand = gw_emit_text(c->e, v, GW_IN_INDEX, GW_PREC_ASSIGN);
            gw_text_add(&text, operand);
            free(operand);
        }
    }
    free(object), free(expression);
    gw_text_free(&c->text);
    return (gw_piece){.text = text, .precedence = compares ? GW_PREC_EQUAL : GW_PREC_PRIMARY};
}

static gw_piece place(gw_emitter *e, gw_op op, uint32_t replaced, const char *instead) {
    cursor c = {.e = e,
                .op = op,
                .path = gw_cstr(e->session, gw_op_at(e->f, op)->path),
                .replaced = replaced,
                .instead = instead};
    bool is_star = add_base(&c);
    const char *whole = gw_cstr(e->session, gw_op_at(e->f, op)->path);
    while (*c.path) {
        if (c.path[0] == '[') {
            gw_type cell = const_target(&c, whole);
            if (cell != GW_T_VOID) cast_const_away(&c, cell);
            add_index(&c);
            continue;
        }
        if (strcmp(c.path, GW_PATH_PRESENT) == 0) {
            const bool sets = gw_op_at(e->f, op)->code == GW_OP_STORE;
            if (!sets) gw_text_add(&c.text, " != 0");
            return (gw_piece){.text = c.text, .precedence = sets ? GW_PREC_PRIMARY : GW_PREC_EQUAL};
        }
        if (c.path[!after_arrow(&c)] == GW_PATH_ASKED[1]) return ask(&c);
        if (c.path[!after_arrow(&c)] == GW_PATH_AS[1]) {
            see_as(&c, is_mirror(e->f, gw_op_at(e->f, op)->object) ? "gw_mirror" : "gw_as");
            continue;
        }
        if (c.path[!after_arrow(&c)] == GW_PATH_OF[1]) {
            see_as(&c, "gw_is");
            return (gw_piece){.text = c.text, .precedence = GW_PREC_PRIMARY};
        }
        if (c.path[!after_arrow(&c)] == GW_PATH_IS[1]) {
            gw_text_addf(&c.text, " == %s", c.path + 1 + !after_arrow(&c));
            return (gw_piece){.text = c.text, .precedence = GW_PREC_EQUAL};
        }
        if (c.path[!after_arrow(&c)] == GW_PATH_SIZE[1]) {
            gw_text_add(&c.text, after_arrow(&c) ? "size()" : ".size()");
            return (gw_piece){.text = c.text, .precedence = GW_PREC_PRIMARY};
        }
        gw_type part = complex_part(&c, whole);
        if (part != GW_T_VOID) {
            add_complex_part(&c, part);
            continue;
        }
        const gw_field *hidden = hidden_member(&c, whole);
        if (hidden) {
            add_hidden_member(&c, hidden);
            continue;
        }
        size_t n = 1 + strcspn(c.path + 1, ".[");
        if (c.text.at[c.text.count - 1] == '>') n = strcspn(c.path, ".[");
        gw_text_addf(&c.text, "%.*s", (int)n, c.path);
        c.path += n;
    }
    return (gw_piece){.text = c.text, .precedence = is_star ? GW_PREC_UNARY : GW_PREC_PRIMARY};
}

gw_piece gw_emit_place(gw_emitter *e, gw_op op) { return place(e, op, 0, NULL); }

char *gw_emit_address(gw_emitter *e, gw_op op) { return gw_emit_address_at(e, op, 0, NULL); }

char *gw_emit_address_at(gw_emitter *e, gw_op op, uint32_t replaced, const char *instead) {
    gw_piece p = place(e, op, replaced, instead);
    char *text = p.text.at[0] == '*' ? gw_strdup(p.text.at + 1) : gw_format("&%s", p.text.at);
    gw_text_free(&p.text);
    return text;
}

/* The end of a range that was promised not to end before it begins: tested where it is loaded. */
static gw_piece check_range(gw_emitter *e, gw_op op, gw_piece end) {
    const gw_op_data *o = gw_op_at(e->f, op);
    char *file = gw_emit_quoted(gw_cstr(e->session, e->session->source_file));
    gw_piece value = {.precedence = GW_PREC_PRIMARY};
    gw_text_addf(&value.text, "gw_range_end(%.*sx, %s, \"%s\", %s, %u)", (int)(end.text.count - 1), end.text.at,
                 end.text.at, gw_cstr(e->session, gw_object_at(e->f, o->object)->name), file, o->loc.line);
    gw_text_free(&end.text);
    free(file);
    return value;
}

gw_piece gw_emit_loaded(gw_emitter *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    gw_piece p = gw_emit_place(e, op);
    gw_type type = gw_stored_type(e->f, o->object, o->path);
    if (e->session->options.checked && e->f->kind == GW_FUNC_KERNEL &&
        gw_promised(e->f, GW_PROMISE_DISJOINT_RANGES, o->object, o->path, ".y"))
        return check_range(e, op, p);
    if (e->language != GW_EMIT_C && gw_cell_enumeration(e->f, o->object, o->path)) {
        gw_piece number = {.precedence = GW_PREC_UNARY};
        gw_text_addf(&number.text, "(%s)%s", gw_emit_type(e, type), p.text.at);
        gw_text_free(&p.text);
        return number;
    }
    if (!gw_type_is_half(type)) return p;
    gw_piece value = {.precedence = GW_PREC_PRIMARY};
    gw_text_addf(&value.text, "%s(%s)", type == GW_T_F16 ? "__half2float" : "__bfloat162float", p.text.at);
    gw_text_free(&p.text);
    return value;
}
