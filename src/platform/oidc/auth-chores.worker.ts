import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, Raw, Repository } from 'typeorm';
import { ApiKey } from '../authentication/api-key.entity.js';
import { PasswordThrottleService } from '../authentication/password-throttle.service.js';
import { Session } from '../authentication/session.entity.js';
import { SessionRepository } from '../authentication/session.repository.js';
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
    @InjectRepository(Session) sessions: SessionRepository,
    @InjectRepository(ApiKey) keys: Repository<ApiKey>,
    throttle: PasswordThrottleService,
    oidcSignIns: OidcSignInsRepository,
    oidcSessions: OidcSessionsRepository,
  ) {
    chores.add({ name: 'expired elevated keys', everySeconds: MINUTE, run: () => sweepElevated(keys) });
    chores.add({ name: 'unfinished sign-ins', everySeconds: MINUTE, run: () => oidcSignIns.sweep() });
    chores.add({ name: 'used logout tokens', everySeconds: HOUR, run: () => oidcSessions.sweepLogouts() });
    chores.add({ name: 'expired sessions', everySeconds: HOUR, run: () => sessions.sweep() });
    chores.add({ name: 'expired counts of failed logins', everySeconds: HOUR, run: () => throttle.sweep() });
  }
}

async function sweepElevated(keys: Repository<ApiKey>): Promise<number> {
  const expiresAt = Raw((column) => `${column} <= now()`);
  return (await keys.delete({ sessionId: Not(IsNull()), expiresAt })).affected ?? 0;
}
