/*
 * classes.c - random kernels by class (contract: classes.h). Each class draws its spelling, integer types,
 * constants and guards; about one kernel in eight has a bound that just does not fit, so that a class is no
 * promise about the answer: the answer is found by running every thread.
 */
#include "analysis/ir/promises.h"
#include "classes.h"
#include "random_kernel.h"

/* ---- spellings ---- */
static gw_type index_type(void) {
    static const gw_type types[] = {GW_T_I32, GW_T_I32, GW_T_I32, GW_T_U32, GW_T_I64, GW_T_U64};
    return types[draw(6)];
}
static V sum(kernel *k, V a, V b) { return chance(50) ? add(k, a, b) : add(k, b, a); }
static V product(kernel *k, V a, V b) { return chance(50) ? mul(k, a, b) : mul(k, b, a); }
static V one(kernel *k) { return num(k, 1); }

/* blockIdx.a * blockDim.a + threadIdx.a as a variable of type t */
static V id(kernel *k, unsigned axis, gw_type t) {
    V b = block_idx(k, axis);
    if (gw_type_bits(t) == 64 && chance(60)) b = as(k, t, b);
    return as(k, t, sum(k, product(k, b, block_dim(k, axis)), thread_idx(k, axis)));
}

/* a < b, spelled in one of four ways; seldom a <= b. */
static V below(kernel *k, V a, V b) {
    bool near_miss = chance(4);
    switch (draw(4)) {
    case 0:
        return op2(k, GW_OP_GT, near_miss ? add(k, b, one(k)) : b, a);
    case 1:
        return gw_unary(&k->b, GW_OP_NOT, op2(k, near_miss ? GW_OP_GT : GW_OP_GE, a, b));
    default:
        return op2(k, near_miss ? GW_OP_LE : GW_OP_LT, a, b);
    }
}

/* if (c) { ... } or if (!c) return; ... */
static void guard(kernel *k, V c) {
    if (chance(50)) {
        begin_if(k, c);
    } else {
        begin_if(k, gw_unary(&k->b, GW_OP_NOT, c));
        otherwise(k);
    }
}

static V begin_count(kernel *k, V hi) { /* for (j = 0; j < hi; j++), or downwards */
    gw_type t = gw_typeof(k->b.f, hi);
    V zero = as(k, t, num(k, 0)), step = as(k, t, one(k));
    if (gw_type_is_signed(t) && chance(20))
        return begin_for(k, sub(k, hi, step), zero, as(k, t, num(k, -1)), GW_OP_GE);
    return begin_for(k, zero, hi, step, chance(96) ? GW_OP_LT : GW_OP_LE);
}

static V begin_stride(kernel *k, V from, V hi, unsigned axis) {
    /* for (i = from; i < hi; i += gridDim * blockDim) */
    gw_type t = gw_typeof(k->b.f, from);
    return begin_for(k, from, as(k, t, hi), as(k, t, product(k, grid_dim(k, axis), block_dim(k, axis))),
                     GW_OP_LT);
}

static V positive(kernel *k, V v) { return op2(k, GW_OP_GT, v, num(k, 0)); }
static void touch_some(kernel *k, V index) {
    use(k, index);
    if (chance(30)) use(k, index);
}

/* ---- affine ---- */
static void linear_class(kernel *k) {
    V i = id(k, 0, index_type()), at;
    bool guarded = chance(80);
    if (guarded) guard(k, below(k, i, k->n));
    switch (draw(6)) {
    case 0:
        at = sum(k, i, num(k, draw(9)));
        break;
    case 1:
        at = sum(k, i, chance(50) ? k->k : k->m);
        break;
    case 2:
        at = sub(k, sub(k, k->n, one(k)), i);
        break;
    case 3:
        at = sub(k, chance(50) ? k->n : k->w, i);
        break;
    case 4:
        at = sub(k, sub(k, k->n, i), one(k));
        break;
    default:
        at = sub(k, i, num(k, draw(4)));
        break;
    }
    touch_some(k, at);
    if (guarded) end_if(k);
}

static void rows_2d(kernel *k) {
    gw_type t = index_type();
    V x = id(k, 0, t), y = id(k, 1, t), w = chance(80) ? k->w : num(k, 4 + draw(8)), pitch = w;
    if (chance(20)) pitch = add(k, w, num(k, draw(3)));
    if (chance(15)) { /* the launch's own width, no guard */
        pitch = as(k, t, product(k, grid_dim(k, 0), block_dim(k, 0)));
        touch_some(k, sum(k, product(k, y, pitch), x));
        return;
    }
    bool nested = chance(40), high = chance(85);
    guard(k, nested ? below(k, x, w) : high ? both(k, below(k, x, w), below(k, y, k->h)) : below(k, x, w));
    if (nested) guard(k, below(k, y, k->h));
    touch_some(k, sum(k, product(k, y, pitch), x));
    if (nested) end_if(k);
    end_if(k);
}

static void rows_3d(kernel *k) {
    gw_type t = index_type();
    V x = id(k, 0, t), y = id(k, 1, t), z = id(k, 2, t);
    guard(k, both(k, below(k, x, k->w),
                  chance(85) ? both(k, below(k, y, k->h), below(k, z, k->n)) : below(k, y, k->h)));
    if (chance(60))
        touch_some(k, sum(k, product(k, sum(k, product(k, z, k->h), y), k->w), x));
    else
        touch_some(k, add(k, add(k, mul(k, z, mul(k, k->w, k->h)), product(k, y, k->w)), x));
    end_if(k);
}

static void stride_1d(kernel *k) {
    gw_type t = index_type();
    V n = chance(80) ? k->n : k->m, i = begin_stride(k, id(k, 0, t), n, 0);
    V at = chance(60) ? i : chance(50) ? sum(k, i, num(k, draw(5))) : sub(k, sub(k, n, one(k)), i);
    touch_some(k, at);
    end_for(k);
}

static void stride_2d(kernel *k) {
    gw_type t = index_type();
    V y = begin_stride(k, id(k, 1, t), k->h, 1), x = begin_stride(k, id(k, 0, t), k->w, 0);
    touch_some(k, sum(k, product(k, y, chance(80) ? k->w : add(k, k->w, num(k, draw(3)))), x));
    end_for(k);
    end_for(k);
}

static void tiles_unrolled(kernel *k) { /* x[base + c*blockDim.x], c = 0, 1, ... */
    int64_t parts = 2 + draw(3);
    V d = as(k, GW_T_I32, block_dim(k, 0)), b = as(k, GW_T_I32, block_idx(k, 0)),
      t = as(k, GW_T_I32, thread_idx(k, 0));
    V base = sum(k, product(k, b, product(k, d, num(k, parts))), t);
    for (int64_t c = 0; c < parts + chance(4); c++) {
        V at = c ? sum(k, base, product(k, d, num(k, c))) : base;
        bool guarded = chance(50);
        if (guarded) guard(k, below(k, at, k->n));
        use(k, at);
        if (guarded) end_if(k);
    }
}

static void tiles(kernel *k) { /* bid*T + tid + i*bdim */
    gw_type t = index_type();
    V b = as(k, t, block_idx(k, 0)), d = as(k, t, block_dim(k, 0)), tid = as(k, t, thread_idx(k, 0));
    V size = chance(50) ? k->w : num(k, 4 << draw(4));
    switch (draw(5)) {
    case 4: { /* from the last to the first, as a reverse sweep counts */
        tid = as(k, GW_T_I64, tid), d = as(k, GW_T_I64, d);
        V runs = quo(k, sub(k, add(k, sub(k, as(k, GW_T_I64, size), tid), d), one(k)), d);
        V i = begin_for(k, sub(k, runs, one(k)), as(k, GW_T_I64, num(k, 0)), as(k, GW_T_I64, num(k, -1)),
                        GW_OP_GE);
        touch_some(k, sum(k, product(k, b, size), sum(k, tid, product(k, i, d))));
        end_for(k);
        break;
    }
    case 0: {
        V j = begin_for(k, tid, as(k, t, size), d, GW_OP_LT);
        touch_some(k, sum(k, product(k, b, size), j));
        end_for(k);
        break;
    }
    case 1: {
        V i = begin_count(k, as(k, t, k->k));
        touch_some(k, add(k, sum(k, product(k, b, product(k, d, k->k)), tid), product(k, i, d)));
        end_for(k);
        break;
    }
    case 2: {
        V i = begin_count(k, as(k, t, k->k)), j = sum(k, product(k, i, d), tid);
        guard(k, below(k, j, size));
        touch_some(k, sum(k, product(k, b, size), j));
        end_if(k);
        end_for(k);
        break;
    }
    default:
        tiles_unrolled(k);
        break;
    }
}

static void structs(kernel *k) { /* s*idx + c */
    V i = id(k, 0, index_type());
    int64_t s = 2 + draw(7);
    bool guarded = chance(70);
    if (guarded) guard(k, below(k, i, k->n));
    for (uint32_t count = 1 + draw(3); count > 0; count--) {
        int64_t c = draw((uint32_t)s) + chance(3) * s;
        use(k, sum(k, product(k, i, num(k, s)), num(k, c)));
    }
    if (guarded) end_if(k);
}

static void rows_of_k(kernel *k) { /* k*idx + i, i < k */
    gw_type t = chance(70) ? GW_T_I32 : GW_T_I64;
    V i = id(k, 0, t);
    guard(k, below(k, i, k->n));
    uint32_t shape = draw(5);
    V j = begin_count(k, as(k, t, k->k)), at;
    if (shape == 0) {
        at = sum(k, product(k, j, k->n), i);
    } else if (shape == 4) { /* both ways */
        use(k, sum(k, product(k, i, k->k), j));
        at = sub(k, sum(k, product(k, i, k->k), sub(k, k->k, one(k))), j);
    } else if (shape == 1) {
        V l = begin_count(k, as(k, t, k->w));
        touch_some(k, sum(k, product(k, sum(k, product(k, i, k->k), j), k->w), l));
        end_for(k);
        at = 0;
    } else {
        at = sum(k, product(k, i, k->k), j);
    }
    if (at) touch_some(k, at);
    end_for(k);
    end_if(k);
}

/* ---- not affine ---- */
static void split_by(kernel *k, V i, V w, V *q, V *r) {
    *q = quo(k, i, w);
    *r = chance(70) ? rem_(k, i, w) : sub(k, i, mul(k, *q, w));
}

static void split_bits(kernel *k) { /* (i & mask) and i >> s, put together or transposed */
    V i = id(k, 0, chance(50) ? GW_T_I32 : GW_T_U32);
    int64_t s = 1 + draw(4), width = (int64_t)1 << s;
    V hi = op2(k, GW_OP_SHR, i, num(k, s)), lo = op2(k, GW_OP_AND, i, num(k, width - 1));
    if (chance(50)) {
        touch_some(k, sum(k, product(k, hi, num(k, width)), lo));
        return;
    }
    guard(k, below(k, i, product(k, k->h, num(k, width))));
    touch_some(k, sum(k, product(k, lo, k->h), hi));
    end_if(k);
}

static void split_3d(kernel *k) {
    gw_type t = chance(70) ? GW_T_I32 : GW_T_I64;
    V i = id(k, 0, t), w = chance(60) ? k->w : num(k, 2 + draw(3)), h = chance(60) ? k->h : num(k, 2 + draw(3)),
      q, x, y, z;
    V within = below(k, i, mul(k, mul(k, w, h), k->k));
    guard(k, chance(50) ? both(k, both(k, positive(k, w), positive(k, h)), within) : within);
    split_by(k, i, w, &q, &x);
    if (chance(50))
        split_by(k, q, h, &z, &y);
    else
        y = rem_(k, q, h), z = quo(k, i, mul(k, w, h));
    switch (draw(3)) {
    case 0:
        touch_some(k, sum(k, product(k, sum(k, product(k, z, h), y), w), x));
        break;
    case 1:
        touch_some(k, sum(k, product(k, sum(k, product(k, x, h), y), k->k), z));
        break;
    default:
        touch_some(k, sum(k, product(k, sum(k, product(k, z, w), x), h), y));
        break;
    }
    end_if(k);
}

static void split_class(kernel *k) {
    uint32_t shape = draw(4);
    if (shape == 0) {
        split_bits(k);
        return;
    }
    if (shape == 1) {
        split_3d(k);
        return;
    }
    V i = id(k, 0, index_type()), w = chance(60) ? k->w : num(k, 2 + draw(15)), q, r;
    V within = below(k, i, product(k, w, k->h));
    guard(k, chance(50) ? both(k, positive(k, w), within) : within);
    split_by(k, i, w, &q, &r);
    touch_some(k, shape == 2 ? sum(k, product(k, q, w), r) : sum(k, product(k, r, k->h), q));
    end_if(k);
}

static void mirrored_class(kernel *k) { /* idx ^ c */
    V i = id(k, 0, chance(60) ? GW_T_I32 : GW_T_U32),
      c = chance(60)   ? num(k, 1 + draw(31))
          : chance(50) ? k->k
                       : k->m,
      at;
    bool guarded = chance(60);
    if (guarded) guard(k, below(k, i, k->n));
    switch (draw(4)) {
    case 0: /* within a tile of 64 */
        if (guarded) end_if(k);
        guarded = true;
        i = thread_idx(k, 0);
        guard(k, lt(k, i, num(k, 64)));
        at = sum(k, product(k, block_idx(k, 0), num(k, 64)), op2(k, GW_OP_XOR, i, num(k, 1 + draw(31))));
        break;
    case 1:
        c = num(k, 1 + draw(31)); /* of an unknown one the double may wrap around */
        at = sum(k, product(k, op2(k, GW_OP_XOR, i, c), num(k, 2)), num(k, draw(2)));
        break;
    default:
        at = op2(k, GW_OP_XOR, i, c);
        break;
    }
    touch_some(k, at);
    if (guarded) end_if(k);
}

static void upper_half(kernel *k, V i) {
    V half = chance(60) ? quo(k, k->n, num(k, 2)) : op2(k, GW_OP_SHR, k->n, one(k));
    guard(k, below(k, i, half));
    use(k, i);
    use(k, chance(60)   ? sum(k, i, half)
           : chance(50) ? sub(k, sub(k, k->n, one(k)), i)
                        : sum(k, i, sub(k, k->n, half)));
    end_if(k);
}

static void odd_half(kernel *k, V i) { /* half rounded up; the last one has no partner */
    V half = quo(k, add(k, k->n, one(k)), num(k, 2));
    guard(k, below(k, i, half));
    use(k, i);
    guard(k, below(k, sum(k, i, half), k->n));
    use(k, sum(k, i, half));
    end_if(k);
    end_if(k);
}

static void branches(kernel *k, V i) { /* one half here, the other there */
    V shift = num(k, draw(8));
    begin_if(k, below(k, i, chance(50) ? k->w : num(k, 1 + draw(20))));
    use(k, i);
    otherwise(k);
    use(k, sum(k, i, shift));
    end_if(k);
}

static void even_threads(kernel *k, V i) {
    V low = chance(50) ? rem_(k, i, num(k, 2)) : op2(k, GW_OP_AND, i, one(k));
    guard(k, op2(k, GW_OP_EQ, low, num(k, 0)));
    use(k, i);
    use(k, sum(k, i, one(k)));
    end_if(k);
}

static void butterfly(kernel *k, V i) { /* the lower one of a pair does both */
    V partner = op2(k, GW_OP_XOR, i, num(k, (int64_t)1 << draw(4)));
    guard(k, chance(90) ? op2(k, GW_OP_GT, partner, i) : op2(k, GW_OP_GE, partner, i));
    use(k, i);
    use(k, partner);
    end_if(k);
}

static void halves(kernel *k) {
    static void (*const shapes[])(kernel * k, V i) = {upper_half, upper_half,   odd_half,
                                                      branches,   even_threads, butterfly};
    shapes[draw(6)](k, id(k, 0, chance(70) ? GW_T_I32 : GW_T_I64));
}

static void through_stated_list(kernel *k) { /* GW_INJECTIVE(list) */
    V i = id(k, 0, index_type());
    promise(k, GW_PROMISE_INJECTIVE);
    guard(k, below(k, i, k->n));
    V at = list_at(k, chance(70) ? i : sum(k, i, num(k, 1 + draw(3))));
    if (chance(40)) at = sum(k, product(k, at, num(k, 1 + draw(4))), num(k, draw(4)));
    if (chance(20)) at = sum(k, product(k, at, k->k), num(k, 0));
    touch_some(k, at);
    if (chance(5)) use(k, sum(k, at, one(k)));
    end_if(k);
}

static void sorted_rows(kernel *k) {
    /* for (j = list[i]; j < list[i + 1]; j++), a row for each thread or each block */
    bool blocks = chance(40);
    promise(k, GW_PROMISE_SORTED);
    V t = as(k, GW_T_I32, thread_idx(k, 0)), i = blocks ? as(k, GW_T_I32, block_idx(k, 0)) : id(k, 0, GW_T_I32);
    V from = list_at(k, i), to = list_at(k, sum(k, i, num(k, chance(90) ? 1 : draw(3))));
    if (blocks && chance(90)) from = sum(k, from, t);
    V j = begin_for(k, from, to, blocks ? as(k, GW_T_I32, block_dim(k, 0)) : one(k),
                    chance(95) ? GW_OP_LT : GW_OP_LE);
    touch_some(k, chance(80) ? j : sum(k, product(k, j, num(k, 2)), num(k, draw(2))));
    end_for(k);
}

static void through_list(kernel *k) { /* e[list[i]] is written plainly, x[list[i]] is read */
    if (chance(50)) {
        through_stated_list(k);
        return;
    }
    V i = id(k, 0, index_type());
    bool strided = chance(30), guarded = chance(70);
    if (strided) i = begin_stride(k, i, k->n, 0);
    if (!strided && guarded) guard(k, below(k, i, k->n));
    V at = list_at(k, i), cell = at;
    if (chance(30)) cell = sum(k, product(k, at, num(k, 2)), num(k, draw(2)));
    if (chance(40)) use_y(k, at);
    touch_some(k, cell);
    define(k, at);
    if (!strided && guarded) end_if(k);
    if (strided) end_for(k);
}

/* ---- one of two, by a condition ---- */
static V pick(kernel *k, V c, V yes, V no) {
    if (chance(60)) return choose(k, c, yes, no);
    begin_choice(k, c);
    other_choice(k, add(k, yes, num(k, 0)));
    return end_choice(k, add(k, no, num(k, 0)));
}

static void chosen_class(kernel *k) {
    V i = id(k, 0, chance(70) ? GW_T_I32 : GW_T_I64), at, list = list_at(k, as(k, GW_T_I32, thread_idx(k, 0)));
    V start = quo(k, k->n, num(k, 2)), turned, j;
    guard(k, below(k, i, k->n));
    switch (draw(5)) {
    case 0: /* the left or the right one of its own two */
        at = pick(k, lt(k, list, num(k, 9)), mul(k, i, num(k, 2)),
                  add(k, mul(k, i, num(k, 2)), num(k, chance(95))));
        break;
    case 1: /* rotated */
        turned = sum(k, i, start);
        at = pick(k, op2(k, chance(97) ? GW_OP_LT : GW_OP_LE, turned, k->n), turned, sub(k, turned, k->n));
        break;
    case 2: /* periodic neighbour */
        at = pick(k, op2(k, GW_OP_EQ, i, num(k, 0)), as(k, gw_typeof(k->b.f, i), sub(k, k->n, one(k))),
                  sub(k, i, one(k)));
        break;
    case 3: /* one layout or the other */
        j = begin_count(k, as(k, gw_typeof(k->b.f, i), k->k));
        touch_some(
            k, pick(k, lt(k, k->m, num(k, 6)), sum(k, product(k, i, k->k), j), sum(k, product(k, j, k->n), i)));
        end_for(k);
        at = 0;
        break;
    default: /* its own part, the last one shorter */
        start = product(k, i, k->k), turned = sum(k, start, k->k);
        j = begin_for(k, start, pick(k, below(k, turned, k->n), turned, as(k, gw_typeof(k->b.f, i), k->n)),
                      as(k, gw_typeof(k->b.f, i), one(k)), GW_OP_LT);
        touch_some(k, j);
        end_for(k);
        at = 0;
        break;
    }
    if (at) touch_some(k, at);
    end_if(k);
}

/* ---- those that must never be called owned ---- */
static void clamped(kernel *k) {
    V i = id(k, 0, chance(70) ? GW_T_I32 : GW_T_I64), last = as(k, gw_typeof(k->b.f, i), num(k, draw(3))),
      back = sub(k, as(k, gw_typeof(k->b.f, i), num(k, 3)), i);
    use(k, pick(k, lt(k, i, last), i,
                chance(60)   ? last
                : chance(50) ? quo(k, i, num(k, 2))
                             : op2(k, GW_OP_IMAX, back, num(k, 0))));
}

static void stencil(kernel *k) {
    V i = id(k, 0, index_type());
    int64_t reach = 1 + draw(3);
    guard(k, below(k, i, k->n));
    use(k, i);
    use(k, sum(k, i, chance(70) ? num(k, reach) : k->k));
    if (chance(50)) use(k, sub(k, i, num(k, reach)));
    end_if(k);
}
static void halved(kernel *k) {
    V i = id(k, 0, index_type()),
      at = chance(60) ? quo(k, i, num(k, 2 + draw(3))) : op2(k, GW_OP_SHR, i, num(k, 1 + draw(2)));
    use(k, chance(50) ? at : sum(k, at, num(k, draw(4))));
}
static void wrapped(kernel *k) {
    V i = id(k, 0, index_type());
    guard(k, positive(k, k->w));
    use(k, chance(60) ? rem_(k, i, chance(50) ? k->w : num(k, 2 + draw(6)))
                      : op2(k, GW_OP_AND, i, num(k, (1 << (1 + draw(3))) - 1)));
    end_if(k);
}
static void squared(kernel *k) {
    V i = mul(k, as(k, GW_T_U32, id(k, 0, GW_T_U32)), num(k, (int64_t)1 << (13 + draw(3))));
    use(k, chance(50) ? mul(k, i, i) : add(k, mul(k, i, i), num(k, draw(5))));
}
static void narrowed(kernel *k) {
    static const gw_type narrow[] = {GW_T_U8, GW_T_I8, GW_T_U16, GW_T_I16};
    uint32_t which = draw(4);
    V i = id(k, 0, chance(50) ? GW_T_I32 : GW_T_U32);
    use(k, as(k, narrow[which], product(k, i, num(k, (int64_t)1 << (draw(3) + (which < 2 ? 4 : 12))))));
}
static void missing_axis(kernel *k) {
    gw_type t = index_type();
    unsigned axis = draw(2);
    V x = id(k, axis, t), other = id(k, 1 - axis, t);
    guard(k, chance(50) ? both(k, below(k, x, k->w), below(k, other, k->h)) : below(k, other, k->h));
    use(k, chance(60) ? x : chance(50) ? sum(k, x, mul(k, block_idx(k, 1 - axis), k->w)) : sum(k, x, other));
    end_if(k);
}
static void only_across(kernel *k) {
    V i = id(k, 0, index_type());
    switch (draw(4)) {
    case 0:
        use(k, product(k, i, num(k, 2)));
        use(k, sum(k, i, num(k, 1 + draw(3))));
        break;
    case 1:
        use(k, i);
        use(k, sub(k, sub(k, as(k, GW_T_I32, mul(k, grid_dim(k, 0), block_dim(k, 0))), one(k)),
                   as(k, GW_T_I32, i)));
        break;
    case 2:
        use(k, i);
        use(k, op2(k, GW_OP_XOR, i, one(k)));
        break;
    default:
        begin_if(k, op2(k, GW_OP_EQ, i, num(k, 0)));
        use(k, num(k, 1));
        otherwise(k);
        use(k, i);
        end_if(k);
        break;
    }
}

const ownership_class ownership_classes[] = {
    {"linear 1-D, offset and reversed", linear_class, CLASS_AFFINE, 1},
    {"row-major 2-D", rows_2d, CLASS_AFFINE, 2},
    {"row-major 3-D", rows_3d, CLASS_AFFINE, 3},
    {"grid-stride 1-D", stride_1d, CLASS_AFFINE, 1},
    {"grid-stride 2-D", stride_2d, CLASS_AFFINE, 2},
    {"tiles bid*T + tid + i*bdim", tiles, CLASS_AFFINE, 1},
    {"array of structs s*idx + c", structs, CLASS_AFFINE, 1},
    {"k*idx + i, symbolic k", rows_of_k, CLASS_AFFINE, 1},
    {"split by / and %, transposed too", split_class, CLASS_OTHER, 1},
    {"idx ^ c", mirrored_class, CLASS_OTHER, 1},
    {"guarded halves", halves, CLASS_OTHER, 1},
    {"through an injective list", through_list, CLASS_OTHER, 1},
    {"rows of a sorted list", sorted_rows, CLASS_BESIDE, 1},
    {"one of two, by a condition", chosen_class, CLASS_BESIDE, 1},
    {"stencils", stencil, CLASS_NEVER, 1},
    {"clamped", clamped, CLASS_NEVER, 1},
    {"i / 2", halved, CLASS_NEVER, 1},
    {"i % n", wrapped, CLASS_NEVER, 1},
    {"i*i with wrap-around", squared, CLASS_NEVER, 1},
    {"narrowed types", narrowed, CLASS_NEVER, 1},
    {"missing grid dimensions", missing_axis, CLASS_NEVER, 2},
    {"meet only across threads", only_across, CLASS_NEVER, 1},
};
const size_t ownership_class_count = sizeof ownership_classes / sizeof *ownership_classes;
