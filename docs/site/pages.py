"""Gathers the site's pages into a folder: README and docs as they are, the header as a reference, with links that lead inside the site.

    pages.py ROOT FOLDER      writes FOLDER/pages, FOLDER/mkdocs.yml and its hook

A link to a file of the repository that is no page becomes its path; one to nothing fails."""

import re
import shutil
import sys
from pathlib import Path

import reference

LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)")
OUTSIDE = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md", "benches/README.md": "benchmarks.md"}


def main() -> None:
    root, into = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    site, folder = root / "docs" / "site", into / "pages"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copytree(root / "docs" / "pictures", folder / "pictures")
    shutil.copy(site / "site.css", folder)
    shutil.copy(site / "breaks.py", into)
    names = reference.write(root / "include" / "proxel.h", folder / "reference")
    places = {root / source: target for source, target in OUTSIDE.items()}
    places |= {page: page.name for page in (root / "docs").glob("*.md")}
    places[root / "include" / "proxel.h"] = "reference/index.md"
    for source, target in places.items():
        if source.suffix == ".md":
            (folder / target).write_text(page(source, root, places, names))
    (into / "mkdocs.yml").write_text((site / "mkdocs.yml").read_text() + contents(names.topics))


def contents(topics: list[reference.Topic]) -> str:
    """The reference's part of the table of contents: its parts, and the topics of each."""
    lines, part = [], None
    for topic in topics:
        if topic.part != part:
            part = topic.part
            lines.append(f"      - {part}:")
        lines.append(f"          - reference/{topic.file}")
    return "\n".join(lines) + "\n"


def page(source: Path, root: Path, places: dict[Path, str], names: reference.Reference) -> str:
    """The page with links that hold in the site. What is in a fence or in code is not touched, but a name of the API is linked."""

    def link(found: re.Match) -> str:
        text, to = found[1], found[2]
        if re.match(r"[a-z]+:|#", to):
            return found[0]
        path, _, part = to.partition("#")
        file = (source.parent / path).resolve()
        if not file.exists():
            raise SystemExit(f"{source.relative_to(root)}: there is no {to}")
        if file in places:
            return f"[{text}]({places[file]}{'#' + part if part else ''})"
        name = str(file.relative_to(root))
        return text if text.strip("`") == name else f"{text} (`{name}`)"

    out, fenced = [], False
    for line in source.read_text().split("\n"):
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced:
            line = line.replace("](docs/pictures/", "](pictures/")
            line = LINK.sub(link, line)
            line = re.sub(r"(?<!\[)`(\w+)`(?!\])", lambda name: names.linked(name[0], "reference/") if name[1] in names.places else name[0], line)
        out.append(line)
    return "\n".join(out)


main()
