/*
 * device.h - what programs ask of a device, the rows of device.def.
 */
#ifndef GRADWRIGHT_IR_DEVICE_H
#define GRADWRIGHT_IR_DEVICE_H
#include "analysis/ir/ir.h"

#ifdef __cplusplus
extern "C" {
#endif

/* attr of DEVICE */
typedef enum gw_device {
#define GW_DEVICE(NAME, text, operands, results, reverses) GW_DEVICE_##NAME,
#include "analysis/ir/device.def"
#undef GW_DEVICE
    GW_DEVICE_COUNT
} gw_device;
typedef struct gw_device_row {
    const char *text, *operands, *results;
    bool reverses, asks;
    gw_device waited;
} gw_device_row;
extern const gw_device_row gw_device_rows[GW_DEVICE_COUNT];
enum { GW_LAUNCH_OPERANDS = 8, GW_SEND_OPERANDS = 5 }; /* before the kernel's arguments, the values */
enum { GW_RULE_OPERANDS = 1 }; /* before the arguments of a call that has a pullback */
/* What cells are that a COPY copies, its last operand: how their adjoints are added. BYTES: not known. */
typedef enum gw_element {
    GW_ELEMENT_NONE,
    GW_ELEMENT_FLOAT,
    GW_ELEMENT_DOUBLE,
    GW_ELEMENT_HALF,
    GW_ELEMENT_BFLOAT,
    GW_ELEMENT_BYTES
} gw_element;

#ifdef __cplusplus
}
#endif
#endif
