# The index of everything people do here; logic longer than a line lives in scripts/ or xtask.
.DEFAULT_GOAL := help
SHELL := bash
.SHELLFLAGS := -euo pipefail -c

.PHONY: help setup up build ui test test-rust test-ui test-pages test-long lint fix gen bench bench-peers bench-link bench-ui audit clean

help: ## list the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

setup: ## install what is missing: PostgreSQL, Chromium, the packages of the UI and of the tests
	@scripts/setup

up: setup ui ## build everything and run `hostler up`
	cargo build --locked
	target/debug/hostler up

build: setup ui ## build target/release/hostler
	cargo build --locked --release

ui: setup ## build the pages into ui/dist
	@scripts/build-ui

test: setup ## all tests: both databases, real processes, the pages in a real browser
	@scripts/test

test-rust: ## the Rust tests alone
	cargo test --locked --workspace

test-ui: ## the unit tests and checks of the UI alone
	@scripts/test-ui

test-pages: ui ## the pages in a real browser alone
	cargo build --locked
	@scripts/test-pages

test-long: ## the long runs: the lease protocol with three faults in every order, the sync protocol with many seeds, schedules minute by minute
	HOSTLER_MODEL=full cargo test --locked -p domain --test lease_model
	HOSTLER_SEEDS=100000 cargo test --locked -p domain --test sync_sim
	HOSTLER_MINUTES=2000 cargo test --locked -p hub --test schedule_storm -- --nocapture
	HOSTLER_ZONES=full cargo test --locked -p domain --test schedule_zones

lint: ## formatting, lints and documentation, warnings denied
	@scripts/lint

fix: ## repair formatting and what the lints can repair
	cargo fmt
	cargo clippy --workspace --all-targets --fix --allow-dirty
	cd ui && npx biome check --write .

gen: ## write the generated files: OpenAPI, error index, example settings, API types of the UI
	cargo xtask gen
	HOSTLER_BLESS=1 cargo test --locked -q -p hostler the_example_file_is_current
	cd ui && npm run gen

bench: setup ## measure the queue, real processes and memory beside their ceilings; PARTS=queue,spawn for some
	@scripts/bench

bench-peers: setup ## the same with other queues beside: PEERBENCH=folder with their scripts
	@scripts/bench --parts ceilings,queue --peers "$(PEERBENCH)"

bench-link: ## 200 runners on one hub, and how they come back
	@scripts/bench-link

bench-ui: setup ## the pages on a hub with a million jobs: first load, lists, when they can be used, how soon news is seen
	@scripts/bench-ui

audit: ## licences and advisories of the dependencies (needs cargo-deny)
	cargo deny check

clean: ## remove what was built
	cargo clean
	rm -rf ui/dist ui/node_modules
