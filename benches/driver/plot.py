"""The plot of a benchmark: times above, ratios to the reference below, aims as dashed lines."""

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402 -- the backend must be chosen first
from matplotlib.ticker import FuncFormatter, NullFormatter  # noqa: E402

from .table import digits, duration

OURS = "#c0392b"
RIVALS = ["#2c3e50", "#2980b9", "#27ae60", "#8e44ad", "#d68910", "#16a085", "#7f8c8d", "#6e2c00"]
MARKS = {1: "o", 2: "s"}


def styles(cases):
    """A colour a contestant, a mark and a line a number of threads."""
    seen = {}
    for case in cases:
        for name, result in case["results"].items():
            seen.setdefault(name, (result["contestant"], result["threads"], result["ours"]))
    rivals = list(dict.fromkeys(who for who, _, ours in seen.values() if not ours))
    mine = list(dict.fromkeys(who for who, _, ours in seen.values() if ours))
    lines = ["-", "--", ":", "-."]
    return {
        name: {
            "color": OURS if ours else RIVALS[rivals.index(who) % len(RIVALS)],
            "marker": MARKS.get(threads, "^"),
            "linestyle": lines[mine.index(who) % 4] if ours else "-",
            "markerfacecolor": "white" if threads == 1 else None,
            "linewidth": 2.4 if ours else 1.3,
            "zorder": 3 if ours else 2,
        }
        for name, (who, threads, ours) in seen.items()
    }


def curve(axis, cases, name, key, style):
    """One series with its quartiles as bars."""
    points = [(case["x"], case["results"][name][key]) for case in cases if key in case["results"].get(name, {})]
    if not points:
        return
    xs = [x for x, _ in points]
    ys = [figure["median"] for _, figure in points]
    bars = [[y - f["low"] for y, (_, f) in zip(ys, points)], [f["high"] - y for y, (_, f) in zip(ys, points)]]
    axis.errorbar(xs, ys, yerr=bars, label=name, capsize=2, markersize=5, **style)


def aim_lines(times, ratios, cases, reference):
    """The aim on both axes: times the reference's median above, itself below."""
    ratios.axhline(1.0, color="black", linewidth=0.8)
    marked = {}
    for case in cases:
        for aim in case["aims"]:
            for name in {r["reference"] for r in case["results"].values() if "reference" in r}:
                base = case["results"][name]["seconds"]["median"]
                marked.setdefault((aim["ratio"], name), []).append((case["x"], base * aim["ratio"]))
    for index, ((ratio, name), points) in enumerate(sorted(marked.items())):
        xs, ys = zip(*points)
        times.plot(xs, ys, linestyle=(0, (4, 3)), color=OURS, linewidth=1, marker="_", markersize=14)
        times.annotate(f"aim: {ratio:g} of {name}", (xs[0], ys[0]), textcoords="offset points",
                       xytext=(6, -10), fontsize=7, color=OURS)
    for ratio in sorted({ratio for ratio, _ in marked}):
        ratios.axhline(ratio, linestyle=(0, (4, 3)), color=OURS, linewidth=1)
        ratios.annotate(f"aim {ratio:g}", (0.01, ratio), xycoords=("axes fraction", "data"),
                        textcoords="offset points", xytext=(0, 3), fontsize=8, color=OURS)


def growth(times, ratios, cases, style):
    """A panel along a numeric axis."""
    for name, look in style.items():
        curve(times, cases, name, "seconds", look)
        curve(ratios, cases, name, "ratio", look)
    xs = sorted({case["x"] for case in cases})
    for axis in (times, ratios):
        axis.set_yscale("log")
        if not cases[0]["linear"]:
            axis.set_xscale("log")
        axis.set_xticks(xs, [f"{x:,}" for x in xs])
        axis.xaxis.set_minor_formatter(NullFormatter())
        axis.margins(x=0.12)
        axis.grid(True, which="major", color="#dddddd", linewidth=0.6)
        axis.set_xlabel(cases[0]["axis"])


def bars(times, ratios, cases, style):
    """A panel without growth: one bar a contestant and case."""
    entries = [(case, name) for case in cases for name in case["results"]]
    for row, (case, name) in enumerate(entries):
        result = case["results"][name]
        for axis, key, text in ((times, "seconds", duration), (ratios, "ratio", digits)):
            figure = result.get(key)
            if figure is None:
                continue
            error = [[figure["median"] - figure["low"]], [figure["high"] - figure["median"]]]
            axis.bar(row, figure["median"], yerr=error, capsize=3, color=style[name]["color"], width=0.6)
            axis.annotate(text(figure["median"]), (row, figure["high"]), textcoords="offset points",
                          xytext=(0, 4), ha="center", fontsize=8)
    several = len(cases) > 1
    names = [f"{name}\n{case['x']}" if several else name for case, name in entries]
    for axis in (times, ratios):
        axis.set_xticks(range(len(entries)), [name.replace(", ", "\n") for name in names], fontsize=8)
        axis.margins(y=0.2)


def draw(report, path):
    """Draws all panels of a report into one PNG."""
    panels = {}
    for case in report["cases"]:
        if case["results"]:
            panels.setdefault(case["panel"], []).append(case)
    if not panels:
        return
    style = styles(report["cases"])
    figure, grid = plt.subplots(2, len(panels), figsize=(5.6 * len(panels) + 0.6, 8.4), squeeze=False)
    for column, (title, cases) in enumerate(panels.items()):
        times, ratios = grid[0][column], grid[1][column]
        numeric = all(isinstance(case["x"], (int, float)) for case in cases)
        if numeric and len(cases) > 1:
            growth(times, ratios, cases, style)
            aim_lines(times, ratios, cases, report["reference"])
        else:
            bars(times, ratios, cases, style)
            ratios.axhline(1.0, color="black", linewidth=0.8)
            for ratio in {aim["ratio"] for case in cases for aim in case["aims"]}:
                ratios.axhline(ratio, linestyle=(0, (4, 3)), color=OURS, linewidth=1)
                ratios.annotate(f"aim {ratio:g}", (0.99, ratio), xycoords=("axes fraction", "data"), ha="right",
                                textcoords="offset points", xytext=(0, 3), fontsize=8, color=OURS)
        times.set_title(title, fontsize=10)
        times.yaxis.set_major_formatter(FuncFormatter(lambda value, _: duration(value) if value > 0 else "0"))
        times.set_ylabel("median time, quartiles")
        ratios.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        ratios.set_ylabel(f"ratio to {report['reference']}" + (" rival" if report["reference"] == "fastest" else ""))
    handles, labels = grid[0][0].get_legend_handles_labels()
    if handles:
        figure.legend(handles, labels, loc="lower center", ncols=min(5, len(labels)), fontsize=8, frameon=False)
    figure.suptitle(report["title"], fontsize=12)
    figure.text(0.5, 0.945, report["machine"]["line"], ha="center", fontsize=8, color="#555555")
    figure.tight_layout(rect=(0, 0.02 + 0.022 * (1 + (len(labels) - 1) // 5 if handles else 0), 1, 0.945))
    figure.savefig(path, dpi=110)
    plt.close(figure)
