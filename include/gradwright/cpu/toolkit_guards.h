/* Headers of a CUDA toolkit whose contents stand in the CPU device's own headers under other names. A toolkit
 * that lies on the include path, or whose libraries' headers are used, must not bring them in a second time.
 * (A header here whose name is also the toolkit's has the toolkit's include guard itself, which programs ask
 * for, too.) */
#ifndef GW_CPU_TOOLKIT_GUARDS_H
#define GW_CPU_TOOLKIT_GUARDS_H

#define __COMMON_FUNCTIONS_H__
#define __DEVICE_DOUBLE_FUNCTIONS_H__
#define __DEVICE_TYPES_H__
#define __HOST_CONFIG_H__
#define __SM_20_ATOMIC_FUNCTIONS_H__
#define __SM_20_INTRINSICS_H__
#define __SM_30_INTRINSICS_H__
#define __SM_32_ATOMIC_FUNCTIONS_H__
#define __SM_32_INTRINSICS_H__
#define __SM_35_ATOMIC_FUNCTIONS_H__
#define __SM_35_INTRINSICS_H__
#define __SM_60_ATOMIC_FUNCTIONS_H__
#define __SM_61_INTRINSICS_H__
#define __SM_70_RT_H__
#define __SM_80_RT_H__
#define __SM_90_RT_H__
#define __SM_100_RT_H__
#define __SURFACE_INDIRECT_FUNCTIONS_H__
#define __TEXTURE_INDIRECT_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_HPP__
#define __DRIVER_FUNCTIONS_H__
#define __CHANNEL_DESCRIPTOR_H__

/* The toolkit's C++ library and Thrust, where they are there: Thrust's device is the host, which the device
 * is, and half types are those of these headers, which the library does not look into. */
#ifndef THRUST_DEVICE_SYSTEM
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CPP
#endif
#define CCCL_DISABLE_FP16_SUPPORT
#define CCCL_DISABLE_BF16_SUPPORT

#endif
