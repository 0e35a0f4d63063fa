/*
 * layers_data.h - random discs, and a list of those that are near each tile. Needs real, tile and layers.cuh.
 */
#include <cstdint>
#include <vector>

struct layers_data {
    std::vector<disc> discs;
    std::vector<int> ids, from;

    /* `radius`: how far from a tile's middle a disc of its list may be. */
    layers_data(int width, int height, int count, double radius, double least, double most, uint64_t random)
        : state(88172645463325252u + random) {
        for (int i = 0; i < count; i++)
            discs.push_back({(real)(width * next()), (real)(height * next()), (real)(0.02 + 0.2 * next()),
                             (real)(least + (most - least) * next())});
        for (int y = tile / 2; y < height + tile / 2; y += tile)
            for (int x = tile / 2; x < width + tile / 2; x += tile)
                add_tile(x, y, radius);
        from.push_back((int)ids.size());
    }

  private:
    uint64_t state;
    void add_tile(int x, int y, double radius) {
        from.push_back((int)ids.size());
        for (size_t i = 0; i < discs.size(); i++) {
            const double dx = discs[i].x - x, dy = discs[i].y - y;
            if (dx * dx + dy * dy < radius * radius) ids.push_back((int)i);
        }
    }
    double next() {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        return (double)(state >> 11) / 9007199254740992.0;
    }
};
