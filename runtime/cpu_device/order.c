/* A seeded order of threads or blocks: a four-round Feistel network on the smallest even number of
 * bits that holds the count, walked until the value lies below the count (so it is a bijection on
 * 0 .. count-1). Seed 0 is the natural order. */
#include "device.h"

static uint64_t mix(uint64_t x) {
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

gw_cpu_order gw_cpu_order_make(uint64_t count, uint64_t seed, uint64_t stream) {
    gw_cpu_order order = {count, 0, 1};
    if (seed != 0) order.key = mix(seed + mix(stream + UINT64_C(0x9e3779b97f4a7c15))) | 1u;
    while (order.half_bits < 32 && (UINT64_C(1) << (2 * order.half_bits)) < count)
        ++order.half_bits;
    return order;
}

static uint64_t shuffle(const gw_cpu_order *order, uint64_t value) {
    const uint64_t mask = (UINT64_C(1) << order->half_bits) - 1;
    uint64_t left = value >> order->half_bits, right = value & mask;
    for (uint64_t round = 0; round < 4; ++round) {
        const uint64_t next = left ^ (mix(right + order->key * (round + 1)) & mask);
        left = right;
        right = next;
    }
    return (left << order->half_bits) | right;
}

uint64_t gw_cpu_order_at(const gw_cpu_order *order, uint64_t position) {
    if (order->key == 0) return position;
    do
        position = shuffle(order, position);
    while (position >= order->count);
    return position;
}
