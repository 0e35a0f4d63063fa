/*
 * frontend/place/growth.c - room for vectors that grow.
 *
 * A vector that elements are added to is a local array of run-time size like any other; its DECLARE stands
 * where the vector is made. Each place that adds an element leaves a mark: a DECLARE of no elements; one that
 * gives the vector another size, a DECLARE of so many. When the function is complete, the array gets as many
 * cells as it starts with, as these sizes are at most, and as elements can be added: for each mark the product
 * of the trips of the loops between. Branches around a mark and exits only make it fewer. That
 * product is computed in front of the DECLARE, which moves down to the first use of the array; so the loops
 * must be counted, by values that are known there, or pure operations on such.
 *
 * Why that is sound: cells are never moved, so a pointer to an element stays one; an element is stored at the
 * number of elements that there are, which is less than the room because each addition was counted as often as
 * it can happen.
 */
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/query.h"
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/type/type.h"
#include "analysis/ir/restructure.h"
#include "analysis/facts/facts.h"

/* ---- whether the source adds elements to any vector: else no vector needs memory before it has elements
 * ---- */
typedef struct growth_found {
    bool resizes; /* a new size counts, too: of vectors that have elements */
    gw_str elements;
    bool is_there;
} growth_found;

static enum CXChildVisitResult find_growth(CXCursor at, CXCursor parent, CXClientData found) {
    growth_found *f = found;
    (void)parent;
    if (clang_Location_isInSystemHeader(clang_getCursorLocation(at))) return CXChildVisit_Continue;
    enum CXCursorKind kind = clang_getCursorKind(at);
    if (kind != CXCursor_MemberRefExpr && kind != CXCursor_CallExpr) return CXChildVisit_Recurse;
    CXString text = clang_getCursorSpelling(at);
    const char *name = clang_getCString(text);
    static const char *const names[] = {"push_back", "emplace_back", "insert", "push",
                                        "emplace",   "resize",       "assign"};
    const size_t all = sizeof names / sizeof *names, count = f->resizes ? all : all - 2;
    for (size_t i = 0; i < count; i++) f->is_there |= strcmp(name, names[i]) == 0;
    clang_disposeString(text);
    return f->is_there ? CXChildVisit_Break : CXChildVisit_Recurse;
}

bool gw_front_vectors_grow(gw_unit *u) {
    growth_found f = {0};
    if (!u->growth_known) clang_visitChildren(clang_getTranslationUnitCursor(u->clang), find_growth, &f);
    u->growth_known = true, u->vectors_grow |= f.is_there;
    return u->vectors_grow;
}

/* v.push_back(x) where v's elements have that name, "v_data"; of what is no plain name, or holds the vector as
 * a std::stack does, it may be. */
static bool adds_to(gw_unit *u, CXCursor at, const void *sought) {
    growth_found f = *(const growth_found *)sought;
    if (clang_getCursorKind(at) != CXCursor_MemberRefExpr) return false;
    find_growth(at, at, &f);
    bool grows = f.is_there;
    CXCursor of = gw_front_expression(at);
    while (!clang_Cursor_isNull(of) && clang_getCursorKind(of) == CXCursor_UnexposedExpr)
        of = gw_front_expression(of);
    if (!grows || clang_Cursor_isNull(of) || clang_getCursorKind(of) != CXCursor_DeclRefExpr) return grows;
    const CXCursor class = clang_getTypeDeclaration(gw_front_bare(clang_getCursorType(of)));
    if (gw_front_is_open_class(u, class)) return true;
    char *text = gw_format("%s_data", gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(of))));
    grows = gw_intern(u->session, text) == f.elements;
    free(text);
    return grows;
}

bool gw_front_vector_grows(gw_lowering *L, gw_str elements) {
    const growth_found f = {.elements = elements};
    return gw_front_reaches(L->u, L->frames.at[0].decl, adds_to, &f);
}

bool gw_front_vector_changes(gw_lowering *L, gw_str elements) {
    const growth_found f = {.resizes = true, .elements = elements};
    return gw_front_reaches(L->u, L->frames.at[0].decl, adds_to, &f);
}

static void add_mark(gw_lowering *L, gw_object array, uint16_t what, const gw_value *count) {
    gw_op mark = gw_emit(&L->b, GW_OP_DECLARE, GW_T_VOID, 0, count, count != NULL);
    gw_op_at(L->f, mark)->object = array;
    gw_op_at(L->f, mark)->attr = what;
}

void gw_front_growth_mark(gw_lowering *L, gw_object array) { add_mark(L, array, GW_BLOCK_GROWS, NULL); }

void gw_front_growth_resize(gw_lowering *L, gw_object array, gw_value count) {
    add_mark(L, array, GW_BLOCK_RESIZES, &count);
}

/* ---- how many ---- */
/* What stands in front of `at`: a value that is visible there and made before it. */
static bool made_before(const gw_func *f, gw_value v, gw_op at) {
    gw_region home = gw_value_region(f, v);
    gw_op made = gw_value_at(f, v)->op;
    if (!gw_region_inside(f, gw_op_at(f, at)->parent, home)) return false;
    if (!made) return true;
    while (gw_op_at(f, at)->parent != home) at = gw_op_around(f, at);
    for (gw_op op = gw_first(f, home); op && op != at; op = gw_next(f, op))
        if (op == made) return true;
    return false;
}

static gw_value known_before(gw_cloner *c, gw_value v, gw_op front, gw_front_may_load *may_load,
                             uint32_t depth) {
    enum { DEEPEST = 32 };
    gw_func *f = c->to->f;
    gw_op op = gw_value_at(f, v)->op;
    gw_value copy = gw_map_get(&c->values, v);
    if (copy || made_before(f, v, front)) return copy ? copy : v;
    if (!op || depth == DEEPEST || gw_op_at(f, op)->regions) return 0;
    const bool is_pure = gw_op_rows[gw_op_at(f, op)->code].effect == GW_EFFECT_PURE;
    if (!is_pure && (gw_op_at(f, op)->code != GW_OP_LOAD || !may_load || !may_load(f, op))) return 0;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++) {
        gw_value from = gw_operand(f, op, i), to = known_before(c, from, front, may_load, depth + 1);
        if (!to) return 0;
        if (to != from) gw_map_set(&c->values, from, to);
    }
    gw_clone_op(c, op);
    return gw_clone_value(c, v);
}

gw_value gw_front_known_before(gw_cloner *c, gw_value v, gw_op front, gw_front_may_load *may_load) {
    return known_before(c, v, front, may_load, 0);
}

/* How often the mark is come to, 0 if nobody knows. */
static gw_value times(gw_cloner *c, gw_op mark, gw_op declare) {
    gw_func *f = c->to->f;
    gw_value all = gw_int(c->to, GW_T_U64, 1);
    for (gw_region r = gw_op_at(f, mark)->parent; r != gw_op_at(f, declare)->parent;) {
        gw_op around = gw_region_at(f, r)->parent;
        if (!around) return 0;
        r = gw_op_at(f, around)->parent;
        if (gw_op_at(f, around)->code == GW_OP_IF) continue;
        int64_t step = gw_loop_step(f, around);
        gw_value lo = step ? gw_front_known_before(c, gw_operand(f, around, 0), declare, NULL) : 0;
        gw_value hi = lo ? gw_front_known_before(c, gw_operand(f, around, 1), declare, NULL) : 0;
        gw_value trips = hi ? gw_header_runs(c->to, (gw_opcode)gw_op_at(f, around)->attr, lo, hi, step) : 0;
        if (!trips) return 0;
        all = gw_binary(c->to, GW_OP_MUL, all, trips);
    }
    return all;
}

/* A size that is known there, or one that grows with the index of a loop upward: at most what it is behind it,
 * and none where that is negative. 0: another one. */
static gw_value most_before(gw_cloner *c, gw_value v, gw_op declare) {
    const gw_func *f = c->to->f;
    const gw_value known = gw_front_known_before(c, v, declare, NULL);
    const gw_op made = gw_value_at(f, v)->op;
    const gw_op_data *o = made ? gw_op_at(f, made) : NULL;
    int64_t n;
    gw_value most = 0;
    if (known) return gw_cast(c->to, GW_T_I64, known);
    if (o && o->code == GW_OP_CAST && !gw_type_is_float(gw_typeof(f, gw_operand(f, made, 0))))
        return most_before(c, gw_operand(f, made, 0), declare);
    for (uint32_t i = 0; o && o->code == GW_OP_ADD && i < 2 && !most; i++)
        if (gw_const_int(f, gw_operand(f, made, i), &n) && n >= 0) {
            most = most_before(c, gw_operand(f, made, !i), declare);
            return most ? gw_binary(c->to, GW_OP_ADD, most, gw_int(c->to, GW_T_I64, n)) : 0;
        }
    const gw_op loop = made ? 0 : gw_region_at(f, gw_value_region(f, v))->parent;
    if (!loop || gw_op_at(f, loop)->code != GW_OP_FOR || gw_arg(f, gw_loop_body(f, loop), 0) != v) return 0;
    const bool is_upward = gw_loop_step(f, loop) > 0 && gw_op_at(f, loop)->attr != GW_OP_NE;
    most = is_upward ? most_before(c, gw_operand(f, loop, 1), declare) : 0;
    return most ? gw_binary(c->to, GW_OP_IMAX, most, gw_int(c->to, GW_T_I64, 0)) : 0;
}

static bool is_mark(const gw_func *f, gw_op op) {
    const uint16_t what = gw_op_at(f, op)->attr;
    return gw_op_at(f, op)->code == GW_OP_DECLARE && !gw_op_at(f, op)->dead &&
           (what == GW_BLOCK_GROWS || what == GW_BLOCK_RESIZES);
}

static gw_op declare_of(const gw_func *f, gw_object array) {
    for (gw_op op = 1; op < f->ops.count; op++)
        if (gw_op_at(f, op)->code == GW_OP_DECLARE && gw_op_at(f, op)->object == array &&
            !gw_op_at(f, op)->attr && !gw_op_at(f, op)->dead)
            return op;
    return 0;
}

/* The DECLARE, now in front of what first uses the array: more is known there. */
static gw_op move_down(gw_func *f, gw_op declare) {
    gw_op_data o = *gw_op_at(f, declare);
    gw_value extent = gw_operand(f, declare, 0);
    gw_op user = gw_next(f, declare);
    while (!gw_names_object(f, user, o.object)) user = gw_next(f, user);
    gw_builder b = {f, o.parent, user, o.loc};
    gw_op moved = gw_emit(&b, GW_OP_DECLARE, GW_T_VOID, 0, &extent, 1);
    gw_op_at(f, moved)->object = o.object;
    gw_op_remove(f, declare);
    return moved;
}

static bool make_room(gw_func *f, gw_op mark) {
    gw_op declare = declare_of(f, gw_op_at(f, mark)->object);
    bool inside = gw_region_inside(f, gw_op_at(f, mark)->parent, gw_op_at(f, declare)->parent);
    if (inside) declare = move_down(f, declare);
    gw_builder b = {f, gw_op_at(f, declare)->parent, declare, gw_op_at(f, declare)->loc};
    gw_cloner c = {.from = f, .to = &b};
    gw_value more = 0;
    if (inside && gw_op_at(f, mark)->attr == GW_BLOCK_GROWS) more = times(&c, mark, declare);
    else if (inside) more = most_before(&c, gw_operand(f, mark, 0), declare);
    if (more) more = gw_cast(&b, GW_T_U64, more);
    if (more) gw_set_operand(f, declare, 0, gw_binary(&b, GW_OP_ADD, gw_operand(f, declare, 0), more));
    gw_map_free(&c.values);
    gw_map_free(&c.objects);
    if (!more)
        gw_diag(f->session, GW_DIAG_UNSUPPORTED, gw_op_at(f, mark)->loc,
                "a std::vector that grows in a loop of which nobody knows the length where the vector is made",
                "make it with its size and assign the elements, or make it in the loop");
    return more != 0;
}

/* Arrays of no elements that nothing is done with: of vectors to which nothing was added. */
static void drop_unused(gw_func *f) {
    uint32_t *uses = gw_alloc(f->objects.count * sizeof *uses);
    int64_t n;
    for (gw_op op = 1; op < f->ops.count; op++)
        if (!gw_op_at(f, op)->dead) uses[gw_op_at(f, op)->object]++;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        bool array = !o->dead && o->code == GW_OP_DECLARE && o->object && gw_object_at(f, o->object)->sized &&
                     o->operands == 1;
        if (array && uses[o->object] == 1 && gw_const_int(f, gw_operand(f, op, 0), &n) && !n)
            gw_op_remove(f, op);
    }
    free(uses);
}

bool gw_front_make_room(gw_func *f) {
    bool good = true;
    uint32_t count = f->ops.count;
    for (gw_op op = 1; op < count && good; op++)
        if (is_mark(f, op)) good = make_room(f, op);
    for (gw_op op = 1; op < count; op++)
        if (is_mark(f, op)) gw_op_remove(f, op);
    drop_unused(f);
    return good;
}
