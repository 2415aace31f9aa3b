// The times of event streams (contract §8.3), in milliseconds.

/** The greatest delay of an event. */
export const POLL_MS = 100;

/** Rights also end without an event, such as at the expiry of a key: they are checked at least this often. */
export const RIGHTS_MS = 1_000;

/** How often a comment line keeps a connection open. */
export const KEEP_OPEN_MS = 15_000;

/** A reader that takes nothing for longer is disconnected. */
export const LONGEST_STALL_MS = 30_000;

/** After which a client connects again. */
export const RETRY_MS = 1_000;
