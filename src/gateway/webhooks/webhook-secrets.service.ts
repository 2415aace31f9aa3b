import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Encryption } from '../../platform/encryption/encryption.service.js';
import { Webhook, WebhookSecret } from './webhook.entities.js';
import { WebhookRepository } from './webhook.repository.js';

export type SecretName = 'CURRENT' | 'PREVIOUS';

/** For how long the previous secret also signs after a rotation (contract §8.4), so that targets can change one by one. */
const OVERLAP_SECONDS = 24 * 3_600;

/** The secrets that sign deliveries. They are sealed at rest and returned once. */
@Injectable()
export class WebhookSecretsService {
  constructor(
    @InjectRepository(WebhookSecret) private readonly secrets: Repository<WebhookSecret>,
    @InjectRepository(Webhook) private readonly webhooks: WebhookRepository,
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
    await this.webhooks.startOverlap(webhookId, OVERLAP_SECONDS);
    return this.make(webhookId);
  }

  /**
   * Returns the secrets that sign now, the newest first.
   * @throws {SealBroken} when a secret cannot be opened with the key ring
   */
  async all(webhookId: string): Promise<string[]> {
    const rows = await this.secrets
      .createQueryBuilder('s')
      .innerJoin(Webhook, 'w', 'w.id = s.webhookId')
      .where('s.webhookId = :webhookId', { webhookId })
      .andWhere(`(s.name = 'CURRENT' OR w.previousUntil > now())`)
      .orderBy('s.name')
      .getMany();
    return rows.map(({ name, sealed }) => this.encryption.open(sealed, contextOf(webhookId, name)));
  }

  async forget(webhookId: string): Promise<void> {
    await this.secrets.delete({ webhookId });
  }

  private async put(webhookId: string, name: SecretName, secret: string): Promise<void> {
    const sealed = this.encryption.seal(secret, contextOf(webhookId, name));
    await this.secrets.upsert({ webhookId, name, sealed }, ['webhookId', 'name']);
  }
}

/** The sealing context, also known to scripts/keys: a secret does not open in another row. */
function contextOf(webhookId: string, name: string): string {
  return `webhook|${webhookId}|${name}`;
}
