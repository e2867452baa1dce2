-- The tables of Flagman: queue, record, and the projections that status reads.
--
-- The database is the only thing that processes share. What happened stands in
-- tables that are only ever inserted into (0002 guards them); what is to be done
-- stands in one narrow row a live package; what people look at are projections
-- that can be made anew from the record.

create schema if not exists flagman;

-- The migrator may have made this one already: it has to read it before it knows
-- what to apply.
create table if not exists flagman.schema_version (
  version    int primary key,
  name       text not null,
  applied_at timestamptz not null default clock_timestamp()
);

-- What packages are judged by, under its digest: the journal names the digest, and a
-- replay needs the bytes.
create table flagman.setting (
  sha256 bytea primary key check (octet_length(sha256) = 32),
  kind   text not null check (kind in ('policy', 'games', 'prompts')),
  bytes  bytea not null
);

create table flagman.package (
  id              bigint generated always as identity primary key,
  tenant          text not null default 'main',
  idempotency_key text,
  teacher         text,
  topic           text,
  payload_sha256  bytea not null check (octet_length(payload_sha256) = 32),
  status          text not null default 'queued' check (status in (
                    'queued', 'running', 'awaiting_rebuild',
                    'accepted', 'rejected', 'manual_review', 'cancelled')),
  reasons         text[] not null default '{}',
  -- The transaction's start: who submits sees by it whether the package is the own new one.
  submitted_at    timestamptz not null default now(),
  started_at      timestamptz,
  finished_at     timestamptz,
  items           int,
  -- Where the chain stands and the highest fencing number so far, as of the last time
  -- that a worker let go of the package. A finished package has no task; a later review
  -- makes one from these.
  head_seq        bigint not null default 0,
  head_hash       bytea check (octet_length(head_hash) = 32),
  last_epoch      bigint not null default 0
) with (fillfactor = 80);

create unique index package_idempotency_key on flagman.package (tenant, idempotency_key)
  where idempotency_key is not null;
-- No index has `status` in its columns or its condition: a package changes its status
-- two to four times, and each change stays a heap-only update this way.
create index package_teacher on flagman.package (teacher, id) where teacher is not null;

-- Exactly the bytes that came in. `jsonb` would drop, reorder and refuse things.
create table flagman.package_body (
  package_id bigint primary key references flagman.package (id),
  body       bytea not null
);

-- One narrow row a live package; finishing deletes it. The row is the lease: its
-- holder is `worker_id`, its fencing number `epoch` (one more at each claim, release
-- and rescue), and `head_seq` makes an append a compare-and-set.
--
-- `run_at` says when it may be claimed: '-infinity' for a package that was never
-- claimed, a finite time for one that comes back, 'infinity' for one that only waits
-- for its inbox. No reference to `worker`: a claim locks the worker's row itself,
-- once and not for every package.
create table flagman.task (
  package_id  bigint primary key references flagman.package (id),
  tenant      text not null default 'main',
  teacher     text,
  run_at      timestamptz not null default '-infinity',
  worker_id   uuid,
  epoch       bigint not null default 0,
  head_seq    bigint not null default 0,
  head_hash   bytea check (octet_length(head_hash) = 32),
  crashes     int not null default 0,
  inbox_count bigint not null default 0
) with (
  -- Heads move all the time, and none of the indexes has them: with room on the page
  -- these are heap-only updates. Dead rows are what slows a queue, so this small table
  -- is vacuumed by their number alone and without pauses.
  fillfactor = 60,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0.2,
  autovacuum_analyze_threshold = 2000
);

create index task_ready on flagman.task (package_id)
  where worker_id is null and run_at = '-infinity';
create index task_scheduled on flagman.task (run_at)
  where worker_id is null and run_at > '-infinity' and run_at < 'infinity';
create index task_owned on flagman.task (worker_id) where worker_id is not null;

-- One row a process incarnation: a random UUID at every start, never a host's name.
create table flagman.worker (
  id           uuid primary key,
  started_at   timestamptz not null default clock_timestamp(),
  heartbeat_at timestamptz not null default clock_timestamp(),
  lease        interval not null check (lease > interval '0')
) with (fillfactor = 50);

-- The record. `entry` holds the exact canonical bytes, `hash` = SHA-256(0x00 ‖ entry).
-- No foreign key: only an append that holds the package's task writes here, and a check
-- for each entry would lock the package's row tens of thousands of times a second.
create table flagman.journal (
  package_id bigint not null,
  seq        bigint not null check (seq > 0),
  entry      bytea not null,
  hash       bytea not null check (octet_length(hash) = 32),
  primary key (package_id, seq)
) partition by range (package_id);

-- A million packages a partition; 0002 has the function that makes the later ones.
create table flagman.journal_0 partition of flagman.journal for values from (0) to (1000000);

-- One row an item revision, written once. The journal holds the commitment,
-- SHA-256(salt ‖ key), so that a changed key is found and a committed one not guessed.
create table flagman.author_key (
  package_id bigint not null,
  item       text not null,
  revision   int not null check (revision > 0),
  key        text not null,
  salt       bytea not null,
  commitment bytea not null check (octet_length(commitment) = 32),
  primary key (package_id, item, revision)
);

-- One row an ask of a model: the exact request and the raw reply.
create table flagman.call (
  package_id bigint not null,
  step       text not null,
  call       int not null check (call > 0),
  status     text not null check (status in ('ok', 'timeout', 'error', 'refused', 'truncated')),
  request    bytea,
  body       bytea,
  at         timestamptz not null default clock_timestamp(),
  primary key (package_id, step, call)
);

-- What comes from outside the lease. The chain has one writer, the lease's holder; all
-- others leave their act here and see to it that the package has a task.
create table flagman.inbox (
  id         bigint generated always as identity primary key,
  package_id bigint not null references flagman.package (id),
  kind       text not null check (kind in ('revision', 'review', 'cancel')),
  item       text,
  revision   int,
  body       bytea,
  who        text,
  why        text,
  decision   text check (decision in ('accept', 'reject', 'rebuild')),
  at         timestamptz not null default clock_timestamp(),
  check (kind <> 'revision' or (item is not null and revision is not null and body is not null)),
  check (kind <> 'review' or (item is not null and decision is not null and why <> ''))
);

create index inbox_package on flagman.inbox (package_id, id);
-- A rebuild is delivered once, whoever tries at the same time.
create unique index inbox_revision on flagman.inbox (package_id, item, revision)
  where kind = 'revision';

-- Which acts the chain has taken in. A row of its own, not a column of `inbox`, keeps
-- `inbox` insert only; and ids commit out of order, so no cursor would do.
create table flagman.inbox_taken (
  inbox_id   bigint primary key,
  package_id bigint not null,
  seq        bigint not null
);

-- The projections: written in the transaction of the events they follow from.
create table flagman.item (
  package_id bigint not null,
  kind       text not null,
  ordinal    int not null check (ordinal >= 0),
  revision   int not null check (revision > 0),
  outcome    text not null default 'pending' check (outcome in (
               'pending', 'solving', 'disputed', 'flagged',
               'accepted', 'rejected', 'manual_review')),
  route      text check (route in ('structural', 'authority', 'solvers', 'arbiter', 'operator')),
  reasons    text[] not null default '{}',
  written    text,
  echo       text,
  primary key (package_id, kind, ordinal)
) with (fillfactor = 80);

create index item_review on flagman.item (package_id) where outcome = 'manual_review';

create table flagman.rebuild (
  id           bigint generated always as identity primary key,
  package_id   bigint not null,
  item         text not null,
  revision     int not null check (revision > 1),
  brief        text not null,
  asked_at     timestamptz not null default clock_timestamp(),
  delivered_at timestamptz,
  closed_at    timestamptz,
  unique (package_id, item, revision)
) with (fillfactor = 80);

create index rebuild_open on flagman.rebuild (id)
  where delivered_at is null and closed_at is null;
