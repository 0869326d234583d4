//! The script that runs SPIN and tells one verdict per property.

use crate::model::Model;
use crate::{conditions, temporal};
use automata::{Fairness, PropertyKind};
use base::table::Id;
use std::fmt::Write;

const HEAD: &str = r#"#!/bin/sh
# Runs SPIN on model.pml and prints a line for each property and cover:
#   property NAME holds|violated|inconclusive
#   cover NAME reached|unreached|inconclusive
# Ends with 0 if all hold, 1 if one is violated, 2 if SPIN or gcc fails, 3 if a limit was hit.
# SPIN_SECONDS, SPIN_MEMORY (megabytes) and SPIN_DEPTH (steps) set the limits of each search.
set -u
cd "$(dirname "$0")" || exit 2
seconds=${SPIN_SECONDS:-600}
memory=${SPIN_MEMORY:-2000}
depth=${SPIN_DEPTH:-1000000}
worst=0
rm -rf search*

worse() { # 1 outweighs 3, 3 outweighs 0
    if [ "$1" = 1 ] || [ "$worst" = 0 ]; then worst=$1; fi
}

# build PROPERTY FLAGS..: a search, in a folder of its own.
build() {
    mkdir -p "search$1" && cp ./*.pml "search$1/" || exit 2
    number=$1
    shift
    if ! (cd "search$number" && spin "-DPROPERTY=$number" -a model.pml > spin.txt 2>&1 \
        && ${CC:-gcc} "${SPIN_OPTIMIZE:--O1}" -w -DNOREDUCE -DVECTORSZ=4096 "-DMEMLIM=$memory" "$@" -o pan pan.c > gcc.txt 2>&1); then
        echo "SPIN or gcc fails: see $(pwd)/search$number" >&2
        exit 2
    fi
}

# search PROPERTY FLAGS..: its output is found.txt.
search() {
    number=$1
    shift
    (cd "search$number" && timeout "$seconds" ./pan "-m$depth" -w20 "$@" > pan.txt 2>&1;
        grep -v '^pan:[0-9]*: assertion' pan.txt > found.txt;
        grep '^pan:[0-9]*: assertion' pan.txt | sed 's/^pan:[0-9]*: //; s/ (at depth.*//' | sort -u >> found.txt;
        rm -f pan.txt)
}

complete() {
    grep -q 'State-vector' "search$1/found.txt" && ! grep -q -e 'not completed' -e 'depth too small' "search$1/found.txt"
}

states() {
    sed -n 's/^ *\([0-9]*\) states, stored.*/\1/p' "search$1/found.txt"
}

# of_states KIND NAME TEXT FOUND ELSE: the verdict if the assertion with this text was violated, and if not.
of_states() {
    if grep -qF "assertion violated ($3)" search0/found.txt; then echo "$1 $2 $4"; [ "$4" = reached ] || worse 1
    elif complete 0; then echo "$1 $2 $5"
    else echo "$1 $2 inconclusive"; worse 3
    fi
}

# claim PROPERTY FORMULA: what violates the formula, from the first state on in which all threads rest.
claim() {
    timeout "$seconds" spin -f "!($2)" > claim.txt 2>&1 || { echo "SPIN cannot translate $2" >&2; exit 2; }
    sed "1s/never *{.*/never property_$1 { (!started);/" claim.txt > "claim$1.pml"
}

# temporal NAME PROPERTY SEARCH FLAGS..
temporal() {
    name=$1
    claim=property_$2
    number=$3
    shift 3
    [ -x "search$number/pan" ] || build "$number" -DNFAIR=6
    search "$number" -a -N "$claim" "$@"
    if grep -q 'errors: [1-9]' "search$number/found.txt" && ! grep -q 'depth too small' "search$number/found.txt"; then
        echo "property $name violated"; worse 1
    elif complete "$number"; then echo "property $name holds"
    else echo "property $name inconclusive"; worse 3
    fi
}

"#;

/// The script of a model.
pub(crate) fn write(model: &Model<'_>) -> String {
    let mut out = HEAD.to_string();
    for (property, ltl) in conditions::temporal(model.automata) {
        let _ = writeln!(out, "claim {} '{}'", property + 1, temporal::stated(model, property, ltl));
    }
    out.push_str("build 0 -DSAFETY\nsearch 0 -c0 -E\n");
    for (id, property) in model.automata.properties.iter() {
        let (number, name) = (id.index() + 1, &property.name);
        let _ = match &property.kind {
            PropertyKind::Deadlock if !model.check_deadlock => Ok(()),
            // Under the memory models of processors nothing races.
            PropertyKind::DataRace => Ok(()),
            PropertyKind::Ltl(ltl) => {
                let search = temporal::search(model, id.index());
                writeln!(
                    out,
                    "temporal {name} {number} {search}{}",
                    if ltl.fairness == Fairness::All { " -f" } else { "" }
                )
            }
            _ => writeln!(out, "of_states property {name} '{number}==0' violated holds"),
        };
    }
    for (id, cover) in model.automata.covers.iter() {
        let _ = writeln!(out, "of_states cover {} '{}<0' reached unreached", cover.name, id.index() + 1);
    }
    out.push_str("echo \"states $(states 0)\"\nexit $worst\n");
    out
}
