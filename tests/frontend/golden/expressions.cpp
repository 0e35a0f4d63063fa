// Conversions are explicit; && is an and only where its right side is cheap; ?: branches unless both arms are there.
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
void expressions(float *y, const float *x, int n, unsigned char b) {
    bool in = n > 0 && n < 9, hit = n > 0 && x[n] > 0;
    float v = x[0], w = in ? v : 1.0f, z = hit ? v / w : 0.5f;
    b += 200;
    int k = n++ * 2 + b;
    double d = 0.1f;
    d += v;
    y[k] = -z * (float)d + (unsigned)k / 3u + !in;
    y[n -= 1] *= 2;
}
