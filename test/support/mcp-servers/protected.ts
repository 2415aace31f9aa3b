import { dirname } from 'node:path/posix';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { legacyServer, modernServer, type Handler, type Remote } from './remote.js';

const METADATA = '/.well-known/oauth-protected-resource/mcp';

/** What a server that lies says about itself, in place of the truth. */
export interface Lies {
  /** The address of its description in the challenge. */
  metadataUrl?: string;
  /** The scope that its challenge asks for. */
  scope?: string;
  /** Members of the description. */
  description?: Record<string, unknown>;
  /** What its origin says at the well-known address of the origin; absent: nothing. */
  ofOrigin?: Record<string, unknown>;
  /** Where it redirects requests for its description. */
  redirect?: string;
}

/** A remote server of one protocol era that takes access tokens of an authorization server, checked by itself. */
export class ProtectedServer {
  lies: Lies = {};
  /** The clients of the tokens that it took, by the id of the token. */
  readonly tokens = new Map<string, string>();
  /** The ids of all tokens of its issuer that it was sent, also of those that had expired on their way. */
  readonly sent = new Set<string>();
  /** The texts of the tokens. */
  readonly texts: string[] = [];
  /** Ids of tokens that it takes no more. */
  readonly revoked = new Set<string>();
  /** The scope that a token must have. An empty one is had by none, and not named. */
  demandedScope: string | null = null;
  /** How many requests it refused because their token lacked that scope. */
  narrow = 0;
  private remote: Remote | null = null;

  private readonly keys: ReturnType<typeof createRemoteJWKSet>;

  private constructor(private readonly issuer: string) {
    this.keys = createRemoteJWKSet(new URL(`${issuer}/jwks`), { cooldownDuration: 0 });
  }

  static async start(era: 'modern' | 'legacy', issuer: string): Promise<ProtectedServer> {
    const server = new ProtectedServer(issuer);
    const guard =
      (handler: Handler): Handler =>
      (request, response) =>
        server.admit(request, response, handler);
    server.remote = await (era === 'modern' ? modernServer(guard) : legacyServer(guard));
    return server;
  }

  get url(): string {
    return this.remote!.url;
  }

  get host(): string {
    return this.remote!.host;
  }

  close(): Promise<void> {
    return this.remote!.close();
  }

  private async admit(
    request: IncomingMessage,
    response: ServerResponse,
    handler: Handler,
  ): Promise<unknown> {
    if (request.url === METADATA) return this.describe(response);
    if (request.url === dirname(METADATA) && this.lies.ofOrigin)
      return sendJson(response, this.lies.ofOrigin);
    const [, token] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    if (token !== undefined && (await this.isGood(token)))
      return this.hasScope(token) ? handler(request, response) : this.demandScope(response);
    const metadata = this.lies.metadataUrl ?? `http://${this.host}${METADATA}`;
    const scope = this.lies.scope === undefined ? '' : `, scope="${this.lies.scope}"`;
    response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"${scope}` });
    return response.end();
  }

  private hasScope(token: string): boolean {
    const scope = String(decodeJwt(token)['scope'] ?? '').split(' ');
    return this.demandedScope === null || (this.demandedScope !== '' && scope.includes(this.demandedScope));
  }

  private demandScope(response: ServerResponse): void {
    this.narrow += 1;
    const scope = this.demandedScope ? `, scope="${this.demandedScope}"` : '';
    response.writeHead(403, { 'www-authenticate': `Bearer error="insufficient_scope"${scope}` }).end();
  }

  private describe(response: ServerResponse): void {
    if (this.lies.redirect) return void response.writeHead(302, { location: this.lies.redirect }).end();
    const truth = { resource: this.url, authorization_servers: [this.issuer] };
    sendJson(response, { ...truth, ...this.lies.description });
  }

  private async isGood(token: string): Promise<boolean> {
    try {
      this.sent.add(decodeJwt(token).jti!);
      const { payload } = await jwtVerify(token, this.keys, { issuer: this.issuer, audience: this.url });
      if (this.revoked.has(payload.jti!)) return false;
      this.tokens.set(payload.jti!, String(payload['client_id']));
      if (!this.texts.includes(token)) this.texts.push(token);
      return true;
    } catch {
      // A token that cannot be verified is refused, for whatever reason.
      return false;
    }
  }
}

function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
