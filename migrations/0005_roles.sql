-- Who may do what: four roles without a login, the privileges of each, and the policies that
-- show a teacher the own packages alone.
--
-- The worker's role may insert and read author keys, journal and calls, and has no privilege
-- to change or delete one. People and processes log in under roles of their own that are
-- members of these. The status service sets `flagman.teacher` for what it asks on behalf of a
-- teacher, under the role flagman_reader.

do $$
declare
  wanted text;
begin
  foreach wanted in array array['flagman_generator', 'flagman_worker', 'flagman_reader',
                                'flagman_auditor'] loop
    -- Roles belong to the whole cluster: another database of it may have made them, or be
    -- making them at this moment.
    if not exists (select from pg_roles where rolname = wanted) then
      begin
        execute format('create role %I nologin', wanted);
      exception when duplicate_object or unique_violation then
        null;
      end;
    end if;
  end loop;
end
$$;

revoke all on all functions in schema flagman from public;
grant usage on schema flagman
  to flagman_generator, flagman_worker, flagman_reader, flagman_auditor;

-- Whoever connects asks first which version this is.
grant select on flagman.schema_version
  to flagman_generator, flagman_worker, flagman_reader, flagman_auditor;

-- Generators: the functions, and the views of what they may see.
grant execute on function
  flagman.submit(bytea, text, text), flagman.submit(text, text, text), flagman.wake(),
  flagman.cancel(bigint), flagman.deliver_rebuild(bigint, text), flagman.package_result(bigint)
  to flagman_generator, flagman_worker;
grant select on flagman.package_status, flagman.item_status, flagman.rebuilds_open,
  flagman.catalogue to flagman_generator;

-- The daemon. It serves generators and operators over HTTP too, and so has their functions;
-- what these may not do to a key or a chain is not in them to do.
grant execute on function
  flagman.review(bigint, text, text, text, text),
  flagman.register_worker(uuid, interval), flagman.heartbeat(uuid),
  flagman.claim(uuid, int, bigint), flagman.rescue(interval), flagman.retire(uuid),
  flagman.give_up(uuid, bigint, bigint, boolean), flagman.acts_waiting(uuid),
  flagman.tell(bigint[], bigint[], text[], int[])
  to flagman_worker;
do $$
begin
  -- By its name, which is unique: its list of types would fill this page.
  execute format('grant execute on function %s to flagman_worker',
                 'flagman.append'::regproc::oid::regprocedure);
end
$$;
grant select on all tables in schema flagman to flagman_worker;
grant insert on flagman.journal, flagman.author_key, flagman.call, flagman.inbox_taken,
  flagman.setting, flagman.item, flagman.rebuild, flagman.worker to flagman_worker;
grant update on flagman.task, flagman.item, flagman.rebuild, flagman.worker to flagman_worker;
grant update (status, reasons, started_at, finished_at, items, head_seq, head_hash, last_epoch)
  on flagman.package to flagman_worker;
grant delete on flagman.task, flagman.worker to flagman_worker;

-- Auditors: the whole record, to read.
grant select on flagman.setting, flagman.package, flagman.package_body,
  flagman.journal, flagman.author_key, flagman.call, flagman.inbox, flagman.inbox_taken,
  flagman.item, flagman.rebuild, flagman.task, flagman.worker, flagman.package_status,
  flagman.item_status, flagman.reviews_open
  to flagman_auditor;

-- The two views of status run with the rights of whoever asks, so these need their columns
-- and no more: an item's text, and with it the author's key, is not among them.
grant select on flagman.package_status, flagman.item_status to flagman_reader;
grant select (id, idempotency_key, teacher, topic, status, reasons, submitted_at, finished_at)
  on flagman.package to flagman_reader, flagman_generator;
grant select (package_id, kind, ordinal, revision, outcome, route, reasons)
  on flagman.item to flagman_reader, flagman_generator;

alter table flagman.package enable row level security;
alter table flagman.item enable row level security;

create policy everything on flagman.package
  to flagman_generator, flagman_worker, flagman_auditor using (true) with check (true);
create policy everything on flagman.item
  to flagman_generator, flagman_worker, flagman_auditor using (true) with check (true);

-- A setting that was never made is NULL, one that was reset is empty: neither is a teacher.
create policy own_packages on flagman.package for select to flagman_reader
  using (teacher = nullif(current_setting('flagman.teacher', true), ''));
-- The inner look at `package` is under the policy above itself.
create policy own_packages on flagman.item for select to flagman_reader
  using (exists (select from flagman.package p where p.id = item.package_id));
