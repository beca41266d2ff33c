//! A host that waits for work while nothing waits for it, on PostgreSQL: whoever remembers how it was left need not look before a
//! job begins there. One number stands for everything that could forbid it.

use domain::{HostId, LaneId, Timestamp, quota::Recent};

use crate::{Result, Tx, columns::ids, value::Db};

/// What is taken for granted of a host that waits for work, besides that nothing waits for it.
#[derive(Debug, Clone, Copy)]
pub struct Calm<'a> {
    /// It was heard from since then.
    pub heard: Timestamp,
    /// What had begun there lately.
    pub recent: &'a Recent,
    /// So many may run.
    pub places: i32,
    /// No limit, pause, share or switch has changed since this was seen.
    pub rules: i64,
    /// All of them are its own.
    pub lanes: &'a [LaneId],
}

statements! {
    // For those who did not even look: counts what begins if nothing waits for the host, and all else is as it was left.
    HOST_BEGIN = pair(
        "select 1",
        concat!(
            "update holder set running = running + $3, recent = $4
            where id = $1 and epoch = $2 and recent = $5 and running + $3 <= $6 and ",
            is_attended!("$7"),
            " and ",
            is_under_rules!("$8"),
            " and (
                    select count(*) filter (where l.lane_id = any ($9::uuid[])) = cardinality($9::uuid[])
                        and count(*) filter (where ",
            has_ready!("l.lane_id"),
            ") = 0
                    from host_lane l where l.host_id = $1)
            returning 1"
        )
    );
}

impl Tx<'_> {
    /// Counts what begins on a host of which only is remembered how it was: if that is not so any more, or if something waits
    /// for it, nothing of all this is written. Only where nothing was asked of it.
    pub fn host_begin(&mut self, host: HostId, epoch: i64, calm: &Calm<'_>, begin: i32, recent: &Recent) -> Result<()> {
        self.deferred.begin(&HOST_BEGIN, Some(0));
        self.deferred.bind(Db(host))?;
        self.deferred.bind(epoch)?;
        self.deferred.bind(begin)?;
        self.deferred.bind(Db(recent.clone()))?;
        self.deferred.bind(Db(calm.recent.clone()))?;
        self.deferred.bind(calm.places)?;
        self.deferred.bind(Db(calm.heard))?;
        self.deferred.bind(calm.rules)?;
        self.deferred.bind(ids(calm.lanes, |id| *id))?;
        self.deferred.expect_rows(1)
    }
}
