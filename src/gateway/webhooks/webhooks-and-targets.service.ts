import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { ChoresWorker } from '../../platform/chores/chores.worker.js';
import { Settings } from '../../platform/config/settings.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import {
  OutboundError,
  permittedAddresses,
  systemResolver,
} from '../../platform/http/outbound-addresses-and-errors.js';
import type { Page, PageRequest } from '../../platform/http/page-and-cursor.query.js';
import { NotFound, Problem, ValidationFailed } from '../../platform/http/problem.js';
import type { EventType } from '../../platform/journal/event-types.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import { ProjectsService } from '../../work/projects/projects.service.js';
import { DeliveriesService } from './deliveries.service.js';
import { MOST_ENDED } from './webhook-delivery.repository.js';
import {
  WebhookRepository,
  type WebhookRow,
  WebhookSecretsService,
} from './webhooks-and-secrets.repository.js';
import type { CreateWebhookRequest, UpdateWebhookRequest } from './webhook.dto.js';
import { Webhook } from './webhook.entities.js';

/** A slow name server must not delay the request for longer. */
const PATIENCE_MS = 1_500;

/**
 * Refuses a webhook to an address that no delivery would reach by rule (contract §7.7), because only its delivery log
 * would show that. Each delivery applies the rule again: a name may lead elsewhere by then. A name that cannot be
 * resolved now is accepted for the same reason.
 */
@Injectable()
export class WebhookTargetsService {
  constructor(private readonly settings: Settings) {}

  /** @throws {ValidationFailed} when outbound HTTP may not reach the address */
  async refuseUnlessPermitted(url: string): Promise<void> {
    const { hostname, port, protocol } = new URL(url);
    const address = hostname.replace(/^\[|\]$/g, '');
    const number = Number(port) || (protocol === 'https:' ? 443 : 80);
    const allowed = this.settings.outboundAllowedHosts;
    try {
      const permitted = permittedAddresses(address, number, allowed, systemResolver);
      await Promise.race([permitted, delay(PATIENCE_MS, null, { ref: false })]);
    } catch (error) {
      if (error instanceof OutboundError && error.kind === 'refused_address')
        throw new ValidationFailed([{ path: 'url', message: error.message }]);
    }
  }
}

/** What is pending for a disabled webhook is being ended in parts, and would be sent if it were enabled before. */
class StillEnding extends Problem {
  constructor() {
    super(
      'unavailable',
      'The deliveries that were pending when the webhook was disabled are still being ended. Enable it in a moment.',
      { headers: { 'Retry-After': '5' } },
    );
  }
}

/** Ends what is left of the deliveries of webhooks that were disabled or deleted, part by part, in whichever process. */
@Injectable()
export class EndedWebhooksService {
  constructor(
    chores: ChoresWorker,
    @InjectRepository(Webhook) private readonly webhooks: WebhookRepository,
    private readonly deliveries: DeliveriesService,
    private readonly transactions: TransactionsService,
  ) {
    // Below the interval in which chores are looked for, so that each look takes it.
    const everySeconds = 30;
    chores.add({ name: 'deliveries of ended webhooks', everySeconds, run: () => this.endPart() });
  }

  /** Returns how many rows it has ended or removed, 0 where nothing is left. */
  endPart(): Promise<number> {
    return this.transactions.run(async () => {
      const webhook = await this.webhooks.lockUnfinished();
      if (!webhook) return 0;
      const { id, deletedAt, disabledReason } = webhook;
      if (!deletedAt) return this.deliveries.endPart(id, disabledReason);
      const removed = await this.deliveries.removePart(id);
      if (removed < MOST_ENDED) await this.webhooks.delete({ id });
      return removed + 1;
    });
  }
}

/** Webhooks (contract §8). Only Admins manage them, as with the audit: a webhook is sent every event that passes its filters. */
@Injectable()
export class WebhooksService {
  constructor(
    @InjectRepository(Webhook) private readonly webhooks: WebhookRepository,
    private readonly secrets: WebhookSecretsService,
    private readonly targets: WebhookTargetsService,
    private readonly deliveries: DeliveriesService,
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
      await this.webhooks.add(id, { url, description, eventTypes, projectId, disabled: false });
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
      await this.webhooks.change(before.id, after);
      if (after.url !== before.url || request.disabled !== undefined)
        await this.webhooks.forgetAnswers(before.id);
      // Also when it is enabled: what is left of a large backlog would be sent.
      const isEnded = before.disabled === after.disabled || (await this.deliveries.endPending(before.id));
      if (!isEnded && !after.disabled) throw new StillEnding();
      if (before.disabled && !after.disabled) await this.webhooks.beginAtHead(before.id);
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

  /** Deletes the webhook with its secrets and deliveries; pending deliveries are not sent. A long log is removed later. */
  async delete(id: string): Promise<void> {
    await this.transactions.run(async () => {
      const { url } = await this.lock(id);
      await this.secrets.forget(id);
      if ((await this.deliveries.removePart(id)) < MOST_ENDED) await this.webhooks.delete({ id });
      else await this.webhooks.hide(id);
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
