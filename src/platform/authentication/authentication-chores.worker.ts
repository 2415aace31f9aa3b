import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, Raw, Repository } from 'typeorm';
import { ChoresWorker } from '../chores/chores.worker.js';
import { ApiKey, Session } from './authentication.entities.js';
import { SessionRepository } from './session.repository.js';

const MINUTE = 60;
const HOUR = 3_600;

/** Removes expired sessions and elevated keys. Nothing depends on when that happens. */
@Injectable()
export class AuthenticationChoresWorker {
  constructor(
    chores: ChoresWorker,
    @InjectRepository(Session) sessions: SessionRepository,
    @InjectRepository(ApiKey) keys: Repository<ApiKey>,
  ) {
    chores.add({ name: 'expired elevated keys', everySeconds: MINUTE, run: () => sweepElevated(keys) });
    chores.add({ name: 'expired sessions', everySeconds: HOUR, run: () => sessions.sweep() });
  }
}

async function sweepElevated(keys: Repository<ApiKey>): Promise<number> {
  const expiresAt = Raw((column) => `${column} <= now()`);
  return (await keys.delete({ sessionId: Not(IsNull()), expiresAt })).affected ?? 0;
}
