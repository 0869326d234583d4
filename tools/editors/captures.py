"""What the queries of tree-sitter mark in texts: `captures.py GRAMMAR FILES-LIST`. The lines are those of the example `marks`."""

import ctypes
import sys
from pathlib import Path

from tree_sitter import Language, Parser, Query, QueryCursor

KINDS = {"comment": "Comment", "string": "Title", "number": "Number", "keyword": "Keyword", "constant.builtin": "Keyword"}

grammar, files = map(Path, sys.argv[1:])
library = ctypes.CDLL(str(grammar / "lac.so"))
library.tree_sitter_lac.restype = ctypes.c_void_p
language = Language(library.tree_sitter_lac())
query = Query(language, (grammar / "queries/highlights.scm").read_text())
for file in files.read_text().split():
    text = Path(file).read_bytes()
    captures = QueryCursor(query).captures(Parser(language).parse(text).root_node)
    found = [(node, KINDS[name]) for name, nodes in captures.items() if name in KINDS for node in nodes]
    for node, kind in sorted(found, key=lambda found: found[0].start_byte):
        piece = text[node.start_byte:node.end_byte].decode(errors="replace").rstrip()
        print(f"{file}:{node.start_point[0] + 1} {kind} {piece}")
