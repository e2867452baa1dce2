-- The guards: what was written once is changed by nobody, the owner and a superuser
-- included.
--
-- Privileges (0005) keep the daemon from trying. These triggers are for everybody else:
-- they turn a slip in a console into an error, and a deliberate change into one that has
-- to switch a trigger off first. The journal's hashes find that one.

create function flagman.refuse_change() returns trigger
language plpgsql
set search_path = pg_catalog, flagman, pg_temp
as $$
begin
  raise exception using
    errcode = '42501',
    message = format('%s on flagman.%s is refused: its rows are only ever inserted',
                     lower(tg_op), tg_table_name),
    hint = 'What has to be said later is said in a new row.';
end
$$;

-- A row trigger does not see TRUNCATE, so that one has a trigger of its own. `always`
-- makes them fire with session_replication_role = replica too.
do $$
declare
  guarded text;
begin
  foreach guarded in array array['journal', 'author_key', 'call', 'package_body', 'setting',
                                 'inbox', 'inbox_taken'] loop
    execute format('create trigger refuse_change before update or delete on flagman.%I
                    for each row execute function flagman.refuse_change()', guarded);
    execute format('create trigger refuse_truncate before truncate on flagman.%I
                    for each statement execute function flagman.refuse_change()', guarded);
    execute format('alter table flagman.%I enable always trigger refuse_change', guarded);
    execute format('alter table flagman.%I enable always trigger refuse_truncate', guarded);
  end loop;
end
$$;

-- A partition inherits the journal's row trigger, but not the one of TRUNCATE, which
-- belongs to the table that is named in the command.
create function flagman.guard_partition(partition regclass) returns void
language plpgsql
set search_path = pg_catalog, flagman, pg_temp
as $$
begin
  execute format('create trigger refuse_truncate before truncate on %s
                  for each statement execute function flagman.refuse_change()', partition);
  execute format('alter table %s enable always trigger refuse_truncate', partition);
  execute format('alter table %s enable always trigger refuse_change', partition);
end
$$;

do $$
begin
  perform flagman.guard_partition('flagman.journal_0');
end
$$;

-- Sees to it that the journal has a partition for `package`, and for the packages to come.
--
-- Submit calls it for every package: two look-ups in the catalogue's cache when there is
-- nothing to do. The next partition is made half a million packages ahead by whoever comes
-- first, and nobody waits for that; a missing own one is waited for. A partition is
-- attached and not created in place, because creating in place locks out every append.
create function flagman.ensure_partitions(package bigint) returns void
language plpgsql security definer
set search_path = pg_catalog, flagman, pg_temp
as $$
declare
  size constant bigint := 1000000;
  part bigint;
  name text;
begin
  foreach part in array array[package / size, (package + size / 2) / size] loop
    name := 'journal_' || part;
    if to_regclass('flagman.' || name) is null then
      if part = package / size then
        perform pg_advisory_xact_lock(hashtextextended('flagman.ensure_partitions', 0));
      elsif not pg_try_advisory_xact_lock(hashtextextended('flagman.ensure_partitions', 0)) then
        return;
      end if;
      -- Not to_regclass again: it may answer from a cache that the wait did not refresh. A
      -- query has a snapshot of its own and sees what was committed meanwhile.
      if not exists (select from pg_class c
                     where c.relnamespace = 'flagman'::regnamespace and c.relname = name) then
        execute format('create table flagman.%I (like flagman.journal including all)', name);
        execute format('alter table flagman.journal attach partition flagman.%I
                        for values from (%s) to (%s)', name, part * size, (part + 1) * size);
        perform flagman.guard_partition(('flagman.' || name)::regclass);
      end if;
    end if;
  end loop;
end
$$;
