-- What generators, teachers' pages and operators do and see: submit, wake, cancel,
-- deliver_rebuild, review, package_result, and the views.
--
-- The functions run with their owner's rights, so that a generator needs none on any
-- table. None of them writes the chain: what comes from outside the lease goes into
-- `inbox`, and whoever holds the lease next journals it.

-- A JSON text of the same length in which no escape stands for what a text of PostgreSQL
-- cannot hold: U+0000 and lone surrogates become U+FFFD. Reading any one member decodes
-- the strings on the way to it, and one such escape anywhere would make it fail. The
-- length stays, so that places found in the result are places in the original.
create function flagman.readable_json(written text) returns text
language plpgsql immutable
set search_path = pg_catalog, flagman, pg_temp
as $$
begin
  if strpos(written, '\u') = 0 then
    return written;
  end if;
  -- An escape begins at a backslash that an even number of backslashes stands before.
  written := regexp_replace(written, '(?<!\\)((?:\\\\)*)\\u0000', '\1\\ufffd', 'g');
  -- Pairs of surrogates are set aside as two signs that no JSON text can hold unescaped,
  -- so that what is left of surrogates is alone.
  written := regexp_replace(written,
      '(?<!\\)((?:\\\\)*)\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})',
      '\1' || chr(1) || 'u\2' || chr(1) || 'u\3', 'g');
  written := regexp_replace(written, '(?<!\\)((?:\\\\)*)\\u[dD][89a-fA-F][0-9a-fA-F]{2}',
                            '\1\\ufffd', 'g');
  return replace(written, chr(1), '\');
end
$$;

-- Teacher, id and topic that a body names: where it is a JSON object and they are texts.
-- A body may be anything, bytes that are no text included; it is judged later, on the
-- record, and nothing here may stand in its way. So trouble of any kind means: not named.
create function flagman.named_in_body(payload bytea, out teacher text, out id text,
                                      out topic text)
language plpgsql immutable
set search_path = pg_catalog, flagman, pg_temp
as $$
declare
  body json;
begin
  if substr(payload, 1, 3) = '\xefbbbf' then
    payload := substr(payload, 4);
  end if;
  body := flagman.readable_json(convert_from(payload, 'UTF8'))::json;
  if json_typeof(body) = 'object' then
    teacher := case when json_typeof(body -> 'teacher') = 'string' then body ->> 'teacher' end;
    id := case when json_typeof(body -> 'id') = 'string' then body ->> 'id' end;
    topic := case when json_typeof(body -> 'topic') = 'string' then body ->> 'topic' end;
  end if;
exception when others then
  teacher := null;
  id := null;
  topic := null;
end
$$;

-- Submits a package and returns its id.
--
-- The same key with the same payload is the same package, however often it is sent. No
-- NOTIFY in here: it takes a lock of the whole database until the commit is flushed, and
-- halves the commits a second. wake() is a statement of its own.
create function flagman.submit(payload bytea, teacher text default null,
                               idempotency_key text default null) returns bigint
language plpgsql security definer
set search_path = pg_catalog, flagman, pg_temp
as $$
#variable_conflict use_column
declare
  bytes_max constant int := 16 * 1024 * 1024;
  -- An index has no room for more than some 2,700 bytes.
  name_bytes_max constant int := 1000;
  named record;
  known record;
  whose text := nullif(submit.teacher, '');
  its_key text := nullif(submit.idempotency_key, '');
  digest bytea;
  made bigint;
begin
  if payload is null then
    raise exception using errcode = '22004', message = 'submit: the payload is NULL';
  end if;
  if octet_length(payload) > bytes_max then
    raise exception using errcode = '54000',
      message = format('submit: the payload has %s bytes, at most %s are taken',
                       octet_length(payload), bytes_max),
      hint = 'Split the package.';
  end if;

  named := flagman.named_in_body(payload);
  if whose <> named.teacher then
    raise exception using errcode = '22023',
      message = 'submit: the argument teacher differs from the body''s "teacher"',
      hint = 'Pass NULL to take the body''s, or correct one of them.';
  end if;
  if its_key <> named.id then
    raise exception using errcode = '22023',
      message = 'submit: the argument idempotency_key differs from the body''s "id"',
      hint = 'Pass NULL to take the body''s, or correct one of them.';
  end if;
  whose := coalesce(whose, nullif(named.teacher, ''));
  its_key := coalesce(its_key, nullif(named.id, ''));
  if octet_length(whose) > name_bytes_max or octet_length(its_key) > name_bytes_max then
    raise exception using errcode = '22001',
      message = format('submit: teacher and idempotency key may have %s bytes each',
                       name_bytes_max),
      hint = 'Shorten the argument, or the body''s "teacher" or "id".';
  end if;

  digest := sha256(payload);
  insert into flagman.package (idempotency_key, teacher, topic, payload_sha256)
    values (its_key, whose, named.topic, digest)
    on conflict (tenant, idempotency_key) where idempotency_key is not null do nothing
    returning package.id into made;

  if made is null then
    select p.id, p.payload_sha256, p.teacher into known
      from flagman.package p where p.tenant = 'main' and p.idempotency_key = its_key;
    if not found then
      -- Only a transaction with an older snapshot gets here: the other package is there,
      -- but not for its eyes.
      raise exception using errcode = '40001',
        message = 'submit: another transaction submits the same key just now',
        hint = 'Do it again in a new transaction.';
    end if;
    if known.payload_sha256 <> digest then
      raise exception using errcode = '23505',
        message = format('submit: the idempotency key belongs to package %s, whose payload '
                         'is another one', known.id),
        hint = 'Send the payload of then, or choose a new key for a new package.';
    end if;
    if known.teacher is distinct from whose then
      raise exception using errcode = '23505',
        message = format('submit: the idempotency key belongs to package %s of another '
                         'teacher', known.id),
        hint = 'Choose a new key for a new package.';
    end if;
    return known.id;
  end if;

  perform flagman.ensure_partitions(made);
  insert into flagman.package_body (package_id, body) values (made, payload);
  insert into flagman.task (package_id, teacher) values (made, whose);
  return made;
end
$$;

create function flagman.submit(payload text, teacher text default null,
                               idempotency_key text default null) returns bigint
language plpgsql security definer
set search_path = pg_catalog, flagman, pg_temp
as $$
begin
  return flagman.submit(convert_to(payload, 'UTF8'), teacher, idempotency_key);
end
$$;

-- Tells idle workers that there is something to do. Polling alone is enough to be correct.
create function flagman.wake() returns void
language plpgsql security definer
set search_path = pg_catalog, flagman, pg_temp
as $$
begin
  perform pg_notify('flagman_wake', '');
end
$$;

-- Sees to it that the package has a task which will look into the inbox, and returns the
-- package's status. The task's row is locked from here on, so nobody appends to the
-- package before the caller's transaction ends, and the status holds until then.
--
-- A task that nobody holds becomes due now. It gets a finite time and not '-infinity':
-- claims walk the fresh packages from a cursor, and this one may lie behind it.
create function flagman.rouse_task(package bigint) returns text
language plpgsql security definer
set search_path = pg_catalog, flagman, pg_temp
as $$
#variable_conflict use_column
declare
  status_now text;
begin
  loop
    update flagman.task t
      set inbox_count = t.inbox_count + 1,
          run_at = case when t.worker_id is null then least(t.run_at, now()) else t.run_at end
      where t.package_id = rouse_task.package;
    exit when found;

    insert into flagman.task (package_id, tenant, teacher, run_at, inbox_count)
      select p.id, p.tenant, p.teacher, now(), 1
      from flagman.package p where p.id = rouse_task.package
      on conflict (package_id) do nothing;
    if found then
      -- The head is read only now that the row is ours: another lease may have come and
      -- gone since the snapshot that the row was made from.
      update flagman.task t
        set epoch = p.last_epoch + 1, head_seq = p.head_seq, head_hash = p.head_hash
        from flagman.package p
        where t.package_id = rouse_task.package and p.id = t.package_id;
      exit;
    end if;

    if not exists (select from flagman.package p where p.id = rouse_task.package) then
      raise exception using errcode = 'P0002',
        message = format('there is no package %s', rouse_task.package);
    end if;
  end loop;

  select p.status into status_now from flagman.package p where p.id = rouse_task.package;
  return status_now;
end
$$;

-- Stops a package that is not finished.
create function flagman.cancel(id bigint) returns void
language plpgsql security definer
set search_path = pg_catalog, flagman, pg_temp
as $$
#variable_conflict use_column
declare
  status_now text;
begin
  if cancel.id is null then
    raise exception using errcode = '22004', message = 'cancel: the package is NULL';
  end if;
  status_now := flagman.rouse_task(cancel.id);
  if status_now in ('accepted', 'rejected', 'cancelled') then
    raise exception using errcode = '55000',
      message = format('cancel: package %s is %s already', cancel.id, status_now);
  end if;
  -- One that waits to be taken is enough.
  insert into flagman.inbox (package_id, kind)
    select cancel.id, 'cancel'
    where not exists (
      select from flagman.inbox i
      where i.package_id = cancel.id and i.kind = 'cancel'
        and not exists (select from flagman.inbox_taken k where k.inbox_id = i.id));
end
$$;

-- The generator's answer to a brief: the item's new revision, as the package's kind of game
-- has it. Whether it is any good is decided on the record, as for any other text.
create function flagman.deliver_rebuild(rebuild_id bigint, item text) returns void
language plpgsql security definer
set search_path = pg_catalog, flagman, pg_temp
as $$
#variable_conflict use_column
declare
  bytes_max constant int := 16 * 1024 * 1024;
  asked record;
  status_now text;
begin
  select r.package_id into asked from flagman.rebuild r where r.id = deliver_rebuild.rebuild_id;
  if not found then
    raise exception using errcode = 'P0002',
      message = format('deliver_rebuild: there is no rebuild %s',
                       coalesce(deliver_rebuild.rebuild_id::text, 'NULL'));
  end if;
  if deliver_rebuild.item is null then
    raise exception using errcode = '22004', message = 'deliver_rebuild: the item is NULL';
  end if;
  if octet_length(deliver_rebuild.item) > bytes_max then
    raise exception using errcode = '54000',
      message = format('deliver_rebuild: the item has %s bytes, at most %s are taken',
                       octet_length(deliver_rebuild.item), bytes_max);
  end if;

  status_now := flagman.rouse_task(asked.package_id);
  select r.package_id, r.item, r.revision, r.delivered_at, r.closed_at into asked
    from flagman.rebuild r where r.id = deliver_rebuild.rebuild_id;
  if asked.delivered_at is not null then
    raise exception using errcode = '23505',
      message = format('deliver_rebuild: rebuild %s was delivered already', rebuild_id);
  end if;
  if asked.closed_at is not null or status_now in ('accepted', 'rejected', 'cancelled') then
    raise exception using errcode = '55000',
      message = format('deliver_rebuild: rebuild %s is closed, its item was settled otherwise',
                       rebuild_id);
  end if;

  insert into flagman.inbox (package_id, kind, item, revision, body)
    values (asked.package_id, 'revision', asked.item, asked.revision,
            convert_to(deliver_rebuild.item, 'UTF8'))
    on conflict (package_id, item, revision) where kind = 'revision' do nothing;
  if not found then
    raise exception using errcode = '23505',
      message = format('deliver_rebuild: rebuild %s was delivered already', rebuild_id);
  end if;
end
$$;

-- A person decides about an item that nobody else may decide: accept, reject, or rebuild,
-- which opens one more round for it. `why` stands in the journal.
create function flagman.review(package_id bigint, item text, decision text, who text, why text)
returns void
language plpgsql security definer
set search_path = pg_catalog, flagman, pg_temp
as $$
#variable_conflict use_column
declare
  found_item record;
  status_now text;
begin
  if review.package_id is null or review.item is null then
    raise exception using errcode = '22004', message = 'review: package or item is NULL';
  end if;
  if review.decision is null or review.decision not in ('accept', 'reject', 'rebuild') then
    raise exception using errcode = '22023',
      message = 'review: the decision is one of accept, reject, rebuild';
  end if;
  if coalesce(review.why, '') !~ '\S' then
    raise exception using errcode = '22023', message = 'review: why is empty',
      hint = 'Say why: the journal keeps it.';
  end if;
  if coalesce(review.who, '') !~ '\S' then
    raise exception using errcode = '22023', message = 'review: who is empty';
  end if;

  status_now := flagman.rouse_task(review.package_id);
  select i.outcome, i.revision into found_item
    from flagman.item i
    where i.package_id = review.package_id and i.kind || '/' || i.ordinal = review.item;
  if not found then
    raise exception using errcode = 'P0002',
      message = format('review: package %s has no item %s', review.package_id, review.item);
  end if;
  if found_item.outcome <> 'manual_review' or status_now = 'cancelled' then
    raise exception using errcode = '55000',
      message = format('review: item %s of package %s is not in manual_review',
                       review.item, review.package_id);
  end if;
  if exists (
      select from flagman.inbox i
      where i.package_id = review.package_id and i.kind = 'review' and i.item = review.item
        and not exists (select from flagman.inbox_taken k where k.inbox_id = i.id)) then
    raise exception using errcode = '55000',
      message = format('review: item %s of package %s was decided a moment ago',
                       review.item, review.package_id),
      hint = 'The decision is about to be taken in; look at the item again.';
  end if;

  insert into flagman.inbox (package_id, kind, item, revision, who, why, decision)
    values (review.package_id, 'review', review.item, found_item.revision,
            review.who, review.why, review.decision);
end
$$;

-- Where the members of a JSON object stand in its text: `starts` counts characters from 1,
-- and `length` is that of the value alone. The names are decoded.
--
-- json_each hands out every value exactly as written, so only what stands between values
-- has to be stepped over: a name with its colon, a comma, blanks.
create function flagman.json_members(written text)
returns table (name text, starts int, length int)
language plpgsql immutable
set search_path = pg_catalog, flagman, pg_temp
as $$
declare
  place int := 1;
  value text;
  between constant text := '^[ \t\n\r]*[{,]?[ \t\n\r]*"(?:[^"\\]|\\.)*"[ \t\n\r]*:[ \t\n\r]*';
begin
  for name, value in select e.key, e.value::text from json_each(written::json) e loop
    starts := place + char_length(substring(substr(written, place) from between));
    length := char_length(value);
    place := starts + length;
    return next;
  end loop;
end
$$;

-- The same for the elements of a JSON array; `ordinal` counts from 0.
create function flagman.json_elements(written text)
returns table (ordinal int, starts int, length int)
language plpgsql immutable
set search_path = pg_catalog, flagman, pg_temp
as $$
declare
  place int := 1;
  value text;
begin
  ordinal := 0;
  for value in select e::text from json_array_elements(written::json) e loop
    starts := place
      + char_length(substring(substr(written, place, 4096) from '^[ \t\n\r]*[\[,]?[ \t\n\r]*'));
    length := char_length(value);
    if substr(written, starts, length) <> value then
      -- More than four thousand blanks between two elements.
      starts := place
        + char_length(substring(substr(written, place) from '^[ \t\n\r]*[\[,]?[ \t\n\r]*'));
    end if;
    place := starts + length;
    return next;
    ordinal := ordinal + 1;
  end loop;
end
$$;

-- The finished package in its own format: the author's own text, in which each rebuilt item
-- is replaced by its accepted revision. Everything else, blanks and order included, stays
-- as it was written: nothing of it goes through a JSON writer. Revisions come from the inbox,
-- which holds the author's own bytes and is only ever inserted into: no key goes out that
-- stands in a projection alone.
create function flagman.package_result(id bigint) returns text
language plpgsql security definer
set search_path = pg_catalog, flagman, pg_temp
as $$
#variable_conflict use_column
declare
  status_now text;
  result text;
  readable text;
  games record;
  game record;
  data record;
  place record;
begin
  select p.status into status_now from flagman.package p where p.id = package_result.id;
  if not found then
    raise exception using errcode = 'P0002',
      message = format('package_result: there is no package %s',
                       coalesce(package_result.id::text, 'NULL'));
  end if;
  if status_now <> 'accepted' then
    raise exception using errcode = '55000',
      message = format('package_result: package %s is %s, not accepted',
                       package_result.id, status_now);
  end if;

  select convert_from(case when substr(b.body, 1, 3) = '\xefbbbf' then substr(b.body, 4)
                           else b.body end, 'UTF8')
    into result from flagman.package_body b where b.package_id = package_result.id;
  if not exists (select from flagman.item i
                 where i.package_id = package_result.id and i.revision > 1) then
    return result;
  end if;

  -- Places are found in the readable twin, which has the same length; games, and the items
  -- of a game, are replaced from the last to the first, so that places found before stay.
  readable := flagman.readable_json(result);
  select m.starts, m.length into strict games
    from flagman.json_members(readable) m where m.name = 'games';
  for game in
    select m.name, games.starts + m.starts - 1 as starts, m.length
    from flagman.json_members(substr(readable, games.starts, games.length)) m
    where exists (select from flagman.item i
                  where i.package_id = package_result.id and i.kind = m.name
                    and i.revision > 1)
    order by m.starts desc
  loop
    select game.starts + m.starts - 1 as starts, m.length into strict data
      from flagman.json_members(substr(readable, game.starts, game.length)) m
      where m.name = 'data';
    for place in
      select i.kind || '/' || i.ordinal as item,
             convert_from(case when substr(b.body, 1, 3) = '\xefbbbf' then substr(b.body, 4)
                               else b.body end, 'UTF8') as written,
             data.starts + e.starts - 1 as starts, e.length
      from flagman.item i
      left join flagman.inbox b
        on b.kind = 'revision' and b.package_id = i.package_id
          and b.item = i.kind || '/' || i.ordinal and b.revision = i.revision
      left join flagman.json_elements(substr(readable, data.starts, data.length)) e
        on e.ordinal = i.ordinal
      where i.package_id = package_result.id and i.kind = game.name and i.revision > 1
      order by i.ordinal desc
    loop
      if place.written is null or place.starts is null then
        raise exception using errcode = 'XX001',
          message = format('package_result: item %s of package %s has no text or no place',
                           place.item, package_result.id);
      end if;
      result := overlay(result placing place.written from place.starts for place.length);
    end loop;
  end loop;
  return result;
end
$$;

-- The two views of status look through the eyes of whoever asks: a teacher's page sees the
-- rows that the policies of 0005 leave it. The counts are of one package each, by the items'
-- primary key, so that a page of packages costs a page of items.
create view flagman.package_status with (security_invoker = true) as
  select p.id, p.idempotency_key, p.teacher, p.topic, p.status, p.reasons,
         p.submitted_at, p.finished_at,
         n.items, n.accepted, n.rebuilt, n.flagged, n.rejected, n.manual_review, n.open
  from flagman.package p
  cross join lateral (
    select count(*)::int as items,
           (count(*) filter (where i.outcome = 'accepted' and i.revision = 1))::int as accepted,
           (count(*) filter (where i.outcome = 'accepted' and i.revision > 1))::int as rebuilt,
           (count(*) filter (where i.outcome = 'flagged'))::int as flagged,
           (count(*) filter (where i.outcome = 'rejected'))::int as rejected,
           (count(*) filter (where i.outcome = 'manual_review'))::int as manual_review,
           (count(*) filter (where i.outcome in ('pending', 'solving', 'disputed')))::int as open
    from flagman.item i where i.package_id = p.id) n;

create view flagman.item_status with (security_invoker = true) as
  select i.package_id, i.kind || '/' || i.ordinal as item, i.revision, i.outcome, i.route,
         i.reasons
  from flagman.item i;

-- What a generator is asked for. A delivery that waits to be taken in is no longer open.
create view flagman.rebuilds_open as
  select r.id, r.package_id as package, r.item, r.revision, r.brief
  from flagman.rebuild r
  where r.delivered_at is null and r.closed_at is null
    and not exists (
      select from flagman.inbox i
      where i.kind = 'revision' and i.package_id = r.package_id
        and i.item = r.item and i.revision = r.revision);

create view flagman.catalogue as
  select i.package_id, i.kind || '/' || i.ordinal as item, i.revision, i.kind, i.written,
         i.echo, p.teacher
  from flagman.item i
  join flagman.package p on p.id = i.package_id
  where p.status = 'accepted' and i.outcome = 'accepted';

create view flagman.reviews_open as
  select i.package_id, i.kind || '/' || i.ordinal as item, i.revision, i.reasons
  from flagman.item i
  join flagman.package p on p.id = i.package_id
  where i.outcome = 'manual_review' and p.status <> 'cancelled'
    and not exists (
      select from flagman.inbox b
      where b.package_id = i.package_id and b.kind = 'review'
        and b.item = i.kind || '/' || i.ordinal
        and not exists (select from flagman.inbox_taken k where k.inbox_id = b.id));
