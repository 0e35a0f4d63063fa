/*
 * table_lookup.cuh - macroscopic cross sections by table, the kernel of neutron transport proxies (Tramm,
 * Siegel, Islam, Schulz 2014): each lookup draws an energy and a material; for each nuclide of the material it
 * finds the energy in the nuclide's sorted table - a table of equal bins narrows the binary search - and
 * interpolates five cross sections linearly. All lookups share the tables.
 *
 * `real` is the including file's; it includes the gradients as well.
 */
#include "lookup_samples.cuh"

struct table_point {
    real energy, total, elastic, absorption, fission, nu_fission;
};

struct tables {
    int nuclides, points, bins; /* points: of one nuclide */
    int most_nuclides;          /* row length of the material tables */
};

/* Last of points[low .. high - 1] whose energy is at most `energy`, or `low`. */
static __device__ inline int find_energy(const table_point *points, real energy, int low, int high) {
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (points[middle].energy > energy) high = middle;
        else low = middle;
    }
    return low;
}

/* out[k * lookups + i]: total, elastic, absorption, fission, nu-fission of lookup i. bin_start has a row of
 * `nuclides` numbers for each bin and for its end. */
GW_GRADIENT("out wrt grid")
GW_DERIVATIVE("out wrt grid")
__global__ void table_lookup(real *out, const table_point *grid, const int *bin_start, const int *nuclide_count,
                             const int *nuclide, const real *concentration, tables t, int lookups) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= lookups) return;
    real energy = sample_energy(i);
    int material = sample_material(i);
    int bin = (int)(energy * t.bins);
    real sum[5] = {0, 0, 0, 0, 0};
    for (int k = 0; k < nuclide_count[material]; k++) {
        int which = nuclide[material * t.most_nuclides + k];
        real density = concentration[material * t.most_nuclides + k];
        const table_point *points = grid + (size_t)which * t.points;
        int low = find_energy(points, energy, bin_start[bin * t.nuclides + which],
                              bin_start[(bin + 1) * t.nuclides + which] + 1);
        if (low > t.points - 2) low = t.points - 2;
        const table_point &a = points[low], &b = points[low + 1];
        real share = (b.energy - energy) / (b.energy - a.energy);
        sum[0] += density * (b.total - share * (b.total - a.total));
        sum[1] += density * (b.elastic - share * (b.elastic - a.elastic));
        sum[2] += density * (b.absorption - share * (b.absorption - a.absorption));
        sum[3] += density * (b.fission - share * (b.fission - a.fission));
        sum[4] += density * (b.nu_fission - share * (b.nu_fission - a.nu_fission));
    }
    for (int k = 0; k < 5; k++) out[(size_t)k * lookups + i] = sum[k];
}
