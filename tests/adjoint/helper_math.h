// Operators and functions of vector types, in the style of the helper headers that people copy around.
#ifndef HELPER_MATH_H
#define HELPER_MATH_H

#include <cmath>

#define HELPER inline __host__ __device__

HELPER float3 make_float3(float s) { return make_float3(s, s, s); }
HELPER float3 make_float3(float4 a) { return make_float3(a.x, a.y, a.z); }
HELPER float2 make_float2(float3 a) { return make_float2(a.x, a.y); }
HELPER float3 operator-(const float3 &a) { return make_float3(-a.x, -a.y, -a.z); }
HELPER float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
HELPER void operator+=(float3 &a, float3 b) {
    a.x += b.x;
    a.y += b.y;
    a.z += b.z;
}
HELPER float3 operator-(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
HELPER float3 operator*(float3 a, float3 b) { return make_float3(a.x * b.x, a.y * b.y, a.z * b.z); }
HELPER float3 operator*(float3 a, float b) { return make_float3(a.x * b, a.y * b, a.z * b); }
HELPER float3 operator*(float b, float3 a) { return make_float3(b * a.x, b * a.y, b * a.z); }
HELPER void operator*=(float3 &a, float b) { a.x *= b, a.y *= b, a.z *= b; }
HELPER float3 operator/(float3 a, float b) { return make_float3(a.x / b, a.y / b, a.z / b); }
HELPER float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
HELPER float3 cross(float3 a, float3 b) {
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
HELPER float length(float3 v) { return sqrtf(dot(v, v)); }
HELPER float3 normalize(float3 v) {
    float scale = 1.0f / sqrtf(dot(v, v));
    return v * scale;
}
HELPER float lerp(float a, float b, float t) { return a + t * (b - a); }
HELPER float3 lerp(float3 a, float3 b, float t) { return a + t * (b - a); }
HELPER float clamp(float f, float a, float b) { return fmaxf(a, fminf(f, b)); }
HELPER float3 clamp(float3 v, float a, float b) {
    return make_float3(clamp(v.x, a, b), clamp(v.y, a, b), clamp(v.z, a, b));
}
HELPER float3 reflect(float3 i, float3 n) { return i - 2.0f * n * dot(n, i); }
HELPER float3 fabs(float3 v) { return make_float3(fabsf(v.x), fabsf(v.y), fabsf(v.z)); }

HELPER double3 operator+(double3 a, double3 b) { return make_double3(a.x + b.x, a.y + b.y, a.z + b.z); }
HELPER double3 operator-(double3 a, double3 b) { return make_double3(a.x - b.x, a.y - b.y, a.z - b.z); }
HELPER double3 operator*(double3 a, double b) { return make_double3(a.x * b, a.y * b, a.z * b); }
HELPER double3 operator*(double b, double3 a) { return a * b; }
HELPER double3 &operator+=(double3 &a, const double3 &b) {
    a.x += b.x, a.y += b.y, a.z += b.z;
    return a;
}
HELPER double dot(const double3 &a, const double3 &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
HELPER double3 cross(double3 a, double3 b) {
    return make_double3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
HELPER double length(double3 v) { return sqrt(dot(v, v)); }
HELPER double3 normalize(double3 v) { return v * (1 / length(v)); }
HELPER double3 lerp(double3 a, double3 b, double t) { return a + t * (b - a); }
HELPER double3 clamp(double3 v, double a, double b) {
    return make_double3(fmax(a, fmin(v.x, b)), fmax(a, fmin(v.y, b)), fmax(a, fmin(v.z, b)));
}
HELPER double2 operator*(double2 a, double2 b) { return make_double2(a.x * b.x, a.y * b.y); }
HELPER double2 operator-(double2 a) { return make_double2(-a.x, -a.y); }
HELPER double4 operator*(double s, double4 a) { return make_double4(s * a.x, s * a.y, s * a.z, s * a.w); }

#endif
