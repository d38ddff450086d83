"""The table of one case, for people."""


def duration(seconds):
    """Three digits and a unit."""
    for scale, unit in ((1, "s"), (1e3, "ms"), (1e6, "us")):
        if seconds * scale >= 1 or unit == "us":
            return f"{digits(seconds * scale)} {unit}"


def digits(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 0.1 else f"{value:.2g}"


def verdict(result, aims):
    """What our contestant reached against the aim of this case."""
    words = []
    for aim in aims:
        if not result["ours"] or aim["contestant"] not in (None, result["contestant"]):
            continue
        if aim["against"] is None:
            ratios = {"": result["ratio"]} if "ratio" in result else {}
        else:
            ratios = {name: ratio for name, ratio in result.get("against", {}).items() if name in aim["against"]}
        for name, ratio in ratios.items():
            word = "met" if ratio["median"] <= aim["ratio"] else "missed"
            words.append(f"{word} (at most {aim['ratio']:g}" + (f" of {name}: {digits(ratio['median'])})" if name else ")"))
    return ", ".join(words)


def lines(case):
    """The table's lines."""
    rows = [("contestant", "threads", "median", "quartiles", "worst", "ratio", "quartiles", "to", "deviation", "deepest", "aim")]
    for name, result in case["results"].items():
        time, ratio, off = result["seconds"], result.get("ratio"), result.get("deviation")
        rows.append((
            result["contestant"],
            str(result["threads"]),
            duration(time["median"]),
            f"{duration(time['low'])} - {duration(time['high'])}",
            duration(time["max"]),
            digits(ratio["median"]) if ratio else "-",
            f"{digits(ratio['low'])} - {digits(ratio['high'])}" if ratio else "-",
            "itself" if result.get("reference") == name else result.get("reference", "-"),
            f"{off['largest']:.1e}, {off['off']} of {off['of']} off" if off else "",
            f"{result['deepest']:.2g}" if "deepest" in result else "",
            verdict(result, case["aims"]),
        ))
    used = [column for column in range(len(rows[0])) if any(row[column] for row in rows[1:])]
    widths = {column: max(len(row[column]) for row in rows) for column in used}
    right = {1, 2, 4, 5}
    for row in rows:
        cells = [row[c].rjust(widths[c]) if c in right else row[c].ljust(widths[c]) for c in used]
        yield "  " + "  ".join(cells).rstrip()
    for name, reason in {**case["left_out"], **case["problems"]}.items():
        yield f"  {name}: {reason}"


def show(case):
    rounds = max((len(result["samples"]) for result in case["results"].values()), default=0)
    x = case["x"] if isinstance(case["x"], str) else f"{case['x']:,}"
    print(f"\n  {case['panel']}, {case['axis']} {x} ({rounds} rounds)")
    for line in lines(case):
        print(line)
