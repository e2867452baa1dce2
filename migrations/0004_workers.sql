-- What workers do: register, heartbeat, claim, append, rescue, retire.
--
-- They run with the worker's own rights, so that what its role may not do, no function does
-- for it. Each is one round trip and meant to be a transaction of its own at READ COMMITTED.
-- All time is the database's. All of them lock in the order worker, task by id, package, and
-- so never wait for one another in a circle.

create function flagman.register_worker(id uuid, lease interval) returns void
language plpgsql
set search_path = pg_catalog, flagman, pg_temp
as $$
begin
  insert into flagman.worker (id, lease) values (register_worker.id, register_worker.lease);
end
$$;

-- False: we were declared dead. Cancel every call and register anew, under a new id.
create function flagman.heartbeat(id uuid) returns boolean
language plpgsql
set search_path = pg_catalog, flagman, pg_temp
as $$
#variable_conflict use_column
begin
  update flagman.worker w set heartbeat_at = clock_timestamp() where w.id = heartbeat.id;
  return found;
end
$$;

-- Takes up to `n` packages: first those that come back and are due, then fresh ones with an
-- id above `after`, rising. The last row's id is the next `after`; 0 looks at all of them.
--
-- Without the cursor every claim steps over the dead entries of all packages claimed since
-- the oldest snapshot that anybody holds, a dump for example. Packages that come back have
-- an index of their own, by time, and need no cursor.
create function flagman.claim(id uuid, n int, after bigint)
returns table (package_id bigint, epoch bigint, head_seq bigint, head_hash bytea,
               crashes int, inbox_count bigint)
language plpgsql
set search_path = pg_catalog, flagman, pg_temp
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  due bigint[];
  fresh bigint[] := '{}';
begin
  -- Until this transaction ends nobody can declare the worker dead, so what it claims here
  -- cannot be left without an owner. A rescue passes over a row that is locked.
  perform from flagman.worker w where w.id = claim.id for key share;
  if not found then
    return;
  end if;

  select coalesce(array_agg(s.package_id order by s.run_at), '{}') into due
    from (select t.package_id, t.run_at from flagman.task t
          where t.worker_id is null and t.run_at > '-infinity' and t.run_at < 'infinity'
            and t.run_at <= now()
          order by t.run_at limit claim.n for update skip locked) s;

  if cardinality(due) < claim.n then
    select coalesce(array_agg(s.package_id order by s.package_id), '{}') into fresh
      from (select t.package_id from flagman.task t
            where t.worker_id is null and t.run_at = '-infinity'
              and t.package_id > coalesce(claim.after, 0)
            order by t.package_id limit claim.n - cardinality(due)
            for update skip locked) s;
  end if;
  if cardinality(due || fresh) = 0 then
    return;
  end if;

  update flagman.package p
    set status = 'running', started_at = coalesce(p.started_at, now())
    where p.id = any (due || fresh) and p.status = 'queued';

  return query
    with taken as (
      update flagman.task t set worker_id = claim.id, epoch = t.epoch + 1
        where t.package_id = any (due || fresh)
        returning t.package_id, t.epoch, t.head_seq, t.head_hash, t.crashes, t.inbox_count)
    select k.* from taken k order by array_position(due || fresh, k.package_id);
end
$$;

-- Appends to many packages in one round trip: a compare-and-set of each package's worker,
-- epoch and head. Returns the packages that were written, with the number of acts in their
-- inbox; a package that is not returned belongs to somebody else now, and nothing of it was
-- written. After a lost reply the head tells: the new one was committed, the old one is to be
-- sent again.
--
-- The arrays of one letter must have one length; an empty or NULL one says there is nothing.
--   packages … wake_after  one element a package. status NULL: unchanged; else reasons are
--                          replaced too (comma separated). leave NULL: it stays ours;
--                          'finish': its task ends; 'release': it waits for its inbox, or for
--                          now + wake_after if that is not NULL; 'retry': due in a second.
--                          Where the inbox holds other than `seen_inbox` acts, one came in at
--                          the last moment, and finish and release make the task due instead.
--   j journal, c calls, k author keys, r rebuilds asked: new rows.
--   i items: upserted, of several rows about an item the last one counts; a NULL text keeps
--     the one that is there.
--   d rebuilds that are open no longer: delivered where their revision was taken from the
--     inbox (in this append too), closed otherwise.
--   t acts taken from the inbox, and the seq of the entry that says so.
create function flagman.append(
  worker uuid,
  packages bigint[], epochs bigint[], old_seqs bigint[], new_seqs bigint[],
  new_hashes bytea[], statuses text[], reasons text[], leave text[], seen_inbox bigint[],
  wake_after interval[],
  j_package bigint[], j_seq bigint[], j_entry bytea[], j_hash bytea[],
  c_package bigint[], c_step text[], c_call int[], c_status text[], c_request bytea[],
  c_body bytea[],
  k_package bigint[], k_item text[], k_revision int[], k_key text[], k_salt bytea[],
  k_commitment bytea[],
  i_package bigint[], i_kind text[], i_ordinal int[], i_revision int[], i_outcome text[],
  i_route text[], i_reasons text[], i_written text[], i_echo text[],
  r_package bigint[], r_item text[], r_revision int[], r_brief text[],
  d_package bigint[], d_item text[], d_revision int[],
  t_package bigint[], t_inbox bigint[], t_seq bigint[])
returns table (package_id bigint, inbox_count bigint)
language plpgsql
set search_path = pg_catalog, flagman, pg_temp
-- Every table here is joined to a handful of keys, and plans are kept for a session's life:
-- one that was made while the tables were empty must not scan them when they are full.
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  ours bigint[];       -- the packages whose fence held, rising
  places int[];        -- and where each stands in the arguments
  counts bigint[];     -- and the acts in its inbox
  entries bigint;      -- how far the heads move, and so how many entries there must be
  written bigint;
  leaving boolean;
begin
  -- `is not distinct from` and not `=`: with `=` the planner may take the index by worker,
  -- and would read all tasks that the worker holds for each package.
  select array_agg(s.package_id), array_agg(s.place), array_agg(s.inbox_count),
         sum(s.entries), bool_or(s.leaves)
    into ours, places, counts, entries, leaving
    from (select t.package_id, a.place::int, t.inbox_count,
                 a.new_seq - a.old_seq as entries, a.leave is not null as leaves
          from unnest(append.packages, append.epochs, append.old_seqs, append.new_seqs,
                      append.leave)
               with ordinality a (package_id, epoch, old_seq, new_seq, leave, place)
          join flagman.task t on t.package_id = a.package_id
          where t.worker_id is not distinct from append.worker
            and t.epoch = a.epoch and t.head_seq = a.old_seq
          order by t.package_id
          for update of t) s;
  if ours is null then
    return;
  end if;

  if exists (select from unnest(append.leave) l
             where l is not null and l not in ('finish', 'release', 'retry')) then
    raise exception using errcode = '22023',
      message = 'append: leave is one of finish, release, retry, or NULL';
  end if;

  -- A package that moves on does not kill its workers: its crashes are forgotten.
  update flagman.task t
    set head_seq = append.new_seqs[a.place],
        head_hash = coalesce(append.new_hashes[a.place], t.head_hash),
        crashes = 0
    from unnest(ours, places) a (package_id, place)
    where t.package_id = a.package_id and append.leave[a.place] is null
      and append.new_seqs[a.place] <> t.head_seq;

  if leaving then
    delete from flagman.task t
      using unnest(ours, places) a (package_id, place)
      where t.package_id = a.package_id and append.leave[a.place] = 'finish'
        and t.inbox_count is not distinct from append.seen_inbox[a.place];

    -- Who lets go of a package in order has not died of it, so the crashes are forgotten.
    update flagman.task t
      set head_seq = append.new_seqs[a.place],
          head_hash = coalesce(append.new_hashes[a.place], t.head_hash),
          worker_id = null,
          epoch = t.epoch + 1,
          crashes = case when append.leave[a.place] = 'retry' then t.crashes else 0 end,
          run_at = case
            when append.leave[a.place] = 'retry' then now() + interval '1 second'
            when t.inbox_count is distinct from append.seen_inbox[a.place] then now()
            else coalesce(now() + append.wake_after[a.place], 'infinity') end
      from unnest(ours, places) a (package_id, place)
      where t.package_id = a.package_id and append.leave[a.place] is not null;
  end if;

  -- From here on each set is cut down to our packages with `= any`: two unnested sets that
  -- are joined to one another go pair by pair through the executor.
  if cardinality(append.j_package) > 0 then
    insert into flagman.journal (package_id, seq, entry, hash)
      select j.* from unnest(append.j_package, append.j_seq, append.j_entry, append.j_hash)
                      j (package_id, seq, entry, hash)
      where j.package_id = any (ours);
    get diagnostics written = row_count;
  else
    written := 0;
  end if;
  if written <> entries then
    raise exception using errcode = 'XX001',
      message = format('append: the heads move by %s entries, but %s came', entries, written);
  end if;

  if cardinality(append.c_package) > 0 then
    insert into flagman.call (package_id, step, call, status, request, body)
      select c.* from unnest(append.c_package, append.c_step, append.c_call, append.c_status,
                             append.c_request, append.c_body)
                      c (package_id, step, call, status, request, body)
      where c.package_id = any (ours);
  end if;

  if cardinality(append.k_package) > 0 then
    insert into flagman.author_key (package_id, item, revision, key, salt, commitment)
      select k.* from unnest(append.k_package, append.k_item, append.k_revision, append.k_key,
                             append.k_salt, append.k_commitment)
                      k (package_id, item, revision, key, salt, commitment)
      where k.package_id = any (ours);
  end if;

  if cardinality(append.t_package) > 0 then
    insert into flagman.inbox_taken (inbox_id, package_id, seq)
      select k.inbox_id, k.package_id, k.seq
      from unnest(append.t_package, append.t_inbox, append.t_seq) k (package_id, inbox_id, seq)
      where k.package_id = any (ours);
  end if;

  if cardinality(append.i_package) > 0 then
    insert into flagman.item as i (package_id, kind, ordinal, revision, outcome, route, reasons,
                                   written, echo)
      select distinct on (n.package_id, n.kind, n.ordinal)
             n.package_id, n.kind, n.ordinal, n.revision, coalesce(n.outcome, 'pending'), n.route,
             string_to_array(coalesce(n.reasons, ''), ','), n.written, n.echo
      from unnest(append.i_package, append.i_kind, append.i_ordinal, append.i_revision,
                  append.i_outcome, append.i_route, append.i_reasons, append.i_written,
                  append.i_echo)
           with ordinality n (package_id, kind, ordinal, revision, outcome, route, reasons,
                              written, echo, place)
      where n.package_id = any (ours)
      order by n.package_id, n.kind, n.ordinal, n.place desc
      on conflict (package_id, kind, ordinal) do update
        set revision = excluded.revision, outcome = excluded.outcome, route = excluded.route,
            reasons = excluded.reasons, written = coalesce(excluded.written, i.written),
            echo = coalesce(excluded.echo, i.echo);
  end if;

  if cardinality(append.r_package) > 0 then
    insert into flagman.rebuild (package_id, item, revision, brief)
      select r.* from unnest(append.r_package, append.r_item, append.r_revision, append.r_brief)
                      r (package_id, item, revision, brief)
      where r.package_id = any (ours);
  end if;

  if cardinality(append.d_package) > 0 then
    update flagman.rebuild r
      set delivered_at = case when d.taken then now() end,
          closed_at = case when not d.taken then now() end
      from (select n.package_id, n.item, n.revision,
                   exists (select from flagman.inbox b
                           join flagman.inbox_taken k on k.inbox_id = b.id
                           where b.kind = 'revision' and b.package_id = n.package_id
                             and b.item = n.item and b.revision = n.revision) as taken
            from unnest(append.d_package, append.d_item, append.d_revision)
                 n (package_id, item, revision)
            where n.package_id = any (ours)) d
      where r.package_id = d.package_id and r.item = d.item and r.revision = d.revision
        and r.delivered_at is null and r.closed_at is null;
  end if;

  if leaving or exists (select from unnest(append.statuses) s where s is not null)
             or exists (select from unnest(append.reasons) s where s is not null) then
    update flagman.package p
      set status = coalesce(append.statuses[a.place], p.status),
          reasons = case
            when append.statuses[a.place] is null and append.reasons[a.place] is null
              then p.reasons
            else string_to_array(coalesce(append.reasons[a.place], ''), ',') end,
          finished_at = case
            when append.statuses[a.place] is null then p.finished_at
            when append.statuses[a.place] in ('accepted', 'rejected', 'manual_review',
                                              'cancelled') then now()
            else null end,
          items = case
            when append.leave[a.place] = 'finish'
              then (select count(*) from flagman.item i where i.package_id = a.package_id)
            else p.items end,
          head_seq = case when append.leave[a.place] is null then p.head_seq
                          else append.new_seqs[a.place] end,
          head_hash = case when append.leave[a.place] is null then p.head_hash
                           else coalesce(append.new_hashes[a.place], p.head_hash) end,
          last_epoch = case when append.leave[a.place] is null then p.last_epoch
                            else append.epochs[a.place] + 1 end
      from unnest(ours, places) a (package_id, place)
      where p.id = a.package_id
        and (append.statuses[a.place] is not null or append.reasons[a.place] is not null
             or append.leave[a.place] is not null);
  end if;

  return query select a.* from unnest(ours, counts) a (package_id, inbox_count);
end
$$;

-- Gives one package back that its holder cannot go on with. Where it is the package's own
-- fault, that counts like a crash of its worker.
create function flagman.give_up(worker uuid, package bigint, epoch bigint, failed boolean)
returns void
language plpgsql
set search_path = pg_catalog, flagman, pg_temp
as $$
#variable_conflict use_column
begin
  update flagman.task t
    set worker_id = null, epoch = t.epoch + 1, crashes = t.crashes + give_up.failed::int,
        run_at = now() + interval '1 second' * least(2 ^ t.crashes, 60)
    where t.package_id = give_up.package and t.worker_id is not distinct from give_up.worker
      and t.epoch = give_up.epoch;
end
$$;

-- The worker's packages that have acts in their inbox which no chain has taken in.
create function flagman.acts_waiting(worker uuid) returns setof bigint
language plpgsql
set search_path = pg_catalog, flagman, pg_temp
set enable_seqscan = off
as $$
begin
  return query
    select t.package_id from flagman.task t
    where t.worker_id is not distinct from acts_waiting.worker and t.inbox_count > 0
      and exists (select from flagman.inbox i
                  where i.package_id = t.package_id
                    and not exists (select from flagman.inbox_taken k where k.inbox_id = i.id));
end
$$;

-- Tells who listens what an append has just made true; a statement of its own, after the
-- commit. `packages` changed their status, the other three name rebuilds that were asked.
create function flagman.tell(packages bigint[], r_package bigint[], r_item text[],
                             r_revision int[])
returns void
language plpgsql
set search_path = pg_catalog, flagman, pg_temp
as $$
begin
  perform pg_notify('flagman_package', p::text) from unnest(tell.packages) p;
  perform pg_notify('flagman_rebuild', r.id::text)
    from unnest(tell.r_package, tell.r_item, tell.r_revision) a (package_id, item, revision)
    join flagman.rebuild r
      on r.package_id = a.package_id and r.item = a.item and r.revision = a.revision;
end
$$;

-- Takes the packages away from workers whose heartbeat is older than their lease and `grace`.
-- Any process does it, every few seconds; each package comes back after a pause that doubles.
--
-- The dead are locked first and their tasks looked up after that, by a newer snapshot: what a
-- worker claimed up to the last moment is found too. A task whose worker has no row at all,
-- because somebody deleted it by hand, is taken the same way, or nobody ever would. So is, the
-- next time, one that is passed over now because its dead worker still has it locked.
create function flagman.rescue(grace interval) returns table (package_id bigint, crashes int)
language plpgsql
set search_path = pg_catalog, flagman, pg_temp
as $$
#variable_conflict use_column
declare
  dead uuid[];
begin
  select coalesce(array_agg(s.id), '{}') into dead
    from (select w.id from flagman.worker w
          where w.heartbeat_at < clock_timestamp() - w.lease - rescue.grace
          order by w.id for update skip locked) s;

  return query
    with lost as materialized (
      select t.package_id from flagman.task t
        where t.worker_id is not null
          and (t.worker_id = any (dead)
               or not exists (select from flagman.worker w where w.id = t.worker_id))
        order by t.package_id for update skip locked),
    moved as (
      update flagman.task t
        set worker_id = null, epoch = t.epoch + 1, crashes = t.crashes + 1,
            run_at = now() + interval '1 second' * least(2 ^ t.crashes, 60)
        from lost where t.package_id = lost.package_id
        returning t.package_id, t.crashes),
    buried as (
      delete from flagman.worker w where w.id = any (dead))
    select m.package_id, m.crashes from moved m;
end
$$;

-- The end of a drain: what is still held becomes due for others at once.
create function flagman.retire(id uuid) returns void
language plpgsql
set search_path = pg_catalog, flagman, pg_temp
as $$
#variable_conflict use_column
begin
  -- Waits for a claim of the same worker that is still on its way.
  perform from flagman.worker w where w.id = retire.id for update;

  with held as materialized (
    select t.package_id from flagman.task t
      where t.worker_id = retire.id order by t.package_id for update)
  update flagman.task t
    set worker_id = null, epoch = t.epoch + 1, run_at = now()
    from held where t.package_id = held.package_id;

  delete from flagman.worker w where w.id = retire.id;
end
$$;
