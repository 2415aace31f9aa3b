import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { canary } from '../canary.js';

const PROCESS = resolve(import.meta.dirname, 'provider-process.mjs');

/** The claims of an account beside `sub`. */
export type Claims = Record<string, unknown>;

/** What a test changes at the provider; what is left out stays. */
interface Change {
  clients?: Record<string, unknown>[];
  accounts?: Record<string, Claims>;
  /** Replaces the signing key by a new one. */
  rotate?: boolean;
  /** How long an access token for a resource lasts. */
  tokenSeconds?: number;
  /** Whether clients may register themselves (RFC 7591). */
  registration?: boolean;
  /** Whether the address of a metadata document is the id of a client. */
  documents?: boolean;
  /** Whether its answers to browsers name it (RFC 9207), as its metadata promise then. */
  namesItself?: boolean;
  /** Whether each refresh token is used once. */
  rotation?: boolean;
  /** How many of the next requests for tokens wait; 0 lets go those that do. */
  hold?: number;
}

/** oidc-provider in a process of its own. Any password signs an account in. */
export class OidcProvider {
  issuer = '';
  readonly clientId = 'awp';
  /** The present one. */
  clientSecret = canary('the secret of the client at the provider');
  /** The ids of the clients that have registered themselves, as of the last change. */
  registered: string[] = [];
  /** The tokens that it has granted, as of the last change. */
  issued: string[] = [];
  /** How many tokens clients have revoked, as of the last change. */
  revoked = 0;
  /** How many requests for tokens wait, as of the last change. */
  held = 0;
  private child: ChildProcess | null = null;
  /** Warnings and errors of the provider. */
  log = '';

  /** @param environment of its process, beside the search path */
  constructor(private readonly environment: Record<string, string> = {}) {}

  async start(): Promise<this> {
    const env = {
      PATH: process.env['PATH'],
      PROVIDER_PORT: this.issuer ? new URL(this.issuer).port : '0',
      ...this.environment,
    };
    this.child = fork(PROCESS, { env, execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    this.child.stderr!.on('data', (text: Buffer) => (this.log += text.toString()));
    const [{ issuer }] = (await once(this.child, 'message')) as [{ issuer: string }];
    this.issuer = issuer;
    return this;
  }

  /** The settings of a service whose people sign in here. */
  get settings(): Record<string, string> {
    return {
      OIDC_ISSUER: this.issuer,
      OIDC_CLIENT_ID: this.clientId,
      OIDC_CLIENT_SECRET: this.clientSecret,
    };
  }

  /** Registers the service as the client, with the address where it listens. */
  register(serviceUrl: string, accounts: Record<string, Claims>): Promise<number> {
    return this.change({ clients: [this.clientAt(serviceUrl)], accounts });
  }

  /** Gives the client another secret. */
  replaceSecret(serviceUrl: string): Promise<number> {
    this.clientSecret = canary('the second secret of the client');
    return this.change({ clients: [this.clientAt(serviceUrl)] });
  }

  private clientAt(serviceUrl: string): Record<string, unknown> {
    return {
      client_id: this.clientId,
      client_secret: this.clientSecret,
      redirect_uris: [`${serviceUrl}/api/auth/oidc/callback`],
      backchannel_logout_uri: `${serviceUrl}/api/auth/oidc/backchannel-logout`,
      backchannel_logout_session_required: true,
    };
  }

  /** Returns how many tokens the provider has granted since it was started. */
  async change(change: Change): Promise<number> {
    this.child!.send({ ...change });
    const [answer] = (await once(this.child!, 'message')) as [
      { granted: number; registered: string[]; issued: string[]; held: number; revoked: number },
    ];
    this.registered = answer.registered;
    this.issued = answer.issued;
    this.held = answer.held;
    this.revoked = answer.revoked;
    return answer.granted;
  }

  /** Stops it. A later start has the same address and no memory of the former one. */
  async stop(): Promise<void> {
    if (!this.child || this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }
}
