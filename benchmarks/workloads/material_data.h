/*
 * material_data.h - the reactor's materials, which the cross-section lookups share: how many nuclides each one
 * has - `fuel` of them in fuel, 34 or 321 in the published problems -, which, and in what concentration. The
 * first nuclides are those of the fuel; the other materials' are spread over all.
 */
#ifndef GW_BENCHMARKS_MATERIAL_DATA_H
#define GW_BENCHMARKS_MATERIAL_DATA_H

#include <algorithm>
#include <cstdint>
#include <vector>

struct material_data {
    std::vector<int> nuclide_count, nuclide;
    std::vector<real> concentration;
    int most_nuclides;

    /* Reproducible, in [0, 1). */
    real next() {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return (real)((double)(state >> 40) / 16777216.0);
    }

protected:
    material_data(int nuclides, int fuel) : most_nuclides(fuel) {
        const int published[materials] = {fuel, 5, 4, 4, 27, 21, 21, 21, 21, 21, 9, 9};
        for (int m = 0; m < materials; m++) {
            int count = std::min(published[m], fuel);
            nuclide_count.push_back(count);
            for (int k = 0; k < fuel; k++) {
                nuclide.push_back(m == 0 ? k % nuclides : (m * 31 + k * 13) % nuclides);
                concentration.push_back(k < count ? next() : 0);
            }
        }
    }

private:
    uint64_t state = 12;
};

#endif
