//! Every frame that a runner can send, in every hostile variant: the victim's rows stay as they are, the hub stays ready,
//! and an honest job still succeeds. One hub per database for all of them.

use hostile::{
    attacks::{Variant, steps},
    frames::FrameKind,
    names::KnownIds,
};

use super::world::{HostileWorld, RawRunner, difference};

/// The hosts that attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Attacker {
    /// A host of another org.
    Foreign,
    /// A host of another org that also runs jobs of the victim's org.
    Shared,
}

impl HostileWorld {
    fn runner(&mut self, attacker: Attacker) -> &mut RawRunner {
        match attacker {
            Attacker::Foreign => &mut self.attacker,
            Attacker::Shared => &mut self.shared,
        }
    }

    /// Sends a variant of a frame. If the hub ends the session, the attacker opens a new one, as real ones would.
    async fn attack(&mut self, attacker: Attacker, kind: FrameKind, variant: Variant, known: &KnownIds) {
        let hub = self.hub.clone();
        let runner = self.runner(attacker);
        for step in steps(kind, variant, known) {
            if runner.session.step(&step).await.is_err() {
                let opened = runner.reconnect(&hub).await;
                assert!(opened.is_ok(), "{kind} {variant}: {opened:?} after {:?}", runner.session.refused);
            }
        }
    }
}

testkit::db_test!(hostile_frames_change_nothing_of_others, |db| async move {
    let mut world = HostileWorld::new(&db).await;
    world.assert_works("the start").await;
    let mut broken = String::new();
    for attacker in [Attacker::Foreign, Attacker::Shared] {
        let host = world.runner(attacker).key.host;
        for (kind, variant) in FrameKind::ALL.iter().flat_map(|kind| Variant::ALL.iter().map(move |one| (*kind, *one)))
        {
            let victims = match variant {
                // The other variants are about the sender's own things, or differ only in their numbers.
                Variant::ForeignHost => world.victims.to_vec(),
                _ => world.victims[..1].to_vec(),
            };
            // A shared host attacks the org that it works for; sizes and nesting are the same for every host.
            if attacker == Attacker::Shared && matches!(variant, Variant::Deep | Variant::Huge | Variant::Repeated) {
                continue;
            }
            for victim in victims {
                let before = world.rows_of_victims().await;
                let known = world.known(host, victim);
                world.attack(attacker, kind, variant, &known).await;
                let changed = difference(&before, &world.rows_of_victims().await);
                if !changed.is_empty() {
                    broken.push_str(&format!("\n{attacker:?} {kind} {variant}:{changed}"));
                }
                world.assert_works(&format!("{attacker:?} {kind} {variant}")).await;
            }
        }
    }
    assert!(broken.is_empty(), "frames that changed rows of others:{broken}");
});
