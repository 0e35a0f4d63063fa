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

/* The operand of a call that says what cells consist of; 0: it works on no cells. */
uint32_t gw_device_element(gw_device what);
/* Its cells have no derivative; of a launch: no gradient of the kernel's is run for it. */
bool gw_device_is_passive(const gw_func *f, gw_op op);
/* The request whose gradient is the reverse of a launch, or what there is instead. */
enum { GW_LAUNCH_PASSIVE = -1, GW_LAUNCH_NONE = -2 }; /* here; the kernel has no derivative at all */
int64_t gw_launch_request(const gw_func *f, gw_op op);
void gw_launch_set_request(gw_func *f, gw_op op, int64_t request);

#ifdef __cplusplus
}
#endif
#endif
