import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../database/database.service.js';

/** Rows of one statement. */
const BATCH = 500;

/** A key that ends soon. */
export interface ExpiringKey {
  id: string;
  userId: string | null;
  agentId: string | null;
  name: string;
  prefix: string;
  expiresAt: Date;
}

@Injectable()
export class KeyExpiryRepository {
  constructor(private readonly database: DatabaseService) {}

  /**
   * Marks keys that end within so many days and returns them, each one once. A key that was made for a shorter time is not
   * among them.
   */
  takeExpiring(days: number): Promise<ExpiringKey[]> {
    return this.database.rows<ExpiringKey>(
      `UPDATE api_keys SET expiry_warned_at = now()
       WHERE id = ANY(ARRAY(
         SELECT id FROM api_keys
         WHERE expiry_warned_at IS NULL AND session_id IS NULL
           AND expires_at > now() AND expires_at < now() + make_interval(days => $1::int)
           AND expires_at - created_at > make_interval(days => $1::int)
         ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))
       RETURNING id, user_id AS "userId", agent_id AS "agentId", name, prefix, expires_at AS "expiresAt"`,
      [days],
    );
  }
}
