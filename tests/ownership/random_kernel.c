/* random_kernel.c - random kernels (contract: random_kernel.h). */
#include "random_kernel.h"

enum { POOL_MOST = 64 };

/* ---- random numbers ---- */
static uint64_t state;
void draw_from(uint64_t seed) { state = seed; }
uint32_t draw(uint32_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % below);
}
bool chance(uint32_t percent) { return draw(100) < percent; }

/* ---- random kernels ---- */
uint64_t case_seed;
static V pool[POOL_MOST]; /* quantities that threads differ in, as kernels compute them */
static uint32_t pooled;

static void put(V v) {
    if (pooled < POOL_MOST) pool[pooled++] = v;
}
static V varying(void) { return pool[chance(60) && pooled > 6 ? pooled - 1 - draw(6) : draw(pooled)]; }

static const int64_t constants[] = {0, 1, 1, 2, 2, 3, 4, 5, 8, 16, 100, 255, 4096, 65536, 1 << 30};
static V constant(kernel *k, uint32_t small) {
    return num(k, constants[draw(small ? 9 : sizeof constants / sizeof *constants)]);
}

static V uniform(kernel *k) {
    unsigned axis = draw(2);
    switch (draw(12)) {
    case 0:
        return k->n;
    case 1:
    case 2:
        return k->w;
    case 3:
        return k->h;
    case 4:
        return k->k;
    case 5:
        return k->m;
    case 6:
        return block_dim(k, axis);
    case 7:
        return grid_dim(k, axis);
    case 8:
        return mul(k, grid_dim(k, axis), block_dim(k, axis));
    case 9:
        return as(k, GW_T_I32, mul(k, grid_dim(k, 0), block_dim(k, 0)));
    case 10:
        return add(k, chance(50) ? k->w : k->k, constant(k, 1));
    default:
        return constant(k, 1);
    }
}

static const gw_type integer_types[] = {GW_T_I8,  GW_T_U8,  GW_T_I16, GW_T_U16, GW_T_I32, GW_T_I32,
                                        GW_T_U32, GW_T_U32, GW_T_I64, GW_T_I64, GW_T_U64};

static V arithmetic(kernel *k, V a) {
    static const gw_opcode with_constant[] = {GW_OP_SHR, GW_OP_SHL};
    static const gw_opcode odd[] = {GW_OP_XOR, GW_OP_OR, GW_OP_AND, GW_OP_IMAX, GW_OP_IMIN};
    switch (draw(12)) {
    case 0:
        return add(k, a, uniform(k));
    case 1:
        return sub(k, chance(50) ? uniform(k) : a, varying());
    case 2:
        return mul(k, a, uniform(k));
    case 3:
        return mul(k, a, constant(k, 0));
    case 4:
        return quo(k, a, uniform(k));
    case 5:
        return rem_(k, a, uniform(k));
    case 6:
        return op2(k, GW_OP_AND, a, num(k, (1 << draw(6)) - 1));
    case 7:
        return op2(k, with_constant[draw(2)], a, num(k, draw(4)));
    case 8:
        return as(k, integer_types[draw(sizeof integer_types / sizeof *integer_types)], a);
    case 9:
        return op2(k, odd[draw(5)], a, chance(50) ? uniform(k) : varying());
    case 10:
        return list_at(k, a);
    default:
        return add(k, a, varying());
    }
}

/* Forms that kernels really use, and their near misses. */
static V index_form(kernel *k) {
    V a = varying(), b = varying(), s = uniform(k);
    switch (draw(12)) {
    case 0:
        return a;
    case 1:
    case 2:
    case 3:
        return add(k, mul(k, a, s), b);
    case 4:
        return add(k, a, mul(k, s, b));
    case 5:
        return sub(k, sub(k, s, num(k, 1)), a);
    case 6:
        return add(k, mul(k, add(k, mul(k, a, s), b), uniform(k)), varying());
    case 7:
        return add(k, mul(k, quo(k, a, s), s), rem_(k, a, chance(80) ? s : uniform(k)));
    case 8:
        return add(k, mul(k, rem_(k, a, s), uniform(k)), quo(k, a, s));
    case 9:
        return add(k, mul(k, a, constant(k, 1)), constant(k, 1));
    case 10:
        return add(k, a, constant(k, 1));
    default:
        return arithmetic(k, arithmetic(k, a));
    }
}

static V condition(kernel *k) {
    static const gw_opcode codes[] = {GW_OP_LT, GW_OP_LT, GW_OP_LT, GW_OP_LT, GW_OP_LE,
                                      GW_OP_GE, GW_OP_GT, GW_OP_EQ, GW_OP_NE};
    V a = varying(), b = chance(85) ? uniform(k) : varying();
    V c = chance(15) ? op2(k, codes[draw(9)], b, a) : op2(k, codes[draw(9)], a, b);
    if (chance(10)) c = gw_unary(&k->b, GW_OP_NOT, c);
    if (chance(40)) c = op2(k, chance(85) ? GW_OP_AND : GW_OP_OR, c, condition(k));
    return c;
}

static V loop(kernel *k) {
    static const gw_opcode up[] = {GW_OP_LT, GW_OP_LT, GW_OP_LT, GW_OP_LE}, down[] = {GW_OP_GE, GW_OP_GT};
    gw_type t = chance(75) ? GW_T_I32 : chance(50) ? GW_T_U32 : GW_T_I64;
    V lo = chance(60) ? num(k, draw(2)) : varying(), hi = chance(85) ? uniform(k) : varying();
    V step = chance(60) ? num(k, 1) : uniform(k);
    bool falling = chance(20);
    if (falling) {
        V swap = lo;
        lo = sub(k, hi, num(k, draw(2))), hi = swap, step = num(k, -1 - (int64_t)draw(2));
    }
    return begin_for(k, as(k, t, lo), as(k, t, hi), as(k, t, step), falling ? down[draw(2)] : up[draw(4)]);
}

static V related(kernel *k, V index) {
    switch (draw(5)) {
    case 0:
        return add(k, index, constant(k, 1));
    case 1:
        return add(k, index, uniform(k));
    case 2:
        return mul(k, index, num(k, 2));
    default:
        return index;
    }
}

/* ---- shapes in which a digit's range decides: each with bounds that fit and bounds that just do not ---- */
static gw_opcode below_or_not(void) {
    static const gw_opcode codes[] = {GW_OP_LT, GW_OP_LT, GW_OP_LT, GW_OP_LE, GW_OP_NE, GW_OP_GT};
    return codes[draw(6)];
}

static V maybe_cast(kernel *k, V v) {
    static const gw_type types[] = {GW_T_U32, GW_T_I64, GW_T_U64, GW_T_I32};
    return chance(25) ? as(k, types[draw(4)], v) : v;
}

static V stride_of(kernel *k) {
    V s = uniform(k);
    if (chance(15)) s = op2(k, chance(50) ? GW_OP_IMIN : GW_OP_IMAX, s, uniform(k));
    return s;
}

/* x[a*s + b] where b is compared with s, or with something else. */
static void digit_under_guard(kernel *k) {
    V a = maybe_cast(k, varying()), b = maybe_cast(k, varying()), s = maybe_cast(k, stride_of(k));
    V guard = op2(k, below_or_not(), b, chance(85) ? s : uniform(k));
    if (chance(40)) guard = op2(k, GW_OP_AND, guard, op2(k, below_or_not(), a, uniform(k)));
    begin_if(k, guard);
    use(k,
        chance(80) ? add(k, mul(k, a, s), b) : add(k, mul(k, add(k, mul(k, a, s), b), uniform(k)), varying()));
    end_if(k);
}

/* for (j = 0; j < s; j++) x[a*s + j] */
static void digit_of_loop(kernel *k) {
    V a = varying(), s = stride_of(k);
    if (chance(15)) s = maybe_cast(k, s);
    gw_type t = gw_typeof(k->b.f, s) == GW_T_U64 ? GW_T_I64 : gw_typeof(k->b.f, s);
    s = as(k, t, s);
    V j = begin_for(k, as(k, t, num(k, draw(8) == 0)), chance(85) ? s : as(k, t, uniform(k)),
                    as(k, t, num(k, 1)), chance(75) ? GW_OP_LT : GW_OP_LE);
    use(k, chance(70) ? add(k, mul(k, a, s), j) : add(k, a, mul(k, j, s)));
    end_for(k);
}

/* A row from its first cell, and one from its last, or the cell behind. */
static void digit_both_ways(kernel *k) {
    V a = varying(), s = stride_of(k), last = chance(85) ? sub(k, s, num(k, 1)) : chance(50) ? s : uniform(k);
    V base = mul(k, a, s); /* for both loops */
    V j = begin_for(k, num(k, 0), chance(90) ? s : uniform(k), num(k, 1), chance(90) ? GW_OP_LT : GW_OP_LE);
    if (chance(70)) use(k, add(k, base, j));
    if (chance(50)) end_for(k), j = begin_for(k, num(k, 0), s, num(k, 1), GW_OP_LT);
    use(k, add(k, base, sub(k, last, j)));
    if (chance(30)) use(k, chance(70) ? base : add(k, base, last));
    end_for(k);
}

/* for (j = lo; j < hi; j += step) from its last iteration down to its first, as a reverse sweep counts. */
static void strides_downwards(kernel *k) {
    gw_type t = chance(70) ? GW_T_I64 : GW_T_I32;
    V a = varying(), lo = as(k, t, chance(80) ? thread_idx(k, 0) : varying()),
      hi = as(k, t, chance(70) ? k->w : uniform(k));
    V step = as(k, t, chance(80) ? block_dim(k, 0) : chance(50) ? uniform(k) : num(k, 1 + draw(4)));
    V ask = chance(90) ? lt(k, num(k, 0), step) : lt(k, lo, hi);
    begin_if(k, ask);
    V runs = quo(k, sub(k, add(k, sub(k, hi, lo), step), num(k, chance(90))), step);
    V trip = begin_for(k, sub(k, runs, num(k, chance(90))), as(k, t, num(k, 0)), as(k, t, num(k, -1)),
                       chance(90) ? GW_OP_GE : GW_OP_GT);
    if (chance(70)) trip = as(k, GW_T_I32, trip);
    V at = add(k, lo, mul(k, trip, step));
    use(k, chance(70) ? add(k, mul(k, a, chance(80) ? k->w : uniform(k)), at) : at);
    end_for(k);
    end_if(k);
}

/* An index that is one of two, as a value or by a branch; the sides are the same, fit together, or do not. */
static V side_of(kernel *k, V a, V s, bool no) {
    switch (draw(7)) {
    case 0:
        return a;
    case 1:
        return add(k, mul(k, a, num(k, 2)), num(k, no));
    case 2:
        return no ? sub(k, sub(k, s, num(k, draw(2))), a) : a;
    case 3:
        return no ? sub(k, s, num(k, draw(2))) : num(k, 0);
    case 4:
        return no ? sub(k, add(k, a, s), uniform(k)) : add(k, a, s);
    case 5:
        return add(k, mul(k, a, s), varying());
    default:
        return add(k, a, uniform(k));
    }
}

static V one_of_two(kernel *k, V a, V s) {
    V c = chance(40)   ? op2(k, below_or_not(), chance(50) ? a : add(k, a, s), uniform(k))
          : chance(40) ? lt(k, uniform(k), uniform(k))
                       : condition(k);
    if (chance(60)) {
        uint64_t both_same = chance(50);
        V yes = as(k, GW_T_I32, side_of(k, a, s, false));
        return choose(k, c, yes, both_same ? sub(k, yes, uniform(k)) : side_of(k, a, s, true));
    }
    begin_choice(k, c);
    other_choice(k, as(k, GW_T_I32, chance(80) ? side_of(k, a, s, false) : quo(k, a, s)));
    return end_choice(k, side_of(k, a, s, true));
}

static void chosen_index(kernel *k) {
    V a = varying(), s = uniform(k);
    bool guarded = chance(60);
    if (guarded) begin_if(k, condition(k));
    V at = one_of_two(k, a, s);
    if (chance(20)) at = add(k, mul(k, at, chance(50) ? s : num(k, 2)), num(k, draw(2)));
    if (chance(15)) at = one_of_two(k, at, uniform(k));
    use(k, at);
    if (chance(30)) use(k, chance(50) ? a : one_of_two(k, a, s));
    if (guarded) end_if(k);
}

/* for (j = a*s; j < (a*s + s < w ? a*s + s : w); j++), and near misses */
static void chosen_bound(kernel *k) {
    V a = varying(), s = uniform(k), from = as(k, GW_T_I32, mul(k, a, s)), end = add(k, from, s),
      most = uniform(k);
    V c = op2(k, below_or_not(), chance(85) ? end : from, most),
      to = chance(90) ? choose(k, c, end, most) : choose(k, c, most, end);
    V j = begin_for(k, from, as(k, GW_T_I32, to), num(k, 1), chance(90) ? GW_OP_LT : GW_OP_LE);
    use(k, j);
    end_for(k);
}

/* q = a / s, r = a % s put together again, rightly or not; a and s may be negative. */
static void quotient_and_rest(kernel *k) {
    V s = chance(50) ? uniform(k) : num(k, 2 + draw(3)), t = chance(50) ? uniform(k) : num(k, 2 + draw(2));
    V a = chance(50) ? varying() : sub(k, as(k, GW_T_I32, varying()), num(k, draw(14)));
    bool bits = chance(25);
    int64_t shift = draw(3);
    V q = bits ? op2(k, GW_OP_SHR, a, num(k, shift)) : quo(k, a, s);
    V r = bits ? op2(k, GW_OP_AND, a, num(k, ((int64_t)1 << shift) - 1)) : rem_(k, a, s);
    V guard = chance(70) ? op2(k, below_or_not(), a, mul(k, s, t)) : lt(k, num(k, 0), t);
    if (chance(60)) guard = op2(k, GW_OP_AND, guard, lt(k, num(k, 0), s));
    begin_if(k, guard);
    if (bits && chance(50))
        use(k, add(k, mul(k, q, num(k, (int64_t)1 << shift)), r));
    else
        use(k, chance(60) ? add(k, mul(k, r, t), q) : add(k, mul(k, q, s), r));
    if (chance(30)) use(k, q);
    if (chance(25)) use(k, add(k, mul(k, q, s), sub(k, sub(k, s, num(k, chance(90))), r))); /* turned round */
    if (chance(25)) { /* the first of two that were put side by side */
        V w = uniform(k);
        begin_if(k, op2(k, below_or_not(), r, w));
        use(k, add(k, mul(k, q, w), r));
        end_if(k);
    }
    end_if(k);
}

/* One reference with a condition, one without, a stride apart. */
static void one_guarded(kernel *k) {
    V a = varying(), s = uniform(k);
    bool outside_first = chance(50);
    if (outside_first) use(k, a);
    begin_if(k, op2(k, below_or_not(), a, s));
    use(k, chance(70) ? add(k, a, s) : sub(k, s, a));
    end_if(k);
    if (!outside_first) use(k, a);
}

/* Single threads write single cells, one thread each, or two of them the same. */
static void single_threads(kernel *k) {
    V a = varying();
    int64_t first = draw(3);
    for (int i = 0; i < 2; i++) {
        begin_if(k, op2(k, GW_OP_EQ, a, num(k, chance(50) ? first : draw(3))));
        use(k, chance(70) ? num(k, draw(2)) : uniform(k));
        end_if(k);
    }
}

/* A counter that may wrap. */
static void wrapping_loop(kernel *k) {
    gw_type t = chance(70) ? GW_T_U32 : chance(50) ? GW_T_U8 : GW_T_I32;
    V step = chance(40) ? num(k, -1 - (int64_t)draw(2)) : chance(50) ? uniform(k) : constant(k, 0);
    V j = begin_for(k, as(k, t, varying()), as(k, t, uniform(k)), as(k, t, step),
                    chance(80) ? GW_OP_LT : GW_OP_LE);
    use(k, chance(60) ? j : as(k, GW_T_I64, mul(k, j, constant(k, 1))));
    end_for(k);
}

/* A size that is divided by in one branch only, or in all. */
static void divided_by_some(kernel *k) {
    V a = varying(), s = uniform(k), zero = op2(k, GW_OP_EQ, s, num(k, 0)), c;
    bool everywhere = chance(30);
    if (everywhere) zero = op2(k, GW_OP_EQ, a, num(k, 0));
    begin_choice(k, zero);
    other_choice(k, chance(70) ? op2(k, GW_OP_EQ, num(k, 0), num(k, 0)) : zero);
    c = end_choice(k, op2(k, below_or_not(), rem_(k, a, s), uniform(k)));
    begin_if(k, c);
    use(k, mul(k, a, s));
    use(k, chance(60) ? sub(k, num(k, -1 - (int64_t)draw(2)), mul(k, a, s))
                      : add(k, mul(k, a, s), num(k, draw(2))));
    if (chance(50)) use(k, sub(k, num(k, -3), mul(k, a, s)));
    end_if(k);
}

/* A group of c threads for a row, a lane for each c-th cell of it; widths that fit together, and such that do
 * not. */
static void rows_of_lanes(kernel *k) {
    V c = num(k, 2 + draw(2)), d = chance(85) ? c : num(k, 1 + draw(4)),
      t = chance(90) ? thread_idx(k, 0) : varying();
    V lane = rem_(k, t, c), n = chance(80) ? k->n : uniform(k);
    V all = add(k, mul(k, block_idx(k, 0), block_dim(k, 0)), chance(90) ? thread_idx(k, 0) : varying());
    V row = chance(50) ? quo(k, all, d)
                       : add(k, mul(k, block_idx(k, 0), chance(85) ? quo(k, block_dim(k, 0), d) : uniform(k)),
                             quo(k, t, d));
    if (chance(60)) row = as(k, GW_T_I32, row), lane = as(k, GW_T_I32, lane);
    if (chance(60)) {
        V j = begin_for(k, lane, chance(90) ? n : uniform(k),
                        as(k, gw_typeof(k->b.f, lane), chance(85) ? c : d), chance(90) ? GW_OP_LT : GW_OP_LE);
        use(k, add(k, mul(k, row, n), j));
        if (chance(20)) use(k, related(k, j));
        end_for(k);
    } else {
        bool guarded = chance(40);
        if (guarded) begin_if(k, op2(k, below_or_not(), lane, n));
        use(k, chance(60) ? add(k, mul(k, row, chance(80) ? c : n), lane) : add(k, mul(k, lane, n), row));
        if (guarded) end_if(k);
    }
    if (chance(25)) use(k, chance(50) ? row : all);
}

/* Cells that one thread writes, and cells that are read beside them. */
static void written_and_read(kernel *k) {
    V at = chance(50) ? list_at(k, varying()) : chance(50) ? list_at(k, uniform(k)) : varying();
    V even = mul(k, at, num(k, 2)), odd = add(k, mul(k, list_at(k, uniform(k)), num(k, 2)), num(k, 1));
    bool read_first = chance(50), guarded = chance(60);
    if (read_first) use_y(k, chance(70) ? even : odd);
    if (guarded) begin_if(k, condition(k));
    define(k, even);
    if (chance(30)) use_y(k, chance(50) ? even : odd);
    if (guarded) end_if(k);
    if (!read_first && chance(50)) use_y(k, chance(70) ? even : odd);
}

typedef void shape(kernel *k);
static shape *const shapes[] = {digit_under_guard, digit_under_guard, digit_of_loop,     digit_of_loop,
                                digit_both_ways,   digit_both_ways,   strides_downwards, strides_downwards,
                                chosen_index,      chosen_bound,      divided_by_some,   quotient_and_rest,
                                quotient_and_rest, one_guarded,       single_threads,    wrapping_loop,
                                written_and_read,  written_and_read,  rows_of_lanes,     rows_of_lanes};

static void touch(kernel *k) {
    static const char *const one[] = {"[]", "[].a", "[].b"};
    V index = index_form(k);
    bool structs = chance(20);
    for (uint32_t i = 1 + draw(2) * draw(3); i > 0; i--) {
        if (!structs)
            use(k, index);
        else if (chance(60))
            use2(k, one[1 + draw(2)], index, 0);
        else
            use2(k, "[].v[]", index, chance(50) ? num(k, draw(4)) : op2(k, GW_OP_AND, varying(), num(k, 3)));
        index = related(k, index);
    }
}

static void write_y(kernel *k) {
    V index = chance(50) ? index_form(k) : list_at(k, varying());
    if (chance(50)) use_y(k, index);
    define(k, index);
    if (chance(20)) use_y(k, related(k, index));
}

static void statements(kernel *k, int depth) {
    uint32_t mark = pooled;
    for (uint32_t i = draw(3); i > 0; i--)
        put(chance(70) ? varying() : arithmetic(k, varying()));
    uint32_t choice = depth == 0 ? 9 : draw(10);
    if (choice < 5) {
        begin_if(k, condition(k));
        statements(k, depth - 1);
        if (chance(20)) otherwise(k), statements(k, depth - 1);
        end_if(k);
    } else if (choice < 7) {
        put(loop(k));
        statements(k, depth - 1);
        end_for(k);
    }
    if (choice >= 7 || chance(15)) {
        if (chance(55))
            shapes[draw(sizeof shapes / sizeof *shapes)](k);
        else if (chance(80))
            touch(k);
        else
            write_y(k);
    }
    pooled = mark;
}

void random_body(kernel *k) {
    draw_from(case_seed);
    pooled = 0;
    uint32_t axes = 1 + draw(2) + (draw(8) == 0);
    for (unsigned a = 0; a < axes; a++) {
        put(thread_idx(k, a));
        put(block_idx(k, a));
        put(add(k, mul(k, block_idx(k, a), block_dim(k, a)), thread_idx(k, a)));
        put(linear(k, a, "i"));
        put(linear(k, chance(85) ? a : draw(3), "i"));
    }
    if (chance(10)) put(add(k, thread_idx(k, 0), mul(k, block_idx(k, 1), block_dim(k, draw(3)))));
    if (chance(10)) put(as(k, GW_T_I64, pool[2]));
    statements(k, 3);
}
