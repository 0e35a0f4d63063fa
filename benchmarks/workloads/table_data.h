/*
 * table_data.h - tables for table_lookup.cuh, of any size: sorted energies and random cross sections of each
 * nuclide, the bins' starts, and the materials' nuclides and concentrations. Include it below the kernel.
 */
#ifndef GW_BENCHMARKS_TABLE_DATA_H
#define GW_BENCHMARKS_TABLE_DATA_H

#include "material_data.h"

struct table_data : material_data {
    std::vector<table_point> grid;
    std::vector<int> bin_start;
    tables sizes;

    table_data(int nuclides, int points, int bins, int fuel) : material_data(nuclides, fuel) {
        sizes = {nuclides, points, bins, most_nuclides};
        grid.resize((size_t)nuclides * points);
        for (size_t k = 0; k < grid.size(); k++) {
            table_point &p = grid[k];
            p.energy = ((real)(k % points) + (real)0.25 + next() / 2) / points; /* sorted */
            p.total = next(), p.elastic = next(), p.absorption = next(), p.fission = next(),
            p.nu_fission = next();
        }
        bin_start.resize((size_t)(bins + 1) * nuclides);
        for (int n = 0; n < nuclides; n++) fill_bins(n);
    }

private:
    /* The last point that is not behind the bin's start. */
    void fill_bins(int nuclide) {
        const table_point *first = &grid[(size_t)nuclide * sizes.points];
        int at = 0;
        for (int bin = 0; bin <= sizes.bins; bin++) {
            while (at + 1 < sizes.points && first[at + 1].energy <= (real)bin / sizes.bins) at++;
            bin_start[(size_t)bin * sizes.nuclides + nuclide] = at;
        }
    }
};

#endif
