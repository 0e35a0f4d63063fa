/*
 * open.h - private and protected members, for derivatives that emitted text has of a class's functions. The
 * usual rules of access do not hold for names in an explicit instantiation ([temp.explicit]). C++17.
 *
 * What Gradwright writes belongs to whoever owns the source that it was made from; so does what a compiler
 * makes of it, with what it takes from this folder (LICENSE, "LLVM Exceptions").
 */
#ifndef GRADWRIGHT_OPEN_H
#define GRADWRIGHT_OPEN_H

#include "gradwright/emitted/functions.h"

/* The class whose member a pointer leads to. */
template <class _GwP> struct gw_holder_of;
template <class _GwT, class _GwC> struct gw_holder_of<_GwT _GwC::*> {
    typedef _GwC gw_type;
};

#define GW_OPEN_WAY(gw_member, ...)                                                                            \
    GW_EVERYWHERE constexpr auto gw_at_##gw_member();                                                          \
    template <auto _GwAt> struct gw_opened_##gw_member {                                                       \
        GW_EVERYWHERE friend constexpr auto gw_at_##gw_member() { return _GwAt; }                              \
    };                                                                                                         \
    template struct gw_opened_##gw_member<&__VA_ARGS__::gw_member>;

/* gw_open_NAME(object) is the member of that name, of the class that is told behind it. */
#define GW_OPEN(gw_member, ...)                                                                                \
    GW_OPEN_WAY(gw_member, __VA_ARGS__)                                                                        \
    typedef gw_holder_of<decltype(gw_at_##gw_member())>::gw_type gw_holder_##gw_member;                        \
    GW_EVERYWHERE auto &gw_open_##gw_member(gw_holder_##gw_member &gw_object) {                                \
        return gw_object.*gw_at_##gw_member();                                                                 \
    }                                                                                                          \
    GW_EVERYWHERE auto &gw_open_##gw_member(const gw_holder_##gw_member &gw_object) {                          \
        return gw_object.*gw_at_##gw_member();                                                                 \
    }

/* The same of a static member: gw_open_NAME(). */
#define GW_OPEN_STATIC(gw_member, ...)                                                                         \
    GW_OPEN_WAY(gw_member, __VA_ARGS__)                                                                        \
    GW_EVERYWHERE auto &gw_open_##gw_member() { return *gw_at_##gw_member(); }

#endif
