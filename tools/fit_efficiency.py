#!/usr/bin/env python3
"""Fits the measured rows of data/efficiency.yaml from tables of kernel times.

    tools/fit_efficiency.py KERNELS > rows.yaml      (needs numpy; a minute)

KERNELS is a folder with gemm_selected.csv, moe_tp1ep1.csv, attn_decode_hd128.csv, attn_prefill_hd128.csv,
allreduce_custom.csv and nccl.csv: extracts of the kernel database of ai-dynamo/aiconfigurator (Apache-2.0), one row per
measured launch. The model of every row is the law of src/cost/law.h:

    t = t0 + max(FLOPs / (em(rows) * peak), bytes / (eb * bandwidth))

em(rows) is piecewise linear in log(rows), proportional to rows below its first point (the smallest tile, which fewer rows are
padded to) and constant above its last. `rows` is m for a GEMM, tokens per touched expert for a mixture of experts, and the new tokens
of one sequence for attention in prefill. Each fit takes the t0, eb and em that give the least mean |relative error|, errors
over 100 % counting as 100 % (some rows of the tables are outliers). Nothing of a serving measurement is used here.
"""
import csv
import sys

import numpy as np

# Figures of the catalogue (dense, tensor, final, per chip; the low end where sources differ): the shares are of these.
SYSTEMS = {
    "a100_sxm": ("a100-sxm4", 2.039e12, {"bf16": 312e12, "int8": 624e12}),
    "h100_sxm": ("h100-sxm5", 3.352e12, {"bf16": 989.4e12, "fp8": 1978.9e12}),
    "h200_sxm": ("h200-sxm", 4.8e12, {"bf16": 989e12, "fp8": 1978e12}),
    "b200_sxm": ("b200-sxm", 7.7e12, {"bf16": 2250e12, "fp8": 4500e12, "fp4": 9000e12}),
    "gb200": ("gb200", 8e12, {"bf16": 2500e12, "fp8": 5000e12, "fp4": 10000e12}),
    "l40s": ("l40s", 0.864e12, {"bf16": 362.05e12, "fp8": 733e12}),
    "rtx_pro_6000_server": ("rtx-pro6000-server", 1.597e12, {"bf16": 467.8e12, "fp8": 935.6e12, "fp4": 1871.2e12}),
}
# Rate of the link per direction, which the shares of collectives are of: NVLink of the catalogue, PCIe Gen4 and Gen5 x16.
LINKS = {"a100_sxm": ("scale-up", 300), "h100_sxm": ("scale-up", 450), "h200_sxm": ("scale-up", 450), "b200_sxm": ("scale-up", 900),
         "gb200": ("scale-up", 900), "l40s": ("host", 32), "rtx_pro_6000_server": ("host", 64)}
WEIGHT_BYTES = {"bfloat16": 2, "fp8": 1, "fp8_block": 1 + 4 / 128**2, "nvfp4": 0.5625, "sq": 1, "int4_wo": 0.53125,
                "w4a16_mxfp4": 0.53125, "w4a8_mxfp4_mxfp8": 0.53125}
# What the table calls a kernel's type -> (format of the weights, format that multiplies).
FORMATS = {"bfloat16": ("bf16", "bf16"), "fp8": ("fp8", "fp8"), "fp8_block": ("fp8", "fp8"), "nvfp4": ("nvfp4", "fp4"), "sq": ("int8", "int8"),
           "int4_wo": ("int4", "bf16"), "w4a16_mxfp4": ("mxfp4", "bf16"), "w4a8_mxfp4_mxfp8": ("mxfp4", "fp8")}
# One kernel set per part and format: vLLM's, which serves all of them; TensorRT-LLM's where vLLM's are absent. Block-scaled
# fp8 stands for fp8 experts, as that is how checkpoints with fp8 experts are published; per-tensor fp8 for fp8 GEMMs, since the
# block-scaled ones were timed with their quantisation launched one by one (about 60 us of host time on every part).
GEMM_SETS = {
    "a100_sxm": [("vllm", "bfloat16"), ("trtllm", "sq"), ("trtllm", "int4_wo")],
    "h100_sxm": [("vllm", "bfloat16"), ("vllm", "fp8")],
    "h200_sxm": [("vllm", "bfloat16"), ("vllm", "fp8")],
    "b200_sxm": [("vllm", "bfloat16"), ("vllm", "fp8"), ("vllm", "nvfp4")],
    "gb200": [("vllm", "bfloat16"), ("vllm", "fp8"), ("vllm", "nvfp4")],
    "l40s": [("vllm", "bfloat16"), ("vllm", "fp8")],
    "rtx_pro_6000_server": [("vllm", "bfloat16"), ("vllm", "fp8"), ("vllm", "nvfp4")],
}
MOE_SETS = {
    "a100_sxm": [("vllm", "bfloat16")],
    "h100_sxm": [("vllm", "bfloat16"), ("vllm", "fp8_block"), ("vllm", "w4a16_mxfp4"), ("vllm", "int4_wo")],
    "h200_sxm": [("vllm", "bfloat16"), ("vllm", "fp8_block"), ("vllm", "w4a16_mxfp4"), ("vllm", "int4_wo")],
    "b200_sxm": [("vllm", "bfloat16"), ("vllm", "fp8_block"), ("vllm", "nvfp4"), ("vllm", "w4a8_mxfp4_mxfp8"), ("vllm", "int4_wo")],
    "gb200": [("vllm", "bfloat16"), ("vllm", "fp8_block"), ("vllm", "nvfp4"), ("vllm", "w4a8_mxfp4_mxfp8"), ("vllm", "int4_wo")],
    "l40s": [("vllm", "bfloat16"), ("vllm", "fp8_block"), ("vllm", "w4a16_mxfp4"), ("vllm", "int4_wo")],
    "rtx_pro_6000_server": [("vllm", "bfloat16"), ("vllm", "fp8"), ("vllm", "nvfp4"), ("vllm", "w4a16_mxfp4"), ("vllm", "int4_wo")],
}


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def column(rows, name):
    return np.array([float(r[name]) for r in rows])


def clipped(predicted, measured):
    return np.minimum(np.abs(predicted / measured - 1), 1)


def fit(flops, moved, rows, seconds, peak, bandwidth, grid, launches, shares=np.arange(0.30, 1.001, 0.05), tile=16):
    """Least mean clipped error over t0 in `launches`, eb in `shares`, and em at every point of `grid` (1 for "all rows").

    Below the first point em is constant down to `tile` rows, which fewer are padded to: there memory decides nearly
    everywhere, and a free em would only follow the caches."""
    ems = np.concatenate([np.arange(0.01, 0.10, 0.01), np.arange(0.10, 0.96, 0.025)])
    if len(grid) == 1:
        bucket = np.zeros(len(rows), int)
    else:
        edges = np.sqrt(np.array(grid[:-1], float) * np.array(grid[1:], float))
        bucket = np.searchsorted(edges, rows)
    scale = np.minimum(1, rows / tile) if len(grid) > 1 else np.ones(len(rows))
    best = None
    for t0 in launches:
        for eb in shares:
            memory = moved / (eb * bandwidth)
            chosen, error = [None] * len(grid), np.zeros(len(rows))
            for point in reversed(range(len(grid))):
                at = bucket == point
                if not at.any():
                    continue
                trial = t0 + np.maximum(flops[at] / (np.outer(ems, scale[at]) * peak), memory[at])
                e = np.abs(trial / seconds[at] - 1)
                cost = np.minimum(e, 1).mean(axis=1)
                # Where memory decides, a range of em fits as well: take of it what comes nearest to the next point's.
                fits = np.flatnonzero(cost <= cost.min() + 0.001)
                above = next((c for c in chosen[point + 1:] if c is not None), None)
                pick = int(cost.argmin()) if above is None else int(fits[np.abs(ems[fits] - above).argmin()])
                chosen[point] = ems[pick]
                error[at] = e[pick]
            cost = np.minimum(error, 1).mean()
            if best is None or cost < best[0] - 1e-9:
                best = (cost, t0, eb, chosen, float(np.median(error)), float(np.quantile(error, 0.9)))
    return best


def filled(chosen):
    """A point without measurements takes the value of the one before it."""
    out, last = [], next(c for c in chosen if c is not None)
    for c in chosen:
        last = last if c is None else c
        out.append(last)
    return out


def emit(where, kernel, weights, peak, best, grid, source, tile=16):
    cost, t0, eb, chosen, median, p90 = best
    chosen = filled(chosen)
    if len(grid) > 1 and grid[0] > tile:
        grid, chosen = [tile] + grid, chosen[:1] + chosen
    rows = "" if len(grid) == 1 else f", rows: [{', '.join(str(g) for g in grid)}]"
    compute = ", ".join(f"{c:.3g}" for c in chosen)
    print(f"- {{of: {where}, kernel: {kernel}, format: {weights}, peak: {peak}, launch_us: {t0 * 1e6:g}, memory: {eb:.2f}{rows}, "
          f"compute: [{compute}], fit_median: {median:.3f}, fit_p90: {p90:.3f}, source: {source}}}", flush=True)


def gemms(folder):
    table = [r for r in read(folder + "/gemm_selected.csv") if r["version"] != "0.22.0"]
    grid = [128, 256, 512, 1024, 2048, 4096]
    for system, sets in GEMM_SETS.items():
        where, bandwidth, peaks = SYSTEMS[system]
        for engine, dtype in sets:
            rows = [r for r in table if (r["system"], r["engine"], r["dtype"]) == (system, engine, dtype)]
            m, n, k, t = (column(rows, c) for c in ("m", "n", "k", "latency_us"))
            weights, peak = FORMATS[dtype]
            activation = WEIGHT_BYTES[dtype] if peak != "bf16" else 2
            moved = n * k * WEIGHT_BYTES[dtype] + m * k * activation + 2 * m * n
            shares = np.arange(0.70, 1.001, 0.05) if dtype == "int4_wo" else np.arange(0.30, 1.001, 0.05)
            best = fit(2 * m * n * k, moved, m, t * 1e-6, peaks[peak], bandwidth, grid, np.arange(2, 16) * 1e-6, shares)
            emit(where, "gemm", weights, peak, best, grid, f"aic-gemm-{engine}")


def experts(folder):
    table = [r for r in read(folder + "/moe_tp1ep1.csv") if r["version"] != "0.22.0" and not any(w in r["kernel"] for w in ("nongated", "situ_as"))]
    grid = [16, 32, 64, 128, 256, 512]
    for system, sets in MOE_SETS.items():
        where, bandwidth, peaks = SYSTEMS[system]
        for engine, dtype in sets:
            rows = [r for r in table if (r["system"], r["engine"], r["dtype"]) == (system, engine, dtype) and float(r["num_tokens"]) <= 16384]
            # "balanced" spreads tokens as widely as it can, so the touched experts are known: min(E, k T).
            even = [r for r in rows if r["distribution"] == "balanced"]
            chosen = even or [r for r in rows if r["distribution"] == "power_law_1.01"]
            tokens, top, total, hidden, inter, t = (column(chosen, c) for c in ("num_tokens", "topk", "num_experts", "hidden", "inter", "latency_us"))
            touched = np.minimum(total, tokens * top) if even else total * (1 - (1 - top / total) ** tokens)
            weights, peak = FORMATS[dtype]
            moved = touched * 3 * hidden * inter * WEIGHT_BYTES[dtype] + 4 * tokens * hidden
            best = fit(6 * tokens * top * hidden * inter, moved, tokens * top / touched, t * 1e-6, peaks[peak], bandwidth, grid,
                       np.arange(5, 61, 2.5) * 1e-6)
            emit(where, "moe", weights, peak, best, grid, f"aic-moe-{engine}")


def attention(folder):
    decode = read(folder + "/attn_decode_hd128.csv")
    prefill = [r for r in read(folder + "/attn_prefill_hd128.csv") if "decode" not in r["kernel"]]
    lengths = [128, 256, 512, 1024, 2048, 4096, 8192, 16384]
    for system, (where, bandwidth, peaks) in SYSTEMS.items():
        for dtype, weights, width in (("bfloat16", "bf16", 2), ("fp8", "fp8", 1)):
            rows = [r for r in decode if (r["system"], r["kv_dtype"]) == (system, dtype)]
            if rows:
                batch, length, heads, groups, t = (column(rows, c) for c in ("batch", "kv_len", "num_heads", "num_kv_heads", "latency_us"))
                moved = batch * length * 2 * groups * 128 * width + batch * heads * 128 * 4
                # Arithmetic never decides here (up to 64 query heads per key head ran at the same bandwidth): FLOPs are left out
                # of the fit and em is that of FlashMLA, whose decode does reach it.
                best = fit(np.zeros(len(rows)), moved, batch, t * 1e-6, peaks["bf16"], bandwidth, [1], np.arange(4, 25) * 1e-6)
                best = best[:3] + ([0.67],) + best[4:]
                emit(where, "attention_decode", weights, "bf16", best, [1], "aic-attention")
            rows = [r for r in prefill if (r["system"], r["kv_dtype"]) == (system, dtype)]
            if rows:
                batch, length, heads, groups, t = (column(rows, c) for c in ("batch", "isl", "num_heads", "num_kv_heads", "latency_us"))
                flops = 2 * batch * heads * 128 * length**2  # causal: half of the square
                moved = batch * length * (2 * groups * 128 * width + heads * 128 * 4)
                best = fit(flops, moved, length, t * 1e-6, peaks["bf16"], bandwidth, lengths, np.arange(4, 25) * 1e-6, np.array([0.8]), tile=128)
                emit(where, "attention_prefill", weights, "bf16", best, lengths, "aic-attention", tile=128)


def collective(message, seconds, factor):
    """t = alpha + factor * bytes / B, least mean clipped error up to 128 MiB."""
    best = None
    for alpha in np.concatenate([np.arange(2, 30, 0.5), np.arange(30, 60, 2)]) * 1e-6:
        rates = 10 ** np.arange(8.5, 12.3, 0.01)
        e = np.abs((alpha + np.outer(1 / rates, factor * message)) / seconds - 1)
        cost = np.minimum(e, 1).mean(axis=1)
        pick = int(cost.argmin())
        if best is None or cost[pick] < best[0]:
            best = (cost[pick], alpha, rates[pick], float(np.median(e[pick])), float(np.quantile(e[pick], 0.9)))
    return best


def collectives(folder):
    # The message column counts elements of two bytes: NCCL's int8 rows of twice the number take the same time.
    custom = [r for r in read(folder + "/allreduce_custom.csv") if r["kernel"] == "vLLM_custom_graph"]
    nccl = [r for r in read(folder + "/nccl.csv") if r["dtype"] == "half"]
    size = next(c for c in nccl[0] if c.startswith("message_size"))

    def one(system, name, ranks, rows, key, factor, source):
        where, (path, link) = SYSTEMS[system][0], LINKS[system]
        rows = [r for r in rows if float(r[key]) <= 64 << 20]
        _, alpha, rate, median, p90 = collective(2 * column(rows, key), column(rows, "latency_us") * 1e-6, factor)
        absolute = f"rate_gbs: {rate / 1e9:.3g}, " if path == "host" else ""  # for parts whose PCIe generation is not known
        print(f"- {{of: {where}, collective: {name}, path: {path}, ranks: {ranks}, launch_us: {alpha * 1e6:g}, share: {rate / 1e9 / link:.3g}, {absolute}"
              f"fit_median: {median:.3f}, fit_p90: {p90:.3f}, source: {source}}}")

    for system in SYSTEMS:
        for ranks in (2, 4, 8):
            rows = [r for r in custom if (r["system"], int(r["num_gpus"])) == (system, ranks)]
            # GB200 at two ranks: the custom kernel is slower than NCCL by a factor of three, which no engine would keep.
            if rows and (system, ranks) != ("gb200", 2):
                one(system, "all_reduce", ranks, rows, "message_bytes", 2 * (ranks - 1) / ranks, "aic-all-reduce")
            elif rows:
                rows = [r for r in nccl if (r["system"], r["op"], int(r["num_gpus"])) == (system, "all_reduce", ranks)]
                one(system, "all_reduce", ranks, rows, size, 2 * (ranks - 1) / ranks, "aic-nccl")
            for op, name in (("all_gather", "all_gather"), ("alltoall", "all_to_all")):
                rows = [r for r in nccl if (r["system"], r["op"], int(r["num_gpus"])) == (system, op, ranks)]
                if rows:
                    one(system, name, ranks, rows, size, (ranks - 1) / ranks, "aic-nccl")


def main():
    folder = sys.argv[1]
    print("kernels:")
    gemms(folder)
    experts(folder)
    attention(folder)
    print("collectives:")
    collectives(folder)


if __name__ == "__main__":
    main()
