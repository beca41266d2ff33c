#!/bin/sh
# Makes this machine a host: downloads the hub's program, joins with the token in this script, and starts the runner.
# HOSTLER_BIN is the folder for the program, HOSTLER_HOME the data folder. With HOSTLER_SERVICE=no the runner starts in
# this window instead of as a service.
set -eu

fail() {
	echo "hostler: $1" >&2
	exit 1
}

# Downloads the program, only from the hub. The address contains no secret, and main compares the checksum.
fetch() {
	if [ -z '@NAMED@' ]; then
		fetch_public "$1"
	elif command -v curl >/dev/null 2>&1; then
		# Trusts only the hub's certificate. Its name is below .internal, for which no authority issues certificates, so a
		# curl that ignores --cacert refuses every server.
		printf '%s\n' '@CERTIFICATE@' |
			curl -fsS --cacert /dev/stdin --connect-to '@CONNECT_TO@' -H 'Host: @AUTHORITY@' -o "$1" '@NAMED@'
	elif command -v wget >/dev/null 2>&1; then
		# wget has no option for the name in the certificate, so it pins the key. A wget that accepts a wrong key does not
		# check pins.
		wrong='sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='
		if wget -q --no-check-certificate --pinnedpubkey="$wrong" -O /dev/null '@FROM@' 2>/dev/null; then
			fail "this wget does not check the key of a server; install curl"
		fi
		wget -q --no-check-certificate --pinnedpubkey='sha256//@PIN@' -O "$1" '@FROM@'
	else
		fail "curl or wget is needed; neither is installed"
	fi
}

# The same from a server with a certificate of an authority.
fetch_public() {
	if command -v curl >/dev/null 2>&1; then
		curl -fsS --proto =https -o "$1" '@FROM@'
	elif command -v wget >/dev/null 2>&1; then
		wget -q -O "$1" '@FROM@'
	else
		fail "curl or wget is needed; neither is installed"
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

# The shell runs main only after it has read the last line, so a download that is cut off does nothing.
main() {
	url='@URL@'
	token='@TOKEN@'
	here=$(platform)
	[ "$here" = '@PLATFORM@' ] ||
		fail "the hub's program is for @PLATFORM@, but this machine is $here. Install hostler for $here, then run: hostler join $url $token"

	folder=${HOSTLER_BIN:-}
	if [ -z "$folder" ]; then
		if [ "$(id -u)" = 0 ]; then folder=/usr/local/bin; else folder=$HOME/.local/bin; fi
	fi
	mkdir -p "$folder"
	new="$folder/.hostler.$$"
	trap 'rm -f "$new"' EXIT

	echo "Fetching hostler @VERSION@ (@PLATFORM@, @SIZE@ MB) from the hub …"
	fetch "$new" || fail "cannot download the program from @FROM@"
	[ "$(checksum "$new")" = '@SHA256@' ] || fail "the checksum of the download is wrong; run the command again"
	chmod 755 "$new"
	"$new" --version >/dev/null 2>&1 || fail "the hub's program does not run on this machine. Install a hostler that does, then run: hostler join $url $token"
	mv -f "$new" "$folder/hostler"

	"$folder/hostler" join "$url" "$token"

	if [ "${HOSTLER_SERVICE:-yes}" = no ]; then
		exec "$folder/hostler" runner </dev/null
	elif [ -d /run/systemd/system ] && [ "$(id -u)" = 0 ]; then
		"$folder/hostler" service install --runner
	elif [ -d /run/systemd/system ] && systemctl --user show-environment >/dev/null 2>&1; then
		"$folder/hostler" service install --runner --user
		echo "The runner stops when you sign out. To keep it running: sudo loginctl enable-linger $(id -un)"
	else
		echo "systemd is not available: the runner stops when this window is closed."
		exec "$folder/hostler" runner </dev/null
	fi
}

main
