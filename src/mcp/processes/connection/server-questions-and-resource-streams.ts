import type { Client, McpSubscription } from '@modelcontextprotocol/client';
import type { Deadline } from './deadlines.js';
import type { RequestOptions, ServerQuestion } from './mcp-connection.js';
import { McpError } from './mcp-errors.js';

type Loose = Record<string, unknown>;

/** A request whose server may still ask about it. */
interface OpenRequest {
  caller: string | undefined;
  ask: RequestOptions['onQuestion'];
  /** Ends the questions that are asked when the request is over; null until one is asked, because signals cost time. */
  over: AbortController | null;
  deadline: Deadline | null;
}

/** Why a question was not passed on, for the server and for the log of the server. */
export class QuestionRefused extends Error {}

/** How often the time limit of a request is renewed while a question about it is open. */
const RENEW_MS = 5_000;

/**
 * Finds the request that a question of the server (`elicitation/create`) belongs to. In the old protocol era such a
 * question names no request, and several agents may share a process. So it belongs to the only request that runs. Where
 * several run, or an earlier one was cancelled for another caller and the server may still work on it, the question is
 * refused: asking the wrong agent would show it what belongs to another.
 */
export class OpenRequests {
  private readonly open = new Set<OpenRequest>();
  /** Callers of requests that ended here without a response, so maybe not in the server. */
  private readonly abandonedBy = new Set<string | undefined>();

  /** Runs a request, about which the server may ask until it is over. @param send is given the hook for its deadline */
  async run<T>(
    { caller, onQuestion: ask }: RequestOptions,
    send: (onDeadline: (deadline: Deadline) => void) => Promise<T>,
  ): Promise<T> {
    const request: OpenRequest = { caller, ask, over: null, deadline: null };
    this.open.add(request);
    try {
      return await send((deadline) => void (request.deadline = deadline));
    } finally {
      this.open.delete(request);
      if (request.deadline?.reason) this.abandonedBy.add(caller);
      request.over?.abort();
    }
  }

  /**
   * Passes a question on to the caller of its request.
   * @throws {QuestionRefused} where its request is not certain, or its caller answers no questions
   */
  async answer(question: ServerQuestion): Promise<Loose> {
    const request = this.owner();
    const { ask, deadline } = request;
    if (!ask) throw new QuestionRefused('The caller of this request answers no questions.');
    request.over ??= new AbortController();
    const { signal } = request.over;
    const renewal = setInterval(() => deadline?.renew(), RENEW_MS).unref();
    try {
      return await ask(question, signal);
    } finally {
      clearInterval(renewal);
      deadline?.renew();
    }
  }

  private owner(): OpenRequest {
    const [request, ...others] = this.open;
    if (!request) throw new QuestionRefused('No request is running that a question could belong to.');
    if (others.length > 0)
      throw new QuestionRefused(
        `${others.length + 1} requests are running, so it is not certain which of them this question belongs to. Call the tool again when no other call of this server runs, or let the server have a process per agent.`,
      );
    if ([...this.abandonedBy].some((caller) => caller !== request.caller))
      throw new QuestionRefused(
        'A request of another caller was cancelled in this process, so it is not certain which request this question belongs to. Restart the server, or let it have a process per agent.',
      );
    return request;
  }
}

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
