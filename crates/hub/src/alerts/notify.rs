//! Queues notifications to channels: rows in the outbox, inserted in the transaction that changes the alerts.
//!
//! The `NotificationSender` loop sends them. A crash in between neither loses a notification nor sends one for an alert
//! that was not written.

use std::collections::HashSet;

use domain::{
    AlertId, OrgId, Span, Timestamp,
    alert::{AlertKind, ChannelFilter, QuietHours, Severity},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::{
    Tx,
    alert::Alert,
    notice::{Notice, NoticeStatus, NotificationState},
};

use crate::{Hub, Result};

pub(crate) const CHANNELS_MAX: u32 = 100;
/// Alerts that one notification lists by name. Of the others it contains the ids and the count.
const NAMED_MAX: usize = 50;
/// Alerts whose ids one notification contains.
const KEPT_MAX: usize = 20_000;

/// Stored settings of a channel: which alerts it receives, its quiet hours, daily cap and template.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ChannelBody {
    #[serde(default, flatten)]
    pub(crate) wants: ChannelFilter,
    #[serde(default)]
    pub(crate) quiet_hours: Option<QuietHours>,
    #[serde(default)]
    pub(crate) per_day: Option<u32>,
    #[serde(default)]
    pub(crate) template: Option<String>,
}

/// JSON items for alerts that join a notification with `before` items.
fn items(before: usize, alerts: &[Alert]) -> Vec<Value> {
    let bare = |alert: &Alert| json!({"id": alert.id});
    let numbered = alerts.iter().enumerate().take(KEPT_MAX.saturating_sub(before));
    numbered.map(|(number, alert)| if before + number < NAMED_MAX { item(alert) } else { bare(alert) }).collect()
}

/// JSON item of an alert that is listed by name.
fn item(alert: &Alert) -> Value {
    json!({
        "id": alert.id, "subject": alert.subject_name, "text": alert.text, "since": alert.since_at,
        "reason": alert.resolved_reason,
    })
}

/// Queues a notification about alerts of one kind for every channel that wants it. A notification that is still unsent
/// takes the alerts in, so that 200 offline hosts become one message.
pub(crate) async fn queue(
    hub: &Hub,
    tx: &mut Tx<'_>,
    (org, kind, state): (OrgId, AlertKind, NotificationState),
    alerts: &[Alert],
    now: Timestamp,
) -> Result<()> {
    let Some(severity) = alerts.iter().map(|alert| alert.severity).max() else { return Ok(()) };
    for channel in tx.channel_list(org, CHANNELS_MAX).await? {
        let body: ChannelBody = serde_json::from_value(channel.body).unwrap_or_default();
        if !channel.is_enabled || !body.wants.matches(kind, severity) {
            continue;
        }
        match tx.notice_open(channel.id, kind, state).await? {
            Some(mut open) => {
                let mut all = open.items.as_array().cloned().unwrap_or_default();
                all.extend(items(all.len(), alerts));
                (open.items, open.severity) = (Value::Array(all), open.severity.max(severity));
                open.count = open.count.saturating_add(i32::try_from(alerts.len()).unwrap_or(i32::MAX));
                tx.notice_fill(&open, now).await?;
            }
            None => {
                let notice = Notice {
                    id: hub.ids.next(),
                    org_id: org,
                    channel_id: channel.id,
                    kind,
                    state,
                    severity,
                    items: Value::Array(items(0, alerts)),
                    count: i32::try_from(alerts.len()).unwrap_or(i32::MAX),
                    status: NoticeStatus::Due,
                    due_at: now + wait(hub, severity),
                    tries: 0,
                    last_error: None,
                    sent_at: None,
                    created_at: now,
                    updated_at: now,
                };
                tx.notice_insert(&notice).await?;
            }
        }
    }
    Ok(())
}

/// Delay before a notification is sent, in which further alerts can join it. Critical ones wait a third of it.
fn wait(hub: &Hub, severity: Severity) -> Span {
    let usual = hub.options.group_wait;
    if severity == Severity::Critical { Span::from_millis(usual.as_millis() / 3) } else { usual }
}

/// Removes resolved alerts from unsent notifications. Returns the alerts whose raise will now never be sent: their
/// "resolved" notification must not be sent either.
pub(crate) async fn unqueue(
    tx: &mut Tx<'_>,
    org: OrgId,
    kind: AlertKind,
    over: &[AlertId],
    now: Timestamp,
) -> Result<HashSet<AlertId>> {
    let (over, mut not_notified): (HashSet<&AlertId>, _) = (over.iter().collect(), HashSet::new());
    for mut notice in tx.notice_open_kind(org, kind).await? {
        if notice.state == NotificationState::Resolved {
            continue;
        }
        let before = notice.items.as_array().cloned().unwrap_or_default();
        let (gone, kept): (Vec<Value>, Vec<Value>) = before.into_iter().partition(|item| {
            let id: Option<AlertId> = item["id"].as_str().and_then(|text| text.parse().ok());
            id.is_some_and(|id| over.contains(&id))
        });
        if gone.is_empty() {
            continue;
        }
        if notice.state == NotificationState::Raised {
            not_notified.extend(gone.iter().filter_map(|item| item["id"].as_str()?.parse::<AlertId>().ok()));
        }
        notice.count = notice.count.saturating_sub(i32::try_from(gone.len()).unwrap_or(0)).max(0);
        if notice.count == 0 {
            notice.status = NoticeStatus::Dropped;
        }
        notice.items = Value::Array(kept);
        tx.notice_fill(&notice, now).await?;
    }
    Ok(not_notified)
}

/// Title, text and subject of a notification.
pub(crate) fn words(notice: &Notice) -> (String, String, String) {
    let items = notice.items.as_array().map(Vec::as_slice).unwrap_or_default();
    let field = |item: &Value, name: &str| item[name].as_str().unwrap_or_default().to_owned();
    let kind = notice.kind.as_str().replace('_', " ");
    let verb = match notice.state {
        NotificationState::Raised => "",
        NotificationState::Reminder => "reminder: ",
        NotificationState::Resolved => "resolved: ",
    };
    if let ([one], 1) = (items, notice.count) {
        let subject = field(one, "subject");
        let text = match notice.state {
            NotificationState::Resolved => format!("{} ({})", field(one, "reason"), field(one, "text")),
            NotificationState::Raised | NotificationState::Reminder => field(one, "text"),
        };
        return (format!("{verb}{kind}: {subject}"), text, subject);
    }
    let names: Vec<String> = items.iter().map(|item| field(item, "subject")).filter(|name| !name.is_empty()).collect();
    let more = usize::try_from(notice.count).unwrap_or(0).saturating_sub(names.len());
    let others = if more > 0 { format!(" and {more} more") } else { String::new() };
    let text = format!("{}{others}", names.join(", "));
    (format!("{verb}{kind}: {} alerts", notice.count), text, format!("{} × {kind}", notice.count))
}
