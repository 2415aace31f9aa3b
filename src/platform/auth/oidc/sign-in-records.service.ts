import { Injectable, Logger } from '@nestjs/common';
import { currentOrigin } from '../../journal/journal-context.js';
import { JournalService } from '../../journal/journal.service.js';
import { clientNetwork } from '../limits/client-network.js';
import { OncePerMinute } from '../limits/once-per-minute.js';
import type { SignInReason, SignInRefused } from './sign-in-refused.js';

/** Reasons that the operator has to do something about. */
const OF_OPERATOR = new Set<SignInReason>(['unavailable', 'misconfigured', 'invalid']);

/**
 * Records refused sign-ins in the audit, and warns the operator of those that concern the provider. One per minute, reason,
 * person and network is recorded, because anybody can repeat one without end.
 */
@Injectable()
export class SignInRecordsService {
  private readonly log = new Logger(SignInRecordsService.name);
  private readonly once = new OncePerMinute();

  constructor(private readonly journal: JournalService) {}

  async refused({ reason, about }: SignInRefused): Promise<void> {
    const network = clientNetwork(currentOrigin()?.from ?? null);
    if (!this.once.first(`${reason} ${String(about['subject'] ?? '')} ${network}`)) return;
    const { error } = about;
    if (OF_OPERATOR.has(reason))
      this.log.warn({
        msg: `A sign-in at the OpenID provider failed (${reason}): check OIDC_ISSUER, the client there, and that the provider is up.`,
        error,
      });
    await this.journal.record({
      type: 'login.failed',
      subject: { type: 'user', id: null },
      data: { method: 'oidc', reason, ...about },
    });
  }
}
