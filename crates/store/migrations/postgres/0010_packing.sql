-- Events are long texts that are written all the time. lz4 packs them at a fraction of the usual price; a server that
-- was built without it, or is older than it, keeps its own way.
do $$
begin
    execute 'alter table event alter column items set compression lz4';
exception
    when others then null;
end
$$;

-- Packed already: trying once more only costs.
alter table log_chunk alter column body set storage external;
