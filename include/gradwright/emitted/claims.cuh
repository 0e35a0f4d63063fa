/*
 * claims.cuh - the checked build's proof of ownership: each access of an adjoint cell claims it for its thread,
 * and two threads of one launch at one cell, neither both by atomics nor both reading, are reported with both
 * lines.
 *
 * A table in device memory maps a cell and a launch to the first thread that claimed it. Entries of other
 * launches are free for reuse, without their owners, so the table never needs clearing; launches that run at
 * the same time may take entries from each other, which can lose a claim but never invents a conflict. What
 * finds no room is counted and said once. Launches are told apart by 16 bits of their number. Entries at odd
 * addresses say which adjoint parameter a cell belongs to.
 *
 * Where additions are atomics of block scope, each access also claims the cell for its block, in an entry of
 * its own (bit 47 of the address, which no address has): blocks that meet where one of them adds so are a
 * conflict.
 *
 * In a kernel with barriers threads of a block may take turns at a cell: owners also say after how many
 * barriers they came, and count as none for a thread that came after another number. That can lose conflicts
 * between blocks that are not equally far, and invents none.
 */
#ifndef GRADWRIGHT_CLAIMS_CUH
#define GRADWRIGHT_CLAIMS_CUH

#include "gradwright/emitted/device.cuh"

enum { GW_CLAIM_PLAIN = 0, GW_CLAIM_ATOMIC = 1, GW_CLAIM_READ = 2 };
enum { GW_CLAIM_ENTRIES = 1 << 20, GW_CLAIM_PROBES = 64 };

/* cell: launch << 48 | address. owner: launch << 48 | kind << 46 | line (14 bits) << 32 | thread;
 * an owner of another launch counts as none. The owner's launch has the number of barriers mixed in (0x9e3b has
 * no divisor in common with 0xffff, so that as many turns are told apart). */
struct gw_claim_entry {
    unsigned long long gw_target, gw_owner;
};
static __device__ gw_claim_entry gw_claim_table[GW_CLAIM_ENTRIES];
static __device__ unsigned int gw_claims_lost;

#define GW_CLAIM_MANY 0xffffffffu /* thread of an owner: several, all by atomics or all reading */
#define GW_CLAIM_SCOPE (1ull << 47)
#define GW_CLAIM_BLOCK 0x80000000u /* a block, for which one of its threads adds */

__device__ inline unsigned long long gw_claim_launch() {
#if defined(GW_CPU_DEVICE)
    const unsigned long long gw_launch_id = gw_cpu_launch_id();
#elif defined(__CUDA_ARCH__)
    unsigned long long gw_launch_id;
    asm volatile("mov.u64 %0, %%gridid;" : "=l"(gw_launch_id));
#else
    const unsigned long long gw_launch_id = 0;
#endif
    return (gw_launch_id % 0xffffull + 1) << 48; /* never 0: an empty entry belongs to no launch */
}

/* Takes the owner out of an entry of another launch, before the entry is taken: barriers are mixed into an
 * owner's launch, so that an old owner can look like one of this launch. False: the entry is another's,
 * *gw_seen. */
__device__ inline bool gw_claim_vacate(gw_claim_entry *gw_entry, unsigned long long *gw_seen) {
    const unsigned long long gw_owner = atomicAdd(&gw_entry->gw_owner, 0ull);
    __threadfence(); /* whoever is the owner by now took the entry before */
    const unsigned long long gw_again = atomicAdd(&gw_entry->gw_target, 0ull);
    if (gw_again == *gw_seen && (!gw_owner || atomicCAS(&gw_entry->gw_owner, gw_owner, 0ull) == gw_owner))
        return true;
    *gw_seen = atomicAdd(&gw_entry->gw_target, 0ull);
    return false;
}

/* The entry of a cell, made if need be; null if there is no room near its place. */
__device__ inline gw_claim_entry *gw_claim_find(unsigned long long gw_target) {
    unsigned long long gw_hash = (gw_target & 0xffffffffffffull) * 0x9e3779b97f4a7c15ull;
    for (unsigned int gw_probe = 0; gw_probe < GW_CLAIM_PROBES; ++gw_probe) {
        gw_claim_entry *gw_entry = &gw_claim_table[((gw_hash >> 44) + gw_probe) % GW_CLAIM_ENTRIES];
        unsigned long long gw_seen = atomicAdd(&gw_entry->gw_target, 0ull);
        while (gw_seen >> 48 != gw_target >> 48) {
            if (!gw_claim_vacate(gw_entry, &gw_seen)) continue;
            const unsigned long long gw_before = atomicCAS(&gw_entry->gw_target, gw_seen, gw_target);
            if (gw_before == gw_seen) return gw_entry;
            gw_seen = gw_before;
        }
        if (gw_seen == gw_target) return gw_entry;
    }
    return nullptr;
}

__device__ inline void gw_claim_conflict(const char *gw_file, const char *gw_name, const void *gw_target,
                                         unsigned long long gw_first, unsigned long long gw_second) {
    const unsigned int gw_one = (unsigned int)gw_first, gw_two = (unsigned int)gw_second;
    if ((unsigned long long)gw_target & 1) {
        printf("gradwright: %s: a cell of %s is one of another adjoint parameter, too (cell %p): lines %u and "
               "%u\n",
               gw_file, gw_name, (const void *)((const char *)gw_target - 1),
               (unsigned int)(gw_first >> 32) & 0x3fffu, (unsigned int)(gw_second >> 32) & 0x3fffu);
        __trap();
        return;
    }
    if ((unsigned long long)gw_target & GW_CLAIM_SCOPE) {
        printf("gradwright: %s: block %u and another one both touch %s (cell %p), by an atomic of block scope: "
               "lines %u and %u\n",
               gw_file, gw_two & ~GW_CLAIM_BLOCK, gw_name,
               (const void *)((unsigned long long)gw_target & ~GW_CLAIM_SCOPE),
               (unsigned int)(gw_first >> 32) & 0x3fffu, (unsigned int)(gw_second >> 32) & 0x3fffu);
        __trap();
        return;
    }
    if (gw_one != GW_CLAIM_MANY && ((gw_one | gw_two) & GW_CLAIM_BLOCK)) {
        printf("gradwright: %s: %s %u and %s %u both touch %s (cell %p) without an atomic: lines %u and %u\n",
               gw_file, gw_one & GW_CLAIM_BLOCK ? "block" : "thread", gw_one & ~GW_CLAIM_BLOCK,
               gw_two & GW_CLAIM_BLOCK ? "block" : "thread", gw_two & ~GW_CLAIM_BLOCK, gw_name, gw_target,
               (unsigned int)(gw_first >> 32) & 0x3fffu, (unsigned int)(gw_second >> 32) & 0x3fffu);
        __trap();
        return;
    }
    if (gw_one == GW_CLAIM_MANY)
        printf(
            "gradwright: %s: thread %u and others both touch %s (cell %p) without an atomic: lines %u and %u\n",
            gw_file, gw_two, gw_name, gw_target, (unsigned int)(gw_second >> 32) & 0x3fffu,
            (unsigned int)(gw_first >> 32) & 0x3fffu);
    else
        printf("gradwright: %s: threads %u and %u both touch %s (cell %p) without an atomic: lines %u and %u\n",
               gw_file, gw_one, gw_two, gw_name, gw_target, (unsigned int)(gw_first >> 32) & 0x3fffu,
               (unsigned int)(gw_second >> 32) & 0x3fffu);
    __trap();
}

/* What the entry says after `gw_mine` joined `gw_seen`, both of this launch; 0 for a conflict. */
__device__ inline unsigned long long gw_claim_join(unsigned long long gw_seen, unsigned long long gw_mine) {
    const unsigned int gw_seen_kind = (unsigned int)(gw_seen >> 46) & 3,
                       gw_mine_kind = (unsigned int)(gw_mine >> 46) & 3;
    /* plain once, plain for good; and who reads and adds is alone */
    if ((unsigned int)gw_seen == (unsigned int)gw_mine)
        return gw_seen_kind == gw_mine_kind ? gw_seen : gw_mine & ~(3ull << 46);
    if (gw_seen_kind == gw_mine_kind && gw_seen_kind != GW_CLAIM_PLAIN) return gw_seen | GW_CLAIM_MANY;
    return 0;
}

/* The owner is whoever has the number. */
__device__ inline void gw_claim_by(unsigned int gw_owner, const void *gw_target, unsigned int gw_line,
                                   unsigned int gw_kind, const char *gw_name, const char *gw_file,
                                   unsigned int gw_barriers) {
    const unsigned long long gw_launch_id = gw_claim_launch();
    const unsigned long long gw_turn = (((gw_launch_id >> 48) + gw_barriers * 0x9e3bull) % 0xffffull + 1) << 48;
    const unsigned long long gw_address = (unsigned long long)gw_target & 0xffffffffffffull;
    const unsigned long long gw_mine = gw_turn | (unsigned long long)gw_kind << 46 |
                                    (unsigned long long)(gw_line & 0x3fffu) << 32 | gw_owner;
    gw_claim_entry *gw_entry = gw_claim_find(gw_launch_id | gw_address);
    if (!gw_entry) {
        if (atomicAdd(&gw_claims_lost, 1u) == 0)
            printf("gradwright: %s: the table of claims is full; some accesses are not checked\n", gw_file);
        return;
    }
    __threadfence(); /* the entry is taken before it has an owner */
    unsigned long long gw_seen = atomicAdd(&gw_entry->gw_owner, 0ull);
    for (;;) {
        const unsigned long long gw_next =
            gw_seen >> 48 == gw_turn >> 48 ? gw_claim_join(gw_seen, gw_mine) : gw_mine;
        if (!gw_next) {
            gw_claim_conflict(gw_file, gw_name, gw_target, gw_seen, gw_mine);
            return;
        }
        const unsigned long long gw_before = atomicCAS(&gw_entry->gw_owner, gw_seen, gw_next);
        if (gw_before == gw_seen) return;
        gw_seen = gw_before;
    }
}

/* Before each access of an adjoint cell by the calling thread. */
__device__ inline void gw_claim(const void *gw_target, unsigned int gw_line, unsigned int gw_kind,
                                const char *gw_name, const char *gw_file, unsigned int gw_barriers = 0) {
    gw_claim_by((unsigned int)gw_thread(), gw_target, gw_line, gw_kind, gw_name, gw_file, gw_barriers);
}

/* Beside it, in a kernel with several adjoint parameters: which of them the cell belongs to. Cells lie at even
 * addresses, so the next one is free for an entry, whose owner is the array's number. */
__device__ inline void gw_claim_array(const void *gw_target, unsigned int gw_array, unsigned int gw_line,
                                      const char *gw_name, const char *gw_file) {
    gw_claim_by(gw_array, (const char *)gw_target + 1, gw_line, GW_CLAIM_PLAIN, gw_name, gw_file, 0);
}

/* Before a sum over the block, of each thread that brings something to it: all of the block are one owner. */
__device__ inline void gw_claim_for_block(const void *gw_target, unsigned int gw_line, unsigned int gw_kind,
                                          const char *gw_name, const char *gw_file,
                                          unsigned int gw_barriers = 0) {
    const unsigned int gw_block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    gw_claim_by(GW_CLAIM_BLOCK | (gw_block & ~GW_CLAIM_BLOCK), gw_target, gw_line, gw_kind, gw_name, gw_file,
                gw_barriers);
}

/* Before each access of an object to which some additions are of block scope; kind: PLAIN for those, ATOMIC for
 * others. */
__device__ inline void gw_claim_scope(const void *gw_target, unsigned int gw_line, unsigned int gw_kind,
                                      const char *gw_name, const char *gw_file, unsigned int gw_barriers = 0) {
    gw_claim_for_block((const void *)((unsigned long long)gw_target | GW_CLAIM_SCOPE), gw_line, gw_kind,
                       gw_name, gw_file, gw_barriers);
}

/* ---- records of adjoints (GW_PACK) ---- */

/* An addition to float `gw_at` of records of so many floats: there are as many records as the caller said. */
__device__ inline void gw_test_record(long long gw_at, long long gw_floats, size_t gw_records,
                                      const char *gw_pack, const char *gw_file, unsigned int gw_line) {
    if (gw_at >= 0 && (unsigned long long)(gw_at / gw_floats) < gw_records) return;
    printf("gradwright: %s:%u: an addition to record %lld of %s, of which there are %llu\n", gw_file, gw_line,
           gw_at / gw_floats - (gw_at < 0), gw_pack, (unsigned long long)gw_records);
    __trap();
}

/* ---- promises ---- */

/* The end of a range of a list with GW_DISJOINT_RANGES: not before its begin, nor, of unsigned numbers, 2^31 or
 * more. */
template <class _GwT>
__device__ inline _GwT gw_range_end(_GwT gw_begin, _GwT gw_end, const char *gw_list, const char *gw_file,
                                    unsigned int gw_line) {
    if (gw_begin > gw_end || (_GwT(-1) > _GwT(0) && (unsigned long long)gw_end > 0x7fffffffull)) {
        printf("gradwright: %s:%u: a range of %s that was promised not to end before it begins: from %lld to "
               "%lld\n",
               gw_file, gw_line, gw_list, (long long)gw_begin, (long long)gw_end);
        __trap();
    }
    return gw_end;
}

#endif
