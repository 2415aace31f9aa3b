import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, IsNull, Repository } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import { Encryption } from '../../platform/encryption/encryption.service.js';
import type { Page, PageRequest } from '../../platform/http/page-and-cursor.query.js';
import { Webhook, type WebhookEnd, WebhookSecret } from './webhook.entities.js';

export interface WebhookRow {
  id: string;
  url: string;
  description: string;
  /** null for all types. */
  eventTypes: string[] | null;
  projectId: string | null;
  disabled: boolean;
  /** Null while it is enabled, and where a person has disabled it. */
  disabledReason: WebhookEnd | null;
  createdAt: Date;
  updatedAt: Date;
}

export type WebhookFields = Omit<WebhookRow, 'id' | 'disabledReason' | 'createdAt' | 'updatedAt'>;

/** A webhook as it was when a delivery was sent: what the address answers says nothing about a later one. */
export interface AnsweringAddress {
  webhookId: string;
  url: string;
}

@Injectable()
export class WebhookRepository extends Repository<Webhook> {
  constructor(
    @InjectDataSource() source: DataSource,
    private readonly pages: KeysetPagesService,
  ) {
    super(Webhook, source.manager);
  }

  list(page: PageRequest): Promise<Page<WebhookRow>> {
    const list = { columns: COLUMNS, from: 'webhooks w', where: 'w.deleted_at IS NULL', parameters: [] };
    return this.pages.readOldestFirst<WebhookRow>(list, page, 'w');
  }

  /** @param id from a path; a text that is not a UUID finds nothing */
  async findById(id: string): Promise<WebhookRow | null> {
    return isUuid(id) ? this.findOneBy({ id, deletedAt: IsNull() }) : null;
  }

  /** Locks the webhook, and so what is enqueued for it, until the transaction ends. */
  async lock(id: string): Promise<WebhookRow | null> {
    const where = { id, deletedAt: IsNull() };
    return isUuid(id) ? this.findOne({ where, lock: { mode: 'for_no_key_update' } }) : null;
  }

  /** Lets nobody see the webhook any more, whose log is removed in parts. It gets nothing from now on. */
  async hide(id: string): Promise<void> {
    await this.update({ id }, { deletedAt: () => 'now()', disabled: true, disabledReason: null });
  }

  /**
   * SQL: reads from the index of pending deliveries. Locks a webhook that is deleted, or disabled while deliveries of it are pending.
   * Returns null where there is none, and where another process works at it.
   */
  async lockUnfinished(): Promise<Pick<Webhook, 'id' | 'disabledReason' | 'deletedAt'> | null> {
    const [row] = await this.query<Pick<Webhook, 'id' | 'disabledReason' | 'deletedAt'>[]>(
      `SELECT id, disabled_reason AS "disabledReason", deleted_at AS "deletedAt" FROM webhooks w
       WHERE disabled AND (deleted_at IS NOT NULL OR EXISTS (
         SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.status = 'pending'))
       ORDER BY id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
    );
    return row ?? null;
  }

  /** SQL: begins where the journal ends. The webhook receives events from now on. */
  async add(id: string, { url, description, eventTypes, projectId }: WebhookFields): Promise<void> {
    await this.query(
      `INSERT INTO webhooks (id, url, description, event_types, project_id, since_position)
       SELECT $1, $2, $3, $4, $5, coalesce(max(position), 0) FROM journal`,
      [id, url, description, eventTypes, projectId],
    );
  }

  async change(id: string, fields: WebhookFields): Promise<void> {
    const { url, description, eventTypes, projectId, disabled } = fields;
    const changed = { url, description, eventTypes, projectId, disabled };
    await this.update({ id }, { ...changed, updatedAt: () => 'now()' });
  }

  /** Forgets what the address has answered: a person has enabled or disabled the webhook, or given it another address. */
  async forgetAnswers(id: string): Promise<void> {
    await this.update({ id }, { disabledReason: null, notFoundSince: null });
  }

  /** SQL: begins where the journal ends. What happened before is not sent, also where the feed has still to read it. */
  async beginAtHead(id: string): Promise<void> {
    await this.query(
      `UPDATE webhooks SET since_position = (SELECT coalesce(max(position), 0) FROM journal) WHERE id = $1`,
      [id],
    );
  }

  /** SQL: the clock of the database. @returns whether the address has answered nothing but 404 for a day */
  async noteNotFound({ webhookId, url }: AnsweringAddress): Promise<boolean> {
    const [rows] = await this.query<[{ forDay: boolean }[], number]>(
      `UPDATE webhooks SET not_found_since = coalesce(not_found_since, now()) WHERE id = $1 AND url = $2
       RETURNING not_found_since <= now() - interval '1 day' AS "forDay"`,
      [webhookId, url],
    );
    return rows[0]?.forDay ?? false;
  }

  async forgetNotFound({ webhookId, url }: AnsweringAddress): Promise<void> {
    await this.update({ id: webhookId, url }, { notFoundSince: null });
  }

  /** Locks the webhook. @returns it, or null where it is disabled already or has another address by now */
  async disableFor({ webhookId, url }: AnsweringAddress, reason: WebhookEnd): Promise<WebhookRow | null> {
    const ended = { disabled: true, disabledReason: reason, notFoundSince: null, updatedAt: () => 'now()' };
    const { affected } = await this.update({ id: webhookId, url, disabled: false }, ended);
    return affected ? this.findById(webhookId) : null;
  }

  /** SQL: the clock of the database. Lets the previous secret sign for so long. */
  async startOverlap(id: string, seconds: number): Promise<void> {
    await this.query(
      `UPDATE webhooks SET previous_until = now() + make_interval(secs => $2), updated_at = now() WHERE id = $1`,
      [id, seconds],
    );
  }
}

const COLUMNS = `w.id, w.url, w.description, w.event_types AS "eventTypes", w.project_id AS "projectId", w.disabled,
  w.disabled_reason AS "disabledReason", w.created_at AS "createdAt", w.updated_at AS "updatedAt"`;

type SecretName = 'CURRENT' | 'PREVIOUS';

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
