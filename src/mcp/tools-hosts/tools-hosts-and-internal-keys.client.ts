import { Agent, request, type RequestOptions } from 'node:https';
import type { ConnectionOptions, TlsOptions } from 'node:tls';
import { hkdfSync } from 'node:crypto';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { Encryption } from '../../platform/encryption/encryption.service.js';
import { SealBroken } from '../../platform/encryption/key-ring.js';
import { Problem } from '../../platform/http/problem.js';
import { currentOrigin } from '../../platform/journal/journal.service.js';
import { McpUnavailable } from '../processes/connection/mcp-errors.js';
import { type Answers, HostLost, HostRequest } from './host-request.js';
import { LiveHostsService } from './live-hosts.service.js';
import type { LiveHost } from './tools-host.entity.js';

const CONTEXT = 'internal endpoint of tools hosts';
const GIVEN = 'internal-key';

/**
 * A key that both sides know authenticates both and encrypts what they send: no certificate is needed. These suites are
 * forward-secret, so that a key that becomes known opens nothing that was recorded before.
 */
export const TLS_OPTIONS = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
} satisfies TlsOptions;

/** The key between the processes of this installation: `INTERNAL_KEY`, or one that is derived from the key ring. */
@Injectable()
export class InternalKeysService {
  constructor(
    private readonly settings: Settings,
    private readonly encryption: Encryption,
  ) {}

  /** Returns the key that this process uses for its requests. */
  own(): { identity: string; psk: Buffer } {
    const { internalKey } = this.settings;
    if (internalKey !== null) return { identity: GIVEN, psk: derived(internalKey) };
    const identity = this.encryption.primaryKeyId;
    return { identity, psk: this.encryption.mac(CONTEXT, CONTEXT, identity) };
  }

  /** Returns the key that a request names; null for one that this process does not know. */
  byIdentity(identity: string): Buffer | null {
    const { internalKey } = this.settings;
    if (internalKey !== null) return identity === GIVEN ? derived(internalKey) : null;
    try {
      return this.encryption.mac(CONTEXT, CONTEXT, identity);
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  }
}

function derived(key: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', CONTEXT, 32));
}

/** A host that does not accept a connection in this time is passed over. */
const CONNECT_MS = 1_500;

/** Asks tools hosts to do what this process does not do itself (contract §9.3). */
@Injectable()
export class ToolsHostsClient implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly agent = new Agent({ keepAlive: true, maxCachedSessions: 0 });
  /** By the id of their host. */
  private readonly open = new Map<HostRequest, string>();

  constructor(
    private readonly hosts: LiveHostsService,
    private readonly keys: InternalKeysService,
    private readonly settings: Settings,
  ) {}

  /** Whether servers run in other processes. */
  get isNeeded(): boolean {
    return this.settings.duties.requests && !this.settings.duties.servers;
  }

  onApplicationBootstrap(): void {
    if (!this.isNeeded) return;
    this.hosts.begin();
    this.hosts.watch((live) => this.loseAllBut(live));
  }

  /** Calls have ended by now. Earlier this would end those that may still finish. */
  onApplicationShutdown(): void {
    this.agent.destroy();
  }

  /**
   * Sends a request to the host of this key. A host that certainly has not begun it is followed by the next one.
   * @throws {McpUnavailable} when no host took it, or the host was lost that had taken it
   */
  async ask(
    key: string,
    operation: string,
    args: unknown,
    answers: Answers = {},
    signal?: AbortSignal,
  ): Promise<unknown> {
    const tried = new Set<string>();
    for (;;) {
      const host = await this.nextHost(key, tried);
      if (!host) throw NONE();
      tried.add(host.id);
      try {
        return await this.askHost(host, operation, args, answers, signal);
      } catch (error) {
        if (!(error instanceof HostLost)) throw error;
        if (signal?.aborted) throw new McpUnavailable('cancelled', 'The call was cancelled.');
        this.hosts.suspect(host.id);
        if (!error.isUnsent) throw LOST();
      }
    }
  }

  /** Returns the first host that was not tried; where all were, one that has been announced since the list was read. */
  private async nextHost(key: string, tried: ReadonlySet<string>): Promise<LiveHost | undefined> {
    const untried = async () => (await this.hosts.inOrder(key)).find(({ id }) => !tried.has(id));
    const known = await untried();
    if (known || tried.size === 0) return known;
    await this.hosts.refresh();
    return untried();
  }

  /** Sends a request to every host. One that is lost has ended what the request is about. */
  async askAll(operation: string, args: unknown): Promise<void> {
    await Promise.all(
      this.hosts.all().map((host) =>
        this.askHost(host, operation, args).catch((error: unknown) => {
          if (!(error instanceof HostLost)) throw error;
        }),
      ),
    );
  }

  /** As `ask`, for requests of people: an error is one of the API. */
  async askForPerson<Result>(key: string, operation: string, args: unknown): Promise<Result> {
    try {
      return (await this.ask(key, operation, args)) as Result;
    } catch (error) {
      if (!(error instanceof McpUnavailable)) throw error;
      throw new Problem('unavailable', error.reason, { headers: { 'Retry-After': '2' } });
    }
  }

  /** @throws {HostLost} */
  async askHost(
    host: LiveHost,
    operation: string,
    args: unknown,
    answers: Answers = {},
    signal?: AbortSignal,
  ): Promise<unknown> {
    const asked = new HostRequest(this.requestTo(host), answers);
    this.open.set(asked, host.id);
    try {
      return await asked.run({ operation, args, origin: currentOrigin() }, signal);
    } finally {
      this.open.delete(asked);
    }
  }

  private requestTo({ address }: LiveHost) {
    const { hostname, port } = new URL(`https://${address}`);
    const options: RequestOptions & Pick<ConnectionOptions, 'pskCallback'> = {
      agent: this.agent,
      host: hostname.replace(/^\[|\]$/g, ''),
      port,
      method: 'POST',
      path: '/',
      ...TLS_OPTIONS,
      // The key authenticates the host: there is no certificate whose name could be compared.
      checkServerIdentity: () => undefined,
      pskCallback: () => this.keys.own(),
    };
    const sent = request(options);
    sent.setNoDelay(true);
    const late = setTimeout(() => sent.destroy(), CONNECT_MS);
    sent.once('socket', (socket) => {
      if (sent.reusedSocket) return clearTimeout(late);
      socket.once('secureConnect', () => clearTimeout(late));
    });
    sent.once('close', () => clearTimeout(late));
    return sent;
  }

  private loseAllBut(live: readonly LiveHost[]): void {
    const ids = new Set(live.map(({ id }) => id));
    for (const [asked, host] of this.open) if (!ids.has(host)) asked.lose();
  }
}

const NONE = () =>
  new McpUnavailable(
    'unreachable',
    'No tools host takes calls at the moment. Try again in a few seconds.',
    5,
  );

const LOST = () =>
  new McpUnavailable(
    'died',
    'The tools host that ran the server was lost before it responded. The call may have been done or not. Try again: another host starts the server.',
    1,
  );
