//! Organizations, users, members, invitations, tokens.

use domain::{OrgId, Role, Span, UserId, role::Scope};
use store::{Error, invitation::Invitation, token::Token, user::Membership};

use crate::{
    reads,
    seed::{T0, at, hash, id, org, user, world},
    writes,
};

testkit::db_test!(org_is_read_back_as_inserted, |db| async move {
    let (acme, again, beta) = (org("acme"), org("acme"), org("beta"));
    let (first, second) = (acme.clone(), beta.clone());
    writes!(db.store, |tx| {
        tx.org_insert(&first).await?;
        tx.org_insert(&second).await
    })
    .expect("inserts");
    let taken = writes!(db.store, |tx| tx.org_insert(&again).await);
    assert!(matches!(taken, Err(Error::UniqueViolation(name)) if name == "org_slug_uq"));

    let mut changed = acme.clone();
    changed.timezone = "Asia/Tokyo".into();
    changed.offline_after_ms = Span::from_millis(1_500);
    changed.keep_succeeded_ms = Some(Span::from_secs(1));
    changed.keep_failed_ms = Some(Span::from_secs(2));
    changed.keep_dead_letter_ms = Some(Span::from_secs(3));
    changed.keep_canceled_ms = Some(Span::from_secs(4));
    changed.updated_at = at(5);
    let update = changed.clone();
    assert!(writes!(db.store, |tx| tx.org_update(&update).await).expect("updates"));
    assert_eq!(reads!(db.store, |tx| tx.org_get(acme.id).await), Some(changed.clone()));
    assert_eq!(reads!(db.store, |tx| tx.org_by_slug("acme").await), Some(changed.clone()));
    assert_eq!(reads!(db.store, |tx| tx.org_list("acme", 10).await), vec![beta]);

    assert!(writes!(db.store, |tx| tx.org_remove(changed.id, T0).await).expect("removes"));
    assert!(!writes!(db.store, |tx| tx.org_remove(changed.id, T0).await).expect("was deleted before"));
});

testkit::db_test!(removing_an_org_deletes_its_rows, |db| async move {
    let (acme, ana, host) = world(&db.store, "acme").await;
    let (beta, ..) = world(&db.store, "beta").await;
    assert!(writes!(db.store, |tx| tx.org_remove(acme, T0).await).expect("removes"));
    assert!(reads!(db.store, |tx| tx.org_purges(10).await).contains(&acme), "its jobs are not deleted yet");
    writes!(db.store, |tx| tx.org_purge_done(acme).await).expect("done");
    assert!(!reads!(db.store, |tx| tx.org_purges(10).await).contains(&acme));
    assert_eq!(reads!(db.store, |tx| tx.host_anywhere(host).await), None);
    assert_eq!(reads!(db.store, |tx| tx.memberships(ana).await), vec![]);
    assert!(reads!(db.store, |tx| tx.user_get(ana).await).is_some(), "users outlive their organization");
    assert_eq!(reads!(db.store, |tx| tx.host_list(beta, "", 10).await).len(), 1);
});

testkit::db_test!(member_role_change_increments_the_rights_version, |db| async move {
    let (acme, ana, _) = world(&db.store, "acme").await;
    let (beta, ..) = world(&db.store, "beta").await;
    let version = |user: Option<store::user::User>| user.expect("exists").authz_version;
    let before = version(reads!(db.store, |tx| tx.user_get(ana).await));

    writes!(db.store, |tx| tx.member_put(acme, ana, Role::Viewer, at(1)).await).expect("changes");
    let member = reads!(db.store, |tx| tx.member_get(acme, ana).await).expect("is a member");
    assert_eq!((member.role, member.created_at, member.updated_at), (Role::Viewer, T0, at(1)));
    assert!(version(reads!(db.store, |tx| tx.user_get(ana).await)) > before, "open sockets must be closed");
    assert_eq!(reads!(db.store, |tx| tx.member_get(beta, ana).await), None, "another org's member");
    assert_eq!(reads!(db.store, |tx| tx.member_count_admins(acme).await), 0);
    let mine = reads!(db.store, |tx| tx.memberships(ana).await);
    assert_eq!(
        mine,
        vec![Membership {
            org_id: acme,
            slug: "acme".into(),
            name: "ACME".into(),
            timezone: "Europe/Berlin".into(),
            role: Role::Viewer
        }]
    );
    assert_eq!(reads!(db.store, |tx| tx.member_list(acme, "", 10).await), vec![member]);

    assert!(writes!(db.store, |tx| tx.member_remove(acme, ana, at(2)).await).expect("removes"));
    assert!(!writes!(db.store, |tx| tx.member_remove(acme, ana, at(3)).await).expect("is no member any more"));
});

testkit::db_test!(user_is_read_back_as_inserted, |db| async move {
    let (mut ana, twin) = (user("ana@acme.example"), user("ana@acme.example"));
    ana.is_super = true;
    let new = ana.clone();
    writes!(db.store, |tx| tx.user_insert(&new).await).expect("inserts");
    let taken = writes!(db.store, |tx| tx.user_insert(&twin).await);
    assert!(matches!(taken, Err(Error::UniqueViolation(name)) if name == "user_email_uq"));
    assert_eq!(reads!(db.store, |tx| tx.user_by_email("ana@acme.example").await), Some(ana.clone()));
    assert_eq!(reads!(db.store, |tx| tx.user_count_super().await), 1);

    assert!(writes!(db.store, |tx| tx.user_set_password(ana.id, "$argon2id$x", at(1)).await).expect("sets"));
    ana.is_disabled = true;
    let disabled = ana.clone();
    assert!(writes!(db.store, |tx| tx.user_set_rights(&disabled, at(2)).await).expect("sets"));
    let now = reads!(db.store, |tx| tx.user_get(ana.id).await).expect("exists");
    assert_eq!((now.password_hash.as_deref(), now.is_disabled, now.authz_version), (Some("$argon2id$x"), true, 3));
    assert_eq!(reads!(db.store, |tx| tx.user_count_super().await), 0, "disabled users do not count");
    assert_eq!(reads!(db.store, |tx| tx.user_list("", 10).await).len(), 1);
    assert!(writes!(db.store, |tx| tx.user_remove(ana.id).await).expect("removes"));
});

testkit::db_test!(invitation_is_accepted_once_before_it_expires, |db| async move {
    let (acme, ..) = world(&db.store, "acme").await;
    let (beta, ..) = world(&db.store, "beta").await;
    let invitation = Invitation {
        id: id(),
        org_id: acme,
        email: "bo@acme.example".into(),
        role: Role::Operator,
        expires_at: at(60),
        accepted_at: None,
        created_at: T0,
    };
    let new = invitation.clone();
    writes!(db.store, |tx| tx.invitation_insert(&new, hash(1)).await).expect("inserts");
    assert_eq!(reads!(db.store, |tx| tx.invitation_by_hash(hash(1)).await), Some(invitation.clone()));
    assert_eq!(reads!(db.store, |tx| tx.invitation_by_hash(hash(2)).await), None);
    let zero = domain::InvitationId::from_bytes([0; 16]);
    assert_eq!(reads!(db.store, |tx| tx.invitation_list(acme, zero, 10).await), vec![invitation.clone()]);
    assert_eq!(reads!(db.store, |tx| tx.invitation_list(beta, zero, 10).await), vec![]);

    assert!(!writes!(db.store, |tx| tx.invitation_accept(invitation.id, at(61)).await).expect("too late"));
    assert!(writes!(db.store, |tx| tx.invitation_accept(invitation.id, at(59)).await).expect("in time"));
    assert!(!writes!(db.store, |tx| tx.invitation_accept(invitation.id, at(59)).await).expect("once"));
    let removed = writes!(db.store, |tx| tx.invitation_remove(acme, invitation.id).await).expect("runs");
    assert_eq!(removed, None, "accepted ones stay");
});

testkit::db_test!(token_auth_returns_current_rights_of_the_user, |db| async move {
    let (acme, ana, _) = world(&db.store, "acme").await;
    let (beta, ..) = world(&db.store, "beta").await;
    let token = Token {
        id: id(),
        org_id: acme,
        user_id: ana,
        parent_id: None,
        name: "deploy".into(),
        hint: "hst_abcd".into(),
        role: Role::Operator,
        scope: Scope::Read,
        is_login: false,
        may_create_tokens: false,
        created_by: String::new(),
        expires_at: Some(at(60)),
        revoked_at: None,
        last_used_at: None,
        created_at: T0,
    };
    let new = token.clone();
    writes!(db.store, |tx| tx.token_insert(&new, hash(9)).await).expect("inserts");
    writes!(db.store, |tx| tx.token_used(token.id, at(3)).await).expect("marks");
    let found = reads!(db.store, |tx| tx.token_auth(&[hash(8), hash(9)]).await);
    let [(secret, auth)] = found.as_slice() else { panic!("one is known, not {found:?}") };
    assert!(*secret == hash(9));
    assert_eq!(
        (auth.role, auth.scope, auth.member_role, auth.user_is_super),
        (Role::Operator, Scope::Read, Some(Role::Admin), false)
    );
    assert_eq!((auth.expires_at, auth.last_used_at), (Some(at(60)), Some(at(3))));
    writes!(db.store, |tx| tx.member_remove(acme, ana, at(4)).await).expect("removes");
    assert_eq!(reads!(db.store, |tx| tx.token_auth(&[hash(9)]).await)[0].1.member_role, None);

    let zero = domain::TokenId::from_bytes([0; 16]);
    assert_eq!(reads!(db.store, |tx| tx.token_list(acme, None, zero, 10).await).len(), 1);
    assert_eq!(reads!(db.store, |tx| tx.token_list(acme, Some(ana), zero, 10).await).len(), 1);
    assert_eq!(reads!(db.store, |tx| tx.token_list(acme, Some(id()), zero, 10).await).len(), 0);
    assert_eq!(reads!(db.store, |tx| tx.token_get(beta, token.id).await), None, "another org's token");
    assert_eq!(writes!(db.store, |tx| tx.token_revoke(beta, token.id, at(5)).await).expect("another org's token"), 0);
    assert_eq!(writes!(db.store, |tx| tx.token_revoke(acme, token.id, at(5)).await).expect("revokes"), 1);
    assert_eq!(
        reads!(db.store, |tx| tx.token_get(acme, token.id).await).expect("stays listed").revoked_at,
        Some(at(5))
    );
});

fn token(org: OrgId, user: UserId, parent: Option<&Token>, is_login: bool) -> Token {
    Token {
        id: id(),
        org_id: org,
        user_id: user,
        parent_id: parent.map(|parent| parent.id),
        name: "t".into(),
        hint: "hst_abcd".into(),
        role: Role::Viewer,
        scope: Scope::Api,
        is_login,
        may_create_tokens: true,
        created_by: "ana@acme.example".into(),
        expires_at: None,
        revoked_at: None,
        last_used_at: None,
        created_at: T0,
    }
}

testkit::db_test!(revoking_a_token_revokes_all_tokens_below_it, |db| async move {
    let (acme, ana, _) = world(&db.store, "acme").await;
    let root = token(acme, ana, None, false);
    let (left, right) = (token(acme, ana, Some(&root), false), token(acme, ana, Some(&root), false));
    let below_left = token(acme, ana, Some(&left), false);
    let deepest = token(acme, ana, Some(&below_left), false);
    let all = [root.clone(), left.clone(), right.clone(), below_left.clone(), deepest.clone()];
    let new = all.clone();
    writes!(db.store, |tx| {
        for (secret, token) in (1..).zip(&new) {
            tx.token_insert(token, hash(secret)).await?;
        }
        Ok(())
    })
    .expect("inserts");
    assert_eq!(reads!(db.store, |tx| tx.token_get(acme, deepest.id).await), Some(deepest.clone()));
    let revoked = async || -> Vec<bool> {
        let mut revoked = Vec::new();
        for token in &all {
            let id = token.id;
            revoked.push(reads!(db.store, |tx| tx.token_get(acme, id).await).expect("stays").revoked_at.is_some());
        }
        revoked
    };
    assert_eq!(writes!(db.store, |tx| tx.token_revoke(acme, left.id, at(1)).await).expect("revokes"), 3);
    assert_eq!(revoked().await, [false, true, false, true, true]);
    assert_eq!(writes!(db.store, |tx| tx.token_lock(acme, left.id).await).expect("runs"), None, "revoked");
    assert!(writes!(db.store, |tx| tx.token_lock(acme, right.id).await).expect("runs").is_some());
    assert_eq!(writes!(db.store, |tx| tx.token_revoke(acme, root.id, at(2)).await).expect("revokes"), 2);
    assert_eq!(revoked().await, [true; 5]);
});

testkit::db_test!(revoking_logins_keeps_tokens_that_a_browser_created, |db| async move {
    let (acme, ana, _) = world(&db.store, "acme").await;
    let (beta, ben, _) = world(&db.store, "beta").await;
    let login = token(acme, ana, None, true);
    let by_login = token(acme, ana, Some(&login), false);
    let (by_browser, others) = (token(acme, ana, None, false), token(beta, ben, None, true));
    let new = [login.clone(), by_login.clone(), by_browser.clone(), others.clone()];
    writes!(db.store, |tx| {
        for (secret, token) in (1..).zip(&new) {
            tx.token_insert(token, hash(secret)).await?;
        }
        Ok(())
    })
    .expect("inserts");
    assert_eq!(writes!(db.store, |tx| tx.token_revoke_logins(ana, at(1)).await).expect("revokes"), 2);
    for (token, is_revoked) in [(login, true), (by_login, true), (by_browser, false), (others, false)] {
        let found = reads!(db.store, |tx| tx.token_get(token.org_id, token.id).await).expect("stays");
        assert_eq!(found.revoked_at.is_some(), is_revoked, "{token:?}");
    }
});

testkit::db_test!(tokens_created_while_their_creator_is_revoked_are_revoked_too, |db| async move {
    let (acme, ana, _) = world(&db.store, "acme").await;
    for round in 0..8_u8 {
        let root = token(acme, ana, None, false);
        let new = root.clone();
        writes!(db.store, |tx| tx.token_insert(&new, hash(round * 10)).await).expect("inserts");
        let creates = (1..5_u8).map(|n| {
            let (parent, child) = (root.id, token(acme, ana, Some(&root), false));
            db.store.write(move |tx| {
                Box::pin(async move {
                    if tx.token_lock(acme, parent).await?.is_some() {
                        tx.token_insert(&child, hash(round * 10 + n)).await?;
                    }
                    Ok::<_, Error>(child.id)
                })
            })
        });
        let revokes = db.store.write(move |tx| Box::pin(async move { tx.token_revoke(acme, root.id, at(1)).await }));
        let (children, revoked) = tokio::join!(futures_util::future::join_all(creates), revokes);
        revoked.expect("revokes");
        for child in children {
            let child = child.expect("runs");
            let found = reads!(db.store, |tx| tx.token_get(acme, child).await);
            assert!(found.is_none_or(|child| child.revoked_at.is_some()), "a child outlived its creator");
        }
    }
});
