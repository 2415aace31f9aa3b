/** The connections to this database that wait for a lock. `pg_locks` shows those of other tests on the server too. */
export const WAITING_FOR_LOCKS = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
