import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../database/database.service.js';

/** A sign-in that has begun; `sessionId` is the session that it is to confirm, or null for a new one. */
export interface BegunSignIn {
  returnTo: string;
  sessionId: string | null;
  startedAt: Date;
}

const LIFE = `interval '10 minutes'`;
const BATCH = 5_000;

/** Stores sign-ins on their way, so that the answer of the provider may reach any process, and only once. */
@Injectable()
export class OidcSignInsRepository {
  constructor(private readonly database: DatabaseService) {}

  async insert(
    stateHash: Buffer,
    browserHash: Buffer,
    returnTo: string,
    sessionId: string | null,
  ): Promise<void> {
    await this.database.change(
      `INSERT INTO oidc_sign_ins (state_hash, browser_hash, return_to, session_id) VALUES ($1, $2, $3, $4)`,
      [stateHash, browserHash, returnTo, sessionId],
    );
  }

  /** Takes a sign-in of this browser out. @returns null when it is unknown, too old, used, or of another browser */
  take(stateHash: Buffer, browserHash: Buffer): Promise<BegunSignIn | null> {
    return this.database.row<BegunSignIn>(
      `DELETE FROM oidc_sign_ins
       WHERE state_hash = $1 AND browser_hash = $2 AND created_at > now() - ${LIFE}
       RETURNING return_to AS "returnTo", session_id AS "sessionId", created_at AS "startedAt"`,
      [stateHash, browserHash],
    );
  }

  sweep(): Promise<number> {
    const old = `SELECT state_hash FROM oidc_sign_ins WHERE created_at <= now() - ${LIFE} LIMIT ${BATCH}`;
    return this.database.change(`DELETE FROM oidc_sign_ins WHERE state_hash = ANY(ARRAY(${old}))`);
  }
}
