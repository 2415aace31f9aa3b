import { Injectable, Logger } from '@nestjs/common';
import { clientNetwork } from '../../platform/authentication/request-limits.service.js';
import { OncePerMinute } from '../../platform/authentication/refusal-records.service.js';
import { ChoresWorker } from '../../platform/chores/chores.worker.js';
import { currentOrigin, JournalService } from '../../platform/journal/journal.service.js';
import { OauthSignInRepository, type OpenSignIn } from '../oauth/oauth-sign-in.repository.js';
import type { SignInOutcome, SignInRejected } from '../oauth/oauth.errors.js';
import { CredentialSetRepository } from '../server-records/credential-set.repository.js';

/** Removes unfinished sign-ins at remote servers. Nothing depends on when that happens. */
@Injectable()
export class SignInChoresWorker {
  constructor(chores: ChoresWorker, signIns: OauthSignInRepository) {
    chores.add({
      name: 'unfinished sign-ins at remote servers',
      everySeconds: 60,
      run: () => signIns.sweep(),
    });
  }
}

/** Outcomes for which the authorization server or the entry has to be looked at. */
const OF_OPERATOR = new Set<SignInOutcome>(['refused', 'invalid', 'unavailable']);

/**
 * Records sign-ins that were rejected, without state, code or token. One per minute, outcome, set and network is recorded,
 * because anybody can repeat one without end.
 */
@Injectable()
export class SignInRejectionsService {
  private readonly log = new Logger(SignInRejectionsService.name);
  private readonly once = new OncePerMinute();

  constructor(
    private readonly sets: CredentialSetRepository,
    private readonly journal: JournalService,
  ) {}

  /** @param open the sign-in; null: it is not known which one */
  async record({ outcome, error }: SignInRejected, open: OpenSignIn | null): Promise<void> {
    const network = clientNetwork(currentOrigin()?.from ?? null);
    if (!this.once.first(`${outcome} ${open?.credentialSetId ?? ''} ${network}`)) return;
    const authorizationServer = open && open.metadata.issuer;
    if (OF_OPERATOR.has(outcome))
      this.log.warn({
        msg: `A sign-in at the authorization server ${authorizationServer} failed (${outcome}): check the client there, and that the server is up.`,
        error,
      });
    const set = open && (await this.sets.findById(open.credentialSetId));
    await this.journal.record({
      type: 'mcp.credentials.sign_in_failed',
      subject: { type: 'server', id: set?.serverId ?? null },
      data: { credentialSet: set?.name ?? null, authorizationServer, reason: outcome, error },
    });
  }
}
