"""Figures from samples: medians with quartiles, ratios within a round, deviations between answers."""

import numpy as np

FEW_ANSWERS = 8  # that many are kept in the report; longer lists were for comparison only


def spread(values):
    """Quartiles, median and extremes of a list."""
    low, middle, high = np.percentile(values, [25, 50, 75])
    return {"median": middle, "low": low, "high": high, "min": min(values), "max": max(values)}


def reference_of(series, results, wanted):
    """The name of the series this one is compared with, or None: the reference on the same threads, or the fastest rival."""
    if wanted == "fastest":
        rivals = {name: result for name, result in results.items() if not result["ours"]}
        return min(rivals, key=lambda name: rivals[name]["seconds"]["median"], default=None)
    same = [name for name, result in results.items() if result["contestant"] == wanted]
    return next((name for name in same if results[name]["threads"] == series["threads"]), same[0] if same else None)


def deviation(answer, truth):
    """The largest difference from the truth relative to its largest value, and how many differ by more than 1e-5 of it."""
    answer, truth = np.atleast_1d(answer).astype(float), np.atleast_1d(truth).astype(float)
    if answer.shape != truth.shape:
        return {"largest": float("nan"), "off": len(answer), "of": len(truth)}
    difference = np.abs(answer - truth) / (np.abs(truth).max() or 1.0)
    return {"largest": float(difference.max()), "off": int((difference > 1e-5).sum()), "of": len(truth)}


def complete(results, benchmark):
    """Adds to each result its times' spread, its ratio to the reference, and its answers' deviation from the truth."""
    for result in results.values():
        result["seconds"] = spread(result["samples"])
    answered = {name: result for name, result in results.items() if result["answer"] is not None}
    truth = next((r for r in answered.values() if r["contestant"] == benchmark.truth), None)
    for name, result in results.items():
        against = reference_of(result, results, benchmark.reference)
        if against is not None:
            pairs = zip(result["samples"], results[against]["samples"])
            result["reference"] = against
            result["ratio"] = spread([ours / theirs for ours, theirs in pairs])
        if truth is not None and name in answered:
            result["deviation"] = deviation(result["answer"], truth["answer"])
    for result in answered.values():
        if len(np.atleast_1d(result["answer"])) > FEW_ANSWERS:
            del result["answer"]
