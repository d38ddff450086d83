"""Turns include/proxel.h into pages, one per topic: what the header says of every function, struct and enum, with links between them."""

import re
from dataclasses import dataclass, field
from pathlib import Path

NAME = re.compile(r"\b(?:prx_[a-z0-9_]+|Prx[A-Z][A-Za-z0-9]*|PRX_[A-Z0-9_]+)\b")


@dataclass
class Item:
    """A function, type or constant: its name, the text above it, and its lines of C."""

    name: str
    text: list[str]
    code: list[str]

    @property
    def is_function(self) -> bool:
        return self.name.startswith("prx_")


@dataclass
class Topic:
    part: str
    title: str
    text: list[str]
    items: list[Item] = field(default_factory=list)

    @property
    def file(self) -> str:
        return re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-") + ".md"


def read(header: str) -> list[Topic]:
    """The topics of the header, in its order. A part or a topic begins with a comment whose first line is a rule."""
    topics, part = [], ""
    blocks = re.split(r"\n\n(?=/\* [=-]{20,}|///|#define|typedef|PRX_ENUM|[A-Za-z])", header)
    for block in blocks:
        lines = block.strip("\n").split("\n")
        if rule := re.match(r"/\* ([=-])\1{20,}", lines[0]):
            title, *text = [line.removeprefix(" *").strip() for line in lines[1:-1]]
            if rule[1] == "=":
                part = title
                introduction = text
            else:
                topics.append(Topic(part, title, introduction + text))
                introduction = []
        elif topics and lines[0].startswith("///"):
            topics[-1].items.append(item(lines))
    return topics


def item(lines: list[str]) -> Item:
    count = next(i for i, line in enumerate(lines) if not line.startswith("///"))
    text = [line.removeprefix("///").removeprefix(" ") for line in lines[:count]]
    code = lines[count:]
    first = " ".join(code)
    # A pointer to a function is named inside of parentheses, and of an enum's macro the argument is the name.
    for pattern in (r"typedef [^;{]*\(\*(\w+)\)", r"PRX_ENUM\((\w+)\)", r"(?:typedef struct|#define) (\w+)", r"\b(prx_\w+)\(", r"typedef .*?(\w+);"):
        if found := re.search(pattern, first):
            return Item(found[1], text, code)
    raise ValueError(f"no name in {first[:80]!r}")


class Reference:
    """Where each name of the header is described."""

    def __init__(self, topics: list[Topic]):
        self.topics = topics
        self.places: dict[str, str] = {}
        for topic in topics:
            for it in topic.items:
                self.places[it.name] = f"{topic.file}#{anchor(it.name)}"
                for line in it.code:
                    if value := re.match(r"\s+(PRX_\w+)\b", line):
                        self.places.setdefault(value[1], self.places[it.name])

    def linked(self, text: str, folder: str = "") -> str:
        """`text` with links on the names that the header has. `folder` leads from the page to the reference."""

        def link(found: re.Match) -> str:
            place = self.places.get(found[0])
            return f"[`{found[0]}`]({folder}{place})" if place else f"`{found[0]}`"

        # What is in backticks stays as it is, unless all of it is a name.
        parts = re.split(r"(`[^`]*`)", text)
        return "".join(link(NAME.fullmatch(p[1:-1])) if p.startswith("`") and NAME.fullmatch(p[1:-1]) else p if p.startswith("`") else NAME.sub(link, p) for p in parts)

    def page(self, topic: Topic) -> str:
        out = [f"# {topic.title}", "", *self.paragraphs(topic.text), ""]
        functions = [it for it in topic.items if it.is_function]
        if len(functions) > 1:
            out += ["| function | |", "|---|---|"]
            out += [f"| [`{it.name}`](#{anchor(it.name)}) | {self.linked(cell(first_sentence(it.text)))} |" for it in functions] + [""]
        for it in topic.items:
            out += [f"## `{it.name}` {{ #{anchor(it.name)} }}", "", *self.paragraphs(it.text), ""]
            members = table(it.code)
            if members:
                out += ["| name | type or value | |", "|---|---|---|"]
                out += [f"| `{name}` | {self.linked(cell(kind))} | {self.linked(cell(text))} |" for name, kind, text in members]
            else:
                out += ["```c", *it.code, "```"]
                types = sorted({n for n in NAME.findall(" ".join(it.code)) if n in self.places and n != it.name})
                if types:
                    out += ["", "Types: " + ", ".join(f"[`{n}`]({self.places[n]})" for n in types)]
            out.append("")
        return "\n".join(out)

    def paragraphs(self, text: list[str]) -> list[str]:
        return [self.linked(line) if line else "" for line in text]

    def index(self, introduction: str) -> str:
        out = ["# Reference", "", introduction, ""]
        part = None
        for topic in self.topics:
            if topic.part != part:
                part = topic.part
                out += ["", f"## {part}", ""]
            functions = ", ".join(f"[`{it.name}`]({self.places[it.name]})" for it in topic.items if it.is_function)
            out.append(f"- [{topic.title}]({topic.file}): {functions}" if functions else f"- [{topic.title}]({topic.file})")
        return "\n".join(out) + "\n"


def anchor(name: str) -> str:
    return name.lower()


def first_sentence(text: list[str]) -> str:
    paragraph = " ".join(text).split("  ")[0]
    return re.split(r"(?<=[.:]) (?=[A-Z`])", paragraph)[0]


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def table(code: list[str]) -> list[tuple[str, str, str]]:
    """Members of a struct or values of an enum: name, type or number, text. Empty for anything else."""
    if not code[0].endswith("{"):
        return []
    rows, text = [], []
    for line in code[1:-1]:
        line = line.strip()
        if line.startswith("///"):
            text.append(line.removeprefix("///").strip())
            continue
        if value := re.fullmatch(r"(PRX_\w+) = (.*?),?", line):
            rows.append((value[1], value[2], " ".join(text)))
        elif member := re.fullmatch(r"(.*?)(\w+)((?:\[\w+\])*);", line):
            rows.append((member[2] + member[3], member[1].strip(), " ".join(text)))
        elif pointer := re.fullmatch(r"(.*)\(\*(\w+)\)(.*);", line):
            rows.append((pointer[2], f"{pointer[1]}(*){pointer[3]}", " ".join(text)))
        text = []
    return rows


def write(header: Path, folder: Path) -> Reference:
    """Writes the pages into the folder and returns where each name is."""
    topics = read(header.read_text())
    reference = Reference(topics)
    folder.mkdir(parents=True, exist_ok=True)
    for topic in topics:
        (folder / topic.file).write_text(reference.page(topic))
    introduction = re.search(r"/\*\n(.*?)\*/", header.read_text(), re.S)[1]
    lines = [line.removeprefix(" *").removeprefix(" ") for line in introduction.split("\n")]
    lines = [line for line in lines if not line.startswith("Generated")]
    (folder / "index.md").write_text(reference.index("\n".join(reference.linked(line) if line else "" for line in lines[2:]).replace("\nConventions\n", "\n**Conventions**\n\n")))
    return reference
