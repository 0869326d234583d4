"""Many mutants in one build: lists them, writes them into a scratch copy behind a switch, and compiles that.

The body of a function becomes `match mutant_switch::active() { 17 => { the body, mutated } _ => { the body } }`;
the environment variable `MUTANT` says which one is active. What does not compile is told by the compiler's errors.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# The crates whose mutants count; of `program` only what checks.
CRATES = ["machine", "explore", "liveness", "prove", "program", "litmus"]
CHECKS = "crates/program/src/check/"


def said(*command):
    """What a command prints, run in the repository."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT).stdout


def of(packages):
    return [word for package in packages for word in ("-p", package)]


def listed():
    """All mutants, in an order that depends on the sources alone."""
    mutants = json.loads(said("cargo", "mutants", "--list", "--json", *of(CRATES)))
    # What is in no function cannot be switched.
    mutants = [m for m in mutants if m["function"] and (m["package"] != "program" or m["file"].startswith(CHECKS))]
    start = lambda m: m["span"]["start"]
    return sorted(mutants, key=lambda m: (m["file"], start(m)["line"], start(m)["column"], m["name"]))


def place(text, at):
    """The index of a line and column, both from 1."""
    start = 0
    for _ in range(at["line"] - 1):
        start = text.index("\n", start) + 1
    return start + at["column"] - 1


def write(path, content):
    """Leaves alone what is the same, so that cargo compiles it only once."""
    content = content if isinstance(content, bytes) else content.encode()
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def copy_sources(scratch, changed):
    """The repository as it is now, but for files that mutants change."""
    manifests = [f"crates/{crate}/Cargo.toml" for crate in CRATES]
    for name in said("git", "ls-files", "-co", "--exclude-standard").splitlines():
        source, target = ROOT / name, scratch / name
        if name in changed or name in manifests or not source.is_file() or (name == "Cargo.lock" and target.exists()):
            continue
        write(target, source.read_bytes())
        target.chmod(source.stat().st_mode)
    write(scratch / "crates/mutant_switch/src/lib.rs", (ROOT / "tools/mutate/switch.rs").read_text())
    write(scratch / "crates/mutant_switch/Cargo.toml", '[package]\nname = "mutant_switch"\nedition = "2024"\n')
    for name in manifests:
        switch = '[dependencies]\nmutant_switch.path = "../mutant_switch"'
        write(scratch / name, (ROOT / name).read_text().replace("[dependencies]", switch, 1))


def arm(pattern, body, either, deep, is_last):
    """One arm of the switch. Iterators of two kinds are made one, nested as deep as there are mutants."""
    if either:
        body = "::mutant_switch::Either::B(" * deep + ("{" if is_last else "::mutant_switch::Either::A({") + body
        body += "\n}" + ")" * (deep if is_last else deep + 1)
    return f"{pattern} => {{\n{body}\n}}\n"


def with_switch(text, mutants):
    """A file with these mutants in it, and the lines of each."""
    functions = {}
    for mutant in mutants:
        span = mutant["function"]["span"]
        functions.setdefault((place(text, span["start"]), place(text, span["end"])), []).append(mutant)
    lines, out, done = [], "", 0
    for (start, end), group in sorted(functions.items()):
        name = group[0]["function"]["function_name"].split("::")[-1]
        head = re.compile(r"\bfn\s+%s\b" % re.escape(name)).search(text, start)
        opened, closed = text.index("{", head.end()), text.rindex("}", start, end)
        either = "impl Iterator" in text[head.end():opened]
        out += text[done:opened] + "{ match ::mutant_switch::active() {\n"
        for deep, mutant in enumerate(group):
            cut = place(text, mutant["span"]["start"]), place(text, mutant["span"]["end"])
            body = text[opened + 1:cut[0]] + mutant["replacement"] + text[cut[1]:closed]
            first = out.count("\n") + 1
            out += arm(mutant["number"], body, either, deep, False)
            lines.append((first, out.count("\n"), mutant["number"]))
        out += arm("_", text[opened + 1:closed], either, len(group), True) + "} }"
        done = closed + 1
    return out + text[done:], lines


def cargo(scratch, *arguments):
    environment = dict(os.environ, RUSTFLAGS="--cap-lints=warn", CARGO_INCREMENTAL="0")
    command = ["cargo", arguments[0], "--message-format=json", *arguments[1:]]
    done = subprocess.run(command, cwd=scratch, env=environment, capture_output=True, text=True)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def errors(built):
    return [m["message"] for m in built[1] if m["reason"] == "compiler-message" and m["message"]["level"] == "error"]


def wrong(built, lines):
    """The mutants that compiler errors are about, each with what is said: those an error is in, else those around which it stands."""
    inside, around = {}, {}
    for message in errors(built):
        for span in message["spans"]:
            for first, last, number in lines.get(span["file_name"], []):
                if first <= span["line_start"] <= last:
                    inside[number] = message["message"]
                elif span["line_start"] < first and last <= span["line_end"]:
                    around[number] = message["message"]
    return inside or around


def compile_all(scratch, drawn, count):
    """Writes the first viable mutants into the scratch copy; gives those and the unviable ones."""
    unviable = {}
    while True:
        viable = [m for m in drawn if m["number"] not in unviable][:count]
        files = {}
        for mutant in viable:
            files.setdefault(mutant["file"], []).append(mutant)
        copy_sources(scratch, files)
        lines = {}
        for name, mutants in files.items():
            text, lines[name] = with_switch((ROOT / name).read_text(), mutants)
            write(scratch / name, text)
        checked = cargo(scratch, "check", "--lib", "--keep-going", *of(CRATES))
        found = wrong(checked, lines)
        if not found and checked[0] == 0:
            return viable, unviable
        if not found:
            sys.exit("the scratch copy does not compile:\n" + "".join(m["rendered"] or "" for m in errors(checked)))
        print(f"{len(found)} do not compile", flush=True)
        unviable.update(found)


def binaries(scratch, packages):
    """The programs and tests of these packages, by package and name."""
    built = cargo(scratch, "test", "--no-run", *of(packages))
    if built[0] != 0:
        sys.exit("the tests do not compile:\n" + "".join(m["rendered"] or "" for m in errors(built)) + built[2])
    done = [m for m in built[1] if m["reason"] == "compiler-artifact" and m["executable"]]
    # A program is wanted as it is, not as a test of itself.
    wanted = [m for m in done if m["profile"]["test"] != ("bin" in m["target"]["kind"])]
    return {(m["manifest_path"].split("/")[-2], m["target"]["name"]): m["executable"] for m in wanted}
