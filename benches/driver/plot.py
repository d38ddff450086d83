"""The plot of a benchmark: times above, ratios to the reference below, aims as dashed lines."""

import textwrap

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402 -- the backend must be chosen first
from matplotlib.lines import Line2D  # noqa: E402
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator  # noqa: E402

from .table import digits, duration

OURS = "#c0392b"
RIVALS = ["#2c3e50", "#2980b9", "#27ae60", "#8e44ad", "#d68910", "#16a085", "#7f8c8d", "#6e2c00"]
MARKS = {1: "o", 2: "s"}
AIM = {"color": OURS, "linewidth": 1, "linestyle": (0, (4, 3))}


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


def tick(seconds):
    """A time on an axis: the shortest number with its unit."""
    scale, unit = (1, "s") if seconds >= 1 else (1e3, "ms") if seconds >= 1e-3 else (1e6, "us")
    return f"{seconds * scale:g} {unit}" if seconds > 0 else "0"


def curve(axis, cases, name, key, style):
    """One series with its quartiles as bars."""
    points = [(case["x"], case["results"][name][key]) for case in cases if key in case["results"].get(name, {})]
    if not points:
        return
    xs = [x for x, _ in points]
    ys = [figure["median"] for _, figure in points]
    bars = [[y - f["low"] for y, (_, f) in zip(ys, points)], [f["high"] - y for y, (_, f) in zip(ys, points)]]
    axis.errorbar(xs, ys, yerr=bars, label=name, capsize=2, markersize=5, **style)


def aim_lines(times, ratios, cases):
    """The aim on both axes: the reference's median times the aim above, the aim itself below."""
    marked = {}
    for case in cases:
        for aim in case["aims"]:
            for name in {r["reference"] for r in case["results"].values() if "reference" in r}:
                base = case["results"][name]["seconds"]["median"]
                marked.setdefault((aim["ratio"], name), []).append((case["x"], base * aim["ratio"]))
    for points in marked.values():
        times.plot(*zip(*points), **AIM, marker="_", markersize=14)
    for ratio in {ratio for ratio, _ in marked}:
        aim_across(ratios, ratio)


def aim_across(ratios, ratio):
    ratios.axhline(ratio, **AIM)
    ratios.annotate(f"aim {ratio:g}", (0.99, ratio), xycoords=("axes fraction", "data"), ha="right",
                    textcoords="offset points", xytext=(0, 3), fontsize=8, color=OURS)
    # A line at the very edge of a plot is taken for its frame.
    low, high = ratios.get_ylim()
    ratios.set_ylim(min(low, ratio / 1.2), max(high, ratio * 1.2))


def growth(times, ratios, cases, style):
    """A panel along a numeric axis."""
    for name, look in style.items():
        curve(times, cases, name, "seconds", look)
        curve(ratios, cases, name, "ratio", look)
    xs = sorted({case["x"] for case in cases})
    for axis in (times, ratios):
        axis.set_yscale("log")
        axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axis.yaxis.set_minor_locator(NullLocator())
        if not cases[0]["linear"]:
            axis.set_xscale("log")
        axis.set_xticks(xs, [f"{x:,}" for x in xs])
        axis.xaxis.set_minor_locator(NullLocator())
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


def panel(times, ratios, cases, style, reference):
    """Both plots of one panel."""
    if len(cases) > 1 and all(isinstance(case["x"], (int, float)) for case in cases):
        growth(times, ratios, cases, style)
        aim_lines(times, ratios, cases)
    else:
        bars(times, ratios, cases, style)
        for ratio in {aim["ratio"] for case in cases for aim in case["aims"]}:
            aim_across(ratios, ratio)
    ratios.axhline(1.0, color="black", linewidth=0.8)
    times.set_title(cases[0]["panel"], fontsize=10)
    times.set_ylabel("median time, quartiles")
    times.yaxis.set_major_formatter(FuncFormatter(lambda value, _: tick(value)))
    ratios.set_ylabel(f"ratio to {'the fastest rival' if reference == 'fastest' else reference}")
    ratios.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


def draw(report, path):
    """Draws all panels of a report into one PNG."""
    panels = {}
    for case in report["cases"]:
        if case["results"]:
            panels.setdefault(case["panel"], []).append(case)
    if not panels:
        return
    style = styles(report["cases"])
    width = max(5.6 * len(panels), 7) + 0.6
    figure, grid = plt.subplots(2, len(panels), figsize=(width, 9), squeeze=False)
    for column, cases in enumerate(panels.values()):
        panel(grid[0][column], grid[1][column], cases, style, report["reference"])
    handles, labels = grid[0][0].get_legend_handles_labels()
    rows = 0
    if handles:
        handles, labels = [*handles, Line2D([], [], **AIM)], [*labels, "aim"]
        columns = int(width / 1.9)
        rows = -(-len(labels) // columns)
        figure.legend(handles, labels, loc="lower center", bbox_to_anchor=(0.5, 0.02), ncols=columns, fontsize=8, frameon=False)
    figure.suptitle(textwrap.fill(report["title"], int(width * 9)), fontsize=12)
    figure.text(0.5, 0.008, report["machine"]["line"], ha="center", fontsize=7, color="#555555")
    figure.tight_layout(rect=(0, 0.025 + 0.02 * rows, 1, 1))
    figure.savefig(path, dpi=110)
    plt.close(figure)
