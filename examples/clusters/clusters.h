/*
 * clusters.h - soft k-means, written once for Thrust (clusters.cu) and for the parallel algorithms of the
 * standard library (clusters.cpp).
 *
 * A point belongs to the two centres that are nearest to it, the more to the nearer one. Sorted by their
 * centres, what the points give to each is summed by key.
 */
#ifndef CLUSTERS_H
#define CLUSTERS_H

/* What a point gives to a centre, and what points give to it in all. */
struct moment {
    double weight, x, y;
};
struct add {
    EVERYWHERE moment operator()(const moment &a, const moment &b) const {
        return {a.weight + b.weight, a.x + b.x, a.y + b.y};
    }
};
struct place {
    double x, y;
};

/* The distance of scaled coordinates, squared. */
EVERYWHERE inline double distance(place a, place b, double wide, double high) {
    return wide * (a.x - b.x) * (a.x - b.x) + high * (a.y - b.y) * (a.y - b.y);
}

/* The misfit of the centres to those that are wanted, after some rounds from those at the start. */
GW_GRADIENT("loss wrt start, points, wide, high, sharpness")
void cluster(double *loss, place *ends, const place *start, const place *points, double wide, double high,
             double sharpness, const place *wanted, int n, int k, int rounds) {
    array<int> key_array(2 * n), found_array(k);
    array<moment> part_array(2 * n), sum_array(k);
    array<place> centre_array(k);
    place *const centres = start_of(centre_array);
    for_each_index(k, [=] EVERYWHERE(int c) { centres[c] = start[c]; });
    int *const keys = start_of(key_array), *const found = start_of(found_array);
    moment *const parts = start_of(part_array), *const sums = start_of(sum_array);
    for (int round = 0; round < rounds; round++) {
        for_each_index(n, [=] EVERYWHERE(int i) {
            const place p = points[i];
            int first = 0, second = 1;
            for (int c = 1; c < k; c++) {
                const double far = distance(p, centres[c], wide, high);
                if (far < distance(p, centres[first], wide, high))
                    second = first, first = c;
                else if (c == 1 || far < distance(p, centres[second], wide, high))
                    second = c;
            }
            const double more =
                distance(p, centres[second], wide, high) - distance(p, centres[first], wide, high);
            const double weight = 1 / (1 + exp(-sharpness * more));
            keys[2 * i] = first, keys[2 * i + 1] = second;
            parts[2 * i] = {weight, weight * p.x, weight * p.y};
            parts[2 * i + 1] = {1 - weight, (1 - weight) * p.x, (1 - weight) * p.y};
        });
        sort_by_key(keys, 2 * n, parts);
        const int count = reduce_by_key(keys, 2 * n, parts, found, sums, add());
        for_each_index(count, [=] EVERYWHERE(int j) {
            centres[found[j]] = {sums[j].x / sums[j].weight, sums[j].y / sums[j].weight};
        });
    }
    for_each_index(k, [=] EVERYWHERE(int c) { ends[c] = centres[c]; });
    *loss = sum_over_indices(k, [=] EVERYWHERE(int c) { return distance(centres[c], wanted[c], 1, 1); });
}

#endif
