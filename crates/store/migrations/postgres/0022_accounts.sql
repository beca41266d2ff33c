-- Tokens that a login created end with the password. A token creates tokens only if it was created with this right.
alter table token add column is_login boolean not null default false;
alter table token add column may_create_tokens boolean not null default false;
-- Label of the creator, as in the audit log; empty for tokens of older versions.
alter table token add column created_by text not null default '';

-- The role that the device asked for, and the role that the user granted.
alter table device_login add column role_asked text;
alter table device_login add column role_granted text;

-- Null: no super admin has confirmed that the address belongs to the user. Super admins of older versions keep their
-- rights, so their addresses count as confirmed.
alter table "user" add column email_verified_at timestamptz;
update "user" set email_verified_at = updated_at where is_super;
