// Sparse Jacobians in C++: places that containers, members and references decide.
#include <gradwright/gradwright.h>
#include <gradwright/sparse.h>
#include <cstring>
#include <vector>

namespace mesh {
enum class kind { chain, ring };
struct grid {
    int stride;
    bool is_folded;
};
} // namespace mesh

namespace mesh {
GW_JACOBIAN("sparse y[0:n] wrt x[0:n]") GW_JACOBIAN("dense = y[0:n] wrt x[0:n]")
void pull(double *y, const double *x, int n, const std::vector<int> &far, const grid &g, kind k) {
    for (int i = 0; i < n; i++) {
        const int last = static_cast<int>(far.size()) - 1, to = (i * g.stride) % n;
        y[i] = x[i] * x[i];
        if (last >= 0) y[i] += x[(i + last) % n] * x[far[static_cast<std::size_t>(i % (last + 1))]];
        if (g.is_folded) y[i] += x[to];
        if (k == kind::ring) y[i] *= x[n - 1];
    }
}
} // namespace mesh

#include "sparse_sizes.grad.hpp"

#include "difference.h"

int main() {
    const int n = 12;
    double x[n], y[n], matrix[n * n], full[n * n];
    gw_sparse j = GW_SPARSE;
    for (int i = 0; i < n; i++) x[i] = std::sin(3 * i + 1);
    for (int round = 0; round < 32; round++) { // each but the first of two differs by one thing
        const mesh::grid g = {2 + round / 8 % 2, round / 16 != 0};
        const mesh::kind k = round / 4 % 2 ? mesh::kind::ring : mesh::kind::chain;
        std::vector<int> far(static_cast<std::size_t>(round / 2 % 2 + 2), 3);
        EXPECT(mesh::pull_jacobian(y, x, n, far, g, k, &j) == GW_OK);
        EXPECT(mesh::dense(y, x, n, far, g, k, matrix) == GW_OK);
        EXPECT(j.is_new == (round % 2 == 0));
        std::memset(full, 0, sizeof full);
        for (int i = 0; i < n; i++)
            for (int e = j.row_begin[i]; e < j.row_begin[i + 1]; e++) full[i * n + j.column[e]] = j.value[e];
        for (int i = 0; i < n * n; i++) EXPECT(std::fabs(full[i] - matrix[i]) < 1e-14);
    }
    gw_sparse_free(&j);
    return difference_report();
}
