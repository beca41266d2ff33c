//! Simulated runners that start no processes: their jobs end immediately or after a delay.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::Ordering,
        mpsc::{Receiver, RecvTimeoutError, Sender},
    },
    time::{Duration, Instant},
};

use domain::{JobId, OrgId, job::RunStatus};
use proto::{
    link::ToHub,
    work::{Inventory, Results, RunResult},
};
use runner::{
    EngineChannel,
    channel::{HubMessage, Outgoing},
};
use runtime::Random;
use tokio::sync::mpsc;

use super::counters::QueueCounters;

/// A runner whose jobs succeed immediately.
pub(super) async fn idle(channel: EngineChannel, slots: u64, counters: Arc<QueueCounters>, own: OrgId) {
    let EngineChannel { mut from_link, to_link, .. } = channel;
    let (mut epoch, mut taken, mut number, mut settled) = (0, 0, 0, 0);
    let send = |to_link: mpsc::Sender<Outgoing>, epoch, frame| async move {
        to_link.send(Outgoing { epoch, frame }).await.is_ok()
    };
    while let Some(message) = from_link.recv().await {
        let is_sent = match message {
            HubMessage::Begun { epoch: begun, .. } => {
                (epoch, taken) = (begun, 0);
                send(to_link.clone(), epoch, ToHub::Inventory(Inventory { runs: Vec::new() })).await
            }
            HubMessage::Verdicts(_) => send(to_link.clone(), epoch, ToHub::Credit { limit: taken + slots }).await,
            HubMessage::Grants(grants) => {
                let count = grants.grants.len() as u64;
                let after = number;
                (taken, number) = (taken + count, number + i64::try_from(count).unwrap_or(0));
                counters.count_grants(&grants.grants, own);
                let results: Vec<RunResult> =
                    grants.grants.iter().map(|grant| succeeded(grant.job, grant.fence)).collect();
                let frame = Results { after, through: number, results, credit: Some(taken + slots) };
                send(to_link.clone(), epoch, ToHub::Results(frame)).await
            }
            HubMessage::Settled { through } => {
                // `through` counts all settled results of this runner, so the difference is the number of new ones.
                counters.settled.fetch_add(u64::try_from(through - settled).unwrap_or(0), Ordering::SeqCst);
                settled = through;
                counters.changed.notify_one();
                true
            }
            _ => true,
        };
        if !is_sent {
            return;
        }
    }
}

/// A runner whose jobs take `length` on average. Durations vary, so that slots do not all become free at the same time.
pub(super) async fn slow(
    channel: EngineChannel,
    slots: u64,
    length: Duration,
    counters: Arc<QueueCounters>,
    own: OrgId,
) {
    let EngineChannel { mut from_link, to_link, .. } = channel;
    let (begin, mut ended) = run_timer();
    let (mut epoch, mut finished, mut number) = (0, 0, 0);
    loop {
        let frame = tokio::select! {
            message = from_link.recv() => match message {
                None => return,
                Some(HubMessage::Begun { epoch: begun, .. }) => {
                    (epoch, finished) = (begun, 0);
                    ToHub::Inventory(Inventory { runs: Vec::new() })
                }
                Some(HubMessage::Verdicts(_)) => ToHub::Credit { limit: slots },
                Some(HubMessage::Grants(grants)) => {
                    counters.count_grants(&grants.grants, own);
                    for grant in grants.grants {
                        let end = Instant::now() + length.mul_f64(0.5 + Random.unit());
                        let _ = begin.send((end, succeeded(grant.job, grant.fence)));
                    }
                    continue;
                }
                Some(_) => continue,
            },
            Some(results) = ended.recv() => {
                let count = results.len() as u64;
                let after = number;
                (finished, number) = (finished + count, number + i64::try_from(count).unwrap_or(0));
                ToHub::Results(Results { after, through: number, results, credit: Some(finished + slots) })
            }
        };
        if to_link.send(Outgoing { epoch, frame }).await.is_err() {
            return;
        }
    }
}

/// A thread that receives runs with their end times and sends back the ended ones. Task timers have a resolution of one
/// millisecond, so short runs would all end together at a tick.
fn run_timer() -> (Sender<(Instant, RunResult)>, mpsc::UnboundedReceiver<Vec<RunResult>>) {
    let ((begin, begun), (end, ended)) = (std::sync::mpsc::channel(), mpsc::unbounded_channel());
    std::thread::spawn(move || {
        let mut running = Running::new();
        while await_next(&begun, &mut running).is_some() {
            let later = running.split_off(&(Instant::now(), JobId::from_bytes([0; 16])));
            let results: Vec<RunResult> = std::mem::replace(&mut running, later).into_values().collect();
            if !results.is_empty() && end.send(results).is_err() {
                return;
            }
        }
    });
    (begin, ended)
}

type Running = BTreeMap<(Instant, JobId), RunResult>;

/// Waits until a run is received or the first one ends; `None` if the sender is gone.
fn await_next(begun: &Receiver<(Instant, RunResult)>, running: &mut Running) -> Option<()> {
    let next = match running.first_key_value() {
        Some(((end, _), _)) => begun.recv_timeout(end.saturating_duration_since(Instant::now())),
        None => begun.recv().map_err(|_| RecvTimeoutError::Disconnected),
    };
    match next {
        Ok((end, result)) => {
            running.insert((end, result.job), result);
        }
        Err(RecvTimeoutError::Timeout) => {}
        Err(RecvTimeoutError::Disconnected) => return None,
    }
    Some(())
}

fn succeeded(job: JobId, fence: i32) -> RunResult {
    RunResult { duration_ms: Some(0), exit_code: Some(0), ..RunResult::new(job, fence, RunStatus::Succeeded) }
}
