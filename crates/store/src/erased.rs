//! Type-erased transaction closures.
//!
//! The store is called in hundreds of places, each with its own closure type. The code around a closure (task, time
//! limit, transaction) would be compiled once per closure; with erased types it is compiled once.

use std::{
    any::{Any, TypeId},
    panic::AssertUnwindSafe,
};

use futures_util::{FutureExt as _, future::BoxFuture};

use crate::{Error, Result, Tx, Work};

/// Boxed `Result<T, E>` of a closure.
pub(crate) type Answer = Box<dyn Any + Send>;

/// A transaction closure without its type.
pub(crate) trait ErasedWork: Send {
    /// Identifies the closure's type, and so the statements it runs. The connection pool uses this to pick a connection
    /// that has them prepared.
    fn kind(&self) -> TypeId;
    /// Starts the closure. The future returns whether to commit.
    fn begin<'p>(&'p mut self, tx: &'p mut Tx<'_>) -> BoxFuture<'p, bool>;
    /// The closure's result, given the outcome of the commit.
    fn answer(self: Box<Self>, committed: Result<()>) -> Answer;
}

/// Boxes a closure without its type.
pub(crate) fn box_work<T, E>(work: impl Work<T, E>) -> Box<dyn ErasedWork>
where
    T: Send + 'static,
    E: From<Error> + Send + 'static,
{
    Box::new(Typed { work: Some(work), outcome: None })
}

/// Restores the type of the result of a closure boxed by [`box_work`].
pub(crate) fn unbox_answer<T, E>(answer: Result<Answer>) -> Result<T, E>
where
    T: 'static,
    E: From<Error> + 'static,
{
    match answer?.downcast::<Result<T, E>>() {
        Ok(outcome) => *outcome,
        // Cannot happen: `answer` boxed a result of the same two types.
        Err(_) => Err(Error::Panicked.into()),
    }
}

/// Runs a closure and returns whether to commit. A panic counts as a failure.
pub(crate) async fn run(erased: &mut dyn ErasedWork, tx: &mut Tx<'_>) -> bool {
    AssertUnwindSafe(erased.begin(tx)).catch_unwind().await.unwrap_or(false)
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
            // The closure's own error explains the failure better than the failed commit.
            (_, Some(Err(error))) => Err(error),
            (Ok(()), Some(ok)) => ok,
            (Ok(()), None) => Err(Error::Panicked.into()),
            (Err(error), _) => Err(error.into()),
        };
        Box::new(outcome)
    }
}

/// Stores the result of a closure. A separate function, so that it is compiled once per result type, not once per
/// closure.
fn keep<'p, T, E>(outcome: &'p mut Option<Result<T, E>>, work: BoxFuture<'p, Result<T, E>>) -> BoxFuture<'p, bool>
where
    T: Send,
    E: Send,
{
    Box::pin(async move { outcome.insert(work.await).is_ok() })
}
