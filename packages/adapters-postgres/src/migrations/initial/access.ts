/** Organisations, their users, and the activity log. Tables are global unless `org_id` is in their key. */
export const ACCESS = `
  create table organisations (
    id uuid primary key,
    name text not null,
    email text not null,
    alert_email text,
    -- Of orders that name none.
    currency text,
    subscription_expires_at timestamptz(3),
    created_at timestamptz(3) not null
  );

  create table users (
    id uuid primary key,
    email text not null,
    email_normalized text not null unique,
    name text,
    org_id uuid references organisations,
    role text check (role in ('owner', 'admin', 'member')),
    created_at timestamptz(3) not null,
    check ((org_id is null) = (role is null))
  );
  create index users_of_organisation on users (org_id);

  create table api_keys (
    user_id uuid primary key references users,
    hash text not null unique,
    sealed text not null
  );

  create table sign_ins (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    redeemed_at timestamptz(3),
    -- Kept, so that the use of a withdrawn link can be told from that of an expired one.
    withdrawn boolean not null default false
  );
  create index sign_ins_of_user on sign_ins (user_id);
  create index sign_ins_by_end on sign_ins (expires_at);

  -- Found by the hash of a token that only the browser holds.
  create table user_sessions (
    hash text primary key,
    user_id uuid not null references users on delete cascade,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null
  );
  create index user_sessions_of_user on user_sessions (user_id);
  create index user_sessions_by_end on user_sessions (expires_at);

  create table invitations (
    org_id uuid not null references organisations,
    id uuid not null,
    email text not null,
    email_normalized text not null,
    name text,
    role text not null,
    invited_by uuid not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    accepted_at timestamptz(3),
    primary key (org_id, id)
  );
  create unique index open_invitation_of_address on invitations (org_id, email_normalized) where accepted_at is null;

  create table throttles (
    -- SHA-256 of what is throttled.
    key bytea primary key,
    tries integer not null,
    window_ends_at timestamptz(3) not null
  );
  create index throttles_by_end on throttles (window_ends_at);

  -- Paged by id, for ids are in the order of time.
  create table activity (
    org_id uuid not null references organisations,
    id uuid not null,
    at timestamptz(3) not null,
    kind text not null,
    subject_id uuid not null,
    summary text not null,
    -- Null: the service did it by itself.
    actor text,
    via text not null default 'automatic' check (via in ('dashboard', 'api-key', 'command-line', 'automatic')),
    via_detail text,
    primary key (org_id, id)
  );
  create index activity_of_subject on activity (org_id, subject_id, id);
  -- Most entries are of orders that were delivered: what people did is few among them.
  create index activity_of_people on activity (org_id, via, id) where via <> 'automatic';
`;
