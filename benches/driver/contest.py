"""The contest: contestants as processes that take turns, one at a time."""

import json
import os
import queue
import signal
import subprocess
import threading
import time

from . import build
from .definition import BENCHES

GOLDEN = 0.6180339887498949  # its multiples modulo 1 fill [0, 1) evenly (Weyl)
FEW = 3  # rounds wanted before the time may end a case, unless it is three times over


class Failed(Exception):
    """A contestant could not go on; the message says why."""


class Process:
    """One contestant of one case, stopped except in its turn."""

    def __init__(self, series, command, arguments, log, limit):
        self.series, self.limit = series, limit
        words = [f"{key}={value}" for key, value in arguments.items()]
        threads = str(series.threads)
        env = os.environ | {"PYTHONPATH": str(BENCHES)}
        for pool in ("OMP", "RAYON", "IGL", "LP"):
            env[f"{pool}_NUM_THREADS"] = threads
        self.log = open(log, "w")
        self.process = subprocess.Popen(
            [*command, *words, f"threads={threads}"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True,
            env=env | {key: str(value) for key, value in series.contestant.env.items()},
        )
        self.lines = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        self.about = self._reply()
        self._signal(signal.SIGSTOP)

    def _listen(self):
        for line in self.process.stdout:
            if line.startswith("{"):
                self.lines.put(line)
        self.lines.put(None)

    def _signal(self, number):
        if self.process.poll() is None:
            self.process.send_signal(number)

    def _reply(self):
        try:
            line = self.lines.get(timeout=self.limit)
        except queue.Empty:
            raise Failed(f"gave no answer within {self.limit:.0f} s") from None
        if line is None:
            raise Failed(f"ended with code {self.process.wait()} (its messages: {os.path.relpath(self.log.name)})")
        reply = json.loads(line)
        if "error" in reply:
            raise Failed(reply["error"])
        return reply

    def turn(self, number):
        self._signal(signal.SIGCONT)
        try:
            self.process.stdin.write(f"{number} {number * GOLDEN % 1.0:.17g}\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # the reply says why
        reply = self._reply()
        self._signal(signal.SIGSTOP)
        return reply

    def end(self):
        self._signal(signal.SIGCONT)
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()


class Series:
    """One contestant on one number of threads, over all cases."""

    def __init__(self, contestant, threads, alone):
        self.contestant, self.threads = contestant, threads
        self.name = contestant.name if alone else f"{contestant.name}, {threads} thr."


def start(entries, arguments, logs, limit):
    """Starts those that can: the processes, and a sentence for each that could not."""
    running, problems = [], {}
    for series, command in entries:
        words = arguments | series.contestant.arguments
        for key in {"mesh", "other"} & words.keys():
            words[key] = build.mesh(words[key])
        try:
            running.append(Process(series, command, words, logs / f"{series.name.replace('/', '-')}.log", limit))
        except (Failed, OSError) as problem:
            problems[series.name] = str(problem)
    return running, problems


def hold(entries, arguments, benchmark, logs, limit, progress):
    """One case: rounds of turns until the rounds or the seconds run out. Returns results and problems by series."""
    started, problems = start(entries, arguments, logs, limit)
    results = {p.series.name: {"about": p.about, "samples": [], "answer": None} for p in started}
    running = list(started)
    begin = time.monotonic()
    number = -benchmark.warmup
    try:
        while running and number < benchmark.rounds:
            spent = (time.monotonic() - begin) / benchmark.seconds
            if number > 0 and spent > (1 if number >= FEW else 3):
                break
            shift = number % len(running)
            for process in running[shift:] + running[:shift]:
                progress(number, process.series.name)
                try:
                    keep(results[process.series.name], number, process.turn(max(number, 0)))
                except Failed as problem:
                    problems[process.series.name] = str(problem)
            running = [process for process in running if process.series.name not in problems]
            number += 1
    finally:
        for process in started:
            process.end()
    return {name: result for name, result in results.items() if name not in problems}, problems


def keep(result, number, reply):
    """Notes one reply; those of warm-up rounds are not timed."""
    if number >= 0:
        result["samples"].append(reply["seconds"])
    if "deepest" in reply:
        result["deepest"] = max(result.get("deepest", 0.0), reply["deepest"])
    if number <= 0:
        result["answer"] = reply.pop("answer", None)
        result["about"] |= {key: value for key, value in reply.items() if key not in ("seconds", "calls", "deepest")}
