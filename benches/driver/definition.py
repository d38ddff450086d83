"""A benchmark's definition, read from its TOML file and checked before anything is built."""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

BENCHES = Path(__file__).resolve().parent.parent
ROOT = BENCHES.parent


@dataclass
class Contestant:
    """Who takes part: a program, its arguments, and what it needs to be built."""

    name: str
    file: str
    threads: list = field(default_factory=lambda: [1])
    arguments: dict = field(default_factory=dict)
    env: dict = field(default_factory=dict)
    apt: list = field(default_factory=list)
    pip: list = field(default_factory=list)
    pip_env: dict = field(default_factory=dict)
    sources: list = field(default_factory=list)
    flags: list = field(default_factory=list)
    ours: bool = False
    linked: bool = False  # with the library, without being its contestant


@dataclass
class Panel:
    """One plot: cases along an axis, the rest fixed."""

    title: str
    axis: str
    cases: list
    quick: list = field(default_factory=list)
    arguments: dict = field(default_factory=dict)
    linear: bool = False
    long: bool = False  # only with --long, which leaves out the others

    def sized(self, quick):
        """The cases to run, each as (x, arguments)."""
        chosen = self.quick if quick and self.quick else self.cases
        for case in chosen:
            if isinstance(case, dict):
                extra = {key: value for key, value in case.items() if key != "x"}
                yield case["x"], self.arguments | extra
            else:
                yield case, self.arguments | {self.axis: case}


@dataclass
class Aim:
    """What we want to reach: our time as a ratio to the reference's, or to that of the fastest contestant in `against`."""

    ratio: float
    at: object = None
    panel: str = None
    contestant: str = None
    against: list = None

    def covers(self, panel, x):
        return self.panel in (None, panel.title) and self.at in (None, x)


@dataclass
class Benchmark:
    """Everything in one TOML file."""

    name: str
    title: str
    reference: str
    contestant: list
    panel: list
    truth: str = None
    rounds: int = 21
    seconds: float = 60.0
    warmup: int = 1
    aim: list = field(default_factory=list)
    long: dict = field(default_factory=dict)  # rounds and seconds with --long


def load(name):
    """Reads benches/NAME.toml; a wrong definition is a ValueError with a sentence."""
    path = BENCHES / f"{name}.toml"
    if not path.exists():
        raise ValueError(f"there is no benchmark '{name}': choose from {' '.join(names())}")
    try:
        table = tomllib.loads(path.read_text())
        table["contestant"] = [Contestant(**entry) for entry in table.get("contestant", [])]
        table["panel"] = [Panel(**entry) for entry in table.get("panel", [])]
        table["aim"] = [Aim(**entry) for entry in table.get("aim", [])]
        benchmark = Benchmark(name=name, **table)
    except (tomllib.TOMLDecodeError, TypeError) as problem:
        raise ValueError(f"benches/{name}.toml: {problem}") from None
    for contestant in benchmark.contestant:
        if not (BENCHES / contestant.file).exists():
            raise ValueError(f"benches/{name}.toml: '{contestant.name}' names benches/{contestant.file}, which is not there")
    known = {contestant.name for contestant in benchmark.contestant}
    for who in {who for aim in benchmark.aim for who in aim.against or []} - known:
        raise ValueError(f"benches/{name}.toml: an aim is against '{who}', which is no contestant")
    if (set(benchmark.long) == {"rounds", "seconds"}) != any(panel.long for panel in benchmark.panel):
        raise ValueError(f"benches/{name}.toml: [long] has rounds and seconds, for panels that are long")
    for role, who in (("reference", benchmark.reference), ("truth", benchmark.truth)):
        if who not in known | {None, "fastest"}:
            raise ValueError(f"benches/{name}.toml: its {role} '{who}' is no contestant")
    return benchmark


def names():
    return sorted(path.stem for path in BENCHES.glob("*.toml"))
