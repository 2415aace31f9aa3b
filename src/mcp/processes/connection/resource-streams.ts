import type { Client, McpSubscription } from '@modelcontextprotocol/client';
import { McpError } from './mcp-errors.js';

/** The requests that this class takes the place of. */
export const SUBSCRIBE = 'resources/subscribe';
export const SUBSCRIPTIONS = new Set([SUBSCRIBE, 'resources/unsubscribe']);

/**
 * Subscriptions to single resources at a server of the new era, where each is a stream that stays open. Callers use them
 * like those of the old era. A broken stream is opened again, and a change that may have been missed is reported.
 */
export class ResourceStreams {
  /** By URI; null while a stream is opened. */
  private readonly open = new Map<string, McpSubscription | null>();

  constructor(
    private readonly client: Client,
    private readonly onUpdated: (uri: string) => void,
  ) {}

  /** @throws {McpError} when the server does not support subscriptions to resources */
  async subscribe(uri: string): Promise<Record<string, unknown>> {
    if (this.open.has(uri)) return {};
    if (this.client.getServerCapabilities()?.resources?.subscribe !== true)
      throw new McpError(METHOD_NOT_FOUND, 'This server does not support subscriptions to resources.');
    this.open.set(uri, null);
    try {
      await this.closeOldest();
      await this.listen(uri);
    } catch (fault) {
      this.open.delete(uri);
      throw fault;
    }
    return {};
  }

  async unsubscribe(uri: string): Promise<Record<string, unknown>> {
    const stream = this.open.get(uri);
    this.open.delete(uri);
    await stream?.close();
    return {};
  }

  /** A session that ends leaves its subscriptions behind, since other sessions may have them too. */
  private async closeOldest(): Promise<void> {
    const [oldest] = this.open.keys();
    if (this.open.size > MOST_STREAMS && oldest !== undefined) await this.unsubscribe(oldest);
  }

  private async listen(uri: string): Promise<void> {
    const stream = await this.client.listen({ resourceSubscriptions: [uri] });
    if (!this.open.has(uri)) return stream.close();
    this.open.set(uri, stream);
    void stream.closed.then((how) => (how === 'local' ? undefined : this.listenAgain(uri, FIRST_PAUSE_MS)));
  }

  private async listenAgain(uri: string, pauseMs: number): Promise<void> {
    await new Promise((resolve) => {
      setTimeout(resolve, pauseMs).unref();
    });
    if (!this.open.has(uri) || this.client.transport === undefined) return;
    try {
      await this.listen(uri);
      this.onUpdated(uri);
    } catch {
      // The server may be down for a while: the next attempt waits twice as long.
      await this.listenAgain(uri, Math.min(2 * pauseMs, LONGEST_PAUSE_MS));
    }
  }
}

const MOST_STREAMS = 1_024;
const METHOD_NOT_FOUND = -32_601;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 300_000;
