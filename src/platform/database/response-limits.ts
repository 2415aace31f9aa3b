// While the database does not answer, requests are refused within 5 seconds (contract §8.6). Each of these is below that.

/** How long the making of a connection may take. */
export const CONNECT_TIMEOUT_MS = 4_000;

/** After this time without a response to a probe, the connections of the pool are closed, and who waits for them is refused. */
export const SILENCE_MS = 2_500;
