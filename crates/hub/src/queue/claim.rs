//! A claim: one transaction that locks its holder, chooses within every limit, and turns ready rows into leases.

use std::{
    collections::{BTreeMap, HashSet},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use domain::{
    HolderId, HostId, LaneId, OrgId, Timestamp,
    quota::{Recent, Usage},
    server::ServerOp,
};
use proto::work::Grant;
use store::{
    Tx,
    claim::{Calm, Head, HostOpen, LaneRoom, NewLease, OpenLane, Unchanged, Unseen},
    insert::{Lease, NewJob},
};

use super::{
    definitions::Compiled,
    events::Changes,
    finish,
    floors::{Look, Raised},
    foresight::{Foresight, Left},
    grant::{Begun, grant},
    known::Known,
    limits::{Limits, is_free},
    secrets,
    share::Shares,
    takeover::Turn,
};
use crate::{Error, Hub, Result};

/// The most jobs in one claim.
const ROOM_MAX: u32 = 1_000;
/// From so many jobs on a claim looks for its heads alone.
const LARGE: u32 = 128;

/// Who claims.
#[derive(Debug, Clone)]
pub(crate) enum Claimant {
    /// A host's runner.
    Host(HostId),
    /// A program in another language.
    Worker {
        /// Its id.
        id: HolderId,
        /// Its org.
        org: OrgId,
        /// What it serves.
        queues: Vec<String>,
        /// Its own id for this claim.
        request: Option<String>,
    },
}

impl Claimant {
    pub(crate) fn holder(&self) -> HolderId {
        match self {
            Self::Host(host) => (*host).into(),
            Self::Worker { id, .. } => *id,
        }
    }

    pub(crate) fn host(&self) -> Option<HostId> {
        match self {
            Self::Host(host) => Some(*host),
            Self::Worker { .. } => None,
        }
    }
}

/// What was claimed.
#[derive(Default)]
pub(crate) struct Claimed {
    pub(crate) grants: Vec<Grant>,
    pub(crate) definitions: Vec<Arc<Compiled>>,
    /// What could not begin and was ended at once.
    pub(super) refused: finish::Done,
    /// How long each has waited, and whose it is.
    pub(super) waits: Vec<(OrgId, domain::Span)>,
    /// What was seen of the lanes, and what of that others were told to pass over.
    pub(super) looks: Vec<Look>,
    raised: Option<Raised>,
    /// How the host is left, if that is worth remembering.
    pub(super) known: Option<Known>,
    /// The leases, to be remembered.
    pub(super) leases: Vec<Lease>,
    /// What the host may begin with next.
    pub(super) foresight: Option<Foresight>,
}

/// Claims for a holder, at most `room` jobs.
pub(crate) async fn claim(hub: &Hub, who: Claimant, epoch: i64, room: u32) -> Result<Claimed> {
    let (hub_in, host, begun) = (hub.clone(), who.host(), Begins::default());
    let begins = begun.clone();
    let claimed = hub.store.write(move |tx| {
        Box::pin(async move {
            let claimed = take(&hub_in, tx, &who, epoch, room).await?;
            begins.note(&claimed);
            Ok::<_, Error>(claimed)
        })
    });
    let mut claimed = claimed.await.inspect_err(|error| begun.failed(hub, host, epoch, error))?;
    claimed.tell(hub);
    Ok(claimed)
}

/// Whether a transaction has made leases, for those who do not hear how it ended.
#[derive(Clone, Default)]
pub(super) struct Begins(Arc<AtomicBool>);

impl Begins {
    /// All is said but the commit.
    pub(super) fn note(&self, claimed: &Claimed) {
        self.0.store(!claimed.grants.is_empty(), Ordering::SeqCst);
    }

    /// Nothing was written. Says whether all was said but the commit.
    pub(super) fn clear(&self) -> bool {
        self.0.swap(false, Ordering::SeqCst)
    }

    /// It did not work. If nobody knows whether there are leases now, the session ends: the runner's next inventory says
    /// what it has, and the rest is free again.
    pub(super) fn failed(&self, hub: &Hub, host: Option<HostId>, epoch: i64, error: &Error) {
        if let Some(host) = host
            && self.0.load(Ordering::SeqCst)
            && error.is_unsure()
        {
            hub.queue.board.end_session(host, epoch);
        }
    }
}

impl Claimed {
    /// Counts what was claimed and wakes whoever waits for it, once it is committed.
    pub(super) fn tell(&mut self, hub: &Hub) {
        hub.metrics.note_claim(&self.waits);
        hub.queue.floors.settle(&self.looks, self.raised.take(), hub.now());
        if !self.grants.is_empty() {
            hub.news();
            let now = hub.now();
            for (org, wait) in &self.waits {
                hub.queue.numbers.waited(*org, *wait, now);
                hub.samples.waited(*org, *wait, now);
            }
        }
        if !self.refused.applied.is_empty() {
            self.refused.wake(hub);
        }
    }
}

/// Claims in a transaction that may do more.
pub(super) async fn take(hub: &Hub, tx: &mut Tx<'_>, who: &Claimant, epoch: i64, room: u32) -> Result<Claimed> {
    let now = hub.now();
    let full = hub.queue.floors.full(now);
    let Some(open) = Open::of(hub, tx, who, epoch, (room, Unseen::Full(&full)), now).await? else {
        return Ok(Claimed::default());
    };
    let mut rooms = open.rooms(now);
    if rooms.is_empty() {
        return Ok(Claimed::default());
    }
    // Where there is one writer, nobody claims beside it; and of several lanes more is seen than is taken.
    let is_large = matches!(rooms.as_slice(), [lane] if lane.room >= LARGE);
    let turn = match is_large && hub.store.kind() == store::Kind::Postgres {
        true => Some(hub.queue.floors.turn().await),
        false => None,
    };
    let (heads, mut looks) = heads(hub, tx, &mut rooms).await?;
    let raised = turn.map(|_looked| hub.queue.floors.raise_ahead(hub, &mut looks, hub.now()));
    let mut changes = Changes::default();
    let mut begun = open.begin(hub, tx, heads, (&mut looks, &mut changes), now).await?.unwrap_or_default();
    (begun.claimed.looks, begun.claimed.raised) = (looks, raised);
    changes.write(hub, tx, now).await?;
    begun.claimed.refused = secrets::refuse(hub, tx, who, epoch, begun.refused).await?;
    Ok(begun.claimed)
}

/// The heads of lanes, and what was seen of these. Where there are fewer than was asked for, what stands before the floor
/// counts, too.
async fn heads(hub: &Hub, tx: &mut Tx<'_>, rooms: &mut [LaneRoom]) -> Result<(Vec<Head>, Vec<Look>)> {
    let now = hub.now();
    for lane in rooms.iter_mut() {
        lane.from = hub.queue.floors.of(lane.lane_id, now);
    }
    let mut found = tx.ready_heads(rooms).await?;
    let mut looks = Look::of(rooms, &found);
    if looks.iter().any(Look::has_missed) {
        for (lane, _) in rooms.iter_mut().zip(&looks).filter(|(_, look)| look.has_missed()) {
            lane.from = None;
        }
        found = tx.ready_heads(rooms).await?;
        looks = Look::of(rooms, &found);
    }
    Ok((found, looks))
}

/// Begins jobs that this transaction makes, as far as nothing waits for the holder before them. `None`: they must wait
/// like others. What follows from it is for the caller to write.
pub(super) async fn take_new(
    hub: &Hub,
    tx: &mut Tx<'_>,
    who: &Claimant,
    epoch: i64,
    room: u32,
    jobs: &[&NewJob],
    changes: &mut Changes,
) -> Result<Option<Begun>> {
    let now = hub.now();
    let mut lanes: Vec<LaneId> = jobs.iter().map(|job| job.lane_id).collect();
    lanes.sort();
    lanes.dedup();
    let host = who.host().filter(|_| tx.is_optimistic());
    let open = match host.and_then(|host| hub.queue.board.recall(host, epoch, &lanes, now)) {
        Some(known) => Open::recalled(hub, tx, who, epoch, (room, jobs), known).await?,
        None => Open::of(hub, tx, who, epoch, (room, Unseen::New(&lanes)), now).await?,
    };
    let Some(open) = open.filter(|open| !open.is_waiting) else { return Ok(None) };
    let rooms: HashSet<LaneId> = open.rooms(now).into_iter().map(|lane| lane.lane_id).collect();
    let heads = jobs.iter().filter(|job| rooms.contains(&job.lane_id)).map(|job| Head::new(job)).collect();
    open.begin(hub, tx, heads, (&mut [], changes), now).await
}

/// How it is known what a holder may take.
enum Sight {
    /// It was asked.
    Seen {
        /// What it ran.
        running: i32,
        /// What it had begun lately.
        recent: Recent,
        /// Under which rules.
        rules: i64,
        /// What is known of it from now on, if it has no limit but its places.
        known: Option<Known>,
    },
    /// It was not: how this hub left it.
    Recalled(Known),
}

/// What a holder may take: locked, or made sure of when all is written.
pub(super) struct Open<'a> {
    who: &'a Claimant,
    epoch: i64,
    lanes: Vec<OpenLane>,
    is_waiting: bool,
    is_shared: bool,
    limits: Limits,
    own: Usage,
    sight: Sight,
    turn: Option<Turn<'a>>,
    /// Jobs in all, and those that take a place on the host: what is asked of servers takes none.
    room: u32,
    own_room: u32,
}

impl<'a> Open<'a> {
    async fn of(
        hub: &Hub,
        tx: &mut Tx<'_>,
        who: &'a Claimant,
        epoch: i64,
        (room, unseen): (u32, Unseen<'_>),
        now: Timestamp,
    ) -> Result<Option<Self>> {
        let heard = now - hub.options.lost_after;
        let open = match who {
            Claimant::Host(host) => tx.host_open(*host, epoch, now, heard, unseen).await?,
            Claimant::Worker { id, org, queues, .. } => match tx.holder_lock(*id, epoch, now, heard).await? {
                Some(holder) => {
                    Some(HostOpen { holder, lanes: tx.lanes_of_queues(*org, queues, now).await?, is_waiting: true })
                }
                None => None,
            },
        };
        match open {
            Some(open) => Self::on(hub, tx, who, (epoch, room), open, None, now).await,
            None => Ok(None),
        }
    }

    /// The same for what was seen of the holder.
    pub(super) async fn on(
        hub: &Hub,
        tx: &mut Tx<'_>,
        who: &'a Claimant,
        (epoch, room): (i64, u32),
        HostOpen { mut holder, lanes, is_waiting }: HostOpen,
        turn: Option<Turn<'a>>,
        now: Timestamp,
    ) -> Result<Option<Self>> {
        let is_plain = holder.jobs_per_minute.is_none() && !holder.has_limits && !holder.is_shared;
        let known = is_plain.then(|| Known {
            recent: holder.recent.clone(),
            places: holder.max_running,
            rules: holder.rules,
            open: lanes.iter().map(|lane| lane.lane_id).collect(),
        });
        let rules = holder.rules;
        let sight = Sight::Seen { running: holder.running, recent: holder.recent.clone(), rules, known };
        holder.running -= turn.as_ref().map_or(0, |turn| turn.given.count);
        let own = Usage::of(holder.max_running, holder.jobs_per_minute, holder.running, holder.recent);
        let room = if holder.is_paused { 0 } else { room.min(ROOM_MAX) };
        let own_room = own.room(now).min(room);
        let lanes: Vec<OpenLane> = lanes.into_iter().filter(|lane| is_free(lane) || own_room > 0).collect();
        if room == 0 || lanes.is_empty() {
            return Ok(None);
        }
        let lanes = secrets::startable(hub, tx, lanes).await?;
        if lanes.is_empty() {
            return Ok(None);
        }
        let limits = Limits::lock(hub, tx, &lanes, who.host(), holder.has_limits).await?;
        Ok(Some(Self {
            who,
            epoch,
            lanes,
            is_waiting,
            is_shared: holder.is_shared,
            limits,
            own,
            sight,
            turn,
            room,
            own_room,
        }))
    }

    /// As if a host was found to wait for work, with room and without limits, for jobs that are about to be made. Whoever
    /// writes makes sure of it.
    async fn recalled(
        hub: &Hub,
        tx: &mut Tx<'_>,
        who: &'a Claimant,
        epoch: i64,
        (room, jobs): (u32, &[&NewJob]),
        known: Known,
    ) -> Result<Option<Self>> {
        let mut lanes: BTreeMap<LaneId, OpenLane> = BTreeMap::new();
        for job in jobs {
            // Their key is for limits, and there are none.
            let (org_id, definition_id, limit_key) = (job.org_id, job.definition_id, String::new());
            let lane = OpenLane { lane_id: job.lane_id, org_id, definition_id, limit_key };
            lanes.entry(job.lane_id).or_insert(lane);
        }
        let lanes = secrets::startable(hub, tx, lanes.into_values().collect()).await?;
        let limits = Limits::lock(hub, tx, &lanes, who.host(), false).await?;
        let own = Usage::of(None, None, 0, known.recent.clone());
        let (room, sight) = (room.min(ROOM_MAX), Sight::Recalled(known));
        Ok(Some(Self {
            who,
            epoch,
            lanes,
            is_waiting: false,
            is_shared: false,
            limits,
            own,
            sight,
            turn: None,
            room,
            own_room: room,
        }))
    }

    /// Counts so many for the holder, and sees to it that nothing is written unless things are as they were seen.
    async fn charge(&self, hub: &Hub, tx: &mut Tx<'_>, begin: i32, now: Timestamp) -> Result<()> {
        let (holder, recent) = (self.who.holder(), &self.own.recent);
        let heard = now - hub.options.lost_after;
        let lanes: Vec<LaneId> = self.lanes.iter().map(|lane| lane.lane_id).collect();
        match (&self.sight, self.who.host()) {
            (Sight::Seen { rules, .. }, Some(host)) if let Some(turn) = &self.turn => {
                let version = turn.version.get().ok_or(store::Error::StaleView)?;
                tx.turn_guard(host, self.epoch, &Unchanged { version, heard, rules: *rules, lanes: &lanes })?;
                tx.holder_turn(&turn.given, begin, recent).await?;
            }
            (Sight::Seen { running, recent: before, .. }, _) => {
                tx.holder_guard(holder, self.epoch, *running, before)?;
                tx.holder_charge(holder, begin, recent).await?;
            }
            (Sight::Recalled(known), Some(host)) => {
                let places = known.places.unwrap_or(i32::MAX);
                let calm = Calm { heard, recent: &known.recent, places, rules: known.rules, lanes: &lanes };
                tx.host_begin(host, self.epoch, &calm, begin, recent)?;
            }
            // Nothing is remembered of workers in other languages.
            (Sight::Recalled(_), None) => return Err(store::Error::StaleView.into()),
        }
        Ok(())
    }

    /// How many jobs of each lane may begin, where any may.
    pub(super) fn rooms(&self, now: Timestamp) -> Vec<LaneRoom> {
        let room = |(index, lane): (usize, &OpenLane)| {
            let most = if is_free(lane) { self.room } else { self.own_room };
            LaneRoom::new(lane.lane_id, most.min(self.limits.room(index, now)))
        };
        self.lanes.iter().enumerate().map(room).filter(|lane| lane.room > 0).collect()
    }

    /// Turns as many of these as may begin into leases; `None` if none may.
    pub(super) async fn begin(
        mut self,
        hub: &Hub,
        tx: &mut Tx<'_>,
        heads: Vec<Head>,
        (looks, changes): (&mut [Look], &mut Changes),
        now: Timestamp,
    ) -> Result<Option<Begun>> {
        let (lanes, holder) = (&self.lanes, self.who.holder());
        let shared = self.who.host().filter(|_| self.is_shared);
        let mut shares = match &mut self.turn {
            Some(turn) => Shares::of(std::mem::take(&mut turn.shares), turn.taken, lanes, shared),
            None => Shares::read(tx, lanes, shared).await?,
        };
        let chosen = self.limits.choose_both(&heads, lanes, &mut shares.now, (self.room, self.own_room), now);
        if chosen.is_empty() {
            return Ok(None);
        }
        let mut heads: Vec<Option<Head>> = heads.into_iter().map(Some).collect();
        let lease = |&(index, lane): &(usize, usize)| {
            Some(NewLease {
                head: heads[index].take()?,
                run_id: hub.ids.next(),
                org_id: lanes[lane].org_id,
                definition_id: lanes[lane].definition_id,
                counted: self.limits.counted(lane, shares.charge(lanes[lane].org_id)),
            })
        };
        let mut leases: Vec<NewLease> = chosen.iter().filter_map(lease).collect();
        Look::note(looks, &leases);
        let places = leases.iter().filter(|lease| ServerOp::of_definition(lease.definition_id).is_none()).count();
        let taken = u32::try_from(places).unwrap_or(u32::MAX);
        let jobs = tx.lease_insert(&mut leases, holder, self.epoch, now).await?;
        self.own.take(taken, now);
        self.charge(hub, tx, i32::try_from(taken).unwrap_or(i32::MAX), now).await?;
        self.limits.charge(tx).await?;
        if let Claimant::Worker { id, request, .. } = self.who {
            tx.worker_request(*id, request.as_deref(), now).await?;
        }
        shares.write(tx).await?;
        let held: Vec<Lease> = leases.iter().map(|lease| lease.held(holder, self.epoch, now)).collect();
        let mut begun = grant(hub, tx, self.who, leases, jobs, changes, now).await?;
        let known = match self.sight {
            Sight::Recalled(known) => Some(known),
            Sight::Seen { known, .. } => known,
        };
        begun.left = self.turn.map(|turn| Left {
            more: i32::try_from(taken).unwrap_or(i32::MAX) - turn.given.count,
            recent: self.own.recent.clone(),
            shares: shares.now,
        });
        begun.claimed.known = known.map(|known| Known { recent: self.own.recent, ..known });
        begun.claimed.leases = held;
        Ok(Some(begun))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queue::test_support::TestQueue;

    /// A claim of so many that is left undone.
    async fn undone(fixture: &TestQueue, (host, epoch): (HostId, i64), room: u32) {
        let hub = fixture.hub.clone();
        let failed = fixture.hub.store.write(move |tx| {
            Box::pin(async move {
                let claimed = take(&hub, tx, &Claimant::Host(host), epoch, room).await?;
                assert_eq!(claimed.grants.len(), room as usize);
                // Somebody who claims beside it begins behind what it has locked.
                let lane = claimed.leases[0].lane_id;
                let from = hub.queue.floors.of(lane, hub.now());
                assert_eq!(from.is_some(), hub.store.kind() == store::Kind::Postgres);
                Err::<(), _>(Error::internal(anyhow::anyhow!("nothing comes of it")))
            })
        });
        failed.await.expect_err("is undone");
    }

    testkit::db_test!(who_claims_beside_a_large_claim_begins_behind_it, |db| async move {
        let fixture = TestQueue::new(db, 1).await;
        let (one, two) = (fixture.another("web-2", 1_000).await, fixture.another("web-3", 1_000).await);
        fixture.enqueue(fixture.acme, 600).await;
        undone(&fixture, one, 200).await;
        let claims = async |(host, epoch): (HostId, i64), room: u32| {
            claim(&fixture.hub, Claimant::Host(host), epoch, room).await.expect("claims")
        };
        let first = claims(one, 200).await;
        let lane = first.leases[0].lane_id;
        let mut all = fixture.held(one.0).await;
        assert_eq!(all.len(), 200);
        let spots = |leases: &[Lease]| leases.iter().map(|lease| lease.job_id).max();
        let (a, b) = tokio::join!(claims(one, 150), claims(two, 150));
        assert_eq!((a.grants.len(), b.grants.len()), (150, 150));
        assert!(spots(&first.leases) < spots(&a.leases), "in the order of the lane");
        // The last ones are found also by those who ask for more.
        let rest = claims(two, 500).await;
        assert_eq!(rest.grants.len(), 100, "also what was passed over");
        assert_eq!(fixture.hub.queue.floors.of(lane, fixture.hub.now()), None, "there is nothing left");
        all.extend([a.leases, b.leases, rest.leases].into_iter().flatten());
        let jobs: HashSet<_> = all.iter().map(|lease| lease.job_id).collect();
        assert_eq!(jobs.len(), 600, "each once, those of the claim that was undone too");
    });
}
