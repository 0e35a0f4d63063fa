/*
 * classes.h - objects whose class turns out when derivatives run.
 *
 * C++14, with type information (no -fno-rtti).
 */
#ifndef GRADWRIGHT_CLASSES_H
#define GRADWRIGHT_CLASSES_H

#include <stdio.h>
#include <stdlib.h>
#include <type_traits>
#include <typeinfo>

/* Whether it is of that class, and of none that derives from it. */
template <class _GwD, class _GwB> bool gw_is(const _GwB &gw_object) {
    return typeid(gw_object) == typeid(_GwD);
}

template <class _GwD, class _GwB> const _GwD &gw_as(const _GwB &gw_object) {
    return static_cast<const _GwD &>(gw_object);
}
template <class _GwD, class _GwB> _GwD &gw_as(_GwB &gw_object) { return static_cast<_GwD &>(gw_object); }

/* An adjoint or tangent of such an object, which must be of its class. */
template <class _GwD, class _GwB>
typename std::enable_if<!std::is_polymorphic<_GwB>::value>::type gw_check_mirror(const _GwB &) {}
template <class _GwD, class _GwB>
typename std::enable_if<std::is_polymorphic<_GwB>::value>::type gw_check_mirror(const _GwB &gw_object) {
    if (gw_is<_GwD>(gw_object) || dynamic_cast<const _GwD *>(&gw_object)) return;
    fprintf(stderr, "the adjoint or tangent of an object of class %s is one of class %s\n",
            typeid(_GwD).name(), typeid(gw_object).name());
    abort();
}
template <class _GwD, class _GwB> const _GwD &gw_mirror(const _GwB &gw_object) {
    gw_check_mirror<_GwD>(gw_object);
    return static_cast<const _GwD &>(gw_object);
}
template <class _GwD, class _GwB> _GwD &gw_mirror(_GwB &gw_object) {
    gw_check_mirror<_GwD>(gw_object);
    return static_cast<_GwD &>(gw_object);
}

#endif
