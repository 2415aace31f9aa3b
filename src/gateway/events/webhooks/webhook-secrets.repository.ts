import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../../platform/database/database.service.js';

export type SecretName = 'CURRENT' | 'PREVIOUS';

/** The sealed secrets of webhooks. */
@Injectable()
export class WebhookSecretsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns the secrets that sign now, the newest first. */
  listSigning(webhookId: string): Promise<{ name: SecretName; sealed: string }[]> {
    return this.database.rows(
      `SELECT s.name, s.sealed FROM webhook_secrets s JOIN webhooks w ON w.id = s.webhook_id
       WHERE w.id = $1 AND (s.name = 'CURRENT' OR w.previous_until > now()) ORDER BY s.name`,
      [webhookId],
    );
  }

  async put(webhookId: string, name: SecretName, sealed: string): Promise<void> {
    await this.database.change(
      `INSERT INTO webhook_secrets (webhook_id, name, sealed) VALUES ($1, $2, $3)
       ON CONFLICT (webhook_id, name) DO UPDATE SET sealed = excluded.sealed`,
      [webhookId, name, sealed],
    );
  }

  /** Lets the previous secret sign for so long. */
  async startOverlap(webhookId: string, seconds: number): Promise<void> {
    await this.database.change(
      `UPDATE webhooks SET previous_until = now() + make_interval(secs => $2), updated_at = now() WHERE id = $1`,
      [webhookId, seconds],
    );
  }
}
