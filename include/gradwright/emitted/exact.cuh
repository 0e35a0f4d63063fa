/*
 * exact.cuh - sums that are exact, so that no order of additions can change a bit of them (rung `exact`). For
 * nvcc, Clang and the CPU device.
 *
 * A cell has an accumulator as long as all numbers of its type (Kulisch): a row of 64-bit words, each of which
 * holds a digit of 32 bits with its sign and, in the upper half, the carries that nobody has passed on yet. A
 * value's mantissa falls into two neighbouring digits (float) or three (double), whose words are added to as
 * integers, by atomics whose results nobody uses; integers have one sum in any order. One kernel behind passes
 * the carries on and rounds once, to nearest, ties to even. Infinities and NaNs are bits of one more word.
 *
 * Each addition adds less than 2^32 to a word, so GW_EXACT_ADDITIONS to one cell fit, and the cell's own value
 * beside them. More than that no accumulator notices. So where the launch does not know that there are fewer,
 * they are counted, cell by cell, in the upper bits of the word that has infinities and NaNs, and the kernel
 * behind refuses a cell that had too many.
 *
 * The words of a cell lie side by side. So lanes that add to neighbouring cells at once meet in no sector where
 * their values are about as large, as they would if the words of one digit lay side by side; both words of an
 * addition lie in one sector or two; and a few cells to which everybody adds lie in as many sectors as they
 * can. Cells are multiples of 16 bytes, which the kernel behind loads at a time: 10 words for float (9 digits:
 * 2^-149 to 2^128 are 277 bits), 68 for double (66 digits: 2^-1074 to 2^1024 are 2,098 bits; one word is not
 * used).
 */
#ifndef GRADWRIGHT_EXACT_CUH
#define GRADWRIGHT_EXACT_CUH

#include "gradwright/emitted/device.cuh"

#define GW_EXACT_ADDITIONS 0x7ffffffeu /* to one cell */
#define GW_EXACT_ALIGNMENT ((size_t)16)

enum { GW_EXACT_UP = 1, GW_EXACT_DOWN = 2, GW_EXACT_NAN = 4, GW_EXACT_ONE = 8, GW_EXACT_BLOCK = 256 };

template <class _GwT> struct gw_exact_format;
template <> struct gw_exact_format<float> {
    static constexpr int gw_mantissa = 24, gw_exponents = 255, gw_digits = 9, gw_parts = 2;
    static __device__ unsigned long long gw_bits(float gw_value) { return __float_as_uint(gw_value); }
    static __device__ float gw_of_bits(unsigned long long gw_value) {
        return __uint_as_float((unsigned int)gw_value);
    }
};
template <> struct gw_exact_format<double> {
    static constexpr int gw_mantissa = 53, gw_exponents = 2047, gw_digits = 66, gw_parts = 3;
    static __device__ unsigned long long gw_bits(double gw_value) {
        return (unsigned long long)__double_as_longlong(gw_value);
    }
    static __device__ double gw_of_bits(unsigned long long gw_value) {
        return __longlong_as_double((long long)gw_value);
    }
};

/* The accumulator of a cell; all zero to begin with. */
template <class _GwT> struct alignas(16) gw_exact {
    unsigned long long gw_word[(gw_exact_format<_GwT>::gw_digits + 2) / 2 * 2]; /* digits, then what is none */
};

/* ---- in the kernel ---- */

/* What a value adds to the words from `gw_first` on, or to that of infinities and NaNs. */
template <class _GwT> struct gw_exact_parts {
    int gw_first;
    unsigned int gw_special;
    unsigned long long gw_part[gw_exact_format<_GwT>::gw_parts];
};

template <class _GwT> __device__ __forceinline__ gw_exact_parts<_GwT> gw_exact_split(_GwT gw_value) {
    typedef gw_exact_format<_GwT> _GwF;
    constexpr unsigned long long _GwOne = 1ull << (_GwF::gw_mantissa - 1); /* the bit that is not stored */
    const unsigned long long gw_bits = _GwF::gw_bits(gw_value), gw_fraction = gw_bits & (_GwOne - 1);
    const unsigned int gw_above = (unsigned int)(gw_bits >> (_GwF::gw_mantissa - 1)),
                       gw_exponent = gw_above & _GwF::gw_exponents;
    const bool gw_negative = gw_above > _GwF::gw_exponents;
    gw_exact_parts<_GwT> gw_all = {};
    if (gw_exponent == _GwF::gw_exponents) {
        const unsigned int gw_infinite = gw_negative ? GW_EXACT_DOWN : GW_EXACT_UP;
        gw_all.gw_special = gw_fraction ? (unsigned int)GW_EXACT_NAN : gw_infinite;
        return gw_all;
    }
    const unsigned int gw_where = gw_exponent ? gw_exponent - 1 : 0, gw_shift = gw_where % 32;
    const unsigned long long gw_number = gw_exponent ? gw_fraction | _GwOne : gw_fraction,
                             gw_low = gw_number << gw_shift;
    gw_all.gw_first = (int)(gw_where / 32);
    gw_all.gw_part[0] = gw_low & 0xffffffffu;
    gw_all.gw_part[1] = gw_low >> 32;
    if constexpr (_GwF::gw_parts > 2) gw_all.gw_part[2] = gw_number >> 1 >> (63 - gw_shift);
    if (gw_negative)
        for (unsigned long long &gw_part : gw_all.gw_part)
            gw_part = 0 - gw_part;
    return gw_all;
}

/* cell += value, exactly; at most GW_EXACT_ADDITIONS times, unless they are counted. A zero, of either sign,
 * adds nothing. */
template <class _GwT>
__device__ __forceinline__ void
gw_exact_add(gw_exact<_GwT> *gw_into, typename gw_exactly<_GwT>::gw_type gw_value, bool gw_counted = false) {
    const gw_exact_parts<_GwT> gw_all = gw_exact_split<_GwT>(gw_value);
    unsigned long long *const gw_beside = &gw_into->gw_word[gw_exact_format<_GwT>::gw_digits];
    if (gw_all.gw_special) atomicOr(gw_beside, (unsigned long long)gw_all.gw_special);
    bool gw_any = false;
#pragma unroll
    for (int gw_k = 0; gw_k < gw_exact_format<_GwT>::gw_parts; gw_k++) {
        if (!gw_all.gw_part[gw_k]) continue;
        atomicAdd(&gw_into->gw_word[gw_all.gw_first + gw_k], gw_all.gw_part[gw_k]);
        gw_any = true;
    }
    if (gw_counted && gw_any) atomicAdd(gw_beside, (unsigned long long)GW_EXACT_ONE);
}

/* An array of numbers V, and their accumulators. */
template <class _GwV> struct gw_exact_column {
    _GwV *gw_array;
    gw_exact<_GwV> *gw_sums;
    size_t gw_length;
    bool gw_counted = false; /* additions to a cell */
};

/* An array of shared memory: each block of the grid has accumulators for its cells. */
template <class _GwV> struct gw_exact_blocks {
    gw_exact<_GwV> *gw_sums;
    size_t gw_length, gw_count; /* of a block; how many blocks there are */
    bool gw_counted = false;
};

/* Out of line: what printf takes would cost the whole kernel registers. */
__device__ __noinline__ inline void gw_exact_refuse(long long gw_i, size_t gw_length) {
    printf("gradwright: an exact sum to number %lld of an array that has %llu\n", gw_i,
           (unsigned long long)gw_length);
    __trap();
}

/* The same for a number of the array. One that has no accumulator ends the launch. A host that calls a function
 * of both sides has the number to itself. Always inlined, as gw_atomic_add (device.cuh). */
template <class _GwV>
__host__ __device__ __forceinline__ void gw_exact_add(const gw_exact_column<_GwV> &gw_into, _GwV *gw_number,
                                                      typename gw_exactly<_GwV>::gw_type gw_value) {
#ifdef __CUDA_ARCH__
    const long long gw_i = gw_number - gw_into.gw_array;
    if ((size_t)gw_i < gw_into.gw_length)
        gw_exact_add(&gw_into.gw_sums[gw_i], gw_value, gw_into.gw_counted);
    else
        gw_exact_refuse(gw_i, gw_into.gw_length);
#else
    (void)gw_into;
    *gw_number += gw_value;
#endif
}

/* ---- rounding ---- */

/* What the words that it has taken hold, from the lowest on: the highest digit that is not zero, with the two
 * below it, and whether there is anything below these. */
struct gw_exact_window {
    long long gw_carry;
    unsigned int gw_lead, gw_second, gw_third, gw_rest;
    unsigned int gw_last, gw_before, gw_below; /* digits taken, and all bits of those before */
    int gw_at;                                 /* the lead's number */
};

__device__ __forceinline__ void gw_exact_take(gw_exact_window *gw_w, int gw_k, long long gw_word) {
    const long long gw_sum = gw_word + gw_w->gw_carry;
    const unsigned int gw_digit = (unsigned int)gw_sum;
    gw_w->gw_carry = gw_sum >> 32;
    if (gw_digit)
        gw_w->gw_lead = gw_digit, gw_w->gw_second = gw_w->gw_last, gw_w->gw_third = gw_w->gw_before,
        gw_w->gw_rest = gw_w->gw_below, gw_w->gw_at = gw_k;
    gw_w->gw_below |= gw_w->gw_before;
    gw_w->gw_before = gw_w->gw_last;
    gw_w->gw_last = gw_digit;
}

/* The bits of the number next to what the window has seen, which is not negative. */
template <class _GwT> __device__ inline unsigned long long gw_exact_magnitude(const gw_exact_window &gw_w) {
    typedef gw_exact_format<_GwT> _GwF;
    if (!gw_w.gw_lead) return 0;
    const int gw_zeros = __clz((int)gw_w.gw_lead), gw_top = 32 * gw_w.gw_at + 31 - gw_zeros;
    const unsigned long long gw_third = (unsigned long long)gw_w.gw_third << gw_zeros;
    const unsigned long long gw_bits =
        ((unsigned long long)gw_w.gw_lead << 32 | gw_w.gw_second) << gw_zeros | gw_third >> 32;
    const bool gw_more = (unsigned int)gw_third || gw_w.gw_rest;
    /* Numbers that are subnormal have all their bits. */
    const int gw_kept = gw_top + 1 < _GwF::gw_mantissa ? gw_top + 1 : _GwF::gw_mantissa;
    const unsigned long long gw_left = gw_bits << gw_kept, gw_half = 1ull << 63;
    unsigned long long gw_number = gw_bits >> (64 - gw_kept);
    if (gw_left > gw_half || (gw_left == gw_half && (gw_more || gw_number & 1))) gw_number++;
    /* The bit that is not stored makes the exponent one more, as does a carry into the next power of two. */
    gw_number += (unsigned long long)(gw_top + 1 - gw_kept) << (_GwF::gw_mantissa - 1);
    const unsigned long long gw_infinite = (unsigned long long)_GwF::gw_exponents << (_GwF::gw_mantissa - 1);
    return gw_number < gw_infinite ? gw_number : gw_infinite;
}

template <class _GwT> __device__ inline _GwT gw_exact_special(unsigned long long gw_special) {
    typedef gw_exact_format<_GwT> _GwF;
    constexpr unsigned long long _GwSign = (unsigned long long)(_GwF::gw_exponents + 1),
                                 _GwAll = (1ull << (_GwF::gw_mantissa - 1)) - 1;
    const bool gw_negative = gw_special == GW_EXACT_DOWN,
               gw_infinite = gw_negative || gw_special == GW_EXACT_UP;
    const unsigned long long gw_above = _GwF::gw_exponents | (gw_negative ? _GwSign : 0);
    return _GwF::gw_of_bits(gw_above << (_GwF::gw_mantissa - 1) | (gw_infinite ? 0 : _GwAll));
}

/* The sum, which is not negative in one of two windows: what is subtracted from zero is seen, too, since only
 * the last carry tells the sign. */
struct gw_exact_windows {
    gw_exact_window gw_up, gw_down;
};

template <class _GwT>
__device__ __forceinline__ void gw_exact_take_word(gw_exact_windows *gw_both, int gw_k,
                                                   unsigned long long gw_word,
                                                   const gw_exact_parts<_GwT> &gw_own) {
#pragma unroll
    for (int gw_i = 0; gw_i < gw_exact_format<_GwT>::gw_parts; gw_i++)
        gw_word += gw_k == gw_own.gw_first + gw_i ? gw_own.gw_part[gw_i] : 0;
    gw_exact_take(&gw_both->gw_up, gw_k, (long long)gw_word);
    gw_exact_take(&gw_both->gw_down, gw_k, (long long)(0 - gw_word));
}

/* The sum and `gw_also`, rounded once. */
template <class _GwT> __device__ inline _GwT gw_exact_total(const gw_exact<_GwT> &gw_sum, _GwT gw_also) {
    typedef gw_exact_format<_GwT> _GwF;
    const gw_exact_parts<_GwT> gw_own = gw_exact_split(gw_also);
    const unsigned long long gw_special =
        (gw_sum.gw_word[_GwF::gw_digits] & (GW_EXACT_ONE - 1)) | gw_own.gw_special;
    gw_exact_windows gw_both = {};
#pragma unroll 5
    for (int gw_k = 0; gw_k < _GwF::gw_digits; gw_k += 2) {
        const ulonglong2 gw_two = *reinterpret_cast<const ulonglong2 *>(&gw_sum.gw_word[gw_k]);
        gw_exact_take_word(&gw_both, gw_k, gw_two.x, gw_own);
        if (gw_k + 1 < _GwF::gw_digits) gw_exact_take_word(&gw_both, gw_k + 1, gw_two.y, gw_own);
    }
    const bool gw_negative = gw_both.gw_up.gw_carry < 0;
    gw_exact_window gw_w = gw_negative ? gw_both.gw_down : gw_both.gw_up;
    gw_exact_take(&gw_w, _GwF::gw_digits, 0); /* the last carry */
    const unsigned long long gw_sign = gw_negative ? (unsigned long long)(_GwF::gw_exponents + 1) : 0;
    return gw_special ? gw_exact_special<_GwT>(gw_special)
                      : _GwF::gw_of_bits(gw_sign << (_GwF::gw_mantissa - 1) | gw_exact_magnitude<_GwT>(gw_w));
}

/* Nearest to the sum, ties to even; 0 of no addition. */
template <class _GwT> __device__ inline _GwT gw_exact_round(const gw_exact<_GwT> &gw_sum) {
    return gw_exact_total(gw_sum, _GwT(0));
}

/* ---- on the host ---- */

template <class _GwT> inline size_t gw_exact_bytes(size_t gw_cells) {
    return gw_size_mul(gw_cells, sizeof(gw_exact<_GwT>));
}

template <class _GwT>
inline gw_status gw_exact_clear(const char *gw_name, gw_exact<_GwT> *gw_sums, size_t gw_cells,
                                cudaStream_t gw_stream) {
    return gw_clear_bytes(gw_name, gw_sums, gw_exact_bytes<_GwT>(gw_cells), gw_stream);
}

/* Those of an array whose cells have so many numbers each, to any of which a thread makes so many additions at
 * most; they have no place yet. */
template <class _GwV>
inline gw_exact_column<_GwV> gw_exact_of(size_t gw_cells, unsigned int gw_numbers,
                                         unsigned long long gw_additions, dim3 gw_grid, dim3 gw_block) {
    return {nullptr, nullptr, gw_size_mul(gw_cells, gw_numbers),
            gw_size_mul((size_t)gw_additions, gw_threads(gw_grid, gw_block)) > GW_EXACT_ADDITIONS};
}

/* The end of what lies behind `gw_bytes` bytes of the workspace, which itself may be aligned to less than
 * accumulators are. */
template <class _GwV> inline size_t gw_exact_end(size_t gw_bytes, const gw_exact_column<_GwV> &gw_sums) {
    if (!gw_sums.gw_length) return gw_bytes;
    return gw_size_add(gw_size_add(gw_bytes, GW_EXACT_ALIGNMENT), gw_exact_bytes<_GwV>(gw_sums.gw_length));
}

template <class _GwV>
inline gw_exact_blocks<_GwV> gw_exact_blocks_of(size_t gw_cells, unsigned int gw_numbers,
                                                unsigned long long gw_additions, dim3 gw_grid, dim3 gw_block) {
    const gw_exact_column<_GwV> gw_of =
        gw_exact_of<_GwV>(gw_cells, gw_numbers, gw_additions, dim3(1), gw_block);
    return {nullptr, gw_of.gw_length, gw_threads(gw_grid, dim3(1)), gw_of.gw_counted};
}

template <class _GwV> inline size_t gw_exact_end(size_t gw_bytes, const gw_exact_blocks<_GwV> &gw_sums) {
    const gw_exact_column<_GwV> gw_all = {nullptr, nullptr, gw_size_mul(gw_sums.gw_length, gw_sums.gw_count)};
    return gw_exact_end(gw_bytes, gw_all);
}

/* Gives them their part of the workspace behind `*used` bytes, cleared. */
template <class _GwV, class _GwT>
inline gw_status gw_exact_place(const char *gw_name, gw_exact_column<_GwV> *gw_sums, _GwT *gw_array,
                                void *gw_workspace, size_t *gw_used, cudaStream_t gw_stream) {
    gw_sums->gw_array = (_GwV *)gw_array;
    if (!gw_sums->gw_length) return GW_OK;
    const size_t gw_from = (size_t)gw_workspace + *gw_used;
    gw_sums->gw_sums = (gw_exact<_GwV> *)gw_space_behind(gw_from, GW_EXACT_ALIGNMENT);
    *gw_used = gw_exact_end(*gw_used, *gw_sums);
    return gw_exact_clear(gw_name, gw_sums->gw_sums, gw_sums->gw_length, gw_stream);
}

template <class _GwV>
inline gw_status gw_exact_place(const char *gw_name, gw_exact_blocks<_GwV> *gw_sums, void *gw_workspace,
                                size_t *gw_used, cudaStream_t gw_stream) {
    gw_exact_column<_GwV> gw_all = {nullptr, nullptr, gw_size_mul(gw_sums->gw_length, gw_sums->gw_count)};
    const gw_status gw_placed =
        gw_exact_place(gw_name, &gw_all, (_GwV *)nullptr, gw_workspace, gw_used, gw_stream);
    gw_sums->gw_sums = gw_all.gw_sums;
    return gw_placed;
}

/* ---- for functions of the device ---- */

/* Before a kernel of one's own that calls functions which take an array's accumulators: the memory for them,
 * anywhere on the device, and the accumulators in it, cleared. Behind the kernel stands gw_exact_sum. */
template <class _GwV> inline size_t gw_exact_column_bytes(size_t gw_length) {
    return gw_exact_end(0, gw_exact_column<_GwV>{nullptr, nullptr, gw_length});
}

template <class _GwV>
inline gw_status gw_exact_begin(gw_exact_column<_GwV> *gw_sums, _GwV *gw_array, size_t gw_length,
                                void *gw_space, size_t gw_space_bytes, cudaStream_t gw_stream) {
    size_t gw_used = 0;
    const gw_status gw_fits =
        gw_slots_check("gw_exact_begin", gw_exact_column_bytes<_GwV>(gw_length), gw_space, gw_space_bytes);
    if (gw_fits != GW_OK) return gw_fits;
    *gw_sums = {gw_array, nullptr, gw_length, true};
    return gw_exact_place("gw_exact_begin", gw_sums, gw_array, gw_space, &gw_used, gw_stream);
}

/* ---- the sum ---- */

template <class _GwT> __device__ inline bool gw_exact_is_clear(const gw_exact<_GwT> &gw_sum) {
    unsigned long long gw_any = gw_sum.gw_word[gw_exact_format<_GwT>::gw_digits] & (GW_EXACT_ONE - 1);
#pragma unroll 5
    for (int gw_k = 0; gw_k < gw_exact_format<_GwT>::gw_digits; gw_k += 2) {
        const ulonglong2 gw_two = *reinterpret_cast<const ulonglong2 *>(&gw_sum.gw_word[gw_k]);
        gw_any |= gw_two.x | (gw_k + 1 < gw_exact_format<_GwT>::gw_digits ? gw_two.y : 0);
    }
    return !gw_any;
}

/* What a cell held is one more addition. One to which nothing has been added, or only what sums to zero in each
 * digit, keeps its bits; it is not even read, since the host may take the array for longer than it is. */
template <class _GwT> __device__ inline void gw_exact_store(const gw_exact<_GwT> &gw_sum, _GwT *gw_number) {
    const unsigned long long gw_count = gw_sum.gw_word[gw_exact_format<_GwT>::gw_digits] / GW_EXACT_ONE;
    if (gw_count > GW_EXACT_ADDITIONS) {
        printf("gradwright: an exact sum of %llu additions to one cell, more than %u\n", gw_count,
               GW_EXACT_ADDITIONS);
        __trap();
    }
    if (!gw_exact_is_clear(gw_sum)) *gw_number = gw_exact_total(gw_sum, *gw_number);
}

template <class _GwT>
__device__ inline void gw_exact_store(const gw_exact_column<_GwT> &gw_whose, size_t gw_i) {
    if (gw_i < gw_whose.gw_length) gw_exact_store(gw_whose.gw_sums[gw_i], &gw_whose.gw_array[gw_i]);
}

/* What has been added to a number that is this thread's now, and that others added to before they met it, is
 * rounded into it. */
template <class _GwV> __device__ inline void gw_exact_settle(gw_exact<_GwV> *gw_sum, _GwV *gw_number) {
    gw_exact_store(*gw_sum, gw_number);
    if (!gw_exact_is_clear(*gw_sum) || gw_sum->gw_word[gw_exact_format<_GwV>::gw_digits]) *gw_sum = {};
}

/* ---- shared memory ---- */

/* Those of this block. */
template <class _GwV>
__device__ __forceinline__ gw_exact_column<_GwV> gw_exact_own(const gw_exact_blocks<_GwV> &gw_all,
                                                              void *gw_array) {
    const size_t gw_block = ((size_t)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    return {(_GwV *)gw_array, gw_all.gw_sums + gw_block * gw_all.gw_length, gw_all.gw_length,
            gw_all.gw_counted};
}

template <class _GwV>
__device__ __forceinline__ void gw_exact_add(const gw_exact_blocks<_GwV> &gw_into, void *gw_array,
                                             _GwV *gw_number, typename gw_exactly<_GwV>::gw_type gw_value) {
    gw_exact_add(gw_exact_own(gw_into, gw_array), gw_number, gw_value);
}

/* One without an accumulator was added to by nobody. */
template <class _GwV>
__device__ inline void gw_exact_settle(const gw_exact_column<_GwV> &gw_whose, size_t gw_i) {
    if (gw_i < gw_whose.gw_length) gw_exact_settle(&gw_whose.gw_sums[gw_i], &gw_whose.gw_array[gw_i]);
}

template <class _GwV>
__host__ __device__ __forceinline__ void gw_exact_settle(const gw_exact_column<_GwV> &gw_whose,
                                                         const _GwV *gw_number) {
#ifdef __CUDA_ARCH__
    gw_exact_settle(gw_whose, (size_t)(gw_number - gw_whose.gw_array));
#else
    (void)gw_whose, (void)gw_number;
#endif
}

template <class _GwV>
__device__ __forceinline__ void gw_exact_settle(const gw_exact_blocks<_GwV> &gw_whose, void *gw_array,
                                                const _GwV *gw_number) {
    gw_exact_settle(gw_exact_own(gw_whose, gw_array), gw_number);
}

/* All threads of the block together do so with all numbers of the array; the caller has a barrier before and
 * behind. */
template <class _GwV>
__device__ inline void gw_exact_settle_all(const gw_exact_blocks<_GwV> &gw_whose, void *gw_array) {
    const gw_exact_column<_GwV> gw_own = gw_exact_own(gw_whose, gw_array);
    const size_t gw_thread_count = (size_t)blockDim.x * blockDim.y * blockDim.z;
    const size_t gw_first = (threadIdx.z * blockDim.y + threadIdx.y) * (size_t)blockDim.x + threadIdx.x;
    for (size_t gw_i = gw_first; gw_i < gw_own.gw_length; gw_i += gw_thread_count)
        gw_exact_settle(gw_own, gw_i);
}

/* ---- behind the kernel ---- */

/* Rounds the sums of arrays and tables (exact_table.cuh). blockIdx.y: which of them. */
template <class... _GwL> __global__ void gw_sum_exactly(_GwL... gw_list) {
    const size_t gw_i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    unsigned int gw_number = 0;
    ((gw_number++ == blockIdx.y ? gw_exact_store(gw_list, gw_i) : (void)0), ...);
}

template <class... _GwL>
inline gw_status gw_exact_sum(const char *gw_name, cudaStream_t gw_stream, const _GwL &...gw_list) {
    const size_t gw_lengths[] = {gw_list.gw_length...};
    size_t gw_longest = 0;
    for (size_t gw_length : gw_lengths)
        gw_longest = gw_length > gw_longest ? gw_length : gw_longest;
    if (gw_longest == 0) return GW_OK;
    const dim3 gw_grid((unsigned)((gw_longest + GW_EXACT_BLOCK - 1) / GW_EXACT_BLOCK),
                       (unsigned)sizeof...(_GwL));
    return gw_launch(gw_name, gw_sum_exactly<_GwL...>, gw_grid, dim3(GW_EXACT_BLOCK), 0, gw_stream, gw_list...);
}

#endif
