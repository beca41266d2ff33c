//! Work whose type is forgotten.
//!
//! There are hundreds of calls into the store, each with a closure of its own. What surrounds them (the task, the time
//! limit, the transaction) would exist once for each in the program; like this it exists once.

use std::{
    any::{Any, TypeId},
    panic::AssertUnwindSafe,
};

use futures_util::{FutureExt as _, future::BoxFuture};

use crate::{Error, Result, Tx, Work};

/// What a piece of work answers: a `Result<T, E>` of whoever asked.
pub(crate) type Answer = Box<dyn Any + Send>;

/// One piece of work, whatever it returns.
pub(crate) trait ErasedWork: Send {
    /// What kind of work it is: the same for everything that says the same.
    fn kind(&self) -> TypeId;
    /// Begins it; says whether its writes are to be kept.
    fn begin<'p>(&'p mut self, tx: &'p mut Tx<'_>) -> BoxFuture<'p, bool>;
    /// The answer, after the commit or instead of it.
    fn answer(self: Box<Self>, committed: Result<()>) -> Answer;
}

/// Forgets the type of some work.
pub(crate) fn erase<T, E>(work: impl Work<T, E>) -> Box<dyn ErasedWork>
where
    T: Send + 'static,
    E: From<Error> + Send + 'static,
{
    Box::new(Typed { work: Some(work), outcome: None })
}

/// What was answered to work that [`erase`] was given.
pub(crate) fn unerase<T, E>(answer: Result<Answer>) -> Result<T, E>
where
    T: 'static,
    E: From<Error> + 'static,
{
    match answer?.downcast::<Result<T, E>>() {
        Ok(outcome) => *outcome,
        // It is what `answer` made of the same two types.
        Err(_) => Err(Error::Panicked.into()),
    }
}

/// Runs a piece; says whether its writes are to be kept. One that panics has failed.
pub(crate) async fn run(piece: &mut dyn ErasedWork, tx: &mut Tx<'_>) -> bool {
    AssertUnwindSafe(piece.begin(tx)).catch_unwind().await.unwrap_or(false)
}

struct Typed<T, E, F> {
    work: Option<F>,
    outcome: Option<Result<T, E>>,
}

impl<T, E, F> ErasedWork for Typed<T, E, F>
where
    T: Send + 'static,
    E: From<Error> + Send + 'static,
    F: Work<T, E>,
{
    fn kind(&self) -> TypeId {
        TypeId::of::<F>()
    }

    fn begin<'p>(&'p mut self, tx: &'p mut Tx<'_>) -> BoxFuture<'p, bool> {
        match self.work.take() {
            Some(work) => keep(&mut self.outcome, work(tx)),
            None => Box::pin(std::future::ready(false)),
        }
    }

    fn answer(self: Box<Self>, committed: Result<()>) -> Answer {
        let outcome = match (committed, self.outcome) {
            // The work's own error says more than "it was rolled back".
            (_, Some(Err(error))) => Err(error),
            (Ok(()), Some(ok)) => ok,
            (Ok(()), None) => Err(Error::Panicked.into()),
            (Err(error), _) => Err(error.into()),
        };
        Box::new(outcome)
    }
}

/// Keeps what comes of some work. A function of its own: it knows what the work returns, not who asked.
fn keep<'p, T, E>(outcome: &'p mut Option<Result<T, E>>, work: BoxFuture<'p, Result<T, E>>) -> BoxFuture<'p, bool>
where
    T: Send,
    E: Send,
{
    Box::pin(async move { outcome.insert(work.await).is_ok() })
}
