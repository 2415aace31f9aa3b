import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { ChoresWorker } from '../chores/chores.worker.js';
import { OidcLogoutRepository } from './oidc-logout.repository.js';
import { SIGN_IN_LIFE } from './oidc-sign-in.service.js';
import { OidcLogout, OidcSignIn } from './oidc.entities.js';

const MINUTE = 60;
const HOUR = 3_600;
const BATCH = 5_000;

/** Removes unfinished sign-ins and used logout tokens. Nothing depends on when that happens. */
@Injectable()
export class OidcChoresWorker {
  constructor(
    chores: ChoresWorker,
    @InjectRepository(OidcSignIn) private readonly signIns: Repository<OidcSignIn>,
    @InjectRepository(OidcLogout) logouts: OidcLogoutRepository,
  ) {
    chores.add({ name: 'unfinished sign-ins', everySeconds: MINUTE, run: () => this.sweepSignIns() });
    chores.add({ name: 'used logout tokens', everySeconds: HOUR, run: () => logouts.sweep() });
  }

  /** SQL: a bounded deletion. */
  private async sweepSignIns(): Promise<number> {
    const old = `SELECT state_hash FROM oidc_sign_ins WHERE created_at <= now() - ${SIGN_IN_LIFE} LIMIT ${BATCH}`;
    const [, removed] = await this.signIns.query<[unknown, number]>(
      `DELETE FROM oidc_sign_ins WHERE state_hash = ANY(ARRAY(${old}))`,
    );
    return removed;
  }
}
