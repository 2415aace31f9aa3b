import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';

/** What identifies a request that is sent again. */
export interface RequestIdentity {
  callerId: string;
  key: string;
  path: string;
  hash: Buffer;
}

/** An answer as it went out. */
export interface KeptAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A claim that someone made before: still running while `status` is null. */
export interface EarlierClaim {
  sameBody: boolean;
  status: number | null;
  headers: Record<string, string> | null;
  body: string | null;
}

/** Keys live for 24 hours; a claim whose request died is free again after 60 seconds (spec §1). */
@Injectable()
export class IdempotencyRepository {
  constructor(private readonly database: Database) {}

  /** @returns whether the claim is ours now */
  async claim({ callerId, key, path, hash }: RequestIdentity, claim: string): Promise<boolean> {
    const changed = await this.database.change(
      `INSERT INTO idempotency_keys AS kept (caller_id, key, path, request_hash, claim) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (caller_id, key, path) DO UPDATE
       SET request_hash = excluded.request_hash, claim = excluded.claim, claimed_at = now(), status = NULL, headers = NULL, body = NULL
       WHERE kept.claimed_at < now() - interval '24 hours'
          OR (kept.status IS NULL AND kept.claimed_at < now() - interval '60 seconds' AND kept.request_hash = excluded.request_hash)`,
      [callerId, key, path, hash, claim],
    );
    return changed === 1;
  }

  find({ callerId, key, path, hash }: RequestIdentity): Promise<EarlierClaim | null> {
    return this.database.row<EarlierClaim>(
      `SELECT request_hash = $4 AS "sameBody", status, headers, body FROM idempotency_keys
       WHERE caller_id = $1 AND key = $2 AND path = $3`,
      [callerId, key, path, hash],
    );
  }

  /** @returns false where the claim ran out and went to another request */
  async keep({ callerId, key, path }: RequestIdentity, claim: string, answer: KeptAnswer): Promise<boolean> {
    const changed = await this.database.change(
      `UPDATE idempotency_keys SET status = $5, headers = $6, body = $7
       WHERE caller_id = $1 AND key = $2 AND path = $3 AND claim = $4`,
      [callerId, key, path, claim, answer.status, JSON.stringify(answer.headers), answer.body],
    );
    return changed === 1;
  }

  async release({ callerId, key, path }: RequestIdentity, claim: string): Promise<void> {
    await this.database.change(
      `DELETE FROM idempotency_keys WHERE caller_id = $1 AND key = $2 AND path = $3 AND claim = $4 AND status IS NULL`,
      [callerId, key, path, claim],
    );
  }

  /** Removes keys past their 24 hours, a bounded number at a time. */
  async sweep(): Promise<number> {
    return this.database.change(
      `DELETE FROM idempotency_keys WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM idempotency_keys WHERE claimed_at < now() - interval '24 hours' LIMIT 5000))`,
    );
  }
}
