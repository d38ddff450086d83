"""scripts/bench: runs benchmarks, prints tables, writes JSON and plots under target/bench/."""

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

from . import build, contest, definition, figures, plot, table

OUT = build.TARGET / "bench"
BUSY = 0.7  # load average of others above which figures are not to be trusted


def machine():
    """What the figures were measured on, and how busy it was."""
    model = platform.processor() or platform.machine()
    for line in Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []:
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=definition.ROOT, capture_output=True, text=True)
    cores, load = len(os.sched_getaffinity(0)), os.getloadavg()[0]
    when = time.strftime("%Y-%m-%d %H:%M")
    return {
        "cpu": model, "cores": cores, "load_before": load, "commit": commit.stdout.strip(), "when": when,
        "line": f"{model}, {cores} cores, load {load:.1f} before, {commit.stdout.strip()}, {when}",
    }


def progress(benchmark, case):
    """A line that overwrites itself, on a terminal only."""
    def show(number, name):
        if sys.stderr.isatty():
            what = "warming up" if number < 0 else f"round {number + 1}/{benchmark.rounds}"
            print(f"\r\033[K  {case}: {what}, {name}", end="", file=sys.stderr, flush=True)
    return show


def prepare(benchmark):
    """Builds every contestant: the series that can run, with their commands, and why the others cannot."""
    entries, problems = [], {}
    for contestant in benchmark.contestant:
        try:
            command = build.command(contestant)
        except build.CannotBuild as problem:
            problems[contestant.name] = str(problem)
            continue
        for threads in contestant.threads:
            entries.append((contest.Series(contestant, threads, len(contestant.threads) == 1), command))
    return entries, problems


def hold_panel(benchmark, panel, entries, problems, options):
    """All cases of a panel, dropping who was too slow at the size before."""
    logs = OUT / "logs" / benchmark.name
    logs.mkdir(parents=True, exist_ok=True)
    too_slow = {}
    for x, arguments in panel.sized(options.quick):
        able = [entry for entry in entries if entry[0].name not in too_slow]
        show = progress(benchmark, f"{panel.title}, {panel.axis} {x}")
        results, failures = contest.hold(able, arguments, benchmark, logs, options.limit, show)
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)
        for series, _ in able:
            if series.name in results:
                result = results[series.name]
                results[series.name] = {
                    "contestant": series.contestant.name, "threads": series.threads, "ours": series.contestant.ours, **result,
                }
        figures.complete(results, benchmark)
        case = {
            "panel": panel.title, "axis": panel.axis, "x": x, "linear": panel.linear, "arguments": arguments,
            "aims": [vars(aim) for aim in benchmark.aim if aim.covers(panel, x)],
            "results": results, "left_out": dict(too_slow), "problems": problems | failures,
        }
        table.show(case)
        for name, result in results.items():
            if result["seconds"]["median"] > options.patience:
                too_slow[name] = f"left out, it took {table.duration(result['seconds']['median'])} at {panel.axis} {x}"
        yield case


def start(name, options):
    """Every contestant of a benchmark, for one turn at the smallest case. True if all could take it."""
    benchmark = definition.load(name)
    print(f"\n{name}: {benchmark.title}", flush=True)
    benchmark.rounds, benchmark.warmup = 1, 0
    entries, problems = prepare(benchmark)
    logs = OUT / "logs" / name
    logs.mkdir(parents=True, exist_ok=True)
    _, arguments = next(benchmark.panel[0].sized(quick=True))
    for entry in entries:
        problems |= contest.hold([entry], arguments, benchmark, logs, options.limit, lambda *_: None)[1]
    for who, what in ({series.name: "starts" for series, _ in entries} | problems).items():
        print(f"  {who}: {what}", flush=True)
    return not problems


def run(name, options):
    """One benchmark, from its definition to its plot. True if every contestant could run."""
    benchmark = definition.load(name)
    print(f"\n{name}: {benchmark.title}", flush=True)
    if options.long and benchmark.long:
        benchmark.rounds, benchmark.seconds = benchmark.long["rounds"], benchmark.long["seconds"]
    if options.quick:
        benchmark.rounds, benchmark.seconds = min(benchmark.rounds, 5), min(benchmark.seconds, 10)
    benchmark.rounds = options.rounds or benchmark.rounds
    of_length = [panel for panel in benchmark.panel if panel.long == options.long]
    panels = [panel for panel in of_length if not options.panel or any(word in panel.title for word in options.panel)]
    if not panels:
        wanted, titles = " or ".join(options.panel or ["anything"]), "; ".join(panel.title for panel in of_length) or "none"
        raise ValueError(f"{name} has no {'long ' * options.long}panel with {wanted} in its title; there are: {titles}")
    entries, problems = prepare(benchmark)
    report = {"name": name, "title": benchmark.title, "reference": benchmark.reference, "quick": options.quick}
    report |= {"machine": machine(), "cases": []}
    for panel in panels:
        report["cases"] += hold_panel(benchmark, panel, entries, problems, options)
    report["machine"]["load_after"] = os.getloadavg()[0]
    if report["machine"]["load_before"] > BUSY:
        print(f"\n  The machine was busy before this began (load {report['machine']['load_before']:.1f}): a trial, not a measurement.")
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / f"{name}.json").write_text(json.dumps(report, indent=1))
    plot.draw(report, OUT / f"{name}.png")
    print(f"\n  written: target/bench/{name}.json and {name}.png", flush=True)
    return not any(case["problems"] for case in report["cases"])


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which ones: {', '.join(definition.names())}")
    parser.add_argument("--quick", action="store_true", help="small sizes and few rounds")
    parser.add_argument("--panel", action="append", metavar="WORDS", help="only panels with this in their title; may be given again")
    parser.add_argument("--long", action="store_true", help="the panels that take hours instead, with all their turns")
    parser.add_argument("--rounds", type=int, metavar="N", help="at most so many turns for each contestant")
    parser.add_argument("--start", action="store_true",
                        help="one turn of every contestant at the smallest size, one by one: do they all run here?")
    parser.add_argument("--list", action="store_true", help="what there is")
    parser.add_argument("--patience", type=float, default=8.0, metavar="S",
                        help="who takes longer than this is left out at the next size (8)")
    parser.add_argument("--limit", type=float, default=600.0, metavar="S", help="who takes longer than this has failed (600)")
    parser.add_argument("--cpu", action="store_true",
                        help="CPU time of all threads instead of time on the wall: for a busy machine; compare one thread with one")
    parser.add_argument("--replot", action="store_true", help="draw again from the JSON, measure nothing")
    options = parser.parse_args()
    if options.cpu:
        os.environ["BENCH_CPU"] = "1"
    whole = True
    try:
        every = [name for name in definition.names() if not options.long or definition.load(name).long]
        for name in options.names or every:
            if options.list:
                print(f"{name:20} {definition.load(name).title}")
            elif options.replot:
                plot.draw(json.loads((OUT / f"{name}.json").read_text()), OUT / f"{name}.png")
            else:
                whole &= (start if options.start else run)(name, options)
    except (ValueError, FileNotFoundError, build.CannotBuild) as problem:
        print(f"scripts/bench: {problem}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nscripts/bench: interrupted", file=sys.stderr)
        return 130
    return 0 if whole else 1


sys.exit(main())
