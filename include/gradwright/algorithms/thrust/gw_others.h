/*
 * thrust/gw_others.h - algorithms of Thrust that a gradient does not have yet: they are declared, so that
 * functions which call them can be read, and refused by name in those that are to be differentiated.
 */
#ifndef GRADWRIGHT_THRUST_OTHERS_H
#define GRADWRIGHT_THRUST_OTHERS_H

#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>

namespace thrust {
/* What a call gives is whatever it is taken for. */
struct gw_anything {
    template <class T> operator T() const;
};
template <class T> T operator+(gw_anything, T);
template <class T> T operator-(gw_anything, T);
template <class T> T operator*(gw_anything, T);
template <class T> T operator/(gw_anything, T);
template <class T> T operator+(T, gw_anything);
template <class T> T operator-(T, gw_anything);
template <class T> T operator*(T, gw_anything);
template <class T> T operator/(T, gw_anything);

#define GW_THRUST_OTHER(name) template <class... A> gw_anything name(A &&...arguments);
GW_THRUST_OTHER(adjacent_difference)
GW_THRUST_OTHER(all_of)
GW_THRUST_OTHER(any_of)
GW_THRUST_OTHER(binary_search)
GW_THRUST_OTHER(copy_if)
GW_THRUST_OTHER(count)
GW_THRUST_OTHER(count_if)
GW_THRUST_OTHER(equal)
GW_THRUST_OTHER(exclusive_scan)
GW_THRUST_OTHER(exclusive_scan_by_key)
GW_THRUST_OTHER(find)
GW_THRUST_OTHER(find_if)
GW_THRUST_OTHER(gather_if)
GW_THRUST_OTHER(generate)
GW_THRUST_OTHER(inclusive_scan)
GW_THRUST_OTHER(inclusive_scan_by_key)
GW_THRUST_OTHER(is_sorted)
GW_THRUST_OTHER(lower_bound)
GW_THRUST_OTHER(max_element)
GW_THRUST_OTHER(merge)
GW_THRUST_OTHER(merge_by_key)
GW_THRUST_OTHER(min_element)
GW_THRUST_OTHER(minmax_element)
GW_THRUST_OTHER(none_of)
GW_THRUST_OTHER(partition)
GW_THRUST_OTHER(reduce_by_key)
GW_THRUST_OTHER(remove)
GW_THRUST_OTHER(remove_if)
GW_THRUST_OTHER(replace)
GW_THRUST_OTHER(replace_if)
GW_THRUST_OTHER(reverse)
GW_THRUST_OTHER(scatter_if)
GW_THRUST_OTHER(set_difference)
GW_THRUST_OTHER(set_intersection)
GW_THRUST_OTHER(set_union)
GW_THRUST_OTHER(sort)
GW_THRUST_OTHER(sort_by_key)
GW_THRUST_OTHER(stable_partition)
GW_THRUST_OTHER(stable_sort)
GW_THRUST_OTHER(stable_sort_by_key)
GW_THRUST_OTHER(tabulate)
GW_THRUST_OTHER(transform_exclusive_scan)
GW_THRUST_OTHER(transform_if)
GW_THRUST_OTHER(transform_inclusive_scan)
GW_THRUST_OTHER(unique)
GW_THRUST_OTHER(unique_by_key)
GW_THRUST_OTHER(upper_bound)
#undef GW_THRUST_OTHER
} // namespace thrust

#endif
