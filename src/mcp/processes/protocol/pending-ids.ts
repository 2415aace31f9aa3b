import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/**
 * The requests that still wait for a response. A response whose id is unknown, already answered, cancelled or of
 * another type is not expected: the SDK would take the ids `""` and `null` for call 0.
 */
export class PendingIds {
  private readonly ids = new Set<string | number>();

  noteSent(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message) this.ids.add(message.id);
    else if (message.method === 'notifications/cancelled') this.forget(message.params?.requestId);
  }

  /** True for requests and notifications, and once for the answer to each request that was sent. */
  isExpected(message: JSONRPCMessage): boolean {
    if ('method' in message) return true;
    const id: unknown = 'id' in message ? message.id : undefined;
    return (typeof id === 'string' || typeof id === 'number') && this.ids.delete(id);
  }

  private forget(id: unknown): void {
    if (typeof id === 'string' || typeof id === 'number') this.ids.delete(id);
  }
}
