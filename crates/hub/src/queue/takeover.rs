//! What a host begins with in place of runs that have ended there, without a lock: what was seen or remembered is made sure of when
//! all is written.

use std::collections::BTreeMap;

use domain::{HostId, LaneId, OrgId, claim::Share};
use store::{
    Tx, Version,
    claim::{Holder, LaneRoom},
    holder::GivenBack,
};

use super::{
    claim::{Claimant, Open},
    events::Changes,
    foresight::{AHEAD, Foresight},
    grant::Begun,
    share::Taken,
    turn::HEADS_MAX,
};
use crate::{Hub, Result};

/// For so long a host's jobs are not looked at ahead if they are too large to be remembered.
const HEAVY_FOR: domain::Span = domain::Span::from_secs(10);

/// What ends on a host with the transaction in which it begins with something else.
pub(super) struct Turn<'a> {
    pub(super) given: GivenBack,
    pub(super) taken: &'a Taken,
    /// Which version of the holder was seen.
    pub(super) version: Version,
    /// What orgs have used of it, before that.
    pub(super) shares: BTreeMap<OrgId, Share>,
}

/// A host, and how many jobs it takes.
#[derive(Clone, Copy)]
pub(super) struct Taker<'a> {
    pub(super) host: HostId,
    pub(super) epoch: i64,
    pub(super) room: u32,
    pub(super) lanes: &'a [LaneId],
}

/// Claims for a host some of whose runs end with it. `None` if nothing begins: then it is for the caller to write what was given
/// back. What else follows is, too.
pub(super) async fn take_over(
    hub: &Hub,
    tx: &mut Tx<'_>,
    taker: Taker<'_>,
    (given, taken): (GivenBack, &Taken),
    foreseen: Option<Foresight>,
    changes: &mut Changes,
) -> Result<Option<Begun>> {
    let Taker { host, epoch, room, .. } = taker;
    let now = hub.now();
    let (sight, from) = match foreseen {
        Some(foreseen) => (foreseen, None),
        None => {
            let (sight, from) = look(hub, tx, taker).await?;
            (sight, Some(from))
        }
    };
    // Limits are locked; and what was charged to orgs that no longer share the host is settled where it stands.
    let Holder { has_limits, is_shared, .. } = sight.holder;
    if has_limits || !is_shared && !taken.is_empty() {
        return Err(store::Error::StaleView.into());
    }
    let who = Claimant::Host(host);
    let turn = Turn { given, taken, version: sight.version.clone(), shares: sight.shares.clone() };
    let Some(open) = Open::on(hub, tx, &who, (epoch, room), sight.open(), Some(turn), now).await? else {
        return Ok(None);
    };
    let rooms = open.rooms(now);
    let heads = sight.heads(&rooms);
    let mut looks = match from {
        Some(from) => sight.looks(&rooms, &from),
        None => sight.looks_foreseen(),
    };
    let Some(mut begun) = open.begin(hub, tx, heads, (&mut looks, changes), now).await? else { return Ok(None) };
    begun.claimed.looks = looks;
    if sight.is_heavy() {
        hub.queue.board.look_until(host, epoch, now + HEAVY_FOR);
    } else if let Some(left) = begun.left.take()
        && hub.queue.board.looks_ahead(host, epoch, now)
    {
        let version = Version::default();
        tx.version_into(&version);
        begun.claimed.foresight = Some(sight.after(left, &begun.claimed.leases, version));
    }
    Ok(Some(begun))
}

/// Looks at a host, from where its lanes were left; says which of them were looked at from there.
async fn look(hub: &Hub, tx: &mut Tx<'_>, taker: Taker<'_>) -> Result<(Foresight, Vec<LaneRoom>)> {
    let Taker { host, epoch, room, lanes } = taker;
    let now = hub.now();
    // One more than can be taken of each lane: one that holds no more than that is left empty, and has no floor.
    let (times, least) = ((now, now - hub.options.lost_after), room.saturating_add(1));
    let most = u32::try_from(HEADS_MAX / lanes.len().max(1)).unwrap_or(u32::MAX);
    let is_ahead = hub.queue.board.looks_ahead(host, epoch, now);
    let asked = if is_ahead { least.saturating_add(AHEAD).min(most).max(least) } else { least };
    let from = |lane: &LaneId| LaneRoom { from: hub.queue.floors.of(*lane, now), ..LaneRoom::new(*lane, asked) };
    let mut from: Vec<LaneRoom> = lanes.iter().map(from).filter(|lane| lane.from.is_some()).collect();
    let mut is_first = true;
    loop {
        let look = tx.turn_look(host, epoch, times, asked, &from).await?.ok_or(store::Error::StaleView)?;
        // Whoever came to an empty lane meanwhile would wait for the rest of this turn and for the next.
        if std::mem::take(&mut is_first) && hub.queue.board.has_come_beside(host, epoch, &look.open.lanes) {
            continue;
        }
        let seen = |lane: &LaneRoom| look.heads.iter().filter(|head| head.lane_id == lane.lane_id).count();
        if from.iter().all(|lane| seen(lane) >= least as usize) {
            return Ok((Foresight::of(look, asked, &from, now), from));
        }
        // Something may have come before where a lane was left. Rare: once more, from the start of each.
        let empty = from.iter().filter(|lane| seen(lane) == 0);
        empty.for_each(|lane| hub.queue.floors.lower(lane.lane_id));
        from.clear();
    }
}
