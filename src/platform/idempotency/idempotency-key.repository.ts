import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../database/database.service.js';

/** What a stored response is found by. */
export interface StoredKey {
  callerId: string;
  key: string;
  path: string;
}

/** Identifies a request that may be sent again. */
export interface RequestIdentity extends StoredKey {
  hash: Buffer;
}

/** A response as it was sent. */
export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The claim of an earlier request with the same key. It still runs while `status` is null. */
export interface EarlierClaim {
  sameBody: boolean;
  status: number | null;
  headers: Record<string, string> | null;
  body: string | null;
  /** The project that the path led to; null where it led to none. */
  projectId: string | null;
}

/** Stores the keys for 24 hours. The claim of a request that died expires after 60 seconds (contract §1.7). */
@Injectable()
export class IdempotencyRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Claims the key for a request. Returns false where an earlier claim holds. */
  async claim(
    { callerId, key, path, hash }: RequestIdentity,
    claim: string,
    projectId: string | null = null,
  ): Promise<boolean> {
    const changed = await this.database.change(
      `INSERT INTO idempotency_keys AS kept (caller_id, key, path, request_hash, claim, project_id) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (caller_id, key, path) DO UPDATE
       SET request_hash = excluded.request_hash, claim = excluded.claim, claimed_at = now(), status = NULL, headers = NULL, body = NULL,
           project_id = excluded.project_id
       WHERE kept.claimed_at < now() - interval '24 hours'
          OR (kept.status IS NULL AND kept.claimed_at < now() - interval '60 seconds' AND kept.request_hash = excluded.request_hash)`,
      [callerId, key, path, hash, claim, projectId],
    );
    return changed === 1;
  }

  find({ callerId, key, path, hash }: RequestIdentity): Promise<EarlierClaim | null> {
    return this.database.row<EarlierClaim>(
      `SELECT request_hash = $4 AS "sameBody", status, headers, body, project_id AS "projectId" FROM idempotency_keys
       WHERE caller_id = $1 AND key = $2 AND path = $3`,
      [callerId, key, path, hash],
    );
  }

  /** Returns whether a request with this key was answered in its 24 hours. */
  async isAnswered({ callerId, key, path }: StoredKey): Promise<boolean> {
    const answered = await this.database.rows(
      `SELECT 1 FROM idempotency_keys WHERE caller_id = $1 AND key = $2 AND path = $3 AND status IS NOT NULL
         AND claimed_at >= now() - interval '24 hours'`,
      [callerId, key, path],
    );
    return answered.length === 1;
  }

  /** Stores the response. Returns false where the claim has expired and another request holds the key. */
  async store(
    { callerId, key, path }: RequestIdentity,
    claim: string,
    response: StoredResponse,
  ): Promise<boolean> {
    const changed = await this.database.change(
      `UPDATE idempotency_keys SET status = $5, headers = $6, body = $7
       WHERE caller_id = $1 AND key = $2 AND path = $3 AND claim = $4`,
      [callerId, key, path, claim, response.status, JSON.stringify(response.headers), response.body],
    );
    return changed === 1;
  }

  /** Keeps the claim of a request that runs longer than a claim lasts. */
  async renew({ callerId, key, path }: RequestIdentity, claim: string): Promise<void> {
    await this.database.change(
      `UPDATE idempotency_keys SET claimed_at = now()
       WHERE caller_id = $1 AND key = $2 AND path = $3 AND claim = $4 AND status IS NULL`,
      [callerId, key, path, claim],
    );
  }

  async release({ callerId, key, path }: RequestIdentity, claim: string): Promise<void> {
    await this.database.change(
      `DELETE FROM idempotency_keys WHERE caller_id = $1 AND key = $2 AND path = $3 AND claim = $4 AND status IS NULL`,
      [callerId, key, path, claim],
    );
  }

  /** Removes keys after their 24 hours, a bounded number per call. */
  async sweep(): Promise<number> {
    return this.database.change(
      `DELETE FROM idempotency_keys WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM idempotency_keys WHERE claimed_at < now() - interval '24 hours' LIMIT 5000))`,
    );
  }
}
