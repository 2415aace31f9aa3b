import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { TransactionsService } from '../../database/transactions.service.js';
import { Problem } from '../../http/problem/problem.js';
import { JournalService } from '../../journal/journal.service.js';
import { LOGOUT_TOKEN_MAX_AGE_SECONDS, logoutClaimsIn } from './logout-claims.js';
import { OidcDiscoveryClient } from './oidc-discovery.client.js';
import { refusalOf } from './oidc-errors.js';
import { OidcSessionsRepository, type Logout } from './oidc-sessions.repository.js';
import { verifiedClaims } from './signatures.js';

/** Ends sessions when the provider says that a person has signed out there (contract §2.9). */
@Injectable()
export class BackchannelLogoutService {
  private readonly log = new Logger(BackchannelLogoutService.name);

  constructor(
    private readonly settings: Settings,
    private readonly discovery: OidcDiscoveryClient,
    private readonly sessions: OidcSessionsRepository,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  /** @throws {InvalidLogoutToken} when the token is not a valid one of the provider for this service, or was used */
  async logout(token: string): Promise<void> {
    const logout = await this.logoutOf(token);
    await this.transactions.run(async () => {
      // A sign-in on its way then either has its session already, or sees this logout.
      await this.sessions.lock('logout');
      const users = await this.sessions.usersOf(logout);
      if (!(await this.sessions.insertLogout(logout))) throw new InvalidLogoutToken();
      for (const { id, userId } of await this.sessions.end(logout, users))
        await this.journal.record({
          type: 'login.ended',
          subject: { type: 'user', id: userId },
          data: { sessionId: id, by: 'oidc' },
        });
    });
  }

  private async logoutOf(token: string): Promise<Logout> {
    const { oidc } = this.settings;
    if (oidc === null) throw new InvalidLogoutToken();
    try {
      const provider = await this.discovery.provider();
      const rules = { audience: oidc.clientId, maxAge: LOGOUT_TOKEN_MAX_AGE_SECONDS, trusted: false };
      const claims = logoutClaimsIn(await verifiedClaims(token, provider, rules));
      if (claims !== null) return { ...claims, issuer: provider.issuer };
    } catch (error) {
      const { reason, about } = refusalOf(error);
      this.log.warn({ msg: `A logout token was refused (${reason}).`, error: about['error'] });
      if (reason === 'unavailable')
        throw new Problem(
          'unavailable',
          'The OpenID provider gives no answer. Send the logout token again later.',
          {
            headers: { 'Retry-After': '10' },
          },
        );
    }
    throw new InvalidLogoutToken();
  }
}

/** 400, without a word about what is wrong: the sender may be anybody. */
class InvalidLogoutToken extends Problem {
  constructor() {
    super(
      'invalid_logout_token',
      'This is not a valid logout token of the OpenID provider, or it was used before.',
    );
  }
}
