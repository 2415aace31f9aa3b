import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import { Encryption } from '../../platform/encryption/encryption.service.js';

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

/** For how long the previous secret also signs after a rotation (contract §8.4), so that targets can change one by one. */
const OVERLAP_SECONDS = 24 * 3_600;

/** The secrets that sign deliveries. They are sealed at rest and returned once. */
@Injectable()
export class WebhookSecretsService {
  constructor(
    private readonly secrets: WebhookSecretsRepository,
    private readonly encryption: Encryption,
  ) {}

  /** Makes the webhook's first secret. */
  async make(webhookId: string): Promise<string> {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    await this.put(webhookId, 'CURRENT', secret);
    return secret;
  }

  /** Makes a new secret; the previous one signs as well for a while. Call it in a transaction that has locked the webhook. */
  async rotate(webhookId: string): Promise<string> {
    const [current] = await this.all(webhookId);
    if (current) await this.put(webhookId, 'PREVIOUS', current);
    await this.secrets.startOverlap(webhookId, OVERLAP_SECONDS);
    return this.make(webhookId);
  }

  /**
   * Returns the secrets that sign now, the newest first.
   * @throws {SealBroken} when a secret cannot be opened with the key ring
   */
  async all(webhookId: string): Promise<string[]> {
    const rows = await this.secrets.listSigning(webhookId);
    return rows.map(({ name, sealed }) => this.encryption.open(sealed, contextOf(webhookId, name)));
  }

  private async put(webhookId: string, name: SecretName, secret: string): Promise<void> {
    await this.secrets.put(webhookId, name, this.encryption.seal(secret, contextOf(webhookId, name)));
  }
}

/** The sealing context, also known to scripts/keys: a secret does not open in another row. */
function contextOf(webhookId: string, name: SecretName): string {
  return `webhook|${webhookId}|${name}`;
}
