/*
 * walk.h - where loops over tables and sets are: iterators as numbers, which a tape can keep.
 *
 * What Gradwright writes belongs to whoever owns the source that it was made from; so does what a compiler
 * makes of it, with what it takes from this folder (LICENSE, "LLVM Exceptions").
 */
#ifndef GRADWRIGHT_WALK_H
#define GRADWRIGHT_WALK_H

#include <string.h>
#include <type_traits>

template <class _GwI> unsigned long long gw_mark(const _GwI &gw_iterator) {
    unsigned long long gw_number = 0;
    static_assert(std::is_trivially_copyable<_GwI>::value && sizeof gw_iterator <= sizeof gw_number,
                  "iterators that check themselves cannot be kept on a tape");
    memcpy(&gw_number, static_cast<const void *>(&gw_iterator), sizeof gw_iterator);
    return gw_number;
}

/* The iterator into an object that the number stands for. */
template <class _GwC> typename _GwC::const_iterator gw_marked(const _GwC &, unsigned long long gw_number) {
    typename _GwC::const_iterator gw_iterator;
    memcpy(static_cast<void *>(&gw_iterator), &gw_number, sizeof gw_iterator);
    return gw_iterator;
}

template <class _GwC> unsigned long long gw_mark_behind(const _GwC &gw_object, unsigned long long gw_number) {
    return gw_mark(++gw_marked(gw_object, gw_number));
}
template <class _GwC> unsigned long long gw_mark_before(const _GwC &gw_object, unsigned long long gw_number) {
    return gw_mark(--gw_marked(gw_object, gw_number));
}

#endif
