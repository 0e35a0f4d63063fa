/*
 * exact_table.cuh - exact sums (exact.cuh) in numbers that pointers in memory lead to: the host knows neither
 * where they lie nor how many there are. For nvcc, Clang and the CPU device.
 *
 * A number's accumulator is found by its address, in a table of places that are tried one behind the other from
 * the one that the address names. Whoever comes first to a number takes the first free place by atomicCAS; no
 * place is given back, so all who look for a number find the same one. The caller says how many numbers get
 * something; the table has half as many places more, and when none is left the launch ends with a message. Zero
 * takes no place.
 *
 * Behind the kernel each place in use has another number, so each number is rounded by one thread.
 */
#ifndef GRADWRIGHT_EXACT_TABLE_CUH
#define GRADWRIGHT_EXACT_TABLE_CUH

#include "gradwright/emitted/exact.cuh"

template <class _GwV> struct gw_exact_table {
    unsigned long long *gw_keys; /* addresses; 0: a free place */
    gw_exact<_GwV> *gw_sums;     /* by place */
    size_t gw_length;            /* how many places; even, so that sums behind keys are aligned */
    bool gw_counted = false;     /* additions to a number */
};

/* ---- in the kernel ---- */

/* Its bits all take part in where the search begins. */
__device__ __forceinline__ size_t gw_exact_first_place(unsigned long long gw_key, size_t gw_length) {
    gw_key = (gw_key ^ gw_key >> 30) * 0xbf58476d1ce4e5b9ull;
    gw_key = (gw_key ^ gw_key >> 27) * 0x94d049bb133111ebull;
    return (size_t)__umul64hi(gw_key ^ gw_key >> 31, (unsigned long long)gw_length);
}

/* The number's accumulator; null: it has none, and with `gw_take` none is left. */
template <class _GwV>
__device__ inline gw_exact<_GwV> *gw_exact_look_up(const gw_exact_table<_GwV> &gw_in, const _GwV *gw_number,
                                                   bool gw_take) {
    const unsigned long long gw_key = (unsigned long long)gw_number;
    size_t gw_at = gw_exact_first_place(gw_key, gw_in.gw_length);
    for (size_t gw_left = gw_in.gw_length; gw_left; gw_left--) {
        unsigned long long *const gw_place = &gw_in.gw_keys[gw_at];
        unsigned long long gw_seen = *(volatile unsigned long long *)gw_place;
        if (!gw_seen && gw_take) {
            gw_seen = atomicCAS(gw_place, 0ull, gw_key);
            if (!gw_seen) gw_seen = gw_key;
        }
        if (gw_seen == gw_key) return &gw_in.gw_sums[gw_at];
        if (!gw_seen) return nullptr;
        gw_at = gw_at + 1 < gw_in.gw_length ? gw_at + 1 : 0;
    }
    return nullptr;
}

/* Out of line, as gw_exact_refuse. */
__device__ __noinline__ inline void gw_exact_full(size_t gw_length) {
    printf("gradwright: exact sums to more numbers than the launch was told: all of %llu places are taken\n",
           (unsigned long long)gw_length);
    __trap();
}

template <class _GwV>
__device__ inline void gw_exact_add_found(const gw_exact_table<_GwV> &gw_into, const _GwV *gw_number,
                                          _GwV gw_value) {
    if (gw_value == 0) return;
    gw_exact<_GwV> *const gw_sum = gw_exact_look_up(gw_into, gw_number, true);
    if (gw_sum)
        gw_exact_add(gw_sum, gw_value, gw_into.gw_counted);
    else
        gw_exact_full(gw_into.gw_length);
}

template <class _GwV>
__device__ inline void gw_exact_settle_found(const gw_exact_table<_GwV> &gw_whose, _GwV *gw_number) {
    gw_exact<_GwV> *const gw_sum = gw_exact_look_up(gw_whose, gw_number, false);
    if (gw_sum) gw_exact_settle(gw_sum, gw_number);
}

/* number += value, exactly; on the host as in exact.cuh. */
template <class _GwV>
__host__ __device__ __forceinline__ void gw_exact_add(const gw_exact_table<_GwV> &gw_into, _GwV *gw_number,
                                                      typename gw_exactly<_GwV>::gw_type gw_value) {
#ifdef __CUDA_ARCH__
    gw_exact_add_found<_GwV>(gw_into, gw_number, gw_value);
#else
    (void)gw_into;
    *gw_number += gw_value;
#endif
}

/* What has been added to a number that is this thread's now is rounded into it. */
template <class _GwV>
__host__ __device__ __forceinline__ void gw_exact_settle(const gw_exact_table<_GwV> &gw_whose,
                                                         _GwV *gw_number) {
#ifdef __CUDA_ARCH__
    gw_exact_settle_found(gw_whose, gw_number);
#else
    (void)gw_whose, (void)gw_number;
#endif
}

/* ---- on the host ---- */

/* For so many numbers, to any of which a thread makes so many additions at most; it has no place yet. */
template <class _GwV>
inline gw_exact_table<_GwV> gw_exact_table_of(size_t gw_numbers, unsigned long long gw_additions, dim3 gw_grid,
                                              dim3 gw_block) {
    const gw_exact_column<_GwV> gw_as = gw_exact_of<_GwV>(0, 1, gw_additions, gw_grid, gw_block);
    const size_t gw_places = gw_numbers ? gw_size_add(gw_numbers, gw_numbers / 2 + 2) / 2 * 2 : 0;
    return {nullptr, nullptr, gw_places, gw_as.gw_counted};
}

template <class _GwV> inline size_t gw_exact_bytes_of(const gw_exact_table<_GwV> &gw_table) {
    return gw_size_mul(gw_table.gw_length, sizeof(unsigned long long) + sizeof(gw_exact<_GwV>));
}

template <class _GwV> inline size_t gw_exact_end(size_t gw_bytes, const gw_exact_table<_GwV> &gw_table) {
    if (!gw_table.gw_length) return gw_bytes;
    return gw_size_add(gw_size_add(gw_bytes, GW_EXACT_ALIGNMENT), gw_exact_bytes_of(gw_table));
}

/* Gives it its part of the workspace behind `*used` bytes, cleared. */
template <class _GwV>
inline gw_status gw_exact_place(const char *gw_name, gw_exact_table<_GwV> *gw_table, void *gw_workspace,
                                size_t *gw_used, cudaStream_t gw_stream) {
    if (!gw_table->gw_length) return GW_OK;
    const size_t gw_from = (size_t)gw_workspace + *gw_used;
    gw_table->gw_keys = (unsigned long long *)gw_space_behind(gw_from, GW_EXACT_ALIGNMENT);
    gw_table->gw_sums = (gw_exact<_GwV> *)(gw_table->gw_keys + gw_table->gw_length);
    *gw_used = gw_exact_end(*gw_used, *gw_table);
    return gw_clear_bytes(gw_name, gw_table->gw_keys, gw_exact_bytes_of(*gw_table), gw_stream);
}

/* As of an array (exact.cuh), for functions of the device. */
template <class _GwV> inline size_t gw_exact_table_bytes(size_t gw_numbers) {
    return gw_exact_end(0, gw_exact_table_of<_GwV>(gw_numbers, 0, dim3(1), dim3(1)));
}

template <class _GwV>
inline gw_status gw_exact_begin(gw_exact_table<_GwV> *gw_table, size_t gw_numbers, void *gw_space,
                                size_t gw_space_bytes, cudaStream_t gw_stream) {
    size_t gw_used = 0;
    const gw_status gw_fits =
        gw_slots_check("gw_exact_begin", gw_exact_table_bytes<_GwV>(gw_numbers), gw_space, gw_space_bytes);
    if (gw_fits != GW_OK) return gw_fits;
    *gw_table = gw_exact_table_of<_GwV>(gw_numbers, 0, dim3(1), dim3(1));
    gw_table->gw_counted = true;
    return gw_exact_place("gw_exact_begin", gw_table, gw_space, &gw_used, gw_stream);
}

/* ---- behind the kernel ---- */

template <class _GwT> __device__ inline void gw_exact_store(const gw_exact_table<_GwT> &gw_whose, size_t gw_i) {
    if (gw_i < gw_whose.gw_length && gw_whose.gw_keys[gw_i])
        gw_exact_store(gw_whose.gw_sums[gw_i], (_GwT *)gw_whose.gw_keys[gw_i]);
}

#endif
