# Development commands; logic longer than a line is in scripts/ or xtask.
.DEFAULT_GOAL := help
SHELL := bash
.SHELLFLAGS := -euo pipefail -c

.PHONY: help setup up build ui test test-rust test-ui test-pages test-long fuzz pictures lint fix gen bench bench-peers bench-link bench-ui audit clean

help: ## list the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

setup: ## install missing packages: PostgreSQL, Chromium, packages of the UI and of the tests
	@scripts/setup

up: setup ui ## build everything and run `hostler up`
	cargo build --locked
	target/debug/hostler up

build: setup ui ## build target/release/hostler; its line tables are in hostler.debug beside it
	@scripts/build-release

ui: setup ## build the web UI into ui/dist
	@scripts/build-ui

test: setup ## all tests: both databases, real processes, the web UI in a real browser
	@scripts/test

test-rust: setup ## only the Rust tests
	@scripts/test-rust

test-ui: ## only the unit tests and checks of the UI
	@scripts/test-ui

test-pages: ui ## only the browser tests of the web UI
	cargo build --locked
	@scripts/test-pages

test-long: ## long runs: lease protocol with three faults in every order, sync protocol with many seeds, schedules by the minute, a hostile runner
	@scripts/test-long

fuzz: ## random input for every parser of foreign data; FUZZ_SECONDS=600 for longer
	@scripts/fuzz $(or $(FUZZ_SECONDS),60)

lint: ## formatting, lints and documentation, warnings denied
	@scripts/lint

fix: ## repair formatting and simple lints
	cargo fmt
	cargo clippy --workspace --all-targets --fix --allow-dirty
	cd ui && npx biome check --write .

gen: ## write the generated files: OpenAPI, error index, example settings, API types of the UI
	cargo xtask gen
	HOSTLER_BLESS=1 cargo test --locked -q -p hostler example_file_is_current
	cd ui && npm run gen

pictures: ui ## take the pictures in docs/img
	cargo build --locked
	HOSTLER_PICTURES=$(CURDIR)/docs/img HOSTLER_HOSTNAME=atlas scripts/test-pages --database sqlite screens

bench: setup ## measure queue, real processes and memory with their ceilings; PARTS=queue,spawn for some of them
	@scripts/bench

bench-peers: setup ## the same with other queues; PEERBENCH=folder with their scripts
	@scripts/bench --parts ceilings,queue --peers "$(PEERBENCH)"

bench-link: ## 200 runners on one hub, and their reconnect after a restart
	@scripts/bench-link

bench-ui: setup ## the web UI on a hub with a million jobs: first load, lists, live updates
	@scripts/bench-ui

audit: ## licences and advisories of the dependencies (needs cargo-deny)
	cargo deny check

clean: ## remove build output
	cargo clean
	rm -rf ui/dist ui/node_modules
