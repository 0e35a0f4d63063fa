/*
 * sort.c - rows by key on the host: what CUB's radix sort does on a GPU (contract: reduce.h).
 *
 * One counting sort for each byte of the key, the lowest first; each keeps the order of equal bytes, so all
 * together order rows by key and keep the order of rows of one key. Keys are signed: the sign bit of the
 * highest byte is turned. There are 4 or 8 bytes, so the last sort ends where the first began; until then the
 * sorted keys' place is where every other one ends.
 */
#include "gradwright/emitted/reduce.h"

#include <string.h>

enum { BYTES = 256 };

static unsigned byte_of(const unsigned char *keys, unsigned key_bytes, uint32_t row, unsigned byte) {
    uint64_t key = 0;
    if (key_bytes == 4) {
        uint32_t narrow;
        memcpy(&narrow, keys + (size_t)row * 4, 4);
        key = narrow;
    } else {
        memcpy(&key, keys + (size_t)row * 8, 8);
    }
    unsigned value = (unsigned)(key >> (8 * byte)) & 0xff;
    return byte + 1 == key_bytes ? value ^ 0x80 : value;
}

void gw_sort_rows(const void *keys, unsigned key_bytes, size_t rows, const uint32_t *numbers, uint32_t *order,
                  void *sorted) {
    uint32_t *from = order, *to = sorted;
    for (size_t i = 0; i < rows; i++) from[i] = (uint32_t)i;
    for (unsigned byte = 0; byte < key_bytes; byte++) {
        size_t next[BYTES + 1] = {0};
        for (size_t i = 0; i < rows; i++) next[byte_of(keys, key_bytes, from[i], byte) + 1]++;
        for (unsigned b = 0; b < BYTES; b++) next[b + 1] += next[b];
        for (size_t i = 0; i < rows; i++) to[next[byte_of(keys, key_bytes, from[i], byte)]++] = from[i];
        uint32_t *other = from;
        from = to;
        to = other;
    }
    for (size_t i = 0; i < rows; i++) {
        memcpy((char *)sorted + i * key_bytes, (const char *)keys + (size_t)order[i] * key_bytes, key_bytes);
        order[i] = numbers[order[i]];
    }
}
