import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import type { Principal } from '../../../platform/auth/principal.js';
import { Transactions } from '../../../platform/database/transactions.js';
import type { Page, PageRequest } from '../../../platform/http/page.js';
import { NotFound, ValidationFailed } from '../../../platform/http/problem.js';
import type { EventType } from '../../../platform/journal/event-types.js';
import { Journal } from '../../../platform/journal/journal.js';
import { ProjectsService } from '../../../work/projects/projects.service.js';
import type { CreateWebhookRequest } from './dto/create-webhook.request.js';
import type { UpdateWebhookRequest } from './dto/update-webhook.request.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhooksRepository, type WebhookRow } from './webhooks.repository.js';

/** Where events are sent (spec §8). An Admin's, like the audit: a webhook is told all that its filters let through. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly secrets: WebhookSecrets,
    private readonly projects: ProjectsService,
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  list(page: PageRequest): Promise<Page<WebhookRow>> {
    return this.webhooks.list(page);
  }

  async get(id: string): Promise<WebhookRow> {
    const row = await this.webhooks.findById(id);
    if (!row) throw new NotFound();
    return row;
  }

  async create(
    caller: Principal,
    request: CreateWebhookRequest,
  ): Promise<{ row: WebhookRow; secret: string }> {
    const { url, description = '', eventTypes = null, projectId = null } = request;
    await this.refuseUnknownProject(caller, projectId);
    return this.transactions.run(async () => {
      const id = uuidv7();
      await this.webhooks.insert(id, { url, description, eventTypes, projectId, disabled: false });
      const secret = await this.secrets.make(id);
      await this.tell('webhook.created', id, { url, eventTypes, projectId });
      return { row: await this.get(id), secret };
    });
  }

  async update(caller: Principal, id: string, request: UpdateWebhookRequest): Promise<WebhookRow> {
    await this.refuseUnknownProject(caller, request.projectId ?? null);
    return this.transactions.run(async () => {
      const before = await this.lock(id);
      const given = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined));
      const after = { ...before, ...given };
      await this.webhooks.update(before.id, after);
      const { url, eventTypes, projectId, disabled } = after;
      await this.tell('webhook.updated', before.id, { url, eventTypes, projectId, disabled });
      return this.get(before.id);
    });
  }

  /** The new secret; the one of before signs beside it for a day. */
  rotateSecret(id: string): Promise<{ row: WebhookRow; secret: string }> {
    return this.transactions.run(async () => {
      const webhook = await this.lock(id);
      const secret = await this.secrets.rotate(webhook.id);
      await this.tell('webhook.secret_rotated', webhook.id, {});
      return { row: await this.get(webhook.id), secret };
    });
  }

  /** Secrets and log fall with it; what is on its way is not sent any more. */
  async delete(id: string): Promise<void> {
    await this.transactions.run(async () => {
      const { url } = await this.lock(id);
      await this.webhooks.delete(id);
      await this.tell('webhook.deleted', id, { url });
    });
  }

  private async lock(id: string): Promise<WebhookRow> {
    const row = await this.webhooks.lock(id);
    if (!row) throw new NotFound();
    return row;
  }

  private async refuseUnknownProject(caller: Principal, projectId: string | null): Promise<void> {
    if (projectId === null) return;
    try {
      await this.projects.get(caller, projectId);
    } catch (fault) {
      if (!(fault instanceof NotFound)) throw fault;
      throw new ValidationFailed([{ path: 'projectId', message: 'names no project' }]);
    }
  }

  private tell(type: EventType, id: string, data: Record<string, unknown>): Promise<void> {
    return this.journal.record({ type, subject: { type: 'webhook', id }, data });
  }
}
