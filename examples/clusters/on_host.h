/*
 * on_host.h - what clusters.h asks of a library of algorithms, by the standard library's on all cores. It has
 * nothing by key: pairs are sorted, and equal keys are a range.
 */
#ifndef CLUSTERS_ON_HOST_H
#define CLUSTERS_ON_HOST_H

#include <algorithm>
#include <execution>
#include <functional>
#include <numeric>
#include <ranges>
#include <vector>

#define EVERYWHERE

template <class T> using array = std::vector<T>;
template <class T> T *start_of(array<T> &values) { return values.data(); }

template <class F> void for_each_index(int n, F f) {
    const auto all = std::views::iota(0, n);
    std::for_each(std::execution::par, all.begin(), all.end(), f);
}
template <class F> double sum_over_indices(int n, F f) {
    const auto all = std::views::iota(0, n);
    return std::transform_reduce(std::execution::par, all.begin(), all.end(), 0.0, std::plus<double>(), f);
}
template <class T> struct keyed {
    int key;
    T value;
};
template <class T> void sort_by_key(int *keys, int n, T *values) {
    std::vector<keyed<T>> pairs(n);
    keyed<T> *const pair = pairs.data();
    for_each_index(n, [=](int i) { pair[i].key = keys[i], pair[i].value = values[i]; });
    std::stable_sort(std::execution::par, pairs.begin(), pairs.end(),
                     [](const keyed<T> &a, const keyed<T> &b) { return a.key < b.key; });
    for_each_index(n, [=](int i) { keys[i] = pair[i].key, values[i] = pair[i].value; });
}
/* How many keys were found. */
template <class T, class F>
int reduce_by_key(const int *keys, int n, const T *values, int *found, T *sums, F add) {
    std::vector<int> first(n + 1);
    int count = 0;
    for (int i = 0; i < n; i++)
        if (i == 0 || keys[i] != keys[i - 1]) first[count] = i, found[count++] = keys[i];
    first[count] = n;
    const int *const begin = first.data();
    for_each_index(count, [=](int j) {
        T sum = values[begin[j]];
        for (int i = begin[j] + 1; i < begin[j + 1]; i++)
            sum = add(sum, values[i]);
        sums[j] = sum;
    });
    return count;
}

/* What the program around them asks for. */
template <class T> using shared_array = std::vector<T>;
inline void wait_for_all() {}

#endif
