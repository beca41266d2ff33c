-- Set by the transaction of the request's change. A request without a response whose mark is missing did nothing, and
-- its repetition is executed.
alter table request_key add column committed_at integer;
