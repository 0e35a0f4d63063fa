#!/usr/bin/env python3
"""Gaussian splatting in PyTorch: the kernels of examples/gaussian_splatting as operations, and a scene that is
fitted to views, which ranks share.

    python3 splatting.py                               # on the CPU device, small
    torchrun --nproc-per-node 2 splatting.py --device cuda --width 512 --height 512 --splats 100000 --rounds 100
    python3 splatting.py --compare                     # values, gradients, time, memory beside PyTorch alone

The scene stands in one array of 16 floats a splat, as the kernel's struct has it: position, scale, rotation,
opacity. Which splats a tile has, by depth, is found by PyTorch itself; no gradient goes that way. With
--deterministic two runs have the same bits, and two ranks those of one that adds both gradients.
"""
import argparse
import ctypes
import os
import struct
import time

import torch
import torch.distributed as dist

import gradwright as gw

TILE = 16
KERNELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gaussian_splatting", "splatting.cuh")


class Rasteriser:
    """project and blend, as operations."""

    def __init__(self, device, deterministic=False, by_pixels=False):
        """`by_pixels`: the way back as it is written by hand, a thread a pixel that adds to each of its
        splats."""
        text = f'#include <gradwright/gradwright.h>\n#include "{os.path.realpath(KERNELS)}"\n'
        arguments = ["--deterministic"] * deterministic + ["--accumulate=atomic"] * by_pixels
        m = gw.load(text, device=device, language="cuda", arguments=arguments)
        one = lambda n, dtype=torch.float32: lambda a: ((a.n, n) if n > 1 else (a.n,), dtype)
        self.project = gw.torch.op(m.project, grid=lambda a: (a.n + 255) // 256, block=256, outputs={
            "mean": one(2), "conic": one(4), "depth": one(1), "radius": one(1), "touched": one(1, torch.int32)})
        pixels = lambda n, dtype=torch.float32: lambda a: ((a.height, a.width, n), dtype)
        self.blend = gw.torch.op(
            m.blend, grid=lambda a: (-(-a.width // TILE), -(-a.height // TILE)), block=(TILE, TILE),
            outputs={"out": pixels(3), "final_T": pixels(1), "last": pixels(1, torch.int32)},
            sizes={"positions": lambda a: a.ids.numel()} if deterministic else None)

    def __call__(self, scene, color, focal, width, height, background=(0.0, 0.0, 0.0)):
        camera = struct.pack("fii", focal, width, height)
        mean, conic, depth, radius, _ = self.project(all=scene, cam=camera, n=len(scene))
        ids, ranges = lists(mean.detach(), depth, radius, width, height)
        return self.blend(mean, conic, color, ids, ranges, background, width, height)[0]


def lists(mean, depth, radius, width, height):
    """The splats of each tile, by depth, and where those of a tile begin and end."""
    tiles = torch.tensor([-(-width // TILE), -(-height // TILE)], device=mean.device)
    low = ((mean - radius[:, None]) / TILE).floor().long().clamp(min=0)
    high = torch.minimum(((mean + radius[:, None]) / TILE).floor().long() + 1, tiles)
    spans = (high - low).clamp(min=0)
    counts = spans.prod(1)
    splat = torch.repeat_interleave(torch.arange(len(mean), device=mean.device), counts)
    within = torch.arange(len(splat), device=mean.device) - (counts.cumsum(0) - counts)[splat]
    tile = (low[splat, 1] + within // spans[splat, 0]) * tiles[0] + low[splat, 0] + within % spans[splat, 0]
    by_depth = torch.argsort(depth[splat], stable=True)
    order = by_depth[torch.argsort(tile[by_depth], stable=True)]
    ends = torch.bincount(tile, minlength=int(tiles.prod())).cumsum(0)
    ranges = torch.stack([torch.cat([ends.new_zeros(1), ends[:-1]]), ends], 1)
    return splat[order].int(), ranges.int()


def plainly(scene, color, focal, width, height, background=(0.0, 0.0, 0.0)):
    """The same in PyTorch alone: every splat at every pixel. Its lists are not by tiles, so what is beyond the
    reach of a splat there is cut here, too."""
    p, scale, (x, y, z, w), opacity = scene[:, 0:3], scene[:, 3:6], scene[:, 8:12].unbind(1), scene[:, 12]
    rotation = torch.stack([
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
        2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], 1).reshape(-1, 3, 3)
    f = focal / p[:, 2:3]
    u = f * (rotation[:, 0] - rotation[:, 2] * p[:, 0:1] / p[:, 2:3]) * scale
    v = f * (rotation[:, 1] - rotation[:, 2] * p[:, 1:2] / p[:, 2:3]) * scale
    a, b, c = (u * u).sum(1) + 0.3, (u * v).sum(1), (v * v).sum(1) + 0.3
    det = a * c - b * b
    mean = f * p[:, :2] + 0.5 * p.new_tensor([width, height])
    middle = 0.5 * (a + c)
    radius = (3 * (middle + (middle * middle - det).clamp(min=0.1).sqrt()).sqrt()).ceil()
    order = torch.argsort(p[:, 2], stable=True)
    column, row = torch.arange(width, device=p.device), torch.arange(height, device=p.device)
    inside = lambda middle, tile: ((((middle - radius) / TILE).floor() <= tile[:, None])
                                   & (tile[:, None] <= ((middle + radius) / TILE).floor()))
    reached = inside(mean[:, 1], row // TILE)[:, None] & inside(mean[:, 0], column // TILE)[None]
    dx, dy = mean[:, 0] - column[:, None], mean[:, 1] - row[:, None]
    power = (-0.5 * (c / det * dx ** 2)[None] - 0.5 * (a / det * dy ** 2)[:, None]
             + (b / det) * dx[None] * dy[:, None])
    alpha = (opacity * power.exp()).clamp(max=0.99)
    alpha = torch.where(reached & (power <= 0) & (alpha >= 1 / 255), alpha, torch.zeros_like(alpha))[..., order]
    left = torch.cumprod(1 - alpha, -1)
    before = torch.cat([torch.ones_like(left[..., :1]), left[..., :-1]], -1)
    weight = torch.where(left >= 1e-4, alpha * before, torch.zeros_like(alpha))
    rest = torch.where(left >= 1e-4, left, torch.ones_like(left)).amin(-1, keepdim=True)
    return weight @ color[order] + rest * color.new_tensor(background)


def make_scene(n, width, height, focal, device):
    """Splats of a few pixels, everywhere in view: the scene and its colours."""
    made = torch.Generator().manual_seed(7)
    draw = lambda low, high, *shape: low + (high - low) * torch.rand(*shape, generator=made)
    z = draw(2, 10, n, 1)
    place = (draw(0, 1, n, 2) - 0.5) * torch.tensor([width, height]) * z / focal
    scale = 2.5 * draw(-0.7, 0.7, n, 3).exp() * z / focal
    rotation = torch.nn.functional.normalize(draw(-1, 1, n, 4), dim=1)
    pad = torch.zeros(n, 2)
    scene = torch.cat([place, z, scale, pad, rotation, draw(0.2, 0.7, n, 1), pad, pad[:, :1]], 1)
    return scene.to(device), draw(0, 1, n, 3).to(device)


class Scene(torch.nn.Module):
    """What is fitted: a parameter each of splats and colours, seen by a camera of one focal length."""

    def __init__(self, rasteriser, scene, color, width, height):
        super().__init__()
        self.rasteriser, self.width, self.height = rasteriser, width, height
        self.scene, self.color = torch.nn.Parameter(scene), torch.nn.Parameter(color)

    def forward(self, shifts, focal):
        """All pictures in one call: DistributedDataParallel takes one before each backward."""
        pad = torch.nn.functional.pad
        return [self.rasteriser(self.scene + pad(shift, (0, 13)), self.color, focal, self.width, self.height)
                for shift in shifts]


def views_of(count, device):
    """The places where the camera stands: to the side of the scene."""
    return [torch.tensor([0.1 * i, -0.05 * i, 0.0], device=device) for i in range(count)]


def fit(given, rank, ranks, device):
    """Each rank has every ranks-th view; gradients are averaged over ranks, of losses times their number."""
    focal = 0.9 * given.width
    rasteriser = Rasteriser(device.type, given.deterministic)
    truth = Scene(rasteriser, *make_scene(given.splats, given.width, given.height, focal, device), given.width,
                  given.height)
    views = views_of(given.views, device)
    with torch.no_grad():
        pictures = truth(views, focal)
    start = truth.scene.detach().clone()
    moved = torch.randn(given.splats, 2, generator=torch.Generator().manual_seed(3))
    start[:, :2] += (0.3 / focal * moved).to(device)
    model = Scene(rasteriser, start, torch.full_like(truth.color, 0.5), given.width, given.height)
    shared = torch.nn.parallel.DistributedDataParallel(model) if ranks > 1 else model
    rates = ((model.scene, 0.002), (model.color, 0.05))
    optimizer = torch.optim.Adam([{"params": [what], "lr": rate} for what, rate in rates])
    losses, began = [], time.perf_counter()
    for _ in range(given.rounds):
        optimizer.zero_grad()
        made = zip(shared(views[rank::ranks], focal), pictures[rank::ranks])
        loss = sum((picture - wanted).pow(2).mean() for picture, wanted in made)
        (loss * ranks).backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model, (time.perf_counter() - began) / max(given.rounds, 1)


def resident(name):
    """Bytes of this process that Linux counts by that name."""
    with open("/proc/self/status", encoding="utf-8") as file:
        return next(1024 * int(line.split()[1]) for line in file if line.startswith(name))


def measured(step, device, repeats):
    """Seconds each, and the most bytes beside what was there: on a GPU PyTorch's, else the process's, where
    Linux takes a new start of its peak."""
    step()
    on_gpu, before = device.type == "cuda", None
    if on_gpu:
        torch.cuda.synchronize()
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
    elif os.access("/proc/self/clear_refs", os.W_OK):
        ctypes.CDLL(None).malloc_trim(0)
        with open("/proc/self/clear_refs", "w", encoding="utf-8") as file:
            file.write("5")
        before = resident("VmRSS")
    began = time.perf_counter()
    for _ in range(repeats):
        step()
    if on_gpu:
        torch.cuda.synchronize()
    seconds = (time.perf_counter() - began) / repeats
    most = torch.cuda.max_memory_allocated if on_gpu else lambda: resident("VmHWM")
    return seconds, None if before is None else most() - before


def compare(given, device):
    """An iteration of each, then the largest differences of the picture and the gradients from the last one's,
    relative to its largest entries."""
    focal = 0.9 * given.width
    scene, color = make_scene(given.splats, given.width, given.height, focal, device)
    scene.requires_grad_(), color.requires_grad_()
    weight = torch.rand(given.height, given.width, 3, generator=torch.Generator().manual_seed(5)).to(device)
    rows = {"operations": Rasteriser(device.type, given.deterministic),
            "by pixels": Rasteriser(device.type, by_pixels=True)}
    if not given.no_plain:
        rows["plain"] = plainly
    made = {}
    for name, rasterise in rows.items():
        def step():
            picture = rasterise(scene, color, focal, given.width, given.height)
            made[name] = [picture.detach(), *torch.autograd.grad((picture * weight).sum(), (scene, color))]
        seconds, memory = measured(step, device, given.repeats)
        print(f"{name:10} {1e3 * seconds:8.2f} ms" +
              ("" if memory is None else f" {memory / 2**20:8.1f} MiB"))
    *names, last = made
    worst = 0.0
    for name in names:
        differs = {what: ((own - theirs).abs().max() / theirs.abs().max()).item() for what, own, theirs in
                   zip(("picture", "d_scene", "d_color"), made[name], made[last])}
        worst = max(worst, *differs.values())
        print(f"{name:10} from {last}: " + ", ".join(f"{what} {far:.1e}" for what, far in differs.items()))
    return worst


def arguments(words=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    for name, value in (("width", 48), ("height", 32), ("splats", 60), ("views", 2), ("rounds", 20)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--deterministic", action="store_true")
    parser.add_argument("--compare", action="store_true")
    parser.add_argument("--no-plain", action="store_true", help="where each splat at each pixel is too much")
    parser.add_argument("--repeats", type=int, default=1, help="iterations that are timed")
    parser.add_argument("--save", help="the fitted scene, by torch.save")
    return parser.parse_args(words)


def main():
    given = arguments()
    rank, ranks = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    device = torch.device(given.device)
    if device.type == "cuda":
        device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0)))
        torch.cuda.set_device(device)
    if given.compare:
        return 0 if compare(given, device) < 1e-3 else 1
    if ranks > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    losses, model, seconds = fit(given, rank, ranks, device)
    if rank == 0:
        print(f"loss {losses[0]:.3e} to {losses[-1]:.3e} in {given.rounds} rounds, {1e3 * seconds:.2f} ms each")
        if given.save:
            torch.save({"scene": model.scene.detach().cpu(), "color": model.color.detach().cpu()}, given.save)
    if ranks > 1:
        dist.destroy_process_group()
    return 0 if losses[-1] < losses[0] else 1


if __name__ == "__main__":
    raise SystemExit(main())
