"""The plot of a benchmark: times above, ratios to the reference below, aims as dashed lines."""

import textwrap

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402 -- the backend must be chosen first
from matplotlib.lines import Line2D  # noqa: E402
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator  # noqa: E402

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
    # Without rivals colours are free to tell our own apart.
    colours = RIVALS if rivals else [OURS, *RIVALS]
    coloured = rivals or mine
    return {
        name: {
            "color": OURS if ours and rivals else colours[coloured.index(who) % len(colours)],
            "marker": MARKS.get(threads, "^"),
            "linestyle": lines[mine.index(who) % 4] if ours and rivals else "-",
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
    """The aim on both axes: the reference's median times the aim above, the aim itself below, where it holds."""
    marked = {}
    for case in cases:
        for aim in case["aims"]:
            for name in {r["reference"] for r in case["results"].values() if "reference" in r}:
                base = case["results"][name]["seconds"]["median"]
                marked.setdefault((aim["ratio"], name), []).append((case["x"], base * aim["ratio"]))
    for (ratio, _), points in marked.items():
        xs = [x for x, _ in points]
        times.plot(*zip(*points), **AIM, marker="_", markersize=22)
        ratios.plot(xs, [ratio] * len(xs), **AIM, marker="_", markersize=22)
        ratios.annotate(f"aim {ratio:g}", (xs[-1], ratio), textcoords="offset points", xytext=(0, 5), ha="center",
                        fontsize=8, color=OURS)


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
        for axis, key, text in ((times, "seconds", duration), (ratios, "ratio", digits)):
            figure = case["results"][name].get(key)
            if figure is None:
                continue
            error = [[figure["median"] - figure["low"]], [figure["high"] - figure["median"]]]
            axis.barh(row, figure["median"], xerr=error, capsize=3, color=style[name]["color"], height=0.6)
            axis.annotate(text(figure["median"]), (figure["high"], row), textcoords="offset points",
                          xytext=(6, 0), va="center", fontsize=8)
    names = [textwrap.fill(name, 30) + (f"\n{case['axis']} {case['x']}" if len(cases) > 1 else "") for case, name in entries]
    for axis in (times, ratios):
        axis.set_yticks(range(len(entries)), names, fontsize=8)
        axis.invert_yaxis()
        axis.margins(x=0.15)
        axis.xaxis.set_major_locator(MaxNLocator(5))
    for ratio in {aim["ratio"] for case in cases for aim in case["aims"]}:
        ratios.axvline(ratio, **AIM)
        ratios.annotate(f"aim {ratio:g}", (ratio, 0.01), xycoords=("data", "axes fraction"), textcoords="offset points",
                        xytext=(3, 0), fontsize=8, color=OURS)
    ratios.axvline(1.0, color="black", linewidth=0.8)
    times.xaxis.set_major_formatter(FuncFormatter(lambda value, _: tick(value)))


def panel(times, ratios, cases, style, reference):
    """Both plots of one panel."""
    against = f"ratio to {'the fastest rival' if reference == 'fastest' else reference}"
    times.set_title(cases[0]["panel"], fontsize=10)
    if len(cases) == 1 or any(isinstance(case["x"], str) for case in cases):
        bars(times, ratios, cases, style)
        times.set_xlabel("median time, quartiles")
        ratios.set_xlabel(against)
        return
    growth(times, ratios, cases, style)
    aim_lines(times, ratios, cases)
    ratios.axhline(1.0, color="black", linewidth=0.8)
    times.set_ylabel("median time, quartiles")
    times.yaxis.set_major_formatter(FuncFormatter(lambda value, _: tick(value)))
    ratios.set_ylabel(against)
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
    compared = any("ratio" in result for case in report["cases"] for result in case["results"].values())
    figure, grid = plt.subplots(2, len(panels), figsize=(width, 9 if compared else 5.4), squeeze=False,
                                height_ratios=[1, 1 if compared else 1e-3])
    for column, cases in enumerate(panels.values()):
        panel(grid[0][column], grid[1][column], cases, style, report["reference"])
        grid[1][column].set_visible(compared)
    handles, labels = next(filter(any, (axis.get_legend_handles_labels() for axis in grid[0])), ([], []))
    rows = 0
    if handles:
        if any(case["aims"] for case in report["cases"]):
            handles, labels = [*handles, Line2D([], [], **AIM)], [*labels, "aim"]
        columns = int(width / 1.9)
        rows = -(-len(labels) // columns)
        figure.legend(handles, labels, loc="lower center", bbox_to_anchor=(0.5, 0.02), ncols=columns, fontsize=8, frameon=False)
    figure.suptitle(textwrap.fill(report["title"], int(width * 9)), fontsize=12)
    figure.text(0.5, 0.008, report["machine"]["line"], ha="center", fontsize=7, color="#555555")
    figure.tight_layout(rect=(0, 0.025 + 0.02 * rows, 1, 1))
    figure.savefig(path, dpi=110)
    plt.close(figure)
