#!/usr/bin/env python3
"""A picture out of 2-D Gaussians: each pixel is their weighted sum, and their places, shapes and colours are
found by descent (Adam) along the gradient of the kernel below. Every 100 steps a PNG is written.

    python3 fit_image.py --out .                                       # on the CPU device, small
    python3 fit_image.py --device cuda --width 512 --height 512 --gaussians 4000 --steps 5000 --out .
"""
import argparse
import math
import os
import struct
import zlib

import torch

import gradwright as gw

KERNEL = """
// A Gaussian: place, logarithms of two widths, angle, opacity before the logistic function, colour.
__global__ void render(float *image, const float *all, int count, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float red = 0, green = 0, blue = 0;
    for (int i = 0; i < count; i++) {
        const float *g = all + 9 * i;
        float dx = (x + 0.5f) / width - g[0], dy = (y + 0.5f) / height - g[1], c = cosf(g[4]), s = sinf(g[4]);
        float u = (c * dx + s * dy) * expf(-g[2]), v = (c * dy - s * dx) * expf(-g[3]);
        float w = expf(-0.5f * (u * u + v * v)) / (1 + expf(-g[5]));
        red += w * g[6], green += w * g[7], blue += w * g[8];
    }
    float *pixel = image + 3 * (y * width + x);
    pixel[0] = red, pixel[1] = green, pixel[2] = blue;
}
"""


def write_png(path, image):
    """Eight bits a colour; image has (height, width, 3) numbers from 0 to 1."""
    cells = (image.detach().clamp(0, 1) * 255).round().to(torch.uint8).cpu()
    rows = b"".join(b"\0" + bytes(row.flatten().tolist()) for row in cells)
    size = lambda number: struct.pack(">I", number)
    part = lambda kind, data: size(len(data)) + kind + data + size(zlib.crc32(kind + data))
    head = struct.pack(">IIBBBBB", image.shape[1], image.shape[0], 8, 2, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", zlib.compress(rows))
                   + part(b"IEND", b""))


def goal_of(given, device):
    """A picture file, by Pillow, or rings and a disc."""
    if given.picture:
        from PIL import Image
        picture = Image.open(given.picture).convert("RGB").resize((given.width, given.height))
        cells = torch.frombuffer(bytearray(picture.tobytes()), dtype=torch.uint8)
        return (cells.reshape(given.height, given.width, 3) / 255).to(device)
    lines = (torch.linspace(-1, 1, n) for n in (given.height, given.width))
    y, x = torch.meshgrid(*lines, indexing="ij")
    r, disc = (x * x + y * y).sqrt(), ((x - 0.3) ** 2 + (y + 0.2) ** 2 < 0.1).float()
    return torch.stack([0.5 + 0.5 * torch.cos(6 * r), 0.5 * disc + 0.25, (0.9 - r).clamp(0, 1)], 2).to(device)


def steps_of(count):
    """With a bar, where tqdm is there."""
    try:
        from tqdm import trange
        return trange(count)
    except ImportError:
        return range(count)


def fit(given, device):
    m = gw.load(KERNEL, "render: image wrt all", given.device)
    render = gw.torch.op(m.render, grid=lambda a: (-(-a.width // 16), -(-a.height // 16)), block=(16, 16),
                         outputs={"image": lambda a: ((a.height, a.width, 3), torch.float32)})
    goal, made = goal_of(given, device), torch.Generator().manual_seed(1)
    draw = lambda low, high, n: low + (high - low) * torch.rand(given.gaussians, n, generator=made)
    widths = draw(-0.3, 0.3, 2) - 0.5 * math.log(given.gaussians)
    start = torch.cat([draw(0, 1, 2), widths, draw(0, 3, 1), draw(-2, 0, 1), draw(0, 1, 3)], 1)
    gaussians = start.to(device).requires_grad_()
    optimizer, losses = torch.optim.Adam([gaussians], lr=0.01), []
    for step in steps_of(given.steps):
        optimizer.zero_grad()
        image = render(gaussians, given.gaussians, given.width, given.height)
        loss = (image - goal).pow(2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        if given.out and (step % 100 == 0 or step == given.steps - 1):
            write_png(os.path.join(given.out, f"fit_{step:05}.png"), image)
    if given.out:
        write_png(os.path.join(given.out, "goal.png"), goal)
    return losses


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    for name, value in (("width", 48), ("height", 32), ("gaussians", 40), ("steps", 300)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--picture", help="a file that Pillow reads")
    parser.add_argument("--out", help="a folder for PNG files")
    given = parser.parse_args()
    losses = fit(given, torch.device(given.device))
    print(f"mean squared difference {losses[0]:.2e} to {losses[-1]:.2e} in {given.steps} steps")
    return 0 if losses[-1] < losses[0] else 1


if __name__ == "__main__":
    raise SystemExit(main())
