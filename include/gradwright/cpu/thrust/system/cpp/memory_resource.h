/* Thrust's host system is the CPU device's: its memory is the device's, so that it may be given to kernels and
 * copies. */
#pragma once
#pragma GCC system_header
#include "../../../cuda_runtime.h"
#include <thrust/mr/fancy_pointer_resource.h>
#include <thrust/system/cpp/pointer.h>
#include <thrust/system/detail/bad_alloc.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cpp {
namespace detail {
/* Memory that the host reads, too: cudaMallocManaged's is both. */
class gw_cpu_resource final : public thrust::mr::memory_resource<> {
  public:
    void *do_allocate(std::size_t bytes, std::size_t) override {
        void *memory = nullptr;
        if (cudaMallocManaged(&memory, bytes ? bytes : 1) != cudaSuccess)
            throw thrust::system::detail::bad_alloc("the CPU device has no memory left");
        return memory;
    }
    void do_deallocate(void *memory, std::size_t, std::size_t) override { (void)cudaFree(memory); }
};
using native_resource = thrust::mr::fancy_pointer_resource<gw_cpu_resource, thrust::cpp::pointer<void>>;
using universal_native_resource =
    thrust::mr::fancy_pointer_resource<gw_cpu_resource, thrust::cpp::universal_pointer<void>>;
} // namespace detail
using memory_resource = detail::native_resource;
using universal_memory_resource = detail::universal_native_resource;
using universal_host_pinned_memory_resource = universal_memory_resource;
} // namespace cpp
} // namespace system
THRUST_NAMESPACE_END
