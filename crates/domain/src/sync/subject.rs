//! The thing that a replicated row is about. Its owner may write the row; the store compares the owner with the sender.

use super::{
    doc::{Doc, StoredDoc, fire_of_id, outage_of_id, server_run_of_id},
    frame::Row,
    tables::{DEFINITION, FIRE, JOB, LOG, OUTAGE, RUN, SERVER, SERVER_RUN, TRIGGER},
};
use crate::{DefinitionId, JobId, RunId, ServerId, TriggerId};

/// The subject of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowSubject {
    /// A definition. A hub has one of its own for each definition that is built in, so a host's row with that id is
    /// accepted and changes nothing.
    Definition(DefinitionId),
    Job(JobId),
    Trigger(TriggerId),
    /// A fire of a trigger, with the number of its host.
    Fire(TriggerId, i32),
    Server(ServerId),
    /// The sender itself: outages and output are stored under its id.
    Sender,
}

impl<B> Row<B> {
    /// The thing that the row is about, read from its table and id only, so that it is the same for a row and for its
    /// deletion. `None` for an unknown table or an id that is not one of its table.
    #[must_use]
    pub fn subject(&self) -> Option<RowSubject> {
        let (table, id) = (self.table.as_ref(), self.id.as_str());
        let head = || id.split_once(':').map(|(head, _)| head);
        if table == JOB.name {
            id.parse().ok().map(RowSubject::Job)
        } else if table == RUN.name {
            head()?.parse().ok().map(RowSubject::Job)
        } else if table == DEFINITION.name {
            id.parse().ok().map(RowSubject::Definition)
        } else if table == TRIGGER.name {
            id.parse().ok().map(RowSubject::Trigger)
        } else if table == FIRE.name {
            fire_of_id(id).map(|(trigger, _, ordinal)| RowSubject::Fire(trigger, ordinal))
        } else if table == SERVER.name {
            id.parse().ok().map(RowSubject::Server)
        } else if table == SERVER_RUN.name {
            server_run_of_id(id).map(|(server, _)| RowSubject::Server(server))
        } else if table == OUTAGE.name {
            outage_of_id(id).map(|_| RowSubject::Sender)
        } else if table == LOG.name {
            head()?.parse::<RunId>().ok().map(|_| RowSubject::Sender)
        } else {
            None
        }
    }
}

impl Row<StoredDoc> {
    /// The jobs that the row is about or refers to. A fire with the id of a job of others would show that job in the
    /// history of its trigger.
    pub fn jobs(&self) -> impl Iterator<Item = JobId> {
        let own = match self.subject() {
            Some(RowSubject::Job(job)) => Some(job),
            _ => None,
        };
        let of_fire = match &self.body.doc {
            Doc::Fire(doc) => doc.job,
            _ => None,
        };
        own.into_iter().chain(of_fire)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::sync::{
        Mark, Version,
        frame::SyncError,
        tables::{SCHEMA, TABLES},
    };

    const ID: &str = "01HZ0000000000000000000000";

    fn deletion(table: &'static str, id: &str, body: serde_json::Value) -> Row<StoredDoc> {
        let version = Version { epoch: 1, seq: 1 };
        let (table, id) = (table.into(), id.to_owned());
        Row { table, id, version, mark: Mark(1), is_deleted: true, body }.read(SCHEMA)
    }

    #[test]
    fn every_table_has_ids_with_a_subject() {
        for table in TABLES {
            let ids = [ID.to_owned(), format!("{ID}:1"), format!("{ID}:1:2"), "suspended:1".to_owned()];
            let is_known = ids.iter().any(|id| deletion(table.name, id, json!(null)).subject().is_some());
            assert!(is_known, "{}", table.name);
            assert_eq!(deletion(table.name, "x", json!(null)).subject(), None, "{}", table.name);
        }
    }

    #[test]
    fn a_deletion_has_an_id_of_its_table_and_no_content() {
        assert_eq!(deletion("job", ID, json!(null)).check(), Ok(()));
        for (table, id, body) in [
            ("job", ID, json!({"x": 1})),
            ("job", ID, json!("x")),
            ("job", "x", json!(null)),
            ("run", ID, json!(null)),
            ("fire", ID, json!(null)),
        ] {
            assert_eq!(deletion(table, id, body.clone()).check(), Err(SyncError::Rejected), "{table} {id} {body}");
        }
    }

    #[test]
    fn a_deep_row_is_rejected_without_its_content() {
        let mut deep = json!({});
        (0..200).for_each(|_| deep = json!({"a": deep}));
        let row = deletion("job", ID, deep);
        assert_eq!(row.check(), Err(SyncError::TooDeep));
        assert_eq!(serde_json::to_value(&row.body).expect("serializes"), json!(null));
    }
}
