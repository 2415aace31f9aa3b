import { scopeRefused } from '../../processes/connection/insufficient-scope.js';
import type { AccessToken, TokenSource } from '../../processes/server-description.js';
import { AccessTokensService, type RequestToken } from './access-tokens.service.js';
import { ClientCredentialsClient, type TokenRequest } from './client-credentials.client.js';
import { SignInFailed } from './oauth-failure.js';
import { OauthTokensRepository, type TokenOwner } from './oauth-tokens.repository.js';
import { includesScope, unionOf } from './scope.js';

/** A server that names ever new scopes must not fill the memory. */
const MOST_REFUSED = 50;

/** What a server has asked for beyond the scope of its entry. It outlasts connections, so that nothing is asked for again. */
export interface AskedScopes {
  /** What it got. */
  extra: string | null;
  /** The last token that was requested, and with which extra scope. */
  last: { id: string; extra: string | null } | null;
  /** What the authorization server does not give to this client. */
  readonly refused: Set<string>;
}

/** The services that request and store tokens. */
export interface TokenServices {
  tokens: AccessTokensService;
  stored: OauthTokensRepository;
  client: ClientCredentialsClient;
}

/** Gives the access tokens of a connection by client credentials, and widens their scope when the server asks for it. */
export class ClientTokenSource implements TokenSource {
  constructor(
    private readonly owner: TokenOwner,
    private readonly request: Omit<TokenRequest, 'extraScope'>,
    private readonly services: TokenServices,
    private readonly asked: AskedScopes,
  ) {}

  token(refusedId?: string): Promise<AccessToken> {
    return this.services.tokens.token(this.owner, this.issue(this.asked.extra), refusedId);
  }

  /** Requests a token once per scope, and again only for a token that was requested without it. */
  async widen(token: AccessToken, scope: string | null): Promise<AccessToken> {
    if (scope === null || this.asked.refused.has(scope) || this.wasRequestedFor(token, scope))
      throw scopeRefused(scope);
    const extra = unionOf(scope, this.asked.extra);
    try {
      const wider = await this.services.tokens.token(this.owner, this.issue(extra), token.id);
      this.asked.extra = extra;
      return wider;
    } catch (error) {
      if (!(error instanceof SignInFailed)) throw error;
      if (this.asked.refused.size < MOST_REFUSED) this.asked.refused.add(scope);
      throw scopeRefused(scope);
    }
  }

  private wasRequestedFor({ id }: AccessToken, scope: string): boolean {
    return this.asked.last?.id === id && includesScope(this.asked.last.extra, scope);
  }

  private issue(extra: string | null): RequestToken {
    const { client, stored } = this.services;
    return async () => ({
      ...(await client.request({ ...this.request, extraScope: extra })),
      store: async (claim, token) => {
        this.asked.last = { id: token.id, extra };
        return stored.store(this.owner, claim, token);
      },
    });
  }
}
