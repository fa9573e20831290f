# For sourcing: installs Debian packages, as root or through sudo.

install_packages() {
    [ "$#" -gt 0 ] || return 0
    if ! command -v apt-get >/dev/null; then
        echo "Please install: $*" >&2
        return 1
    fi
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        as_root=(sudo)
    fi
    echo "Installing $*" >&2
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}
