// What has a policy and is not on the list is named at its line.
// source: parallel_host.cpp
// says: parallel_host.cpp:7:5: error: std::partial_sort with a policy cannot be differentiated yet [unsupported]
// says:     std::partial_sort(std::execution::par, u.begin(), u.begin() + 1, u.end());
// says:     ^
// says:   way out: write it as a loop, or by an algorithm of docs/guide/parallel-host.md
// says: parallel_host.cpp:12:14: error: std::unique with a policy cannot be differentiated yet [unsupported]
// says:     auto e = std::unique(std::execution::par_unseq, u.begin(), u.end());
// says:              ^
// says:   way out: write it as a loop, or by an algorithm of docs/guide/parallel-host.md
// says: parallel_host.cpp:16:13: error: std::find_if with a policy cannot be differentiated yet [unsupported]
// says:     return *std::find_if(std::execution::seq, x, x + n, [](double v) { return v > 1; });
// says:             ^
// says:   way out: write it as a loop, or by an algorithm of docs/guide/parallel-host.md
