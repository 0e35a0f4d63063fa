#!/usr/bin/env python3
"""Writes a test of every algorithm that is differentiated: a program for each, in float and double, of no, of
one and of some elements, against differences, and its forward derivative against the gradient.

usage: algorithms.py ALGORITHMS.DEF OUT SUPPORT

A row of PROGRAMS is what the program does between its beginning (u and x hold the input, v the number c, w
ones) and its end, the weighed sum of the first `count` of v. An algorithm of the table without a row is an
error, and a row without an algorithm.
"""
import re
import sys

IN = "p, p + n"
U, V = "u.begin(), u.end()", "v.begin()"
KEYS, KEY = "key.begin(), key.end()", "key.begin()"

PROGRAMS = {
    "transform": f"thrust::transform({IN}, {V}, wave<T>{{c}});",
    "transform_if": f"thrust::transform_if({IN}, index.begin(), {V}, wave<T>{{c}}, is_odd());",
    "for_each": f"thrust::for_each({U}, bent<T>{{c}}); v = u;",
    "for_each_n": f"thrust::for_each_n(u.begin(), n, bent<T>{{c}}); v = u;",
    "tabulate": f"thrust::tabulate({V}, v.end(), by_index<T>{{c, x}});",
    "fill": f"thrust::fill({V}, v.end(), c * c);",
    "fill_n": f"thrust::fill_n({V}, n / 2, c * c);",
    "sequence": f"thrust::sequence({V}, v.end(), c, c * c);",
    "copy": f"thrust::copy({IN}, {V});",
    "copy_n": f"thrust::copy_n(p, n / 2, {V});",
    "swap": "thrust::swap(u, v); thrust::swap(u, w); thrust::swap(v, u); thrust::swap(v, w);",
    "gather": f"thrust::gather(half.begin(), half.end(), p, {V});",
    "gather_if": f"thrust::gather_if(half.begin(), half.end(), index.begin(), p, {V}, is_odd());",
    "scatter": f"thrust::scatter({IN}, turned.begin(), {V});",
    "scatter_if": f"thrust::scatter_if({IN}, turned.begin(), index.begin(), {V}, is_odd());",
    "reverse": "v = u; thrust::reverse(v.begin(), v.end());",
    "reverse_copy": f"thrust::reverse_copy({IN}, {V});",
    "adjacent_difference": f"thrust::adjacent_difference({IN}, {V});\n"
                           f"    thrust::adjacent_difference({V}, v.end(), {V}, thrust::multiplies<T>());",
    "reduce": "thrust::fill(v.begin(), v.end(), thrust::reduce(u.begin(), u.end(), c) *\n"
              "        thrust::reduce(u.begin(), u.end(), c, thrust::maximum<T>()));",
    "transform_reduce": f"thrust::fill({V}, v.end(),\n"
                        f"        thrust::transform_reduce({IN}, wave<T>{{c}}, c, thrust::plus<T>()));",
    "inner_product": f"thrust::fill({V}, v.end(), thrust::inner_product({IN}, u.begin(), c));",
    "sort": "v = u; thrust::sort(v.begin(), v.end());",
    "stable_sort": "v = u; thrust::stable_sort(v.begin(), v.end(), by_size<T>());",
    "sort_by_key": f"thrust::transform({IN}, {V}, wave<T>{{c}});\n"
                   "    thrust::sort_by_key(u.begin(), u.end(), v.begin(), thrust::greater<T>());",
    "stable_sort_by_key": f"thrust::transform({IN}, {V}, wave<T>{{c}});\n"
                          "    thrust::stable_sort_by_key(turned.begin(), turned.end(), v.begin());",
    "inclusive_scan": f"thrust::inclusive_scan({IN}, {V});",
    "exclusive_scan": f"thrust::exclusive_scan({IN}, {V}, c, compound<T>());",
    "transform_inclusive_scan":
        f"thrust::transform_inclusive_scan({IN}, {V}, wave<T>{{c}}, thrust::plus<T>());",
    "transform_exclusive_scan":
        f"thrust::transform_exclusive_scan({IN}, {V}, wave<T>{{c}}, c, thrust::plus<T>());",
    "inclusive_scan_by_key": f"thrust::inclusive_scan_by_key({KEYS}, p, {V});",
    "exclusive_scan_by_key": f"thrust::exclusive_scan_by_key({KEYS}, p, {V}, c, thrust::equal_to<int>(),\n"
                             "        compound<T>());",
    "reduce_by_key": f"count = (int)(thrust::reduce_by_key({KEYS}, p, half.begin(), {V}).second - {V});",
    "copy_if": f"count = (int)(thrust::copy_if({IN}, {V}, is_positive<T>()) - {V});",
    "remove_if": "v = u; count = (int)(thrust::remove_if(v.begin(), v.end(), is_positive<T>()) - v.begin());",
    "remove": "v = u; count = (int)(thrust::remove(v.begin(), v.end(), (T)7) - v.begin());",
    "remove_copy_if": f"count = (int)(thrust::remove_copy_if({IN}, index.begin(), {V}, is_odd()) - {V});",
    "remove_copy": f"count = (int)(thrust::remove_copy({IN}, {V}, (T)7) - {V});",
    # in any order: CUDA's has the second part backwards
    "partition": "v = u; count = (int)(thrust::partition(v.begin(), v.end(), is_positive<T>()) - v.begin());\n"
                 "    thrust::sort(v.begin(), v.begin() + count);",
    "stable_partition": "v = u; thrust::stable_partition(v.begin(), v.end(), is_positive<T>());",
    "partition_copy": f"count = (int)(thrust::partition_copy({IN}, {V}, w.begin(), is_positive<T>()).first\n"
                      f"                  - {V});",
    "stable_partition_copy": f"thrust::stable_partition_copy({IN}, index.begin(), w.begin(), {V}, is_odd());",
    "unique": "v = u; count = (int)(thrust::unique(v.begin(), v.end()) - v.begin());",
    "unique_copy": f"count = (int)(thrust::unique_copy({IN}, {V}) - {V});",
    "unique_by_key": f"v = u; count = (int)(thrust::unique_by_key({KEYS}, {V}).second - {V});",
    "unique_by_key_copy":
        f"count = (int)(thrust::unique_by_key_copy({KEYS}, p, half.begin(), {V}).second - {V});",
    "lower_bound": "v = u; thrust::sort(v.begin(), v.end());\n"
                   "    count = (int)(thrust::lower_bound(v.begin(), v.end(), (T)0.001) - v.begin());",
    "upper_bound": "v = u; thrust::sort(v.begin(), v.end());\n"
                   "    count = (int)(thrust::upper_bound(v.begin(), v.end(), (T)0.001) - v.begin());",
    "binary_search":
        "v = u; thrust::sort(v.begin(), v.end());\n"
        "    thrust::binary_search(index.begin(), index.end(), turned.begin(), turned.end(), half.begin());\n"
        "    thrust::transform(v.begin(), v.end(), half.begin(), v.begin(), thrust::multiplies<T>());\n"
        "    if (thrust::binary_search(index.begin(), index.end(), 2)) v = u;",
    "count": "thrust::fill(v.begin(), v.end(), c * (T)thrust::count(half.begin(), half.end(), 0));",
    "count_if": f"thrust::fill({V}, v.end(), c * (T)thrust::count_if({IN}, is_positive<T>()));",
    "min_element": f"if (n) thrust::fill({V}, v.end(), c * *thrust::min_element({IN}));",
    "max_element": f"if (n) thrust::fill({V}, v.end(), c * *thrust::max_element({IN}, by_size<T>()));",
    "minmax_element": f"if (n) {{\n        const auto ends = thrust::minmax_element({IN});\n"
                      f"        thrust::fill({V}, v.end(), c * *ends.first - *ends.second * *ends.second);\n"
                      "    }",
}

HEAD = """// Made by tests/contract/algorithms.py of plugin/frontend/call/algorithms.def.
#include "{support}/expect.cuh"

#include <gradwright/program.h>
{headers}
template <class T> struct wave {{
    T by;
    __host__ __device__ T operator()(T v) const {{ return by * v / (1 + v * v); }}
}};
template <class T> struct bent {{
    T by;
    __host__ __device__ void operator()(T &v) const {{ v = by * v * v; }}
}};
template <class T> struct by_index {{
    T by;
    const T *at;
    __host__ __device__ T operator()(ptrdiff_t i) const {{ return by * at[i] * at[i / 2]; }}
}};
template <class T> struct compound {{ // associative: (1 + a)(1 + b) - 1
    __host__ __device__ T operator()(T a, T b) const {{ return a + b + a * b; }}
}};
template <class T> struct by_size {{
    __host__ __device__ bool operator()(T a, T b) const {{ return a * a < b * b; }}
}};
template <class T> struct is_positive {{
    __host__ __device__ bool operator()(T v) const {{ return v > 0; }}
}};
struct is_odd {{
    __host__ __device__ bool operator()(int i) const {{ return i % 2 != 0; }}
}};
struct divided {{
    int by;
    __host__ __device__ int operator()(int i) const {{ return i / by; }}
}};
struct from_end {{
    int last;
    __host__ __device__ int operator()(int i) const {{ return last - i; }}
}};
template <class T> struct weight {{
    __host__ __device__ T operator()(ptrdiff_t i) const {{ return 1 + (T)(i % 7) / 8; }}
}};
#define BEGIN \\
    const thrust::device_ptr<const T> p = thrust::device_pointer_cast(x); \\
    thrust::device_vector<T> u(p, p + n), v(n, c), w(n, (T)1); \\
    thrust::device_vector<int> index(n), half(n), key(n), turned(n); \\
    thrust::sequence(index.begin(), index.end()); \\
    thrust::transform(index.begin(), index.end(), half.begin(), divided{{2}}); \\
    thrust::transform(index.begin(), index.end(), key.begin(), divided{{7}}); \\
    thrust::transform(index.begin(), index.end(), turned.begin(), from_end{{n - 1}}); \\
    int count = n;
#define END \\
    thrust::tabulate(w.begin(), w.begin() + count, weight<T>()); \\
    *loss = c * thrust::inner_product(v.begin(), v.begin() + count, w.begin(), (T)0);
"""


def listed(path):
    with open(path, encoding="utf-8") as file:
        return dict(re.findall(r'^GW_ALGORITHM\("(\w+)",\s*"(\w+)"', file.read(), re.M))


# What the loss changes by along a direction, against the gradient along it.
ALONG = """
template <class G, class J> void along(const G &gradient, const J &jvp, int n, check::trial &trial) {
    const std::vector<double> x = distinct(n);
    std::vector<double> direction;
    for (int i = 0; i < n; i++) direction.push_back(std::sin(1.0 + i));
    check::shared_array<double> loss({0}), same({0}), seed({1}), t_loss({0});
    check::array<double> in(x), d_x(std::vector<double>(n, 0)), t_x(direction);
    double d_c = 0, want = 0;
    const double *const p = in;
    EXPECT_STATUS(gradient((double *)loss, p, 1.5, n, (double *)seed, (double *)d_x, &d_c), GW_OK);
    EXPECT_STATUS(jvp((double *)same, p, 1.5, n, (double *)t_loss, (const double *)t_x, 0.5), GW_OK);
    EXPECT_DEVICE_OK();
    want = 0.5 * d_c;
    for (int i = 0; i < n; i++) want += d_x.get()[i] * direction[i];
    EXPECT(loss.get()[0] == same.get()[0]);
    EXPECT(check::near(t_loss.get()[0], want, 1e-11, 1));
}
#define ALONG(name) \\
    TEST(name##_along) { \\
        for (int n : {0, 1, 33, 700}) \\
            along([](auto... a) { return name##_double_grad(a...); }, \\
                  [](auto... a) { return name##_double_jvp(a...); }, n, trial); \\
    }
"""


def program(name, real):
    forward = 'GW_DERIVATIVE("loss wrt x, c") ' if real == "double" else ""
    return (f'{forward}GW_GRADIENT("loss wrt x, c") void '
            f'{name}_of_{real}({real} *loss, const {real} *x, {real} c, '
            f"int n) {{\n    using T = {real};\n    BEGIN\n    {PROGRAMS[name]}\n    END\n}}\n")


def text(headers, support):
    every = sorted(set(headers.values()) | {"device_vector", "functional", "tabulate", "inner_product", "sort",
                                            "fill", "transform", "sequence"})
    made = HEAD.format(support=support, headers="".join(f"#include <thrust/{h}.h>\n" for h in every))
    made += "".join(program(name, real) for name in PROGRAMS for real in ("float", "double"))
    return made


def main():
    table, out, support = sys.argv[1:]
    headers = listed(table)
    for name in sorted(headers.keys() ^ PROGRAMS.keys()):
        sys.exit(f"{name}: " + ("no program" if name in headers else "no such algorithm"))
    made = text(headers, support)
    stem = re.sub(r"\.cu$", "", out.split("/")[-1])
    made += "// Keys lie 6e-6 apart; of a sum one by one, 1e-13 are lost.\n#define STEP 1e-6\n"
    made += f'#include "{stem}.grad.cuh"\n#include "{support}/sizes.cuh"\n\nnamespace {{\n{ALONG}\n'
    made += "".join(f"CASES({name}_of)\nALONG({name}_of)\n" for name in PROGRAMS)
    made += "\n} // namespace\nTEST_MAIN\n"
    with open(out, "w", encoding="utf-8") as file:
        file.write(made)


if __name__ == "__main__":
    main()
