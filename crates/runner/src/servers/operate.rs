//! Jobs that start, stop or restart a server: they succeed when the server is ready, or stopped.

use domain::{
    RunId, ServerId,
    server::{ServerOp, ServerState},
};
use serde_json::{Value, json};
use store::server::Live;

use super::manager::{ServerOwner, Servers};

/// The result of an operation.
pub(crate) struct Operated {
    /// State, run number and process id of the server, as JSON.
    pub(crate) output: Value,
    pub(crate) pid: Option<i32>,
}

impl Servers {
    /// Requests the operation and waits for its result. May be dropped and called again: the request is stored with the
    /// id of the job's run, so the same run requests it once, also after a restart of the runner.
    ///
    /// # Errors
    /// The reason for people: the operation failed.
    pub(crate) async fn operate<C: Future<Output = Result<(), String>>>(
        &self,
        server: ServerId,
        op: ServerOp,
        by: RunId,
        check: impl FnOnce(ServerOwner) -> C,
    ) -> Result<Operated, String> {
        let handle = self.arrived(server).await?;
        check(handle.owner.clone()).await?;
        let asked = Self::ask(&handle, by, op).await?;
        let mut live = handle.live.clone();
        loop {
            let now = live.borrow_and_update().clone();
            if let Some(answer) = now.life.answer(op, &asked) {
                return answer.map(|()| operated(&now)).map_err(|why| explained(op, &now, &why));
            }
            if live.changed().await.is_err() {
                return Err("the server was removed, or the runner is stopping".to_owned());
            }
        }
    }

    /// Cancels the operation of a canceled job: stops the server if it is still starting.
    pub(crate) async fn give_up<C: Future<Output = Result<(), String>>>(
        &self,
        server: ServerId,
        op: ServerOp,
        by: RunId,
        check: impl FnOnce(ServerOwner) -> C,
    ) {
        if op == ServerOp::Stop {
            return;
        }
        if let Ok(handle) = self.arrived(server).await
            && check(handle.owner.clone()).await.is_ok()
            && matches!(handle.live.borrow().state, ServerState::Starting | ServerState::Waiting)
        {
            // A different run id, so that the stop counts as a new request.
            let [first, rest @ ..] = by.to_bytes();
            let mut bytes = [0; 16];
            bytes[0] = !first;
            bytes[1..].copy_from_slice(&rest);
            let _ = Self::ask(&handle, RunId::from_bytes(bytes), ServerOp::Stop).await;
        }
    }
}

fn operated(live: &Live) -> Operated {
    Operated { output: json!({"state": live.state, "run": live.run_no, "pid": live.pid}), pid: live.pid }
}

/// The reason of a failed operation, and whether the server restarts by itself.
fn explained(op: ServerOp, live: &Live, why: &str) -> String {
    match (op, live.state) {
        (ServerOp::Start | ServerOp::Restart, ServerState::Waiting | ServerState::CrashLoop) => {
            format!("{why}; the restart policy starts the server again")
        }
        _ => why.to_owned(),
    }
}
