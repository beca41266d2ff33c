-- Compression of long values on PostgreSQL; SQLite compresses nothing.
select 1;
