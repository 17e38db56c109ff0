"""PyTorch as a contender: the protocol of protocol/messages.ts, on two threads, eager as its users run it."""

import ctypes
import json
import math
import os
import sys
import time

import torch
import torch.nn.functional as F

THREADS = 2
CLIP, BETA = 0.2, 0.04
LEARNING_RATE, BETAS, EPSILON, DECAY = 1e-3, (0.9, 0.999), 1e-8, 0.01
NORM_EPSILON = 1e-5
CHAIN = 64

replies = os.fdopen(3, "w", buffering=1)


def say(**reply):
    replies.write(json.dumps(reply) + "\n")


def read_arrays(folder):
    def read(entry):
        dtype = torch.int32 if entry["dtype"] == "i32" else torch.float32
        raw = bytearray(open(os.path.join(folder, entry["name"] + ".bin"), "rb").read())
        tensor = torch.frombuffer(raw, dtype=dtype).reshape(entry["shape"])
        return tensor.long() if entry["dtype"] == "i32" else tensor

    entries = json.load(open(os.path.join(folder, "arrays.json")))
    return {entry["name"]: read(entry) for entry in entries}


def write_arrays(folder, arrays):
    os.makedirs(folder, exist_ok=True)
    entries = []
    for name, tensor in arrays.items():
        whole = not tensor.is_floating_point()
        flat = tensor.detach().contiguous().to(torch.int32 if whole else torch.float32)
        with open(os.path.join(folder, name + ".bin"), "wb") as file:
            file.write(bytes(flat.numpy().data) if flat.numel() else b"")
        entries.append({"name": name, "shape": list(tensor.shape), "dtype": "i32" if whole else "f32"})
    json.dump(entries, open(os.path.join(folder, "arrays.json"), "w"))


def masked_mean(x, mask):
    return (x * mask).sum() / mask.sum()


def grpo(logp, t):
    ratio = torch.exp(logp - t["old"])
    advantages = t["adv"][:, None]
    surrogate = torch.min(ratio * advantages, ratio.clamp(1 - CLIP, 1 + CLIP) * advantages)
    gap = t["ref"] - logp
    return -masked_mean(surrogate - BETA * (torch.expm1(gap) - gap), t["mask"])


def token_log_probs(logits, ids):
    return F.log_softmax(logits, dim=-1).gather(-1, ids[..., None]).squeeze(-1)


class Products:
    def __init__(self, sizes, t):
        self.t = t

    def run(self):
        self.c = self.t["a"] @ self.t["b"]

    def outputs(self):
        return {"c": self.c}


class Differentiated:
    """A scalar function of one array, and its gradient."""

    def __init__(self, sizes, t):
        self.t = t
        self.x = t[self.of].clone().requires_grad_()

    def run(self):
        self.x.grad = None
        loss = self.loss(self.x, self.t)
        loss.backward()
        self.value = loss.item()

    def outputs(self):
        return {"value": torch.tensor(self.value), "grad": self.x.grad}


class Pointwise(Differentiated):
    of = "x"

    def loss(self, x, t):
        return (torch.exp(-x * x) * torch.sigmoid(x) + torch.tanh(x)).mean()


class Tokens(Differentiated):
    of = "logits"

    def loss(self, x, t):
        return masked_mean(token_log_probs(x, t["ids"]), t["mask"])


class Grpo(Differentiated):
    of = "logp"

    def loss(self, x, t):
        return grpo(x, t)


class Chain:
    def __init__(self, sizes, t):
        self.t = t

    def run(self):
        y = self.t["x"]
        for _ in range(CHAIN):
            y = y @ self.t["w"]
        self.y = y

    def outputs(self):
        return {"y": self.y}


def norm(x, weight):
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + NORM_EPSILON) * weight


def turned(x, cos, sin):
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * cos - b * sin, b * cos + a * sin), dim=-1)


def heads_of(x, heads):
    batch, time_, width = x.shape
    return x.view(batch, time_, heads, width // heads).transpose(1, 2)


def layer(params, i, x, heads, attend):
    batch, time_, width = x.shape
    h = norm(x, params[f"n1.{i}"])
    q, k, v = (heads_of(h @ params[f"w{name}.{i}"], heads) for name in "qkv")
    attended = attend(q, k, v).transpose(1, 2).reshape(batch, time_, width)
    x = x + attended @ params[f"wo.{i}"]
    h = norm(x, params[f"n2.{i}"])
    return x + (F.silu(h @ params[f"w1.{i}"]) * (h @ params[f"w3.{i}"])) @ params[f"w2.{i}"]


class Step:
    """A training step: forward, backward, AdamW."""

    def __init__(self, sizes, t):
        self.sizes, self.t = sizes, t
        names = [name for name in t if name == "emb" or name == "nf" or "." in name]
        self.params = {name: t[name].clone().requires_grad_() for name in names}
        self.optimizer = torch.optim.AdamW(
            self.params.values(), lr=LEARNING_RATE, betas=BETAS, eps=EPSILON, weight_decay=DECAY
        )
        self.seen = torch.ones(sizes["time"], sizes["time"], dtype=torch.bool).tril()

    def attend(self, q, k, v):
        cos, sin = self.t["cos"], self.t["sin"]
        q, k = turned(q, cos, sin), turned(k, cos, sin)
        scores = (q @ k.transpose(-1, -2)) / math.sqrt(q.shape[-1])
        return scores.masked_fill(~self.seen, -math.inf).softmax(-1) @ v

    def run(self):
        self.optimizer.zero_grad(set_to_none=True)
        x = F.embedding(self.t["x"], self.params["emb"])
        for i in range(self.sizes["layers"]):
            x = layer(self.params, i, x, self.sizes["heads"], self.attend)
        logits = norm(x, self.params["nf"]) @ self.params["emb"].T
        loss = grpo(token_log_probs(logits, self.t["y"]), self.t)
        loss.backward()
        self.optimizer.step()
        self.loss = loss.item()

    def outputs(self):
        first = torch.tensor(self.loss)
        moments = {name: self.optimizer.state[p]["exp_avg"].clone() for name, p in self.params.items()}
        self.run()
        return {"loss": first, "next": torch.tensor(self.loss), **moments}


class Decoding:
    """Greedy decoding with a cache of keys and values."""

    def __init__(self, sizes, t):
        self.sizes, self.t = sizes, t
        shape = (sizes["batch"], sizes["heads"], sizes["time"] - 1, sizes["width"] // sizes["heads"])
        self.cache = [(torch.zeros(shape), torch.zeros(shape)) for _ in range(sizes["layers"])]

    @torch.no_grad()
    def run(self):
        heads, new = self.sizes["heads"], self.sizes["time"] - 1
        last, ids = self.t["x"][:, 0], []
        for place in range(new):
            cos, sin = self.t["cos"][place], self.t["sin"][place]
            x = F.embedding(last[:, None], self.t["emb"])
            for i, (keys, values) in enumerate(self.cache):

                def attend(q, k, v, keys=keys, values=values):
                    keys[:, :, place] = turned(k, cos, sin)[:, :, 0]
                    values[:, :, place] = v[:, :, 0]
                    seen, of = keys[:, :, : place + 1], values[:, :, : place + 1]
                    scores = (turned(q, cos, sin) @ seen.transpose(-1, -2)) / math.sqrt(q.shape[-1])
                    return scores.softmax(-1) @ of

                x = layer(self.t, i, x, heads, attend)
            last = (norm(x[:, 0], self.t["nf"]) @ self.t["emb"].T).argmax(-1)
            ids.append(last)
        self.ids = torch.stack(ids, dim=1)

    def outputs(self):
        return {"ids": self.ids}


KINDS = {
    "product": Products,
    "pointwise": Pointwise,
    "tokens": Tokens,
    "grpo": Grpo,
    "chain": Chain,
    "step": Step,
    "decoding": Decoding,
}


def blas():
    """The matrix products' library and the kernels that it chose for this processor."""
    torch.ones(64, 64) @ torch.ones(64, 64)
    paths = {line.split()[-1] for line in open("/proc/self/maps") if "blas" in line and ".so" in line}
    for path in sorted(paths):
        library = ctypes.CDLL(path)
        if hasattr(library, "openblas_get_corename"):
            library.openblas_get_corename.restype = ctypes.c_char_p
            return f"OpenBLAS, {library.openblas_get_corename().decode()}"
    return ", ".join(sorted(os.path.basename(path) for path in paths)) or "its own"


def milliseconds(work):
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


def several(job, times):
    for _ in range(times):
        job.run()


def main():
    torch.set_num_threads(THREADS)
    facts = {"torch": torch.__version__, "threads": str(torch.get_num_threads()), "blas": blas()}
    say(reply="ready", facts=facts)
    job = None
    for line in sys.stdin:
        ask = json.loads(line)
        if ask["ask"] == "quit":
            return
        if ask["ask"] == "prepare":
            job = KINDS[ask["kind"]](ask["sizes"], read_arrays(ask["folder"]))
            ms = milliseconds(job.run)
            write_arrays(ask["into"], job.outputs())
            say(reply="prepared", ms=ms)
        elif ask["ask"] == "count":
            say(reply="counted", counts={})
        else:
            if ask["warm"]:
                job.run()
            say(reply="ran", ms=milliseconds(lambda: several(job, ask["times"])) / ask["times"])


try:
    main()
except Exception as error:  # whatever it is, the driver names it in its table
    say(reply="cannot", because=f"{type(error).__name__}: {error}")
