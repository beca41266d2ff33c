-- Events are long texts that are written all the time. lz4 compresses them at a fraction of the cost of the default; a
-- server that was built without it, or is older than it, keeps the default.
do $$
begin
    execute 'alter table event alter column items set compression lz4';
exception
    when others then null;
end
$$;

-- Compressed already: compressing again only costs time.
alter table log_chunk alter column body set storage external;
