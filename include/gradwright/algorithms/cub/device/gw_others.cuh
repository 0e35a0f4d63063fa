/* What CUB has device-wide and Gradwright does not differentiate: declared, so that a source which uses it
 * outside of what is differentiated is read (frontend/call/algorithms.def). */
#ifndef GRADWRIGHT_CUB_DEVICE_OTHERS_CUH
#define GRADWRIGHT_CUB_DEVICE_OTHERS_CUH
#include <thrust/gw_others.h>

namespace cub {
struct DeviceAdjacentDifference {
    template <class... A> static gw_whatever SubtractLeft(A &&...) GW_NOT_HERE;
    template <class... A> static gw_whatever SubtractLeftCopy(A &&...) GW_NOT_HERE;
    template <class... A> static gw_whatever SubtractRight(A &&...) GW_NOT_HERE;
    template <class... A> static gw_whatever SubtractRightCopy(A &&...) GW_NOT_HERE;
};
struct DeviceCopy {
    template <class... A> static gw_whatever Batched(A &&...) GW_NOT_HERE;
};
struct DeviceHistogram {
    template <class... A> static gw_whatever HistogramEven(A &&...) GW_NOT_HERE;
    template <class... A> static gw_whatever HistogramRange(A &&...) GW_NOT_HERE;
    template <class... A> static gw_whatever MultiHistogramEven(A &&...) GW_NOT_HERE;
    template <class... A> static gw_whatever MultiHistogramRange(A &&...) GW_NOT_HERE;
};
struct DeviceMemcpy {
    template <class... A> static gw_whatever Batched(A &&...) GW_NOT_HERE;
};
struct DeviceMerge {
    template <class... A> static gw_whatever MergeKeys(A &&...) GW_NOT_HERE;
    template <class... A> static gw_whatever MergePairs(A &&...) GW_NOT_HERE;
};
struct DevicePartition {
    template <class... A> static gw_whatever Flagged(A &&...) GW_NOT_HERE;
    template <class... A> static gw_whatever If(A &&...) GW_NOT_HERE;
};
struct DeviceRunLengthEncode {
    template <class... A> static gw_whatever Encode(A &&...) GW_NOT_HERE;
    template <class... A> static gw_whatever NonTrivialRuns(A &&...) GW_NOT_HERE;
};
struct DeviceSegmentedRadixSort {
    template <class... A> static gw_whatever SortKeys(A &&...) GW_NOT_HERE;
    template <class... A> static gw_whatever SortKeysDescending(A &&...) GW_NOT_HERE;
    template <class... A> static gw_whatever SortPairs(A &&...) GW_NOT_HERE;
    template <class... A> static gw_whatever SortPairsDescending(A &&...) GW_NOT_HERE;
};
struct DeviceSegmentedSort {
    template <class... A> static gw_whatever SortKeys(A &&...) GW_NOT_HERE;
    template <class... A> static gw_whatever SortKeysDescending(A &&...) GW_NOT_HERE;
    template <class... A> static gw_whatever SortPairs(A &&...) GW_NOT_HERE;
    template <class... A> static gw_whatever SortPairsDescending(A &&...) GW_NOT_HERE;
    template <class... A> static gw_whatever StableSortKeys(A &&...) GW_NOT_HERE;
    template <class... A> static gw_whatever StableSortKeysDescending(A &&...) GW_NOT_HERE;
    template <class... A> static gw_whatever StableSortPairs(A &&...) GW_NOT_HERE;
    template <class... A> static gw_whatever StableSortPairsDescending(A &&...) GW_NOT_HERE;
};
} // namespace cub
#endif
