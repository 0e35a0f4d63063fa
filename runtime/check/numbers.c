/* numbers.c - numbers in the bytes of parameters, and random ones (contract: check_private.h). */
#include "check_private.h"

#include <float.h>
#include <string.h>

#define READ(type)                                                                                             \
    do {                                                                                                       \
        type value;                                                                                            \
        memcpy(&value, at, sizeof value);                                                                      \
        return (double)value;                                                                                  \
    } while (0)
#define WRITE(type)                                                                                            \
    do {                                                                                                       \
        const type number = (type)value;                                                                       \
        memcpy(at, &number, sizeof number);                                                                    \
    } while (0)

static double get_real(const unsigned char *at, size_t bytes) {
    if (bytes == sizeof(float)) READ(float);
    if (bytes == sizeof(double)) READ(double);
    READ(long double);
}

static double get_integer(const unsigned char *at, const gw_check_cell *cell) {
    const bool is_signed = cell->number == GW_CHECK_SIGNED;
    switch (cell->bytes) {
    case 1:
        if (is_signed) READ(int8_t);
        READ(uint8_t);
    case 2:
        if (is_signed) READ(int16_t);
        READ(uint16_t);
    case 4:
        if (is_signed) READ(int32_t);
        READ(uint32_t);
    default:
        if (is_signed) READ(int64_t);
        READ(uint64_t);
    }
}

double gw_check_get(const unsigned char *element, const gw_check_cell *cell) {
    const unsigned char *at = element + cell->offset;
    return cell->number == GW_CHECK_REAL ? get_real(at, cell->bytes) : get_integer(at, cell);
}

static void put_real(unsigned char *at, size_t bytes, double value) {
    if (bytes == sizeof(float))
        WRITE(float);
    else if (bytes == sizeof(double))
        WRITE(double);
    else
        WRITE(long double);
}

/* Through the widest signed number: a negative double is no unsigned one. */
static void put_integer(unsigned char *at, const gw_check_cell *cell, double real) {
    const int64_t value = cell->number == GW_CHECK_BOOL ? real != 0 : (int64_t)real;
    switch (cell->bytes) {
    case 1:
        WRITE(uint8_t);
        break;
    case 2:
        WRITE(uint16_t);
        break;
    case 4:
        WRITE(uint32_t);
        break;
    default:
        WRITE(uint64_t);
    }
}

void gw_check_put(unsigned char *element, const gw_check_cell *cell, double value) {
    unsigned char *at = element + cell->offset;
    if (cell->number == GW_CHECK_REAL)
        put_real(at, cell->bytes, value);
    else
        put_integer(at, cell, value);
}

double gw_check_epsilon(const gw_check_cell *cell) {
    return cell->bytes == sizeof(float) ? (double)FLT_EPSILON : DBL_EPSILON;
}

/* splitmix64: the same numbers on every machine. */
uint64_t gw_check_random(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double gw_check_uniform(uint64_t *state, double low, double high) {
    const double unit = (double)(gw_check_random(state) >> 11) / 9007199254740992.0;
    return low + (high - low) * unit;
}
