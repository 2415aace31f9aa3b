import { Injectable } from '@nestjs/common';
import { ElevatedKeysRepository } from '../authentication/api-key.repository.js';
import { PasswordThrottleService } from '../authentication/password-throttle.service.js';
import { SessionsRepository } from '../authentication/session.repository.js';
import { ChoresWorker } from '../chores/chores.worker.js';
import { OidcSessionsRepository } from './oidc-session.repository.js';
import { OidcSignInsRepository } from './oidc-sign-in.repository.js';

const MINUTE = 60;
const HOUR = 3_600;

/** Removes expired sessions, elevated keys, unfinished sign-ins and counts of failed logins. Nothing depends on when that happens. */
@Injectable()
export class AuthChoresWorker {
  constructor(
    chores: ChoresWorker,
    sessions: SessionsRepository,
    elevatedKeys: ElevatedKeysRepository,
    throttle: PasswordThrottleService,
    oidcSignIns: OidcSignInsRepository,
    oidcSessions: OidcSessionsRepository,
  ) {
    chores.add({ name: 'expired elevated keys', everySeconds: MINUTE, run: () => elevatedKeys.sweep() });
    chores.add({ name: 'unfinished sign-ins', everySeconds: MINUTE, run: () => oidcSignIns.sweep() });
    chores.add({ name: 'used logout tokens', everySeconds: HOUR, run: () => oidcSessions.sweepLogouts() });
    chores.add({ name: 'expired sessions', everySeconds: HOUR, run: () => sessions.sweep() });
    chores.add({ name: 'expired counts of failed logins', everySeconds: HOUR, run: () => throttle.sweep() });
  }
}
