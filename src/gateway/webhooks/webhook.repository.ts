import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { DatabaseService } from '../../platform/database/database.service.js';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import type { Page, PageRequest } from '../../platform/http/page.js';

export interface WebhookRow {
  id: string;
  url: string;
  description: string;
  /** null for all types. */
  eventTypes: string[] | null;
  projectId: string | null;
  disabled: boolean;
  createdAt: Date;
  updatedAt: Date;
}

export type WebhookFields = Omit<WebhookRow, 'id' | 'createdAt' | 'updatedAt'>;

@Injectable()
export class WebhooksRepository {
  constructor(
    private readonly database: DatabaseService,
    private readonly pages: KeysetPagesService,
  ) {}

  list(page: PageRequest): Promise<Page<WebhookRow>> {
    const list = { columns: COLUMNS, from: 'webhooks w', where: 'true', parameters: [] };
    return this.pages.readOldestFirst<WebhookRow>(list, page, 'w');
  }

  /** @param id from a path; a text that is not a UUID finds nothing */
  async findById(id: string): Promise<WebhookRow | null> {
    if (!isUuid(id)) return null;
    return this.database.row<WebhookRow>(`SELECT ${COLUMNS} FROM webhooks w WHERE w.id = $1`, [id]);
  }

  /** Locks the webhook, and so what is enqueued for it, until the transaction ends. */
  async lock(id: string): Promise<WebhookRow | null> {
    if (!isUuid(id)) return null;
    const sql = `SELECT ${COLUMNS} FROM webhooks w WHERE w.id = $1 FOR NO KEY UPDATE`;
    return this.database.row<WebhookRow>(sql, [id]);
  }

  /** The webhook receives events from now on. */
  async insert(id: string, { url, description, eventTypes, projectId }: WebhookFields): Promise<void> {
    await this.database.change(
      `INSERT INTO webhooks (id, url, description, event_types, project_id, since_position)
       SELECT $1, $2, $3, $4, $5, coalesce(max(position), 0) FROM journal`,
      [id, url, description, eventTypes, projectId],
    );
  }

  async update(id: string, fields: WebhookFields): Promise<void> {
    const { url, description, eventTypes, projectId, disabled } = fields;
    await this.database.change(
      `UPDATE webhooks SET url = $2, description = $3, event_types = $4, project_id = $5, disabled = $6,
         updated_at = now() WHERE id = $1`,
      [id, url, description, eventTypes, projectId, disabled],
    );
  }

  async delete(id: string): Promise<boolean> {
    return isUuid(id) && (await this.database.change('DELETE FROM webhooks WHERE id = $1', [id])) === 1;
  }

  /** Returns whether there is a webhook to send to. */
  async anyEnabled(): Promise<boolean> {
    return (await this.database.row('SELECT 1 FROM webhooks WHERE NOT disabled LIMIT 1')) !== null;
  }
}

const COLUMNS = `w.id, w.url, w.description, w.event_types AS "eventTypes", w.project_id AS "projectId", w.disabled,
  w.created_at AS "createdAt", w.updated_at AS "updatedAt"`;
