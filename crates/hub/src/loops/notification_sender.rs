//! Sends notifications from the outbox to their channels, with retries for up to a day.

use std::sync::Arc;

use domain::{Span, Timestamp, alert::Severity, backoff::Backoff, channel::Channel, time::replace_times};
use notify::{Failure, Notice as Outgoing, NoticeState};
use runtime::{Next, Pass, Task};
use serde_json::{Value, json};
use store::{
    channel::Channel as Row,
    notice::{Notice, NotificationState},
};

use crate::{
    Error, Hub,
    alerts::notify::{ChannelBody, words},
    vault::Purpose,
};

/// Notifications sent concurrently.
const BATCH: u32 = 20;
/// Time for which a notification is reserved while it is sent. If the hub is killed, another hub sends it afterwards.
const TAKEN_FOR: Span = Span::from_secs(60);
/// Age at which an unsent notification is dropped.
const GIVE_UP_AFTER: Span = Span::from_secs(86_400);
/// Longest retry delay.
const PAUSE_MAX: Span = Span::from_secs(1_800);
const PAUSES: Backoff = Backoff { first: Span::from_secs(20), cap: PAUSE_MAX };
/// Shortest retry delay.
const PAUSE_MIN: Span = Span::from_secs(1);
/// Delay of a notification to a channel that has reached its daily cap.
const OVER_CAP: Span = Span::from_secs(3_600);

/// Sends due notifications.
pub struct NotificationSender {
    hub: Hub,
}

impl NotificationSender {
    /// Creates the loop of this hub.
    #[must_use]
    pub fn new(hub: Hub) -> Self {
        Self { hub }
    }
}

impl Task for NotificationSender {
    const NAME: &'static str = "notification_sender";

    async fn pass(&mut self, cx: Pass) -> anyhow::Result<Next> {
        let now = cx.now;
        let taken = self.hub.store.write(move |tx| {
            Box::pin(async move {
                let taken = tx.notice_take(now, now + TAKEN_FOR, BATCH).await?;
                Ok::<_, Error>((taken, tx.notice_next().await?))
            })
        });
        let (taken, next) = taken.await?;
        let count = taken.len();
        // Concurrently, so that a channel that hangs delays only its own notification.
        let sent = taken.into_iter().map(|notice| {
            let hub = self.hub.clone();
            async move { deliver(&hub, notice, now).await }
        });
        for result in futures_util::future::join_all(sent).await {
            result?;
        }
        if count == BATCH as usize {
            return Ok(Next::Again);
        }
        Ok(next.filter(|next| *next < now + Span::from_secs(5)).map_or(Next::Wait, Next::At))
    }
}

/// Decision about a reserved notification.
enum Ready {
    Send(Box<Delivery>),
    Later(Timestamp, String),
    GiveUp(String),
}

/// The channel of a notification, with the slug and the time zone of its org.
struct Delivery {
    channel: Channel,
    body: ChannelBody,
    slug: String,
    zone: String,
}

async fn deliver(hub: &Hub, notice: Notice, now: Timestamp) -> Result<(), Error> {
    let delivery = match ready(hub, &notice, now).await? {
        Ready::Send(delivery) => delivery,
        Ready::Later(at, why) => {
            // Postponing does not count as an attempt.
            let tries = notice.tries - 1;
            return write(hub, move |tx| {
                Box::pin(async move { Ok(tx.notice_later(notice.id, at, &why, tries, now).await?) })
            })
            .await;
        }
        Ready::GiveUp(why) => {
            return write(hub, move |tx| Box::pin(async move { Ok(tx.notice_give_up(notice.id, &why, now).await?) }))
                .await;
        }
    };
    let outgoing = outgoing(hub, &notice, &delivery);
    let sent = match hub.sender() {
        Ok(sender) => sender.send(&delivery.channel, &outgoing, delivery.body.template.as_deref()).await.map(drop),
        Err(error) => Err(Failure { text: error.to_string(), is_final: false, retry_after: None }),
    };
    let random = hub.random.unit();
    write(hub, move |tx| {
        Box::pin(async move {
            match sent {
                Ok(()) => {
                    tx.notice_sent(notice.id, now).await?;
                    tx.channel_ok(notice.channel_id, now).await?;
                }
                Err(failure) => {
                    tx.channel_failed(notice.channel_id, &failure.text, now).await?;
                    match again(&notice, &failure, random, now) {
                        Some(at) => tx.notice_later(notice.id, at, &failure.text, notice.tries, now).await?,
                        None => tx.notice_give_up(notice.id, &failure.text, now).await?,
                    }
                }
            }
            Ok(())
        })
    })
    .await
}

async fn write(hub: &Hub, work: impl store::Work<(), Error>) -> Result<(), Error> {
    hub.store.write(work).await
}

/// Time of the next attempt after a failure; `None` = give up.
fn again(notice: &Notice, failure: &Failure, random: f64, now: Timestamp) -> Option<Timestamp> {
    if now.since(notice.created_at) > GIVE_UP_AFTER {
        return None;
    }
    // A permanent failure, such as a wrong password, can be repaired by a person: retry, with the longest delay.
    if failure.is_final {
        return Some(now + PAUSE_MAX);
    }
    let tries = u32::try_from(notice.tries.max(1) - 1).unwrap_or(0);
    let asked = failure.retry_after.map(|wait| Span::from_millis(i64::try_from(wait.as_millis()).unwrap_or(0)));
    Some(now + asked.unwrap_or_else(|| PAUSES.delay(tries, random)).max(PAUSE_MIN))
}

async fn ready(hub: &Hub, notice: &Notice, now: Timestamp) -> Result<Ready, Error> {
    let (hub_in, id, org) = (hub.clone(), notice.channel_id, notice.org_id);
    let read = hub.store.read(move |tx| {
        Box::pin(async move {
            let row: Option<Row> = tx.channel_anywhere(id).await?;
            let sent = tx.notice_sent_since(id, now - Span::from_secs(86_400)).await?;
            let (slug, zone) = tx.org_get(org).await?.map(|org| (org.slug, org.timezone)).unwrap_or_default();
            let opened = match &row {
                Some(row) => {
                    Some(hub_in.vault.key(tx).await.and_then(|key| key.open(Purpose::Channel(org, id), &row.sealed)))
                }
                None => None,
            };
            Ok::<_, Error>((row, sent, (slug, zone), opened))
        })
    });
    let (row, sent, (slug, zone), opened) = read.await?;
    let (Some(row), Some(opened)) = (row, opened) else { return Ok(Ready::GiveUp("the channel was removed".into())) };
    if !row.is_enabled {
        return Ok(Ready::GiveUp("the channel is disabled".to_owned()));
    }
    let body: ChannelBody = serde_json::from_value(row.body).unwrap_or_default();
    if notice.severity < Severity::Critical
        && let Some(end) = body.quiet_hours.as_ref().and_then(|hours| hours.end(now))
    {
        return Ok(Ready::Later(end, "waiting for the end of the quiet hours".to_owned()));
    }
    if let Some(cap) = body.per_day.filter(|cap| sent >= i64::from(*cap)) {
        return Ok(Ready::Later(now + OVER_CAP, format!("the channel has reached its limit of {cap} per day")));
    }
    let channel = opened.and_then(|plain| serde_json::from_slice::<Channel>(&plain).map_err(Error::internal));
    Ok(match channel {
        Ok(channel) => Ready::Send(Box::new(Delivery { channel, body, slug, zone })),
        Err(error) => Ready::Later(now + PAUSE_MAX, error.to_string()),
    })
}

/// The notification in the format of the sender, with its times in the time zone of the org.
fn outgoing(hub: &Hub, notice: &Notice, delivery: &Delivery) -> Outgoing {
    let (title, text, subject) = words(notice);
    let local = |text: &str| replace_times(text, |at| at.format_in(&delivery.zone));
    let state = match notice.state {
        NotificationState::Resolved => NoticeState::Resolved,
        NotificationState::Reminder => NoticeState::Reminder,
        NotificationState::Raised if notice.count > 1 => NoticeState::Grouped,
        NotificationState::Raised => NoticeState::Raised,
    };
    Outgoing {
        id: notice.id.to_string(),
        org: delivery.slug.clone(),
        kind: notice.kind.to_string(),
        severity: notice.severity.to_string(),
        state,
        title: local(&title),
        text: local(&text),
        subject,
        url: Some(format!("{}/alerts", hub.options.public_url)),
        at: notice.created_at,
        count: u32::try_from(notice.count).unwrap_or(1),
        fields: json!({"alerts": named(&notice.items)}),
    }
}

/// The alerts that a notification lists by name.
fn named(items: &Value) -> Vec<&Value> {
    items.as_array().into_iter().flatten().filter(|item| item.get("text").is_some()).collect()
}

impl Hub {
    /// The sender of notifications, built on first use.
    pub(crate) fn sender(&self) -> Result<Arc<notify::Sender>, Error> {
        if let Some(sender) = self.sender.get() {
            return Ok(sender.clone());
        }
        let clock = self.clock.clone();
        let built = notify::Sender::builder(move || clock.now()).allow(self.options.notify_allow.clone()).build();
        let sender = Arc::new(built.map_err(Error::internal)?);
        Ok(self.sender.get_or_init(|| sender).clone())
    }
}
