//! Requests for servers: jobs that start, stop or restart one and wait for the result, and orders (kill, console
//! input).

use std::pin::pin;

use domain::{Span, job::RunStatus, server::ServerOp};
use proto::{
    link::ToHub,
    work::{ERROR_CHARS_MAX, Order, Ordered, RunResult},
};
use runtime::clock::wall;
use serde_json::Value;

use super::{
    engine::Engine,
    message::RunMessage,
    run::{Run, not_started},
};

/// Number of remembered orders. The hub repeats an order until it gets the result; by its id it is carried out once.
const ORDERS_KNOWN: usize = 1_000;

impl Engine {
    /// Carries out orders, each id once, and sends the result each time the order arrives.
    pub(super) async fn order(&mut self, orders: Vec<Order>) {
        for order in orders {
            let known = self.orders.iter().find(|(id, _)| *id == order.id).map(|(_, done)| done.clone());
            match known {
                Some(Some(done)) => self.send(ToHub::Ordered(done)).await,
                Some(None) => {}
                None => {
                    self.orders.push_back((order.id, None));
                    if self.orders.len() > ORDERS_KNOWN {
                        self.orders.pop_front();
                    }
                    let (gate, events) = (self.shared.gate.clone(), self.events.0.clone());
                    self.tasks.spawn(async move {
                        let error = gate.order(order.server, order.kind, order.body).await.err();
                        let error = error.map(|why| why.chars().take(ERROR_CHARS_MAX).collect());
                        let _ = events.send(RunMessage::Ordered(Ordered { id: order.id, error })).await;
                    });
                }
            }
        }
    }

    /// Stores and sends the result of an order.
    pub(super) async fn order_done(&mut self, done: Ordered) {
        if let Some(order) = self.orders.iter_mut().find(|(id, _)| *id == done.id) {
            order.1 = Some(done.clone());
        }
        self.send(ToHub::Ordered(done)).await;
    }
}

impl Run {
    /// Requests an operation of a server and waits for its result.
    pub(super) async fn operate(mut self, op: ServerOp) {
        let began = wall();
        let Some(server) = self.grant.payload.get("server").and_then(Value::as_str).and_then(|id| id.parse().ok())
        else {
            let result = not_started(&self.grant, RunStatus::Failed, "the payload names no server");
            return self.report(result, None).await;
        };
        let gate = self.shared.gate.clone();
        let mut limit = pin!(tokio::time::sleep(Span::from_millis(self.grant.timeout_ms).to_duration()));
        let ended = {
            let mut asking = pin!(gate.operate(server, op, self.grant.run));
            loop {
                tokio::select! {
                    answer = &mut asking => break Some(answer),
                    () = &mut limit => break None,
                    changed = self.control.changed() => {
                        let control = *self.control.borrow_and_update();
                        if control.is_forgotten || control.is_canceled {
                            break Some(Err(String::new()));
                        }
                        if changed.is_err() {
                            return;
                        }
                    }
                }
            }
        };
        let is_canceled = self.control.borrow().is_canceled;
        let (status, error) = match &ended {
            Some(Ok(_)) => (RunStatus::Succeeded, None),
            Some(Err(_)) if is_canceled => {
                gate.give_up(server, op, self.grant.run).await;
                (RunStatus::Canceled, Some("canceled on request".to_owned()))
            }
            Some(Err(why)) => (RunStatus::Failed, Some(why.chars().take(ERROR_CHARS_MAX).collect())),
            None => (RunStatus::Timeout, Some("the server did not reach the requested state in time".to_owned())),
        };
        let operated = ended.and_then(Result::ok);
        let result = RunResult {
            started_at: Some(began),
            duration_ms: Some(wall().since(began).as_millis()),
            pid: operated.as_ref().and_then(|operated| operated.pid),
            // An exit code marks a failure of the operation itself, which the definition does not retry.
            exit_code: (status == RunStatus::Failed).then_some(1),
            output: operated.map(|operated| operated.output),
            error,
            ..RunResult::new(self.grant.job, self.grant.fence, status)
        };
        self.report(result, None).await;
    }
}
