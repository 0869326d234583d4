# What `./run` and `./test` need, installed where that is possible. Sourced by both; nothing here runs by itself.
# With `install=no` the machine is left alone, and what is missing is reported.

step() { printf '\n== %s\n' "$*"; }

# Whether packages of the system may be installed.
may_install() { [ "${install:-yes}" = yes ] && [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; }

# need_package WHAT_FOR COMMAND PACKAGE...: a command, from the system's packages.
need_package() {
    local purpose=$1 command=$2
    shift 2
    if command -v "$command" > /dev/null; then return; fi
    if may_install; then
        step "installing $* ($purpose)"
        { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@"; } > /dev/null 2>&1 \
            || echo "it cannot be installed here"
    else
        step "$command is not here ($purpose), and is not installed: that part is skipped"
    fi
}

# need_rust: a toolchain. The installer is downloaded to a file and compared with its checksum before it runs.
need_rust() {
    if command -v cargo > /dev/null; then return; fi
    if [ "${install:-yes}" = no ]; then
        echo "cargo is not here; install Rust 1.95 or later first" >&2
        exit 2
    fi
    step "installing Rust (cargo is not here)"
    local folder place
    folder=$(mktemp -d)
    place=https://static.rust-lang.org/rustup/dist/$(uname -m)-unknown-linux-gnu/rustup-init
    curl --proto '=https' --tlsv1.2 -sSf -o "$folder/rustup-init" "$place"
    curl --proto '=https' --tlsv1.2 -sSf -o "$folder/sum" "$place.sha256"
    echo "$(cut -d' ' -f1 "$folder/sum")  $folder/rustup-init" | sha256sum --check --quiet
    chmod +x "$folder/rustup-init"
    "$folder/rustup-init" -y --profile minimal --component rustfmt --component clippy
    rm -r "$folder"
    # shellcheck disable=SC1091
    . "$HOME/.cargo/env"
}
