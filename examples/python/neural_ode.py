#!/usr/bin/env python3
"""A neural ordinary differential equation: dz/dt = B tanh(A z + a) + b, by the method of Runge and Kutta, one
trajectory a thread, is a kernel; PyTorch fits A, a, B and b to trajectories of a spiral. The gradient goes back
through all steps, in the kernel's own reverse sweep.

    python3 neural_ode.py                               # on the CPU device, small
    python3 neural_ode.py --device cuda --trajectories 4096 --steps 200 --rounds 1000
    python3 neural_ode.py --compare                     # value, gradient and time beside PyTorch's own
"""
import argparse
import time

import torch

import gradwright as gw

HIDDEN = 16
KERNEL = """
enum { hidden = HIDDEN };

struct state { float x, y; };

__device__ inline state slope(state z, const float *theta) {
    state d = {theta[5 * hidden], theta[5 * hidden + 1]};
    for (int k = 0; k < hidden; k++) {
        float h = tanhf(theta[5 * k] * z.x + theta[5 * k + 1] * z.y + theta[5 * k + 2]);
        d.x += theta[5 * k + 3] * h, d.y += theta[5 * k + 4] * h;
    }
    return d;
}

__device__ inline state moved(state z, float t, state d) { return {z.x + t * d.x, z.y + t * d.y}; }

// path: for each step, for each trajectory, x and y
__global__ void integrate(float *path, const float *start, const float *theta, float dt, int steps, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    state z = {start[2 * i], start[2 * i + 1]};
    for (int s = 0; s < steps; s++) {
        state a = slope(z, theta), b = slope(moved(z, 0.5f * dt, a), theta);
        state c = slope(moved(z, 0.5f * dt, b), theta), d = slope(moved(z, dt, c), theta);
        z.x += dt / 6 * (a.x + 2 * b.x + 2 * c.x + d.x);
        z.y += dt / 6 * (a.y + 2 * b.y + 2 * c.y + d.y);
        path[2 * (s * n + i)] = z.x;
        path[2 * (s * n + i) + 1] = z.y;
    }
}
""".replace("HIDDEN", str(HIDDEN))


def by_kernel(device):
    m = gw.load(KERNEL, "integrate: path wrt start, theta", device)
    op = gw.torch.op(m.integrate, grid=lambda a: (a.n + 63) // 64, block=64,
                     outputs={"path": lambda a: ((a.steps, a.n, 2), torch.float32)})
    return lambda start, theta, dt, steps: op(start, theta, dt, steps, len(start))


def by_torch(start, theta, dt, steps):
    weights = theta[:5 * HIDDEN].reshape(HIDDEN, 5)

    def slope(z):
        return torch.tanh(z @ weights[:, :2].t() + weights[:, 2]) @ weights[:, 3:] + theta[5 * HIDDEN:]

    z, path = start, []
    for _ in range(steps):
        a = slope(z)
        b = slope(z + 0.5 * dt * a)
        c = slope(z + 0.5 * dt * b)
        d = slope(z + dt * c)
        z = z + dt / 6 * (a + 2 * b + 2 * c + d)
        path.append(z)
    return torch.stack(path)


def spiral(start, dt, steps):
    """What is to be learnt: it turns, and shrinks."""
    turn = torch.tensor([[-0.2, 1.0], [-1.0, -0.2]], device=start.device)
    return torch.stack([start @ torch.matrix_exp(turn * dt * (s + 1)).t() for s in range(steps)])


def draw(given, device):
    made = torch.Generator().manual_seed(2)
    start = 2 * torch.rand(given.trajectories, 2, generator=made) - 1
    theta = 0.4 * torch.randn(5 * HIDDEN + 2, generator=made)
    return start.to(device), theta.to(device)


def fit(given, device):
    integrate = by_kernel(given.device)
    start, theta = draw(given, device)
    goal, theta = spiral(start, given.dt, given.steps), theta.requires_grad_()
    optimizer, losses = torch.optim.Adam([theta], lr=0.02), []
    for _ in range(given.rounds):
        optimizer.zero_grad()
        loss = (integrate(start, theta, given.dt, given.steps) - goal).pow(2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def compare(given, device):
    start, theta = (one.requires_grad_() for one in draw(given, device))
    made = []
    for name, integrate in (("kernel", by_kernel(given.device)), ("PyTorch", by_torch)):
        for _ in range(2):
            began = time.perf_counter()
            path = integrate(start, theta, given.dt, given.steps)
            gradients = torch.autograd.grad(path.pow(2).sum(), (start, theta))
            if device.type == "cuda":
                torch.cuda.synchronize()
        print(f"{name:8} {1e3 * (time.perf_counter() - began):8.2f} ms")
        made.append([path.detach(), *gradients])
    differs = [((a - b).abs().max() / b.abs().max()).item() for a, b in zip(*made)]
    print("path, d_start, d_theta differ by " + ", ".join(f"{one:.1e}" for one in differs))
    return max(differs)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    for name, value in (("trajectories", 32), ("steps", 20), ("rounds", 150)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--dt", type=float, default=0.1)
    parser.add_argument("--compare", action="store_true")
    given = parser.parse_args()
    device = torch.device(given.device)
    if given.compare:
        return 0 if compare(given, device) < 1e-3 else 1
    losses = fit(given, device)
    print(f"mean squared difference {losses[0]:.2e} to {losses[-1]:.2e} in {given.rounds} rounds")
    return 0 if losses[-1] < losses[0] else 1


if __name__ == "__main__":
    raise SystemExit(main())
