/*
 * parallel.h - what gradients of parallel algorithms call: a range of numbers, sums in a fixed order, additions
 * that meet. For the host's C++ from C++17 on.
 */
#ifndef GRADWRIGHT_PARALLEL_H
#define GRADWRIGHT_PARALLEL_H

#include <gradwright/tape.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <execution>
#include <iterator>
#include <tuple>
#include <vector>

/* The numbers from one on, as an iterator. */
template <class _GwT> class gw_counting {
  public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = _GwT;
    using difference_type = std::ptrdiff_t;
    using pointer = const _GwT *;
    using reference = _GwT;
    gw_counting() = default;
    explicit gw_counting(_GwT at) : at(at) {}
    /* the end of a loop from first to bound, which may have no iteration */
    gw_counting(_GwT first, _GwT bound) : at(first < bound ? bound : first) {}
    _GwT operator*() const { return at; }
    _GwT operator[](difference_type i) const { return (_GwT)(at + (_GwT)i); }
    gw_counting &operator++() { return ++at, *this; }
    gw_counting &operator--() { return --at, *this; }
    gw_counting operator++(int) { return gw_counting(at++); }
    gw_counting operator--(int) { return gw_counting(at--); }
    gw_counting &operator+=(difference_type i) { return at = (_GwT)(at + (_GwT)i), *this; }
    gw_counting &operator-=(difference_type i) { return at = (_GwT)(at - (_GwT)i), *this; }
    gw_counting operator+(difference_type i) const { return gw_counting((_GwT)(at + (_GwT)i)); }
    gw_counting operator-(difference_type i) const { return gw_counting((_GwT)(at - (_GwT)i)); }
    friend gw_counting operator+(difference_type i, const gw_counting &from) { return from + i; }
    difference_type operator-(const gw_counting &o) const {
        return (difference_type)at - (difference_type)o.at;
    }
    bool operator==(const gw_counting &o) const { return at == o.at; }
    bool operator!=(const gw_counting &o) const { return at != o.at; }
    bool operator<(const gw_counting &o) const { return at < o.at; }
    bool operator>(const gw_counting &o) const { return at > o.at; }
    bool operator<=(const gw_counting &o) const { return at <= o.at; }
    bool operator>=(const gw_counting &o) const { return at >= o.at; }

  private:
    _GwT at = 0;
};

/* As many parts as this at most, whatever the machine: so a sum is the same on each, however many cores it
 * has. */
enum { GW_MOST_PARTS = 256 };

/* of_part(begin, end, part...) for parts of the numbers from first to bound, at the same time; what they add to
 * theirs is added to the sums, part by part in the order of the numbers. */
template <class _GwT, class _GwP, class _GwF, class... _GwS>
void gw_for_each_part(_GwP &&policy, _GwT first, _GwT bound, _GwF of_part, _GwS &...sums) {
    if (!(first < bound)) return;
    const _GwT count = bound - first, parts = count < GW_MOST_PARTS ? count : (_GwT)GW_MOST_PARTS;
    const _GwT each = count / parts, more = count % parts; /* the first parts have one number more */
    std::tuple<_GwS...> part[GW_MOST_PARTS] = {};
    std::for_each(policy, gw_counting<_GwT>(0), gw_counting<_GwT>(parts), [&](_GwT p) {
        std::tuple<_GwS...> own{};
        const _GwT begin = first + p * each + (p < more ? p : more), end = begin + each + (p < more ? 1 : 0);
        std::apply([&](_GwS &...of) { of_part(begin, end, of...); }, own);
        part[p] = own;
    });
    for (_GwT p = 0; p < parts; p++) std::apply([&](const _GwS &...of) { ((sums += of), ...); }, part[p]);
}

/* body(i, part...) for each i from first to bound. */
template <class _GwT, class _GwP, class _GwF, class... _GwS>
void gw_for_each_summing(_GwP &&policy, _GwT first, _GwT bound, _GwF body, _GwS &...sums) {
    gw_for_each_part<_GwT>(
        policy, first, bound,
        [&](_GwT begin, _GwT end, _GwS &...of) {
            for (_GwT i = begin; i < end; i++) body(i, of...);
        },
        sums...);
}

/* The same, and what an iteration records goes to a tape of its part. Without memory for one of these, the
 * function's own tape is empty. */
template <class _GwT, class _GwP, class _GwF, class... _GwS>
gw_status gw_for_each_taping(_GwP &&policy, gw_host_tape *tape, _GwT first, _GwT bound, _GwF body,
                             _GwS &...sums) {
    std::atomic<bool> failed{false};
    gw_for_each_part<_GwT>(
        policy, first, bound,
        [&](_GwT begin, _GwT end, _GwS &...of) {
            char room[GW_HOST_TAPE_FIRST];
            gw_host_tape own = gw_host_tape_over(room, sizeof room);
            bool good = true;
            for (_GwT i = begin; i < end && good; i++)
                good = body(i, &own, of...) == GW_OK;
            if (!good) failed = true; /* its tape is empty */
            else gw_host_tape_free(&own);
        },
        sums...);
    if (!failed) return GW_OK;
    gw_host_tape_free(tape);
    return gw_report(GW_ERROR_MEMORY, "no memory for the tape of an iteration");
}

#ifndef __CUDACC__
/* Several iterations may add to one cell: in any order, but none is lost. */
template <class _GwT> inline void gw_atomic_add(_GwT *cell, _GwT value) {
    _GwT had, now;
    __atomic_load(cell, &had, __ATOMIC_RELAXED);
    do now = had + value;
    while (!__atomic_compare_exchange(cell, &had, &now, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}
#endif

#endif
