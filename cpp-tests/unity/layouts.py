#!/usr/bin/env python3
"""Writes a C program that prints the size of every struct of a header, and the offset of every member.

    layouts.py proxel.h >layouts.c
"""
import re
import sys

header = open(sys.argv[1], encoding="utf-8").read()
header = re.sub(r"//[^\n]*", "", header)
print("#include <proxel.h>\n#include <stddef.h>\n#include <stdio.h>\n\nint main(void) {")
for name, body in re.findall(r"typedef struct (\w+) \{(.*?)\} \1;", header, re.DOTALL):
    print(f'    printf("{name} %zu\\n", sizeof({name}));')
    for declaration in filter(str.strip, body.split(";")):
        member = re.search(r"(\w+)\s*(\[\d+\]\s*)*$", declaration).group(1)
        print(f'    printf("{name}.{member} %zu\\n", offsetof({name}, {member}));')
print("    return 0;\n}")
