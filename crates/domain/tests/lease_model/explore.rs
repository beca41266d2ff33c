//! Visits every reachable state, breadth first, so that a violation is found on a shortest path.
//!
//! This is an explorer of our own, because one invariant needs the whole graph: whether the job can finish from every
//! state.

use std::hash::{Hash, Hasher};

use crate::{
    check::{self, NO_DEAD_END},
    state::{Model, State},
    steps::Action,
};

/// Larger state spaces need other bounds, not more time.
const STATES_MAX: usize = 15_000_000;

/// The result of an exploration.
pub(crate) struct Report {
    pub(crate) states: Vec<State>,
    pub(crate) steps: usize,
    /// The number of steps to the farthest state.
    pub(crate) depth: usize,
    pub(crate) violation: Option<Breach>,
}

/// A violated invariant, and the steps that lead to it.
pub(crate) struct Breach {
    pub(crate) promise: String,
    pub(crate) trace: Vec<Action>,
    pub(crate) state: State,
}

/// Visits every reachable state, up to the first violation.
pub(crate) fn explore(model: &Model) -> Report {
    let mut seen = Visited::default();
    seen.add(State::first(model.faults), None);
    // Steps without a fault, as (target, source), for the search backwards from settled states.
    let mut calm: Vec<(u32, u32)> = Vec::new();
    let (mut steps, mut at, mut actions) = (0, 0, Vec::new());
    while at < seen.states.len() {
        let before = seen.states[at];
        actions.clear();
        model.actions(&before, &mut actions);
        for &action in &actions {
            let state = model.step(&before, action);
            steps += 1;
            let to = seen.add(state, Some((at as u32, action)));
            if let Some(promise) = check::broken(model, &before, action, &state) {
                let mut trace = seen.trace(at);
                trace.push(action);
                return seen.report(steps, Some(Breach { promise, trace, state }));
            }
            if !action.is_fault() {
                calm.push((to, at as u32));
            }
        }
        at += 1;
        assert!(at < STATES_MAX, "{model:?} has too many states");
    }
    let stuck = first_stuck(&seen.states, calm);
    let violation =
        stuck.map(|at| Breach { promise: NO_DEAD_END.to_owned(), trace: seen.trace(at), state: seen.states[at] });
    seen.report(steps, violation)
}

/// The first state from which no settled state is reachable without a fault.
fn first_stuck(states: &[State], mut calm: Vec<(u32, u32)>) -> Option<usize> {
    calm.sort_unstable();
    let mut is_fine: Vec<bool> = states.iter().map(State::is_settled).collect();
    let mut queue: Vec<u32> = (0..states.len() as u32).filter(|at| is_fine[*at as usize]).collect();
    while let Some(to) = queue.pop() {
        let first = calm.partition_point(|step| step.0 < to);
        for &(_, from) in calm[first..].iter().take_while(|step| step.0 == to) {
            if !is_fine[from as usize] {
                is_fine[from as usize] = true;
                queue.push(from);
            }
        }
    }
    is_fine.iter().position(|is_fine| !is_fine)
}

/// All visited states, each once, with the step that first reached it.
#[derive(Default)]
struct Visited {
    states: Vec<State>,
    came_by: Vec<Option<(u32, Action)>>,
    /// A hash table with open addressing: the index of a state plus one; 0 is a free slot.
    table: Vec<u32>,
}

impl Visited {
    /// The index of this state; adds it if it is new.
    fn add(&mut self, state: State, came_by: Option<(u32, Action)>) -> u32 {
        if self.states.len() * 2 >= self.table.len() {
            self.grow();
        }
        let place = self.place(&state);
        if self.table[place] == 0 {
            self.states.push(state);
            self.came_by.push(came_by);
            self.table[place] = u32::try_from(self.states.len()).expect("fewer than 2^32 states");
        }
        self.table[place] - 1
    }

    /// The slot of this state, or the free slot for it.
    fn place(&self, state: &State) -> usize {
        let mut hasher = Mix(0);
        state.hash(&mut hasher);
        let mask = self.table.len() - 1;
        let mut place = hasher.finish() as usize & mask;
        while self.table[place] != 0 && self.states[self.table[place] as usize - 1] != *state {
            place = (place + 1) & mask;
        }
        place
    }

    fn grow(&mut self) {
        self.table = vec![0; (self.table.len() * 4).max(1 << 16)];
        for at in 0..self.states.len() {
            let place = self.place(&self.states[at]);
            self.table[place] = at as u32 + 1;
        }
    }

    fn trace(&self, mut at: usize) -> Vec<Action> {
        let mut actions = Vec::new();
        while let Some((before, action)) = self.came_by[at] {
            actions.push(action);
            at = before as usize;
        }
        actions.reverse();
        actions
    }

    fn report(self, steps: usize, violation: Option<Breach>) -> Report {
        let depth = self.trace(self.states.len() - 1).len();
        Report { states: self.states, steps, depth, violation }
    }
}

/// A fast hash. States are compared in full, so collisions only cost time.
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u8(*byte));
    }

    fn write_u8(&mut self, byte: u8) {
        self.write_u64(u64::from(byte));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn write_isize(&mut self, word: isize) {
        self.write_u64(word as u64);
    }
}
