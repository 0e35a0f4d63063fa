/*
 * pictures.h - fields as PNG pictures and curves as SVG, for the examples. A PNG is stored, not compressed: its
 * zlib stream has blocks of plain bytes.
 */
#ifndef GW_EXAMPLES_PICTURES_H
#define GW_EXAMPLES_PICTURES_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

class png_file {
  public:
    explicit png_file(const std::string &path) : out(std::fopen(path.c_str(), "wb")) {
        const unsigned char head[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
        if (out) std::fwrite(head, 1, sizeof head, out);
    }
    png_file(const png_file &) = delete;
    ~png_file() {
        if (out) std::fclose(out);
    }
    bool is_open() const { return out != nullptr; }

    void chunk(const char *type, const std::vector<unsigned char> &data) {
        std::vector<unsigned char> all(type, type + 4);
        all.insert(all.end(), data.begin(), data.end());
        std::vector<unsigned char> frame;
        word(frame, (uint32_t)data.size());
        frame.insert(frame.end(), all.begin(), all.end());
        word(frame, crc(all));
        std::fwrite(frame.data(), 1, frame.size(), out);
    }
    static void word(std::vector<unsigned char> &to, uint32_t value) {
        for (int shift = 24; shift >= 0; shift -= 8)
            to.push_back((unsigned char)(value >> shift));
    }

  private:
    static uint32_t crc(const std::vector<unsigned char> &bytes) {
        uint32_t sum = 0xffffffffu;
        for (unsigned char byte : bytes) {
            sum ^= byte;
            for (int bit = 0; bit < 8; bit++)
                sum = sum & 1 ? sum >> 1 ^ 0xedb88320u : sum >> 1;
        }
        return ~sum;
    }
    std::FILE *out;
};

inline std::vector<unsigned char> zlib_stored(const std::vector<unsigned char> &bytes) {
    std::vector<unsigned char> all = {0x78, 0x01};
    uint32_t a = 1, b = 0;
    for (size_t at = 0; at < bytes.size(); at += 65535) {
        const size_t count = std::min<size_t>(65535, bytes.size() - at);
        const unsigned char head[] = {at + count == bytes.size(), (unsigned char)count,
                                      (unsigned char)(count >> 8), (unsigned char)~count,
                                      (unsigned char)(~count >> 8)};
        all.insert(all.end(), head, head + 5);
        all.insert(all.end(), bytes.begin() + (long)at, bytes.begin() + (long)(at + count));
    }
    for (unsigned char byte : bytes)
        a = (a + byte) % 65521, b = (b + a) % 65521;
    png_file::word(all, b << 16 | a);
    return all;
}

/* From dark blue by red to yellow. */
inline void heat_color(double t, unsigned char rgb[3]) {
    t = std::min(1.0, std::max(0.0, t));
    const double red = std::min(1.0, 2 * t), green = t * t,
                 blue = 0.5 * std::sin(3.14159265 * t) + 0.25 * (1 - t);
    rgb[0] = (unsigned char)(255 * red), rgb[1] = (unsigned char)(255 * green),
    rgb[2] = (unsigned char)(255 * blue);
}

/* A field of width * height numbers; `low` and `high` are the ends of the colours. */
inline bool write_png(const std::string &path, const std::vector<float> &field, int width, int height,
                      double low, double high) {
    png_file file(path);
    if (!file.is_open()) return false;
    std::vector<unsigned char> header, rows;
    png_file::word(header, (uint32_t)width);
    png_file::word(header, (uint32_t)height);
    for (unsigned char byte : {8, 2, 0, 0, 0})
        header.push_back(byte); // 8 bits, red green blue
    for (int y = 0; y < height; y++) {
        rows.push_back(0); // no filter
        for (int x = 0; x < width; x++) {
            unsigned char rgb[3];
            heat_color((field[(size_t)(y * width + x)] - low) / (high - low), rgb);
            rows.insert(rows.end(), rgb, rgb + 3);
        }
    }
    file.chunk("IHDR", header);
    file.chunk("IDAT", zlib_stored(rows));
    file.chunk("IEND", {});
    return true;
}

/* Positive numbers over their index, on a logarithmic axis. */
inline bool write_curve(const std::string &path, const char *title, const std::vector<double> &values) {
    std::FILE *out = std::fopen(path.c_str(), "w");
    if (!out || values.empty()) return false;
    double low = INFINITY, high = -INFINITY;
    for (double v : values)
        low = std::min(low, std::log10(v)), high = std::max(high, std::log10(v));
    low = std::floor(low), high = std::max(low + 1, std::ceil(high));
    std::fprintf(out,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 480 300\" font-family=\"sans-serif\" "
                 "font-size=\"12\">\n<rect width=\"480\" height=\"300\" fill=\"white\"/>\n"
                 "<text x=\"60\" y=\"20\">%s</text>\n",
                 title);
    for (double power = low; power <= high; power++) {
        const double y = 270 - 240 * (power - low) / (high - low);
        std::fprintf(out, "<path d=\"M60 %.1fH470\" stroke=\"#ddd\"/><text x=\"20\" y=\"%.1f\">1e%.0f</text>\n",
                     y, y + 4, power);
    }
    std::fprintf(out, "<polyline fill=\"none\" stroke=\"#c33\" points=\"");
    for (size_t i = 0; i < values.size(); i++)
        std::fprintf(out, "%.1f,%.1f ", 60 + 410.0 * (double)i / (double)std::max<size_t>(1, values.size() - 1),
                     270 - 240 * (std::log10(values[i]) - low) / (high - low));
    std::fprintf(out, "\"/>\n</svg>\n");
    return std::fclose(out) == 0;
}

#endif
