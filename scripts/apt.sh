# For sourcing: installs Debian packages, as root or through sudo.

# What is installed already stays as it is, and the index of packages is made new only where it does not do: with a newer
# header, of a library that something else needs too, all that was built from it would be built again.
install_packages() {
    [ "$#" -gt 0 ] || return 0
    if ! command -v apt-get >/dev/null; then
        echo "Please install: $*" >&2
        return 1
    fi
    if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
        echo "Please install as root: apt-get install $*" >&2
        return 1
    fi
    echo "Installing $*" >&2
    # On a machine that has just been started, its own upgrades may hold the lock for a while.
    with_fresh_index as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        --no-upgrade -o DPkg::Lock::Timeout=600 "$@"
}

# Installs packages without starting their services, which are named first, now or with the machine.
install_stopped() (
    services=$1 policy=/usr/sbin/policy-rc.d
    shift
    [ "$#" -gt 0 ] || return 0
    # Debian's way to start nothing.
    if [ ! -e "$policy" ]; then
        printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
        as_root chmod +x "$policy"
        trap 'as_root rm -f "$policy"' EXIT
    fi
    install_packages "$@"
    for service in $services; do
        ! command -v systemctl >/dev/null || as_root systemctl disable --quiet "$service" 2>/dev/null || true
    done
)

# Downloads a package's file into the current directory, and installs nothing.
download_package() {
    # Root's apt would do it as a user of its own, who may not enter every directory.
    with_fresh_index apt-get download -qq -o APT::Sandbox::User=root "$1"
}

# Runs an apt command with the index that is there and, should that fail, with a new one.
with_fresh_index() {
    local output
    output=$("$@" 2>&1) && return 0
    as_root apt-get update -qq
    output=$("$@" 2>&1) && return 0
    echo "$output" >&2
    return 1
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}
