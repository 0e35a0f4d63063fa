/*
 * claims.cuh - the checked build's proof of ownership: each access of an adjoint cell claims it for its thread,
 * and two threads of one launch at one cell, neither both by atomics nor both reading, are reported with both lines.
 *
 * A table in device memory maps a cell and a launch to the first thread that claimed it. Entries of other
 * launches are free for reuse, so the table never needs clearing; launches that run at the same time may take
 * entries from each other, which can lose a claim but never invents a conflict. What finds no room is counted
 * and said once. Launches are told apart by 16 bits of their number. Entries at odd addresses
 * say which adjoint parameter a cell belongs to.
 *
 * Where additions are atomics of block scope, each access also claims the cell for its block, in an entry of its own (bit 47 of the
 * address, which no address has): blocks that meet where one of them adds so are a conflict.
 *
 * In a kernel with barriers threads of a block may take turns at a cell: owners also say after how many barriers they
 * came, and count as none for a thread that came after another number. That can lose conflicts between blocks that are
 * not equally far, and invents none.
 */
#ifndef GRADWRIGHT_CLAIMS_CUH
#define GRADWRIGHT_CLAIMS_CUH

#include "gradwright/device.cuh"

enum { GW_CLAIM_PLAIN = 0, GW_CLAIM_ATOMIC = 1, GW_CLAIM_READ = 2 };
enum { GW_CLAIM_ENTRIES = 1 << 20, GW_CLAIM_PROBES = 64 };

/* cell: launch << 48 | address. owner: launch << 48 | kind << 46 | line (14 bits) << 32 | thread;
 * an owner of another launch counts as none. The owner's launch has the number of barriers mixed in. */
struct gw_claim_entry {
    unsigned long long cell, owner;
};
static __device__ gw_claim_entry gw_claim_table[GW_CLAIM_ENTRIES];
static __device__ unsigned int gw_claims_lost;

#define GW_CLAIM_MANY 0xffffffffu /* thread of an owner: several, all by atomics or all reading */
#define GW_CLAIM_SCOPE (1ull << 47)
#define GW_CLAIM_BLOCK 0x80000000u /* a block, for which one of its threads adds */

__device__ inline unsigned long long gw_claim_launch() {
#if defined(GW_CPU_DEVICE)
    const unsigned long long launch = gw_cpu_launch_id();
#elif defined(__CUDA_ARCH__)
    unsigned long long launch;
    asm volatile("mov.u64 %0, %%gridid;" : "=l"(launch));
#else
    const unsigned long long launch = 0;
#endif
    return (launch % 0xffffull + 1) << 48; /* never 0: an empty entry belongs to no launch */
}

/* The entry of a cell, made if need be; null if there is no room near its place. */
__device__ inline gw_claim_entry *gw_claim_find(unsigned long long cell) {
    unsigned long long hash = (cell & 0xffffffffffffull) * 0x9e3779b97f4a7c15ull;
    for (unsigned int probe = 0; probe < GW_CLAIM_PROBES; ++probe) {
        gw_claim_entry *entry = &gw_claim_table[((hash >> 44) + probe) % GW_CLAIM_ENTRIES];
        unsigned long long seen = atomicAdd(&entry->cell, 0ull);
        while (seen >> 48 != cell >> 48) {
            const unsigned long long before = atomicCAS(&entry->cell, seen, cell);
            if (before == seen) return entry;
            seen = before;
        }
        if (seen == cell) return entry;
    }
    return nullptr;
}

__device__ inline void gw_claim_conflict(const char *file, const char *name, const void *cell,
                                         unsigned long long first, unsigned long long second) {
    const unsigned int one = (unsigned int)first, two = (unsigned int)second;
    if ((unsigned long long)cell & 1) {
        printf("gradwright: %s: a cell of %s is one of another adjoint parameter, too (cell %p): lines %u and %u\n", file, name,
               (const void *)((const char *)cell - 1), (unsigned int)(first >> 32) & 0x3fffu, (unsigned int)(second >> 32) & 0x3fffu);
        __trap();
        return;
    }
    if ((unsigned long long)cell & GW_CLAIM_SCOPE) {
        printf("gradwright: %s: block %u and another one both touch %s (cell %p), by an atomic of block scope: lines %u and %u\n", file,
               two & ~GW_CLAIM_BLOCK, name, (const void *)((unsigned long long)cell & ~GW_CLAIM_SCOPE), (unsigned int)(first >> 32) & 0x3fffu,
               (unsigned int)(second >> 32) & 0x3fffu);
        __trap();
        return;
    }
    if (one != GW_CLAIM_MANY && ((one | two) & GW_CLAIM_BLOCK)) {
        printf("gradwright: %s: %s %u and %s %u both touch %s (cell %p) without an atomic: lines %u and %u\n", file,
               one & GW_CLAIM_BLOCK ? "block" : "thread", one & ~GW_CLAIM_BLOCK, two & GW_CLAIM_BLOCK ? "block" : "thread",
               two & ~GW_CLAIM_BLOCK, name, cell, (unsigned int)(first >> 32) & 0x3fffu, (unsigned int)(second >> 32) & 0x3fffu);
        __trap();
        return;
    }
    if (one == GW_CLAIM_MANY)
        printf("gradwright: %s: thread %u and others both touch %s (cell %p) without an atomic: lines %u and %u\n",
               file, two, name, cell, (unsigned int)(second >> 32) & 0x3fffu, (unsigned int)(first >> 32) & 0x3fffu);
    else
        printf("gradwright: %s: threads %u and %u both touch %s (cell %p) without an atomic: lines %u and %u\n",
               file, one, two, name, cell, (unsigned int)(first >> 32) & 0x3fffu,
               (unsigned int)(second >> 32) & 0x3fffu);
    __trap();
}

/* What the entry says after `mine` joined `seen`, both of this launch; 0 for a conflict. */
__device__ inline unsigned long long gw_claim_join(unsigned long long seen, unsigned long long mine) {
    const unsigned int seen_kind = (unsigned int)(seen >> 46) & 3, mine_kind = (unsigned int)(mine >> 46) & 3;
    if ((unsigned int)seen == (unsigned int)mine) /* plain once, plain for good; and who reads and adds is alone */
        return seen_kind == mine_kind ? seen : mine & ~(3ull << 46);
    if (seen_kind == mine_kind && seen_kind != GW_CLAIM_PLAIN) return seen | GW_CLAIM_MANY;
    return 0;
}

/* Of whoever has the number. */
__device__ inline void gw_claim_by(unsigned int owner, const void *cell, unsigned int line, unsigned int kind, const char *name,
                                   const char *file, unsigned int barriers) {
    const unsigned long long launch = gw_claim_launch();
    const unsigned long long turn = (((launch >> 48) + barriers * 0x9e37ull) % 0xffffull + 1) << 48;
    const unsigned long long address = (unsigned long long)cell & 0xffffffffffffull;
    const unsigned long long mine = turn | (unsigned long long)kind << 46 |
                                    (unsigned long long)(line & 0x3fffu) << 32 | owner;
    gw_claim_entry *entry = gw_claim_find(launch | address);
    if (!entry) {
        if (atomicAdd(&gw_claims_lost, 1u) == 0)
            printf("gradwright: %s: the table of claims is full; some accesses are not checked\n", file);
        return;
    }
    unsigned long long seen = atomicAdd(&entry->owner, 0ull);
    for (;;) {
        const unsigned long long next = seen >> 48 == turn >> 48 ? gw_claim_join(seen, mine) : mine;
        if (!next) {
            gw_claim_conflict(file, name, cell, seen, mine);
            return;
        }
        const unsigned long long before = atomicCAS(&entry->owner, seen, next);
        if (before == seen) return;
        seen = before;
    }
}

/* Before each access of an adjoint cell by the calling thread. */
__device__ inline void gw_claim(const void *cell, unsigned int line, unsigned int kind, const char *name, const char *file,
                                unsigned int barriers = 0) {
    gw_claim_by((unsigned int)gw_thread(), cell, line, kind, name, file, barriers);
}

/* Beside it, in a kernel with several adjoint parameters: which of them the cell belongs to. Cells lie at even addresses, so the next
 * one is free for an entry, whose owner is the array's number. */
__device__ inline void gw_claim_array(const void *cell, unsigned int array, unsigned int line, const char *name, const char *file) {
    gw_claim_by(array, (const char *)cell + 1, line, GW_CLAIM_PLAIN, name, file, 0);
}

/* Before a sum over the block, of each thread that brings something to it: all of the block are one owner. */
__device__ inline void gw_claim_for_block(const void *cell, unsigned int line, unsigned int kind, const char *name, const char *file,
                                          unsigned int barriers = 0) {
    const unsigned int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    gw_claim_by(GW_CLAIM_BLOCK | (block & ~GW_CLAIM_BLOCK), cell, line, kind, name, file, barriers);
}

/* Before each access of an object to which some additions are of block scope; kind: PLAIN for those, ATOMIC for others. */
__device__ inline void gw_claim_scope(const void *cell, unsigned int line, unsigned int kind, const char *name, const char *file,
                                      unsigned int barriers = 0) {
    gw_claim_for_block((const void *)((unsigned long long)cell | GW_CLAIM_SCOPE), line, kind, name, file, barriers);
}

/* ---- records of adjoints (GW_PACK) ---- */

/* An addition to float `at` of records of so many floats: there are as many records as the caller said. */
__device__ inline void gw_test_record(long long at, long long floats, size_t records, const char *pack, const char *file,
                                      unsigned int line) {
    if (at >= 0 && (unsigned long long)(at / floats) < records) return;
    printf("gradwright: %s:%u: an addition to record %lld of %s, of which there are %llu\n", file, line, at / floats - (at < 0), pack,
           (unsigned long long)records);
    __trap();
}

/* ---- promises ---- */

/* The end of a range of a list with GW_DISJOINT_RANGES: not before its begin, nor, of unsigned numbers, 2^31 or more. */
template <class T>
__device__ inline T gw_range_end(T begin, T end, const char *list, const char *file, unsigned int line) {
    if (begin > end || (T(-1) > T(0) && (unsigned long long)end > 0x7fffffffull)) {
        printf("gradwright: %s:%u: a range of %s that was promised not to end before it begins: from %lld to %lld\n", file, line, list,
               (long long)begin, (long long)end);
        __trap();
    }
    return end;
}

#endif
