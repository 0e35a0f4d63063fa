// Vectors and matrices as templates, in the style of the graphics libraries.
#ifndef VECTOR_TEMPLATES_H
#define VECTOR_TEMPLATES_H

#include <cmath>

namespace lin {

#if defined(__CUDACC__) || defined(__CUDA__)
#define LIN inline __host__ __device__
#else
#define LIN inline
#endif

template <int N, typename T> struct vec;

template <typename T> struct vec<2, T> {
    typedef T value_type;
    T x, y;
    vec() = default;
    LIN explicit vec(T s) : x(s), y(s) {}
    LIN vec(T a, T b) : x(a), y(b) {}
    static constexpr int length() { return 2; }
    LIN T &operator[](int i) { return i == 0 ? x : y; }
    LIN const T &operator[](int i) const { return i == 0 ? x : y; }
};

template <typename T> struct vec<3, T> {
    typedef T value_type;
    union {
        T x, r, s;
    };
    union {
        T y, g, t;
    };
    union {
        T z, b, p;
    };
    vec() = default;
    LIN explicit vec(T s) : x(s), y(s), z(s) {}
    LIN vec(T a, T b, T c) : x(a), y(b), z(c) {}
    LIN vec(const vec<2, T> &v, T c) : x(v.x), y(v.y), z(c) {}
    template <typename U> LIN explicit vec(const vec<3, U> &v) : x(T(v.x)), y(T(v.y)), z(T(v.z)) {}
    static constexpr int length() { return 3; }
    LIN T &operator[](int i) {
        switch (i) {
        default:
        case 0:
            return x;
        case 1:
            return y;
        case 2:
            return z;
        }
    }
    LIN const T &operator[](int i) const {
        switch (i) {
        default:
        case 0:
            return x;
        case 1:
            return y;
        case 2:
            return z;
        }
    }
    LIN vec &operator+=(const vec &o) {
        x += o.x, y += o.y, z += o.z;
        return *this;
    }
    LIN vec &operator*=(T s) {
        x *= s, y *= s, z *= s;
        return *this;
    }
};

template <typename T> LIN vec<3, T> operator+(const vec<3, T> &a, const vec<3, T> &b) {
    return vec<3, T>(a.x + b.x, a.y + b.y, a.z + b.z);
}
template <typename T> LIN vec<3, T> operator-(const vec<3, T> &a, const vec<3, T> &b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <typename T> LIN vec<3, T> operator*(const vec<3, T> &a, T s) {
    return vec<3, T>(a.x * s, a.y * s, a.z * s);
}
template <typename T> LIN vec<3, T> operator*(T s, const vec<3, T> &a) { return a * s; }
template <typename T> LIN vec<3, T> operator-(const vec<3, T> &a) { return a * T(-1); }

template <int N, typename T> struct compute_dot;
template <typename T> struct compute_dot<3, T> {
    LIN static T call(const vec<3, T> &a, const vec<3, T> &b) {
        vec<3, T> t(a.x * b.x, a.y * b.y, a.z * b.z);
        return t.x + t.y + t.z;
    }
};
template <int N, typename T> LIN T dot(const vec<N, T> &a, const vec<N, T> &b) {
    return compute_dot<N, T>::call(a, b);
}
template <int N, typename T> LIN T length(const vec<N, T> &v) { return std::sqrt(dot(v, v)); }
template <int N, typename T> LIN vec<N, T> normalize(const vec<N, T> &v) { return v * (T(1) / length(v)); }
template <typename T> LIN vec<3, T> cross(const vec<3, T> &a, const vec<3, T> &b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <int C, int R, typename T> struct mat {
    typedef vec<R, T> column;
    column value[C];
    mat() = default;
    LIN explicit mat(T s) {
        for (int i = 0; i < C; i++) value[i] = column(T(0));
        value[0].x = s, value[1].y = s;
        if (C > 2) value[2].z = s;
    }
    LIN mat(const column &a, const column &b, const column &c) : value{a, b, c} {}
    LIN column &operator[](int i) { return value[i]; }
    LIN const column &operator[](int i) const { return value[i]; }
};
template <typename T> LIN vec<3, T> operator*(const mat<3, 3, T> &m, const vec<3, T> &v) {
    return vec<3, T>(m[0].x * v.x + m[1].x * v.y + m[2].x * v.z, m[0].y * v.x + m[1].y * v.y + m[2].y * v.z,
                     m[0].z * v.x + m[1].z * v.y + m[2].z * v.z);
}
template <typename T> LIN mat<3, 3, T> operator*(const mat<3, 3, T> &a, const mat<3, 3, T> &b) {
    mat<3, 3, T> r;
    for (int i = 0; i < 3; i++) r[i] = a * b[i];
    return r;
}
template <typename T> LIN mat<3, 3, T> transpose(const mat<3, 3, T> &m) {
    return mat<3, 3, T>(vec<3, T>(m[0].x, m[1].x, m[2].x), vec<3, T>(m[0].y, m[1].y, m[2].y),
                        vec<3, T>(m[0].z, m[1].z, m[2].z));
}

typedef vec<3, double> dvec3;
typedef vec<2, double> dvec2;
typedef mat<3, 3, double> dmat3;

} // namespace lin

#endif
