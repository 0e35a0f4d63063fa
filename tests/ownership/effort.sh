#!/usr/bin/env bash
# effort.sh GRADWRIGHT GWCC: large kernels whose references nothing is known of do not keep the command busy.
# The limit is of processor time, some ten times what they take.
set -eu
gradwright=$1 gwcc=$2
unset GW_SMT_CACHE
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# 240 references in 60 branches: a[t ^ 1], rows by run-time lengths, lists, remainders; in global and in shared
# memory.
{
  echo '#include <gradwright/gradwright.h>'
  echo 'GW_GRADIENT("y wrt x")'
  echo '__global__ void many(float *y, const float *x, const int *list, int n, int m) {'
  echo '    __shared__ float s[1024];'
  echo '    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;'
  echo '    s[t] = x[i];'
  echo '    __syncthreads();'
  echo '    if (i >= n) return;'
  echo '    float sum = 0;'
  for k in $(seq 1 60); do
    echo "    if (i % $((k + 1)) != m) {"
    echo "        sum += x[(t ^ 1) * $((k % 5 + 1)) + $k] * x[list[i + $k] % n];"
    echo "        sum += s[(t + $k) % 64 * $((k % 3 + 1))] * x[i * $k % m + t / $((k % 4 + 2))];"
    echo '    }'
  done
  echo '    y[i] = sum;'
  echo '}'
} > "$work/many.cu"
read -ra flags <<< "$("$gwcc" --device=cpu --print-parse-flags)"
for smt in off on; do
  (ulimit -t 40; "$gradwright" "$work/many.cu" --smt=$smt -o "$work/many.grad.cuh" -- "${flags[@]}")
  grep -q 'gw_atomic_add' "$work/many.grad.cuh"
done
