"""The contestant's end of the benchmark protocol (benches/README.md) for Python."""

import json
import os
import sys
import time


def arguments():
    """The `key=value` words of the command line."""
    return dict(word.split("=", 1) for word in sys.argv[1:] if "=" in word)


def compete(about, work):
    """Says who is ready, then answers turns. `work(round, fraction)` returns seconds, or seconds and an answer."""
    print(json.dumps({"ready": True, "about": about}), flush=True)
    for line in sys.stdin:
        number, fraction = line.split()
        try:
            result = work(int(number), float(fraction))
        except Exception as problem:  # the driver wants a sentence, not a traceback
            print(json.dumps({"error": f"{type(problem).__name__}: {problem}"}), flush=True)
            raise
        seconds, answer = result if isinstance(result, tuple) else (result, None)
        reply = {"seconds": seconds}
        if answer is not None:
            reply["answer"] = [float(value) for value in answer]
        print(json.dumps(reply), flush=True)


# Seconds on the wall, or, when the driver was told --cpu, those that the process has spent on all its threads.
now = time.process_time if "BENCH_CPU" in os.environ else time.perf_counter


class Stopwatch:
    """`with Stopwatch() as watch: ...` and then `watch.seconds`."""

    def __enter__(self):
        self.begin = now()
        return self

    def __exit__(self, *_):
        self.seconds = now() - self.begin
