/*
 * cases.c - kernels with known answers: those whose updates must stay atomic first.
 */
#include "cases.h"

#include "analysis/ir/promises.h"

/* ---- kernels whose updates threads share ---- */
void case_stencil(kernel *k) {
    V i = linear(k, 0, "i");
    use(k, i), use(k, add(k, i, num(k, 1))), use(k, add(k, i, num(k, 2)));
}
static void block_of_y(kernel *k) {
    use(k, add(k, thread_idx(k, 0), mul(k, block_idx(k, 1), block_dim(k, 0))));
}
static void only_z(kernel *k) { use(k, linear(k, 2, "i")); }
static void times_zero(kernel *k) {
    V i = linear(k, 0, "i"), z = sub(k, i, i);
    use(k, z);
}
static void narrow(kernel *k) { use(k, as(k, GW_T_U8, linear(k, 0, "i"))); }
static void narrow_signed(kernel *k) { use(k, as(k, GW_T_I16, linear(k, 0, "i"))); }
static void even_and_next(kernel *k) {
    V i = linear(k, 0, "i");
    use(k, mul(k, num(k, 2), i)), use(k, add(k, num(k, 1), i));
}
static void wrong_stride(kernel *k) {
    use(k, add(k, thread_idx(k, 0), mul(k, block_idx(k, 1), block_dim(k, 2))));
}
static void half(kernel *k) { use(k, quo(k, linear(k, 0, "i"), num(k, 2))); }
static void modulo(kernel *k) { use(k, rem_(k, linear(k, 0, "i"), k->n)); }
static void block_only(kernel *k) { use(k, block_idx(k, 0)); }
static void thread_only(kernel *k) { use(k, thread_idx(k, 0)); }
static void row_sum(kernel *k) { /* the kernel is 2-D, the index is not */
    begin_if(k, lt(k, linear(k, 1, "row"), k->h));
    use(k, linear(k, 0, "i"));
    end_if(k);
}
static void both_ends(kernel *k) {
    V i = linear(k, 0, "i");
    use(k, i), use(k, sub(k, sub(k, k->n, num(k, 1)), i));
}
static void row_major(kernel *k, V guard(kernel *, V, V)) {
    V x = linear(k, 0, "x"), y = linear(k, 1, "y");
    begin_if(k, guard(k, x, y));
    use(k, add(k, mul(k, y, k->w), x));
    end_if(k);
}
static V below_height(kernel *k, V x, V y) { return (void)x, lt(k, y, k->h); }
static V at_most_width(kernel *k, V x, V y) { return (void)y, op2(k, GW_OP_LE, x, k->w); }
static V below_both(kernel *k, V x, V y) { return both(k, lt(k, x, k->w), lt(k, y, k->h)); }
static void rows_unbounded(kernel *k) { row_major(k, below_height); }
static void rows_overlap(kernel *k) { row_major(k, at_most_width); }
void case_rows(kernel *k) { row_major(k, below_both); }
static void tile(kernel *k, gw_opcode compare) {
    V i = linear(k, 0, "i");
    V j = begin_for(k, num(k, 0), k->k, num(k, 1), compare);
    use(k, add(k, mul(k, i, k->k), j));
    end_for(k);
}
static void tile_too_long(kernel *k) { tile(k, GW_OP_LE); }
static void tiles(kernel *k) { tile(k, GW_OP_LT); }
static void tile_other_bound(kernel *k) {
    V i = linear(k, 0, "i");
    V j = begin_for(k, num(k, 0), k->n, num(k, 1), GW_OP_LT);
    use(k, add(k, mul(k, i, k->k), j));
    end_for(k);
}
static void window(kernel *k) {
    V i = linear(k, 0, "i");
    V j = begin_for(k, num(k, 0), k->k, num(k, 1), GW_OP_LT);
    use(k, add(k, i, j));
    end_for(k);
}
static void stride_loop(kernel *k, V stride) {
    V i = begin_for(k, linear(k, 0, "i"), k->n, as(k, GW_T_I32, stride), GW_OP_LT);
    use(k, i);
    end_for(k);
}
static void block_stride(kernel *k) { stride_loop(k, block_dim(k, 0)); }
void case_grid_stride(kernel *k) { stride_loop(k, mul(k, grid_dim(k, 0), block_dim(k, 0))); }
static void shared_table(kernel *k) { /* for (j = 1; j < n; j++) x[2*j + w] */
    V j = begin_for(k, num(k, 1), k->n, num(k, 1), GW_OP_LT);
    use(k, add(k, mul(k, num(k, 2), j), k->w));
    end_for(k);
}
static void indirect(kernel *k) { use(k, list_at(k, linear(k, 0, "i"))); }
void case_scalar(kernel *k) { use_scalar(k); }
static void wraps(kernel *k) {
    use(k, mul(k, as(k, GW_T_U32, linear(k, 0, "i")), as(k, GW_T_U32, num(k, 1 << 30))));
}
static void branches_apart(kernel *k) {
    V i = linear(k, 0, "i");
    begin_if(k, lt(k, i, k->n));
    use(k, i);
    otherwise(k);
    use(k, sub(k, i, num(k, 1)));
    end_if(k);
}
static void low_bits(kernel *k) { use(k, op2(k, GW_OP_AND, linear(k, 0, "i"), num(k, 31))); }
static void clamped(kernel *k) { use(k, op2(k, GW_OP_IMIN, linear(k, 0, "i"), sub(k, k->n, num(k, 1)))); }
static void mirrored(kernel *k) { use(k, op2(k, GW_OP_XOR, linear(k, 0, "i"), num(k, 1))); }
static void columns_unbounded(kernel *k) {
    V x = linear(k, 0, "x"), y = linear(k, 1, "y");
    begin_if(k, lt(k, x, k->w));
    use(k, add(k, mul(k, x, k->h), y));
    end_if(k);
}
static void first_of_block(kernel *k) {
    begin_if(k, op2(k, GW_OP_EQ, thread_idx(k, 0), as(k, GW_T_U32, num(k, 0))));
    use(k, num(k, 0));
    end_if(k);
}
static void decode_wrong(kernel *k) { /* (i / w) * h + i % w */
    V i = linear(k, 0, "i");
    use(k, add(k, mul(k, quo(k, i, k->w), k->h), rem_(k, i, k->w)));
}
static void square_of_field(kernel *k) { use2(k, "[].v[]", num(k, 0), rem_(k, linear(k, 0, "i"), num(k, 4))); }
static void negative_loop(kernel *k) { /* for (j = k; j > -k; j--) x[k*i + j] */
    V i = linear(k, 0, "i");
    V j = begin_for(k, k->k, sub(k, num(k, 0), k->k), num(k, -1), GW_OP_GT);
    use(k, add(k, mul(k, i, k->k), j));
    end_for(k);
}

/* Proved for x only: what y's index would need is not assumed. */
void case_one_of_two(kernel *k) {
    use(k, add(k, mul(k, block_idx(k, 0), block_dim(k, 0)), thread_idx(k, 0)));
    V i = linear(k, 0, "i");
    use_y(k, i), use_y(k, add(k, i, num(k, 1)));
}

/* ---- kernels whose cells have one thread each ---- */
void case_map(kernel *k) { use(k, linear(k, 0, "i")); }
static void guarded(kernel *k) {
    V i = linear(k, 0, "i");
    begin_if(k, lt(k, i, k->n));
    use(k, i);
    end_if(k);
}
static void early_return(kernel *k) {
    V i = linear(k, 0, "i");
    begin_if(k, op2(k, GW_OP_GE, i, k->n));
    otherwise(k);
    use(k, add(k, i, k->m));
    end_if(k);
}
static void reversed(kernel *k) {
    V i = linear(k, 0, "i");
    begin_if(k, lt(k, i, k->n));
    use(k, sub(k, sub(k, k->n, i), num(k, 1)));
    end_if(k);
}
static void pairs(kernel *k) {
    V i = linear(k, 0, "i");
    use(k, mul(k, num(k, 2), i)), use(k, add(k, mul(k, i, num(k, 2)), num(k, 1)));
}
static void far_pairs(kernel *k) { /* 2i and 2i + 3: one even, one odd */
    V i = linear(k, 0, "i");
    use(k, mul(k, num(k, 2), i)), use(k, add(k, mul(k, i, num(k, 2)), num(k, 3)));
}
static void fields(kernel *k) {
    V i = linear(k, 0, "i");
    use2(k, "[].a", i, 0), use2(k, "[].b", add(k, i, num(k, 1)), 0), use2(k, "[].v[]", i, k->w);
}
static void launch_rows(kernel *k) {
    V x = linear(k, 0, "x"), y = linear(k, 1, "y");
    use(k, add(k, mul(k, y, as(k, GW_T_I32, mul(k, grid_dim(k, 0), block_dim(k, 0)))), x));
}
static void volume(kernel *k) {
    V x = linear(k, 0, "x"), y = linear(k, 1, "y"), z = linear(k, 2, "z");
    begin_if(k, both(k, both(k, lt(k, x, k->w), lt(k, y, k->h)), lt(k, z, k->n)));
    use(k, add(k, mul(k, add(k, mul(k, z, k->h), y), k->w), x));
    end_if(k);
}
static void padded_rows(kernel *k) {
    V x = linear(k, 0, "x"), y = linear(k, 1, "y");
    begin_if(k, op2(k, GW_OP_LE, x, k->w));
    use(k, add(k, mul(k, y, add(k, k->w, num(k, 1))), x));
    end_if(k);
}
static void columns(kernel *k) {
    V x = linear(k, 0, "x"), y = linear(k, 1, "y");
    begin_if(k, below_both(k, x, y));
    use(k, add(k, mul(k, x, k->h), y));
    end_if(k);
}
void case_long_index(kernel *k) {
    V b = as(k, GW_T_I64, block_idx(k, 0));
    use(k, add(k, mul(k, b, block_dim(k, 0)), thread_idx(k, 0)));
}
static void size_index(kernel *k) {
    V b = as(k, GW_T_U64, block_idx(k, 0));
    use(k, add(k, mul(k, b, block_dim(k, 0)), thread_idx(k, 0)));
}
static void squared(kernel *k) {
    V i = linear(k, 0, "i");
    use(k, i), use(k, i);
}
static void branches(kernel *k) {
    V i = linear(k, 0, "i");
    begin_if(k, lt(k, i, k->n));
    use(k, i);
    otherwise(k);
    use(k, i);
    end_if(k);
}
static void decode(kernel *k) {
    V i = linear(k, 0, "i"), x = rem_(k, i, k->w), y = quo(k, i, k->w);
    begin_if(k, lt(k, num(k, 0), k->w));
    use(k, add(k, mul(k, y, k->w), x));
    end_if(k);
}
static void transposed(kernel *k) {
    V i = linear(k, 0, "i"), x = rem_(k, i, k->w), y = quo(k, i, k->w);
    begin_if(k, both(k, lt(k, num(k, 0), k->w), lt(k, i, mul(k, k->w, k->h))));
    use(k, add(k, mul(k, x, k->h), y));
    end_if(k);
}
static void decode_volume(kernel *k) {
    V i = linear(k, 0, "i"), x = rem_(k, i, k->w), q = quo(k, i, k->w), y = rem_(k, q, k->h),
      z = quo(k, q, k->h);
    begin_if(k, both(k, lt(k, num(k, 0), k->w), lt(k, num(k, 0), k->h)));
    use(k, add(k, mul(k, add(k, mul(k, z, k->h), y), k->w), x));
    end_if(k);
}
static void lanes(kernel *k) { /* (i >> 5) * 32 + (i & 31) */
    V i = linear(k, 0, "i");
    V warp = op2(k, GW_OP_SHR, i, num(k, 5)), lane = op2(k, GW_OP_AND, i, num(k, 31));
    use(k, add(k, mul(k, warp, num(k, 32)), lane));
}
static void first_thread(kernel *k) {
    begin_if(k, op2(k, GW_OP_EQ, linear(k, 0, "i"), num(k, 0)));
    use(k, num(k, 0)), use_scalar(k);
    end_if(k);
}
static void inner_array(kernel *k) {
    V i = linear(k, 0, "i");
    V j = begin_for(k, num(k, 0), num(k, 4), num(k, 1), GW_OP_LT);
    use2(k, "[].v[]", i, j);
    end_for(k);
}
static void strided_by_n(kernel *k) { /* structure of arrays: x[i + j*n], i < n */
    V i = linear(k, 0, "i");
    begin_if(k, lt(k, i, k->n));
    V j = begin_for(k, num(k, 0), k->k, num(k, 1), GW_OP_LT);
    use(k, add(k, i, mul(k, j, k->n)));
    end_for(k);
    use(k, add(k, i, mul(k, num(k, 7), k->n)));
    end_if(k);
}
static void
backward(kernel *k) { /* a grid-stride loop run from its last iteration, as the adjoint pass writes it */
    V i = linear(k, 0, "i"), step = as(k, GW_T_I32, mul(k, grid_dim(k, 0), block_dim(k, 0)));
    V from = as(k, GW_T_I64, i), by = as(k, GW_T_I64, step);
    V trips = quo(k, sub(k, add(k, as(k, GW_T_I64, k->n), by), add(k, from, as(k, GW_T_I64, num(k, 1)))), by);
    V t = begin_for(k, sub(k, trips, as(k, GW_T_I64, num(k, 1))), as(k, GW_T_I64, num(k, 0)),
                    as(k, GW_T_I64, num(k, -1)), GW_OP_GE);
    use(k, add(k, i, mul(k, as(k, GW_T_I32, t), step)));
    end_for(k);
}
static void backward_counter(kernel *k) { /* for (j = k - 1; j >= 0; j--) x[k*i + j] */
    V i = linear(k, 0, "i");
    V j = begin_for(k, sub(k, k->k, num(k, 1)), num(k, 0), num(k, -1), GW_OP_GE);
    use(k, add(k, mul(k, i, k->k), j));
    end_for(k);
}
static void tensor_rows(kernel *k) { /* block per row, threads over columns in steps */
    V c = begin_for(k, as(k, GW_T_I32, thread_idx(k, 0)), k->w, as(k, GW_T_I32, block_dim(k, 0)), GW_OP_LT);
    use(k, add(k, mul(k, as(k, GW_T_I32, block_idx(k, 0)), k->w), c));
    end_for(k);
}
void case_unsigned_rows(kernel *k) { /* unsigned x, y, w; int would be undefined, unsigned would wrap */
    V x = add(k, mul(k, block_idx(k, 0), block_dim(k, 0)), thread_idx(k, 0));
    V y = add(k, mul(k, block_idx(k, 1), block_dim(k, 1)), thread_idx(k, 1));
    begin_if(k, both(k, lt(k, x, k->m), lt(k, y, k->h)));
    use(k, add(k, mul(k, y, k->m), x));
    end_if(k);
}

/* ---- with race-freedom of the primal ---- */
void case_write_indirect(kernel *k) { define(k, list_at(k, linear(k, 0, "i"))); }
void case_update_indirect(kernel *k) { /* y[list[i]] = f(y[list[i]]) */
    V at = list_at(k, linear(k, 0, "i"));
    use_y(k, at), define(k, at);
}
static void read_more_than_written(kernel *k) { /* the write does not run where the read does */
    V i = linear(k, 0, "i"), at = list_at(k, i);
    use_y(k, at);
    begin_if(k, lt(k, i, k->n));
    define(k, at);
    end_if(k);
}
static void read_under_write(kernel *k) {
    V i = linear(k, 0, "i"), at = list_at(k, i);
    begin_if(k, lt(k, i, k->n));
    use_y(k, at);
    end_if(k);
    define(k, at);
}

/* ---- shared by a block's threads, or a warp's, only ---- */
static V in_block(kernel *k, int64_t pitch, V thread) {
    return add(k, mul(k, block_idx(k, 0), num(k, pitch)), thread);
}
static V warp_of(kernel *k, V thread) { return quo(k, thread, num(k, 32)); }
static V thread_of_plane(kernel *k) {
    return add(k, mul(k, thread_idx(k, 1), block_dim(k, 0)), thread_idx(k, 0));
}
static void warp_of_any_block(kernel *k) { use(k, warp_of(k, thread_idx(k, 0))); }
static void warps_of_neighbours(kernel *k) { use(k, in_block(k, 16, warp_of(k, thread_idx(k, 0)))); }
static void thirty_two_threads(kernel *k) { use(k, warp_of(k, linear(k, 0, "i"))); }
static void two_warps(kernel *k) { use(k, in_block(k, 32, quo(k, thread_idx(k, 0), num(k, 64)))); }
static void warp_and_all(kernel *k) {
    use(k, in_block(k, 32, warp_of(k, thread_idx(k, 0)))), use(k, block_idx(k, 0));
}
static void one_row_of_warps(kernel *k) { /* threads of other rows are in other warps */
    begin_if(k, lt(k, thread_idx(k, 1), k->m));
    use(k, in_block(k, 32, warp_of(k, thread_idx(k, 0))));
    end_if(k);
}
static void warp_cell(kernel *k) { use(k, in_block(k, 32, warp_of(k, thread_idx(k, 0)))); }
static void warp_of_plane(kernel *k) {
    use(k, add(k, mul(k, as(k, GW_T_I64, block_idx(k, 0)), num(k, 32768)), warp_of(k, thread_of_plane(k))));
}
static void block_table(kernel *k) {
    use(k, in_block(k, 64, op2(k, GW_OP_AND, list_at(k, thread_idx(k, 0)), num(k, 63))));
}
static void block_table_too_wide(kernel *k) {
    use(k, in_block(k, 64, op2(k, GW_OP_AND, list_at(k, thread_idx(k, 0)), num(k, 127))));
}

/* ---- with what the user states of a list ---- */
static void injective_neighbours(kernel *k) { /* an entry, and the next one, which another thread takes too */
    V i = linear(k, 0, "i");
    promise(k, GW_PROMISE_INJECTIVE);
    use(k, list_at(k, i)), use(k, list_at(k, add(k, i, num(k, 1))));
}
static void injective_of_halves(kernel *k) {
    promise(k, GW_PROMISE_INJECTIVE);
    use(k, list_at(k, quo(k, linear(k, 0, "i"), num(k, 2))));
}
static void sorted_is_not_injective(kernel *k) {
    promise(k, GW_PROMISE_SORTED);
    use(k, list_at(k, linear(k, 0, "i")));
}
static void rows_of(kernel *k, gw_opcode compare, int64_t width) {
    /* for (j = list[i]; j < list[i + width]; j++) x[j] */
    V i = linear(k, 0, "i");
    V j = begin_for(k, list_at(k, i), list_at(k, add(k, i, num(k, width))), num(k, 1), compare);
    use(k, j);
    end_for(k);
}
static void rows_unsorted(kernel *k) { rows_of(k, GW_OP_LT, 1); }
static void rows_too_long(kernel *k) { promise(k, GW_PROMISE_SORTED), rows_of(k, GW_OP_LE, 1); }
static void rows_of_two(kernel *k) { promise(k, GW_PROMISE_SORTED), rows_of(k, GW_OP_LT, 2); }
static void rows_and_next(kernel *k) { /* the last cell's neighbour is in the next row */
    promise(k, GW_PROMISE_SORTED);
    V i = linear(k, 0, "i");
    V j = begin_for(k, list_at(k, i), list_at(k, add(k, i, num(k, 1))), num(k, 1), GW_OP_LT);
    use(k, j), use(k, add(k, j, num(k, 1)));
    end_for(k);
}
static void rows_by_blocks_of_any_thread(kernel *k) { /* all threads of the block run over its row */
    promise(k, GW_PROMISE_SORTED);
    V b = as(k, GW_T_I32, block_idx(k, 0));
    V j = begin_for(k, list_at(k, b), list_at(k, add(k, b, num(k, 1))), num(k, 1), GW_OP_LT);
    use(k, j);
    end_for(k);
}
static void injective(kernel *k) {
    promise(k, GW_PROMISE_INJECTIVE);
    use(k, add(k, mul(k, list_at(k, linear(k, 0, "i")), num(k, 3)), num(k, 1)));
}
static void sorted_rows(kernel *k) { promise(k, GW_PROMISE_SORTED), rows_of(k, GW_OP_LT, 1); }
static void sorted_rows_of_blocks(kernel *k) { /* the block's threads share its row in steps */
    promise(k, GW_PROMISE_SORTED);
    V b = as(k, GW_T_I32, block_idx(k, 0)), t = as(k, GW_T_I32, thread_idx(k, 0));
    V j = begin_for(k, add(k, list_at(k, b), t), list_at(k, add(k, b, num(k, 1))),
                    as(k, GW_T_I32, block_dim(k, 0)), GW_OP_LT);
    use(k, j);
    end_for(k);
}

const ownership_case ownership_cases[] = {
    {"injective, and the next", injective_neighbours, "aa", "two threads can meet here"},
    {"injective, of halves", injective_of_halves, "a", "not proved that two threads never meet"},
    {"sorted is not injective", sorted_is_not_injective, "a", "is read from memory and may repeat"},
    {"rows of an unsorted list", rows_unsorted, "a", "is read from memory and may repeat"},
    {"rows, and the first cell of the next", rows_too_long, "a", "is read from memory and may repeat"},
    {"two rows", rows_of_two, "a", "is read from memory and may repeat"},
    {"rows and their neighbours", rows_and_next, "aa", "is read from memory and may repeat"},
    {"all threads of a block over its row", rows_by_blocks_of_any_thread, "b",
     "threads that differ only in threadIdx.x may meet, the index does not depend on it"},
    {"injective", injective, "p", "one thread per cell"},
    {"sorted rows", sorted_rows, "p", "one thread per cell"},
    {"sorted rows of blocks", sorted_rows_of_blocks, "p", "one thread per cell"},
    {"stencil", case_stencil, "aaa", "neighbouring threads meet here: x[i + 2] at line 12 and x[i] at line 10"},
    {"block of y", block_of_y, "a", "threads that differ only in blockIdx.x"},
    {"only z", only_z, "a", "threads that differ only in threadIdx.x, blockIdx.x"},
    {"times zero", times_zero, "a", "all threads add into one cell"},
    {"narrow", narrow, "a", "(unsigned char)i may wrap around"},
    {"narrow signed", narrow_signed, "a", "(short)i may wrap around"},
    {"even and next", even_and_next, "aa",
     "two threads can meet here: x[1 + i] at line 11 and x[2 * i] at line 10"},
    {"wrong stride", wrong_stride, "a", "threads that differ only in threadIdx.z, blockIdx.x may meet"},
    {"half", half, "a", "not proved that two threads never meet at x[i / 2]"},
    {"modulo", modulo, "a", "not proved that two threads never meet at x[i % n]"},
    {"block only", block_only, "b", "threads that differ only in threadIdx.x"},
    {"thread only", thread_only, "a", "threads that differ only in blockIdx.x"},
    {"row sum", row_sum, "a", "threadIdx.y, blockIdx.y"},
    {"both ends", both_ends, "aa", "two threads can meet"},
    {"rows unbounded", rows_unbounded, "a", "not proved"},
    {"rows overlap", rows_overlap, "a", "not proved"},
    {"tile too long", tile_too_long, "a", "not proved"},
    {"tile other bound", tile_other_bound, "a", "not proved"},
    {"window", window, "a", "not proved"},
    {"block stride", block_stride, "a", "not proved"},
    {"shared table", shared_table, "a", "all threads run over the same cells"},
    {"indirect", indirect, "a", "the index list[i] is read from memory and may repeat"},
    {"scalar", case_scalar, "a", "all threads add into one cell"},
    {"wraps", wraps, "a", "may wrap around"},
    {"branches apart", branches_apart, "aa", "meet here"},
    {"low bits", low_bits, "a", "not proved"},
    {"clamped", clamped, "a", "not proved"},
    {"warp of any block", warp_of_any_block, "a", "threads that differ only in blockIdx.x may meet"},
    {"warps of neighbours", warps_of_neighbours, "a", "not proved"},
    {"thirty-two threads", thirty_two_threads, "a", "not proved"},
    {"two warps", two_warps, "b", "not proved"},
    {"warp and all", warp_and_all, "aa", "only in threadIdx.x add into one cell"},
    {"one row of warps", one_row_of_warps, "b", "threads that differ only in threadIdx.y may meet"},
    {"table of a block too wide", block_table_too_wide, "a", "not proved"},
    {"table of a block", block_table, "b", "not proved"},
    {"cell of a warp", warp_cell, "w", "not proved"},
    {"cell of a warp of a plane", warp_of_plane, "w", "not proved"},
    {"columns unbounded", columns_unbounded, "a", "not proved"},
    {"first of block", first_of_block, "a", "all threads add into one cell"},
    {"decode wrong", decode_wrong, "a", "not proved"},
    {"square of field", square_of_field, "a", "not proved"},
    {"negative loop", negative_loop, "a", "not proved"},
    {"read more than written", read_more_than_written, "app", "the primal writes y[list[i]] here"},
    {"one of two", case_one_of_two, "paa", "neighbouring threads meet here"},

    {"mirrored", mirrored, "p", "one thread per cell"},
    {"map", case_map, "p", "one thread per cell, blockIdx.x * blockDim.x + threadIdx.x"},
    {"guarded", guarded, "p", "one thread per cell"},
    {"early return", early_return, "p", "one thread per cell"},
    {"reversed", reversed, "p", "one thread per cell"},
    {"pairs", pairs, "pp", "one thread per cell"},
    {"far pairs", far_pairs, "pp", "one thread per cell"},
    {"fields", fields, "ppp", "one thread per cell"},
    {"rows", case_rows, "p", "one thread per cell"},
    {"launch rows", launch_rows, "p", "one thread per cell"},
    {"volume", volume, "p", "one thread per cell"},
    {"padded rows", padded_rows, "p", "one thread per cell"},
    {"columns", columns, "p", "one thread per cell"},
    {"grid stride", case_grid_stride, "p", "one thread per cell"},
    {"tiles", tiles, "p", "one thread per cell"},
    {"long index", case_long_index, "p", "one thread per cell"},
    {"size index", size_index, "p", "one thread per cell"},
    {"squared", squared, "pp", "one thread per cell"},
    {"branches", branches, "pp", "one thread per cell"},
    {"decode", decode, "p", "one thread per cell"},
    {"transposed", transposed, "p", "one thread per cell"},
    {"decode volume", decode_volume, "p", "one thread per cell"},
    {"lanes", lanes, "p", "one thread per cell"},
    {"first thread", first_thread, "pp", "one thread per cell"},
    {"inner array", inner_array, "p", "one thread per cell"},
    {"strided by n", strided_by_n, "pp", "one thread per cell"},
    {"backward", backward, "p", "one thread per cell"},
    {"backward counter", backward_counter, "p", "one thread per cell"},
    {"tensor rows", tensor_rows, "p", "one thread per cell"},
    {"unsigned rows", case_unsigned_rows, "p", "one thread per cell"},
    {"write indirect", case_write_indirect, "pp", "the primal writes y[list[i]] here without an atomic"},
    {"update indirect", case_update_indirect, "ppp", "the primal writes y[list[i]] here without an atomic"},
    {"read under write", read_under_write, "ppp", "the primal writes y[list[i]] here without an atomic"},
};
const size_t ownership_case_count = sizeof ownership_cases / sizeof *ownership_cases;
