"""Random programs that call algorithms of Thrust beside their launches: the same generator with more kinds of
statements.

STATEMENTS: operands, as in launched.py, and the text of a statement, in which {0} {1} ... stand for them, {at}
for a policy and {new} for a name of its own. Those of VALUES declare a number of the host's, {new}, which is
differentiated; those of COUNTS an integer that decides how many elements something else has. Values stay
bounded, what is scattered has a place of its own, and indices stay a permutation.
"""
from launches import Launches, Pointer, few_from

HEADERS = """adjacent_difference copy count device_vector execution_policy extrema fill for_each functional
gather inner_product partition reduce remove scan scatter sequence sort tabulate transform transform_reduce
transform_scan tuple unique binary_search iterator/constant_iterator iterator/counting_iterator
iterator/discard_iterator iterator/permutation_iterator iterator/reverse_iterator iterator/transform_iterator
iterator/zip_iterator system/cuda/execution_policy""".split()

FUNCTORS = """struct bounded {
    double by;
    __host__ __device__ double operator()(double v) const { return by * v / (1 + v * v); }
};
struct coupled_to {
    double by;
    __host__ __device__ double operator()(double v) const { return 0.7 * sin(v) + by * cos(v); }
};
struct third {
    __host__ __device__ double operator()(double v) const { return 0.3 * v; }
};
struct coupled {
    double by;
    __host__ __device__ double operator()(double u, double v) const { return 0.5 * sin(u) * v + by * u; }
};
struct coupled_parts {
    template <class T> __host__ __device__ double operator()(const T &t) const {
        return 0.6 * thrust::get<0>(t) * cos(thrust::get<1>(t));
    }
};
struct exchange {
    template <class T> __host__ __device__ void operator()(T t) const {
        const double held = thrust::get<0>(t);
        thrust::get<0>(t) = 0.7 * sin(thrust::get<1>(t)), thrust::get<1>(t) = 0.8 * held;
    }
};
struct scaled_index {
    double by;
    __host__ __device__ double operator()(int i) const { return by * (1 - 0.1 * i); }
};
struct halves {
    int shift;
    __host__ __device__ int operator()(int i) const { return (i + shift) / 2; }
};
struct turned {
    int last;
    __host__ __device__ int operator()(int i) const { return last - i; }
};
struct is_odd {
    __host__ __device__ bool operator()(int i) const { return i % 2 != 0; }
};
struct is_large {
    __host__ __device__ bool operator()(double v) const { return v > 0.137; }
};
struct smaller_size {
    __host__ __device__ bool operator()(double a, double b) const { return a * a < b * b; }
};
struct compound { // associative: (1 + a)(1 + b) - 1, of thirds
    __host__ __device__ double operator()(double a, double b) const { return a + b + a * b; }
};
template <class A, class B> auto paired(A a, B b) {
    return thrust::make_zip_iterator(thrust::make_tuple(a, b));
}
inline auto counted(int first) { return thrust::make_counting_iterator(first); }
"""

THIRDS = "thrust::make_transform_iterator({0}, third())"
KEYS = "thrust::make_transform_iterator(counted(0), halves{{{{{0}}}}})"


def thirds(operand):
    return THIRDS.format(operand)


def keys(operand):
    return KEYS.format(operand)


STATEMENTS = [
    ("wran", "thrust::transform({at}, {1}, {1} + {3}, {0}, bounded{{{2}}});"),
    ("man", "thrust::transform({at}, {0}, {0} + {2}, {0}, bounded{{{1}}});"),
    ("wrran", "thrust::transform({at}, {1}, {1} + {4}, {2}, {0}, coupled{{{3}}});"),
    ("wrrn", "thrust::transform({at}, paired({1}, {2}), paired({1}, {2}) + {3}, {0}, coupled_parts());"),
    ("wrn", "thrust::transform({at}, thrust::make_reverse_iterator({1} + {2}), "
            "thrust::make_reverse_iterator({1}), {0}, bounded{{0.8}});"),
    ("wrran", "thrust::transform({at}, " + thirds("{1}") + ", " + thirds("{1} + {4}") + ", "
              "thrust::make_transform_iterator({2}, bounded{{{3}}}), {0}, coupled{{0.3}});"),
    ("wrain", "thrust::transform({at}, thrust::make_permutation_iterator({1}, {3}), "
              "thrust::make_permutation_iterator({1}, {3}) + {4}, {0}, bounded{{{2}}});"),
    ("wran", "thrust::transform({at}, {1}, {1} + {3}, {0}, "
             "[by = {2}] __device__(double v) {{ return by * sin(v) + 0.1 * v; }});"),
    ("mran", "thrust::for_each_n({at}, counted(0), {3}, [y = {0}, x = {1}, by = {2}] __device__(int i) {{\n"
             "    y[i] = 0.6 * y[i] + 0.2 * by * sin(x[i]);\n}});"),
    ("mmn", "thrust::for_each({at}, paired({0}, {1}), paired({0}, {1}) + {2}, exchange());"),
    ("mrn", "thrust::transform_if({at}, {1}, {1} + {2}, counted(0), {0}, bounded{{0.9}}, is_odd());"),
    ("wan", "thrust::tabulate({at}, {0}, {0} + {2}, scaled_index{{{1}}});"),
    ("wan", "thrust::fill({at}, {0}, {0} + {2}, {1});"),
    ("wan", "thrust::fill_n({at}, {0}, {2}, 0.5 * ({1}));"),
    ("waan", "thrust::sequence({at}, {0}, {0} + {3}, {1}, 0.1 * ({2}));"),
    ("wrn", "thrust::copy({at}, {1}, {1} + {2}, {0});"),
    ("wrn", "thrust::copy_n({at}, thrust::make_reverse_iterator({1} + {2}), {2}, {0});"),
    ("wrin", "thrust::gather({at}, {2}, {2} + {3}, {1}, {0});"),
    ("mrin", "thrust::gather_if({at}, {2}, {2} + {3}, counted(0), {1}, {0}, is_odd());"),
    ("mrin", "thrust::scatter({at}, {1}, {1} + {3}, {2}, {0});"),
    ("mrin", "thrust::scatter_if({at}, {1}, {1} + {3}, {2}, counted(1), {0}, is_odd());"),
    ("mrn", "thrust::scatter({at}, {1}, {1} + {2}, "
            "thrust::make_transform_iterator(counted(0), turned{{{2} - 1}}), {0});"),
    ("wrn", "thrust::adjacent_difference({at}, {1}, {1} + {2}, {0});"),
    ("mn", "thrust::adjacent_difference({at}, {0}, {0} + {1}, {0});"),
    ("wrn", "thrust::inclusive_scan({at}, " + thirds("{1}") + ", " + thirds("{1} + {2}") + ", {0});"),
    ("wran", "thrust::exclusive_scan({at}, " + thirds("{1}") + ", " + thirds("{1} + {3}") + ", {0}, {2});"),
    ("mn", "thrust::transform_inclusive_scan({at}, {0}, {0} + {1}, {0}, bounded{{0.5}}, "
           "thrust::plus<double>());"),
    ("wran", "thrust::transform_exclusive_scan({at}, {1}, {1} + {3}, {0}, bounded{{0.4}}, {2}, compound());"),
    ("wrn", "thrust::inclusive_scan({at}, " + thirds("{1}") + ", " + thirds("{1} + {2}") + ", {0}, "
            "compound());"),
    ("wrn", "thrust::inclusive_scan({at}, {1}, {1} + {2}, {0}, thrust::maximum<double>());"),
    ("wrn", "thrust::inclusive_scan_by_key({at}, " + keys("0") + ", " + keys("0") + " + {2}, " + thirds("{1}")
            + ", {0});"),
    ("wran", "thrust::exclusive_scan_by_key({at}, " + keys("1") + ", " + keys("1") + " + {3}, " + thirds("{1}")
             + ", {0}, {2}, thrust::equal_to<int>(), compound());"),
    ("mn", "thrust::sort({at}, {0}, {0} + {1});"),
    ("mn", "thrust::sort({at}, {0}, {0} + {1}, thrust::greater<double>());"),
    ("mn", "thrust::stable_sort({at}, {0}, {0} + {1}, smaller_size());"),
    ("mmn", "thrust::sort_by_key({at}, {0}, {0} + {2}, {1});"),
    ("mmn", "thrust::stable_sort_by_key({at}, {0}, {0} + {2}, {1}, smaller_size());"),
    ("mmmn", "thrust::sort_by_key({at}, {0}, {0} + {3}, paired({1}, {2}), thrust::greater<double>());"),
    ("jmn", "thrust::sort_by_key({at}, {0}, {0} + {2}, {1});"),
    ("mrn", "thrust::reduce_by_key({at}, " + keys("0") + ", " + keys("0") + " + {2}, {1}, "
            "thrust::make_discard_iterator(), {0});"),
    ("mrn", "thrust::reduce_by_key({at}, " + keys("1") + ", " + keys("1") + " + {2}, " + thirds("{1}") + ", "
            "thrust::make_discard_iterator(), {0}, thrust::equal_to<int>(), compound());"),
    ("mn", "thrust::stable_partition({at}, {0}, {0} + {1}, is_large());"),
    ("mmrn", "thrust::stable_partition_copy({at}, {2}, {2} + {3}, counted(0), {0}, {1}, is_odd());"),
]

VALUES = [
    ("rn", "thrust::reduce({at}, {0}, {0} + {1}, 0.0, thrust::plus<double>())"),
    ("ran", "thrust::reduce({at}, {0}, {0} + {2}, {1})"),
    ("rn", "thrust::reduce({at}, " + thirds("{0}") + ", " + thirds("{0} + {1}") + ", 0.1, compound())"),
    ("rn", "thrust::reduce({at}, {0}, {0} + {1}, -1.0, thrust::maximum<double>())"),
    ("rn", "thrust::reduce({at}, " + thirds("{0}") + ", " + thirds("{0} + {1}") + ", 1.0, "
           "thrust::multiplies<double>())"),
    ("ran", "thrust::transform_reduce({at}, {0}, {0} + {2}, bounded{{{1}}}, 0.2, thrust::plus<double>())"),
    ("rrn", "thrust::inner_product({at}, {0}, {0} + {2}, {1}, 0.1)"),
    ("rrn", "thrust::transform_reduce({at}, paired({0}, {1}), paired({0}, {1}) + {2}, coupled_parts(), 0.0, "
            "thrust::plus<double>())"),
]
COUNTS = [
    ("mrn", "thrust::copy_if({at}, {1}, {1} + {2}, {0}, is_large()) - ({0})"),
    ("mrn", "thrust::copy_if({at}, {1}, {1} + {2}, counted(1), {0}, is_odd()) - ({0})"),
    ("mn", "thrust::remove_if({at}, {0}, {0} + {1}, is_large()) - ({0})"),
    ("mrn", "thrust::remove_copy_if({at}, {1}, {1} + {2}, counted(0), {0}, is_odd()) - ({0})"),
    ("mrn", "thrust::reduce_by_key({at}, " + keys("0") + ", " + keys("0") + " + {2}, " + thirds("{1}") + ", "
            "thrust::make_discard_iterator(), {0}).second - ({0})"),
    ("mn", "thrust::unique({at}, {0}, {0} + {1}) - ({0})"),
]
LEAVING = ("thrust::remove_if", "thrust::unique")  # anything behind what they keep
EXTREMA = ("max_element", "min_element")


def library():
    return "".join(f"#include <thrust/{header}.h>\n" for header in HEADERS) + FUNCTORS


class Algorithms(Launches):
    def rows(self, deep):
        return [*super().rows(deep), (self.algorithm, 14), (self.value, 3), (self.count_of, 2),
                (self.extreme, 1), (self.vector, 1.5), (lambda s: self.allocate(s, "int"), 1.5)]

    @staticmethod
    def policy_on(random, on):
        if on == "0":
            return random.choice(("thrust::device", "thrust::cuda::par"))
        return random.choice((f"thrust::cuda::par.on({on})", f"thrust::cuda::par_nosync.on({on})"))

    def drawn(self, scope, table):
        """The text of one of them, and what it is given; None where something is missing."""
        for _ in range(8):
            letters, text = self.pick(table)
            found = self.operands(scope, letters)
            if not found:
                continue
            texts, written, read = found
            on = self.stream()
            self.wait(scope, on, written, read)
            return text.format(*texts, at=self.policy_on(self.random, on)), texts, on
        return None

    def algorithm(self, scope):
        made = self.drawn(scope, STATEMENTS)
        if made:
            self.add(scope, made[0])

    def known_number(self, scope, name):
        """It is used at once, as it may never be drawn."""
        scope.numbers.append(name)
        found = self.operands(scope, "mn")
        if found:
            (to, n), written, read = found
            on = self.stream()
            self.wait(scope, on, written, read)
            self.add(scope, f"thrust::transform({self.policy_on(self.random, on)}, {to}, {to} + {n}, {to}, "
                            f"coupled_to{{0.3 * {name}}});")

    def value(self, scope):
        """A sum, which the host waits for: from here on a number as any other."""
        made, name = self.drawn(scope, VALUES), self.fresh("sum")
        if made:
            self.add(scope, f"const double {name} = 0.2 * {made[0]};")
            self.known_number(scope, name)

    def count_of(self, scope):
        """How many were chosen: that many elements of what they were put into are looked at."""
        made, name = self.drawn(scope, COUNTS), self.fresh("count")
        if made:
            text, texts, on = made
            to, at = texts[0], self.policy_on(self.random, on)
            self.add(scope, f"const int {name} = (int)({text});\n"
                            f"thrust::transform({at}, {to}, {to} + {name}, {to}, "
                            f"bounded{{0.5 + 0.1 * {name}}});")
            if text.startswith(LEAVING):
                self.add(scope, f"thrust::fill({at}, {to} + {name}, {to} + n, 0.3);")

    def extreme(self, scope):
        found = self.operands(scope, "r")
        if found:
            (text,), written, read = found
            name, on = self.fresh("end"), self.stream()
            self.wait(scope, on, written, read)
            self.add(scope, f"const double {name} = 0.3 * *thrust::{self.pick(EXTREMA)}("
                            f"{self.policy_on(self.random, on)}, thrust::device_pointer_cast({text}), "
                            f"thrust::device_pointer_cast({text}) + n);")
            self.known_number(scope, name)

    def vector(self, scope):
        """A vector of the block's, filled on the null stream; it ends where the block does."""
        found, name, at = self.operands(scope, "r"), self.fresh("vector"), self.fresh("held")
        if not found:
            return
        (text,), _, read = found
        self.wait(scope, "0", [at], read)
        from_range = f"thrust::device_pointer_cast({text}), thrust::device_pointer_cast({text}) + n"
        given = self.pick((from_range, from_range, f"n, {self.number(scope)}", "n"))
        self.add(scope, f"thrust::device_vector<double> {name}({given});\n"
                        f"double *const {at} = thrust::raw_pointer_cast({name}.data());")
        scope.pointers.append(Pointer(at, "DEVICE"))
        if self.chance(0.4):
            keys_of, end = self.fresh("keys"), self.fresh("rest")
            self.settle(scope)
            self.add(scope, f"thrust::device_vector<int> {keys_of}(n);\n"
                            f"thrust::tabulate({keys_of}.begin(), {keys_of}.end(), halves{{0}});\n"
                            f"const auto {end} = thrust::unique_by_key({keys_of}.begin(), {keys_of}.end(), "
                            f"{name}.begin()).second;\nthrust::fill({end}, {name}.end(), 0.2);")


def make_program(seed):
    return few_from(seed, Algorithms(seed).make())
