import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import type { Principal } from '../../../platform/auth/principal.js';
import { TransactionsService } from '../../../platform/database/transactions.service.js';
import type { Page, PageRequest } from '../../../platform/http/pages/page.js';
import { NotFound, ValidationFailed } from '../../../platform/http/problem/problem.js';
import type { EventType } from '../../../platform/journal/event-types.js';
import { JournalService } from '../../../platform/journal/journal.service.js';
import { ProjectsService } from '../../../work/projects/projects.service.js';
import type { CreateWebhookRequest } from './dto/create-webhook.request.js';
import type { UpdateWebhookRequest } from './dto/update-webhook.request.js';
import { WebhookSecretsService } from './webhook-secrets.service.js';
import { WebhookTargetsService } from './webhook-targets.service.js';
import { WebhooksRepository, type WebhookRow } from './webhooks.repository.js';

/** Webhooks (contract §8). Only Admins manage them, as with the audit: a webhook is sent every event that passes its filters. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly secrets: WebhookSecretsService,
    private readonly targets: WebhookTargetsService,
    private readonly projects: ProjectsService,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
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
    await this.targets.refuseUnlessPermitted(url);
    return this.transactions.run(async () => {
      const id = uuidv7();
      await this.webhooks.insert(id, { url, description, eventTypes, projectId, disabled: false });
      const secret = await this.secrets.make(id);
      await this.record('webhook.created', id, { url, eventTypes, projectId });
      return { row: await this.get(id), secret };
    });
  }

  async update(caller: Principal, id: string, request: UpdateWebhookRequest): Promise<WebhookRow> {
    await this.refuseUnknownProject(caller, request.projectId ?? null);
    if (request.url !== undefined) await this.targets.refuseUnlessPermitted(request.url);
    return this.transactions.run(async () => {
      const before = await this.lock(id);
      const given = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined));
      const after = { ...before, ...given };
      await this.webhooks.update(before.id, after);
      const { url, eventTypes, projectId, disabled } = after;
      await this.record('webhook.updated', before.id, { url, eventTypes, projectId, disabled });
      return this.get(before.id);
    });
  }

  /** Makes a new secret; the previous one also signs for a day. */
  rotateSecret(id: string): Promise<{ row: WebhookRow; secret: string }> {
    return this.transactions.run(async () => {
      const webhook = await this.lock(id);
      const secret = await this.secrets.rotate(webhook.id);
      await this.record('webhook.secret_rotated', webhook.id, {});
      return { row: await this.get(webhook.id), secret };
    });
  }

  /** Deletes the webhook with its secrets and deliveries; pending deliveries are not sent. */
  async delete(id: string): Promise<void> {
    await this.transactions.run(async () => {
      const { url } = await this.lock(id);
      await this.webhooks.delete(id);
      await this.record('webhook.deleted', id, { url });
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
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      throw new ValidationFailed([{ path: 'projectId', message: 'names no project' }]);
    }
  }

  private record(type: EventType, id: string, data: Record<string, unknown>): Promise<void> {
    return this.journal.record({ type, subject: { type: 'webhook', id }, data });
  }
}
