"""A hook of mkdocs: long names in tables may break behind their underscores."""

import re


def on_page_content(html, **_):
    name = lambda found: found[0].replace("_", "_<wbr>")
    cell = lambda found: re.sub(r"(?<=<code>)[^<]+(?=</code>)", name, found[0])
    return re.sub(r"<td.*?</td>", cell, html, flags=re.DOTALL)
