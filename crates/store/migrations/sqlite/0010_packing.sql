-- How PostgreSQL packs long values; SQLite packs nothing.
select 1;
