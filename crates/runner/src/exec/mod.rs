//! Running programs so that they outlive this process: each has a shim, and a folder through which it is found again.
//!
//! Independent of hub, link and database. What must be durable before a start, and after an end, is the caller's.
