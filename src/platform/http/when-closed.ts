import type { ServerResponse } from 'node:http';

/**
 * Calls `listener` once the response has been sent or its client has left. The event comes only once, and a client may
 * leave while its key is read: then the listener is called at once, so that nothing stays counted or open for it.
 */
export function whenClosed(response: ServerResponse, listener: () => void): void {
  if (response.closed) listener();
  else response.once('close', listener);
}
