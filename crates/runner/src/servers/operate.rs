//! A job that asks something of a server: it succeeds when the server is ready, or gone.

use domain::{
    RunId, ServerId,
    server::{ServerOp, ServerState},
};
use serde_json::{Value, json};
use store::server::Live;

use super::manager::Servers;

/// How a job on a server ended.
pub(crate) struct Operated {
    /// What the server is now.
    pub(crate) output: Value,
    pub(crate) pid: Option<i32>,
}

impl Servers {
    /// Asks for it, and waits until it is so. May be dropped and called again: the same run of a job asks once.
    ///
    /// # Errors
    /// Why it is not so, for people.
    pub(crate) async fn operate(&self, server: ServerId, op: ServerOp, by: RunId) -> Result<Operated, String> {
        let seat = self.seat(server).await?;
        let asked = Self::ask(&seat, by, op).await?;
        let mut live = seat.live.clone();
        loop {
            let now = live.borrow_and_update().clone();
            if let Some(answer) = now.life.answer(op, &asked) {
                return answer.map(|()| operated(&now)).map_err(|why| explained(op, &now, &why));
            }
            if live.changed().await.is_err() {
                return Err("the server is gone".to_owned());
            }
        }
    }

    /// The job that asked is canceled: a start that nobody wants any more is not left half done.
    pub(crate) async fn give_up(&self, server: ServerId, op: ServerOp, by: RunId) {
        if op == ServerOp::Stop {
            return;
        }
        if let Ok(seat) = self.seat(server).await
            && matches!(seat.live.borrow().state, ServerState::Starting | ServerState::Waiting)
        {
            // Another run than the one that asked, so that it counts as a new wish.
            let [first, rest @ ..] = by.to_bytes();
            let mut bytes = [0; 16];
            bytes[0] = !first;
            bytes[1..].copy_from_slice(&rest);
            let _ = Self::ask(&seat, RunId::from_bytes(bytes), ServerOp::Stop).await;
        }
    }
}

fn operated(live: &Live) -> Operated {
    Operated { output: json!({"state": live.state, "run": live.run_no, "pid": live.pid}), pid: live.pid }
}

/// Why it is not as it was asked, with what the server does about it.
fn explained(op: ServerOp, live: &Live, why: &str) -> String {
    match (op, live.state) {
        (ServerOp::Start | ServerOp::Restart, ServerState::Waiting | ServerState::CrashLoop) => {
            format!("{why}; it is tried again by itself")
        }
        _ => why.to_owned(),
    }
}
