/*
 * bundle.cpp - bundle adjustment over Eigen: 24 cameras and 1,500 points are found from where the points appear
 * in the pictures, by the sparse Jacobian of the residuals.
 *
 * The residuals are written as with any expression library. Levenberg and Marquardt's method solves
 * (J'J + lambda diag(J'J)) step = -J'r by Eigen's sparse Cholesky factorization (Levenberg 1944, Marquardt
 * 1963; cameras as in Agarwal et al., "Bundle adjustment in the large", ECCV 2010, without distortion). The
 * Jacobian is compared with central differences, and the points found with the true ones.
 *
 *     gwcc -std=c++17 -O2 -I/usr/include/eigen3 bundle.cpp -o bundle && ./bundle [picture.svg]
 */
#include <gradwright/gradwright.h>
#include <gradwright/sparse.h>

#include <Eigen/Geometry>
#include <Eigen/Sparse>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

enum { VIEWS = 24, MARKS = 1500, CAMERA = 7 }; /* a camera: rotation vector, translation, focal length */

using Eigen::Vector3d;
typedef Eigen::Map<const Vector3d> vector_at;

/* A camera sees the point there, in pixels from the middle of the picture. The camera looks along -z. */
static Eigen::Vector2d project(const double *camera, const double *mark) {
    const Vector3d turn = vector_at(camera);
    const double angle = turn.norm();
    Vector3d at = vector_at(mark);
    if (angle > 0)
        at = Eigen::AngleAxisd(angle, turn / angle) * at;
    else
        at += turn.cross(at);
    at += vector_at(camera + 3);
    return camera[6] / -at.z() * at.head<2>();
}

/* r: two pixels for each sight, what is seen less where it would be. x: all cameras, then all points. */
GW_JACOBIAN("sparse r[0:2 * sights] wrt x[0:n]")
void residuals(double *r, const double *x, const double *seen, const int *view, const int *mark, int sights,
               int views, int n) {
    (void)n;
    for (int i = 0; i < sights; i++) {
        const Eigen::Vector2d p = project(x + CAMERA * view[i], x + CAMERA * views + 3 * mark[i]);
        r[2 * i] = p.x() - seen[2 * i];
        r[2 * i + 1] = p.y() - seen[2 * i + 1];
    }
}

#include "bundle.grad.hpp"

struct scene {
    std::vector<double> truth, x, seen;
    std::vector<int> view, mark;
    int sights() const { return (int)view.size(); }
};

/* A trefoil of points and a ring of cameras around it, which see what is in the picture; half a pixel of noise.
 * The first guess has them all in other places. */
static scene make_scene() {
    scene s;
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    const double turn = 2 * std::acos(-1.0);
    for (int v = 0; v < VIEWS; v++) {
        const double a = turn * v / VIEWS;
        const Vector3d from(12 * std::sin(a), 3 * std::sin(3 * a), 12 * std::cos(a));
        Eigen::Matrix3d rows; /* the camera's axes, as it looks at the middle */
        rows.row(2) = from.normalized();
        rows.row(0) = Vector3d::UnitY().cross(from).normalized();
        rows.row(1) = rows.row(2).cross(rows.row(0));
        const Eigen::AngleAxisd rotation(rows);
        const Vector3d r = rotation.angle() * rotation.axis(), t = -(rows * from);
        s.truth.insert(s.truth.end(), {r.x(), r.y(), r.z(), t.x(), t.y(), t.z(), 900});
    }
    for (int m = 0; m < MARKS; m++) {
        const double a = turn * m / MARKS, tube = 17.3 * a;
        const double wide = 2 + std::cos(3 * a) + 0.4 * std::cos(tube);
        s.truth.insert(s.truth.end(), {wide * std::cos(2 * a), std::sin(3 * a) + 0.4 * std::sin(tube),
                                       wide * std::sin(2 * a)});
    }
    for (int v = 0; v < VIEWS; v++)
        for (int m = 0; m < MARKS; m++) {
            const Eigen::Vector2d p = project(&s.truth[CAMERA * v], &s.truth[CAMERA * VIEWS + 3 * m]);
            if ((m + v) % 3 || std::fabs(p.x()) > 400 || std::fabs(p.y()) > 300) continue;
            s.view.push_back(v);
            s.mark.push_back(m);
            s.seen.insert(s.seen.end(), {p.x() + 0.5 * normal(random), p.y() + 0.5 * normal(random)});
        }
    s.x = s.truth;
    for (size_t i = 0; i < s.x.size(); i++) {
        const size_t k = i % CAMERA;
        if (i >= CAMERA * VIEWS)
            s.x[i] += 0.3 * normal(random);
        else
            s.x[i] += (k < 3 ? 0.02 : k < 6 ? 0.2 : 30) * normal(random);
    }
    return s;
}

static double half_square(const std::vector<double> &r) {
    double sum = 0;
    for (double v : r)
        sum += v * v;
    return sum / 2;
}

static double residuals_at(const scene &s, const double *x, std::vector<double> &r) {
    residuals(r.data(), x, s.seen.data(), s.view.data(), s.mark.data(), s.sights(), VIEWS, (int)s.x.size());
    return half_square(r);
}

static gw_status jacobian_at(const scene &s, std::vector<double> &r, gw_sparse *j) {
    return residuals_jacobian(r.data(), s.x.data(), s.seen.data(), s.view.data(), s.mark.data(), s.sights(),
                              VIEWS, (int)s.x.size(), j);
}

/* The largest difference to central differences of the rows of one column, in the unit of the largest entry. */
static double worst_column(scene s, const gw_sparse &j, int column) {
    std::vector<double> above(j.rows), below(j.rows);
    const double h = 1e-6, x = s.x[column];
    double worst = 0, largest = 0;
    s.x[column] = x + h;
    residuals_at(s, s.x.data(), above);
    s.x[column] = x - h;
    residuals_at(s, s.x.data(), below);
    for (int row = 0; row < j.rows; row++) {
        double entry = 0;
        for (int e = j.row_begin[row]; e < j.row_begin[row + 1]; e++)
            if (j.column[e] == column) entry = j.value[e];
        worst = std::fmax(worst, std::fabs(entry - (above[row] - below[row]) / (2 * h)));
        largest = std::fmax(largest, std::fabs(entry));
    }
    return worst / largest;
}

/* The root of the mean squared distance of the points to the true ones, when both are moved, turned and scaled
 * onto each other (Umeyama 1991): pictures do not tell where the world's origin is, nor its unit. */
static double distance(const scene &s) {
    typedef Eigen::Map<const Eigen::Matrix3Xd> points;
    const points found(&s.x[CAMERA * VIEWS], 3, MARKS), truth(&s.truth[CAMERA * VIEWS], 3, MARKS);
    const Eigen::Matrix4d onto = Eigen::umeyama(found, truth, true);
    const Eigen::Matrix3Xd moved =
        (onto.topLeftCorner<3, 3>() * found).colwise() + Vector3d(onto.topRightCorner<3, 1>());
    return std::sqrt((moved - truth).squaredNorm() / MARKS);
}

/* One panel of the picture: the points from above, and where the cameras stand. */
static void draw(FILE *file, const scene &s, double left, const char *title) {
    std::fprintf(file, "<text x='%g' y='24'>%s</text>\n", left + 20, title);
    for (int m = 0; m < MARKS; m += 2) {
        const double *p = &s.x[CAMERA * VIEWS + 3 * m];
        std::fprintf(file, "<circle cx='%.1f' cy='%.1f' r='1.3'/>\n", left + 200 + 45 * p[0], 210 + 45 * p[2]);
    }
    for (int v = 0; v < VIEWS; v++) {
        const Vector3d turn = vector_at(&s.x[CAMERA * v]), t = vector_at(&s.x[CAMERA * v + 3]);
        const Vector3d at = -(Eigen::AngleAxisd(-turn.norm(), turn.normalized()) * t);
        std::fprintf(file, "<rect x='%.1f' y='%.1f' width='7' height='7'/>\n", left + 196.5 + 14 * at.x(),
                     206.5 + 14 * at.z());
    }
}

/* Levenberg and Marquardt: a step is taken if it makes the sum smaller. */
static gw_status fit(scene &s, gw_sparse *j, int steps) {
    typedef Eigen::SparseMatrix<double, Eigen::RowMajor> matrix;
    const int rows = 2 * s.sights(), n = (int)s.x.size();
    std::vector<double> r(rows), next(n), r_next(rows);
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver;
    double lambda = 1e-3, sum = residuals_at(s, s.x.data(), r);
    for (int k = 0; k < steps; k++) {
        const gw_status status = jacobian_at(s, r, j);
        if (status != GW_OK) return status;
        const Eigen::Map<const matrix> J(rows, n, j->entries, j->row_begin, j->column, j->value);
        const Eigen::Map<const Eigen::VectorXd> residual(r.data(), rows);
        Eigen::SparseMatrix<double> A = J.transpose() * J;
        const Eigen::VectorXd g = J.transpose() * residual;
        for (int i = 0; i < n; i++)
            A.coeffRef(i, i) *= 1 + lambda;
        if (k == 0) solver.analyzePattern(A);
        solver.factorize(A);
        const Eigen::VectorXd step = solver.solve(g);
        for (int i = 0; i < n; i++)
            next[i] = s.x[i] - step[i];
        const double made = residuals_at(s, next.data(), r_next);
        const bool good = made < sum;
        std::printf("%2d: half the squares %.6g, %s, %d runs for the Jacobian%s\n", k, good ? made : sum,
                    good ? "taken" : "left", j->runs, j->is_new ? ", and its pattern" : "");
        lambda *= good ? 0.2 : 5;
        if (good) s.x = next;
        if (good && sum - made < 1e-9 * sum) break;
        if (good) sum = made;
    }
    return GW_OK;
}

int main(int count, char **words) {
    scene s = make_scene();
    FILE *file = count > 1 ? std::fopen(words[1], "w") : NULL;
    if (count > 1 && !file) {
        std::perror(words[1]);
        return 1;
    }
    const int rows = 2 * s.sights(), n = (int)s.x.size();
    std::vector<double> r(rows);
    gw_sparse j = GW_SPARSE;
    const double before = residuals_at(s, s.x.data(), r), off = distance(s);
    if (file) {
        std::fputs("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 800 420' font-family='sans-serif' "
                   "font-size='16'>\n<rect width='800' height='420' fill='white'/>\n<g fill='#2b6cb0'>\n",
                   file);
        draw(file, s, 0, "first guess");
    }
    if (jacobian_at(s, r, &j) != GW_OK) return 1;
    double worst = 0;
    for (int column : {0, 4, 6, CAMERA * 9 + 2, CAMERA * VIEWS, CAMERA * VIEWS + 301, n - 1})
        worst = std::fmax(worst, worst_column(s, j, column));
    std::printf("%d sights: a Jacobian of %d x %d with %d entries; differences are %.1e away\n", s.sights(),
                rows, n, j.entries, worst);
    const auto start = std::chrono::steady_clock::now();
    const bool solved = fit(s, &j, 30) == GW_OK;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double after = residuals_at(s, s.x.data(), r), near = distance(s);
    const double pixels = std::sqrt(2 * after / rows), expected = 0.5 * std::sqrt(1 - (n - 7.0) / rows);
    std::printf(
        "%.2f s; half the squares %.4g, were %.4g; %.3f pixels, of noise remain %.3f; points %.4f from the "
        "true ones, were %.2f\n",
        seconds, after, before, pixels, expected, near, off);
    if (file) {
        draw(file, s, 400, "after the adjustment");
        std::fputs("</g>\n</svg>\n", file);
        if (std::fclose(file)) return 1;
    }
    gw_sparse_free(&j);
    const bool good = solved && worst < 1e-6 && std::fabs(pixels / expected - 1) < 0.02 && near < off / 8;
    std::puts(good ? "good" : "WRONG");
    return !good;
}
