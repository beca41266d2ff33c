#!/bin/sh
# Makes this machine a host: fetches the hub's own program, joins with the token of this script, and keeps it running.
# HOSTLER_BIN says into which folder the program goes, HOSTLER_HOME where its data is kept; with HOSTLER_SERVICE=no it
# runs in this window instead of as a service.
set -eu

fail() {
	echo "hostler: $1" >&2
	exit 1
}

fetch() {
	if command -v curl >/dev/null 2>&1; then
		curl -fsSk -o "$2" "$1"
	elif command -v wget >/dev/null 2>&1; then
		wget -q --no-check-certificate -O "$2" "$1"
	else
		fail "neither curl nor wget is here"
	fi
}

checksum() {
	if command -v sha256sum >/dev/null 2>&1; then
		sha256sum "$1" | cut -d ' ' -f 1
	else
		shasum -a 256 "$1" | cut -d ' ' -f 1
	fi
}

platform() {
	system=$(uname -s | tr '[:upper:]' '[:lower:]')
	machine=$(uname -m)
	[ "$system" != darwin ] || system=macos
	[ "$machine" != arm64 ] || machine=aarch64
	echo "$system/$machine"
}

# What is cut off on the way does nothing: all of it is read before the last line is.
main() {
	url='@URL@'
	token='@TOKEN@'
	here=$(platform)
	[ "$here" = '@PLATFORM@' ] ||
		fail "the hub's program is for @PLATFORM@ and this machine is $here. Put a hostler for $here here, then run: hostler join $url $token"

	folder=${HOSTLER_BIN:-}
	if [ -z "$folder" ]; then
		if [ "$(id -u)" = 0 ]; then folder=/usr/local/bin; else folder=$HOME/.local/bin; fi
	fi
	mkdir -p "$folder"
	new="$folder/.hostler.$$"
	trap 'rm -f "$new"' EXIT

	echo "Fetching hostler @VERSION@ (@PLATFORM@, @SIZE@ MB) from the hub …"
	fetch '@FROM@' "$new" || fail "the program could not be fetched from @FROM@"
	# The script came over a connection that was checked; with this sum, so did the program.
	[ "$(checksum "$new")" = '@SHA256@' ] || fail "what came is not what the hub sent: try again"
	chmod 755 "$new"
	"$new" --version >/dev/null 2>&1 || fail "the hub's program does not run on this machine; put a hostler that does here, then run: hostler join $url $token"
	mv -f "$new" "$folder/hostler"

	"$folder/hostler" join "$url" "$token"

	if [ "${HOSTLER_SERVICE:-yes}" = no ]; then
		exec "$folder/hostler" runner </dev/null
	elif [ -d /run/systemd/system ] && [ "$(id -u)" = 0 ]; then
		"$folder/hostler" service install --runner
	elif [ -d /run/systemd/system ] && systemctl --user show-environment >/dev/null 2>&1; then
		"$folder/hostler" service install --runner --user
		echo "It runs while you are signed in; to keep it running always: sudo loginctl enable-linger $(id -un)"
	else
		echo "There is no systemd here: the runner runs until this window is closed."
		exec "$folder/hostler" runner </dev/null
	fi
}

main
