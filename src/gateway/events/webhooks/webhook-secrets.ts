import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { Encryption } from '../../../platform/encryption/encryption.service.js';

/** After a rotation the secret of before signs as well for so long, so that no target has to change at once. */
const OVERLAP = '24 hours';

type SecretName = 'CURRENT' | 'PREVIOUS';

/** The secrets that sign what is sent, sealed at rest and told once. */
@Injectable()
export class WebhookSecrets {
  constructor(
    private readonly database: Database,
    private readonly encryption: Encryption,
  ) {}

  /** Makes the webhook's first secret. */
  async make(webhookId: string): Promise<string> {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    await this.put(webhookId, 'CURRENT', secret);
    return secret;
  }

  /** Makes a new one; the one of before goes on for a day. Within a transaction that holds the webhook. */
  async rotate(webhookId: string): Promise<string> {
    const [current] = await this.all(webhookId);
    if (current) await this.put(webhookId, 'PREVIOUS', current);
    await this.database.change(
      `UPDATE webhooks SET previous_until = now() + interval '${OVERLAP}', updated_at = now() WHERE id = $1`,
      [webhookId],
    );
    return this.make(webhookId);
  }

  /** Those that sign now, the newest first. @throws {SealBroken} */
  async all(webhookId: string): Promise<string[]> {
    const rows = await this.database.rows<{ name: SecretName; sealed: string }>(
      `SELECT s.name, s.sealed FROM webhook_secrets s JOIN webhooks w ON w.id = s.webhook_id
       WHERE w.id = $1 AND (s.name = 'CURRENT' OR w.previous_until > now()) ORDER BY s.name`,
      [webhookId],
    );
    return rows.map(({ name, sealed }) => this.encryption.open(sealed, contextOf(webhookId, name)));
  }

  private async put(webhookId: string, name: SecretName, secret: string): Promise<void> {
    await this.database.change(
      `INSERT INTO webhook_secrets (webhook_id, name, sealed) VALUES ($1, $2, $3)
       ON CONFLICT (webhook_id, name) DO UPDATE SET sealed = excluded.sealed`,
      [webhookId, name, this.encryption.seal(secret, contextOf(webhookId, name))],
    );
  }
}

/** As scripts/keys knows it: in another row a secret does not open. */
function contextOf(webhookId: string, name: SecretName): string {
  return `webhook|${webhookId}|${name}`;
}
