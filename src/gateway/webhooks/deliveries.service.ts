import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Webhook as Signer } from 'standardwebhooks';
import { Settings } from '../../platform/config/settings.js';
import type { Counter } from 'prom-client';
import { MetricsService } from '../../platform/health/metrics.service.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { OutboundHttp } from '../../platform/http/outbound-http.js';
import { OutboundError } from '../../platform/http/outbound-addresses-and-errors.js';
import type { Page, PageRequest } from '../../platform/http/page-and-cursor.query.js';
import { NotFound, Problem } from '../../platform/http/problem.js';
import { nextTraceparent } from '../../platform/http/request-id-and-traceparent.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import {
  type Attempt,
  WebhookDeliveryRepository,
  DeliveryJobsRepository,
  type DeliveryRow,
  type DueDelivery,
  MOST_ENDED,
} from './webhook-delivery.repository.js';
import { Webhook, WebhookDelivery, type WebhookEnd } from './webhook.entities.js';
import { WebhookRepository, WebhookSecretsService } from './webhooks-and-secrets.repository.js';

/** A target responds first and works afterwards. */
const TIMEOUT_MS = 15_000;
const MOST_BYTES = 64 * 1024;

/** Sends one event to one target, signed as Standard Webhooks define it. It never follows a redirect. */
@Injectable()
export class WebhookClient implements OnApplicationShutdown {
  private readonly http: OutboundHttp;

  constructor(
    private readonly secrets: WebhookSecretsService,
    settings: Settings,
  ) {
    const limits = { maxRedirects: 0, maxBytes: MOST_BYTES, timeoutMs: TIMEOUT_MS };
    this.http = new OutboundHttp({ allowedHosts: settings.outboundAllowedHosts, ...limits });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.http.close();
  }

  /**
   * Returns the outcome of one try, also when the target fails.
   * @throws {Error} when `signal` has ended it
   */
  async send(delivery: DueDelivery, signal: AbortSignal): Promise<Attempt> {
    const [at, begun] = [new Date().toISOString(), performance.now()];
    const outcome = await this.outcomeOf(delivery, signal);
    return { at, ...outcome, durationMs: Math.round(performance.now() - begun) };
  }

  private async outcomeOf(
    delivery: DueDelivery,
    signal: AbortSignal,
  ): Promise<Pick<Attempt, 'status' | 'error'>> {
    try {
      const { url } = delivery;
      const response = await this.http.fetch(url, {
        method: 'POST',
        signal,
        ...(await this.signed(delivery)),
      });
      await response.body?.cancel();
      if (response.ok) return { status: response.status, error: null };
      return { status: response.status, error: `The target responded with ${response.status}.` };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof OutboundError) return { status: null, error: error.message };
      throw error;
    }
  }

  private async signed({ webhookId, event, traceparent }: DueDelivery): Promise<RequestInit> {
    const body = JSON.stringify(event);
    const at = new Date();
    const signatures = (await this.secrets.all(webhookId)).map((secret) =>
      new Signer(secret).sign(event.id, at, body),
    );
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'agent-work-platform',
      'webhook-id': event.id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': signatures.join(' '),
      ...(traceparent && { traceparent: nextTraceparent(traceparent) }),
    };
    return { headers, body };
  }
}

/** About 28 hours, with the pauses of `pauseAfter`. */
const MOST_TRIES = 13;

/** Seconds until the next try: 3 s, 7 s, 20 s, 55 s, 2.5 min … 6 h. */
function pauseAfter(tries: number): number {
  return Math.exp(Math.min(10, tries));
}

/**
 * How long one job goes on with its lane before the others of its queue have their turn. A job of its own for each
 * delivery would wait up to a second for graphile-worker's next look: it ends a job after it has looked for another.
 */
const TURN_MS = 2_000;

/** Nothing sends a delivery of a disabled webhook, so that it would stay pending. */
class WebhookDisabled extends Problem {
  constructor() {
    super(
      'webhook_disabled',
      'The webhook is disabled, so nothing is sent. Enable it, then send this again.',
    );
  }
}

/** Sends each delivery at least once, in the order of its issue, whatever the target does (contract §8). */
@Injectable()
export class DeliveriesService {
  private readonly attempts: Counter<'result'>;

  constructor(
    @InjectRepository(WebhookDelivery) private readonly deliveries: WebhookDeliveryRepository,
    @InjectRepository(Webhook) private readonly webhooks: WebhookRepository,
    private readonly jobs: DeliveryJobsRepository,
    private readonly sender: WebhookClient,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
    metrics: MetricsService,
  ) {
    const help =
      'Attempts to send a delivery: succeeded, failed (another follows), or given_up (none follows).';
    this.attempts = metrics.counter(
      'awp_webhook_attempts_total',
      help,
      ['result'],
      ['succeeded', 'failed', 'given_up'],
    );
  }

  async list(webhookId: string, page: PageRequest): Promise<Page<DeliveryRow>> {
    if (!(await this.webhooks.findById(webhookId))) throw new NotFound();
    return this.deliveries.list(webhookId, page);
  }

  /**
   * Sends the delivery again, or at once when it is pending, before earlier ones of its lane.
   * @throws {WebhookDisabled}
   */
  redeliver(webhookId: string, deliveryId: string): Promise<DeliveryRow> {
    return this.transactions.run(async () => {
      const webhook = await this.webhooks.lock(webhookId);
      if (!webhook || !(await this.deliveries.findOfWebhook(webhookId, deliveryId))) throw new NotFound();
      if (webhook.disabled) throw new WebhookDisabled();
      await this.deliveries.reset(deliveryId);
      await this.jobs.add(deliveryId);
      return (await this.deliveries.findOfWebhook(webhookId, deliveryId))!;
    });
  }

  /**
   * Ends what is pending for a webhook that a person disables. Without an enabled one no process takes the jobs.
   * @returns false where more may be left, which `EndedWebhooksService` ends
   */
  async endPending(webhookId: string): Promise<boolean> {
    return (await this.endPart(webhookId, null)) < MOST_ENDED;
  }

  /** Ends the next part of what is pending for a disabled webhook. @returns how many deliveries */
  endPart(webhookId: string, reason: WebhookEnd | null): Promise<number> {
    return this.deliveries.failPending(webhookId, unsent(reason ? ENDED[reason] : DISABLED));
  }

  /** Removes the next part of the log of a webhook. @returns how many deliveries, `MOST_ENDED` where there may be more */
  removePart(webhookId: string): Promise<number> {
    return this.deliveries.removeOf(webhookId);
  }

  /**
   * Sends a delivery, and then what is due after it in its lane, for a while. A process that dies before it has recorded an
   * outcome leaves the delivery pending, and the job, which begins again where the lane is.
   */
  async deliver(deliveryId: string, signal: AbortSignal): Promise<void> {
    const end = performance.now() + TURN_MS;
    let next: string | null = deliveryId;
    for (let tries = 0; next !== null; tries += 1) {
      if (tries > 0 && performance.now() > end) return this.jobs.add(next);
      signal.throwIfAborted();
      next = await this.sendAndFindNext(next, signal);
    }
  }

  /** Makes one try. @returns the delivery that is to be sent after it; null where there is none, or a later try comes first */
  private async sendAndFindNext(deliveryId: string, signal: AbortSignal): Promise<string | null> {
    const due = await this.deliveries.due(deliveryId);
    if (!due) return this.jobs.nextOf(deliveryId);
    const attempt = due.disabled ? unsent(DISABLED) : await this.sender.send(due, signal);
    const reason = await this.reasonToEnd(due, attempt);
    if (reason && (await this.end(due, attempt, reason))) {
      this.attempts.inc({ result: 'given_up' });
      return null;
    }
    const last = due.disabled || due.tries + 1 >= MOST_TRIES;
    if (attempt.error === null || last)
      return this.finish(due, attempt.error === null ? 'succeeded' : 'failed', attempt);
    await this.tryAgain(due, attempt);
    return null;
  }

  /** The job that follows is of this delivery, whichever delivery of the lane the present one began with. */
  private async tryAgain(due: DueDelivery, attempt: Attempt): Promise<void> {
    await this.transactions.run(async () => {
      await this.deliveries.note(due.id, 'pending', attempt, pauseAfter(due.tries + 1));
      await this.jobs.add(due.id);
    });
    this.attempts.inc({ result: 'failed' });
  }

  /** A failure to reach the address says nothing about whether it is gone. */
  private async reasonToEnd(due: DueDelivery, { status }: Attempt): Promise<WebhookEnd | null> {
    if (status === 410) return 'gone';
    if (status === 404) return (await this.webhooks.noteNotFound(due)) ? 'not_found' : null;
    if (status !== null && due.notFoundSince) await this.webhooks.forgetNotFound(due);
    return null;
  }

  /** Ends all deliveries of the webhook and disables it. @returns false when that is another's to do, or has been done */
  private end(due: DueDelivery, attempt: Attempt, reason: WebhookEnd): Promise<boolean> {
    return this.transactions.run(async () => {
      const webhook = await this.webhooks.disableFor(due, reason);
      if (!webhook) return false;
      await this.deliveries.note(due.id, 'failed', attempt, null);
      await this.endPart(due.webhookId, reason);
      const { id, url, eventTypes, projectId } = webhook;
      const data = { url, eventTypes, projectId, disabled: true, disabledReason: reason };
      await this.journal.record({ type: 'webhook.updated', subject: { type: 'webhook', id }, data });
      return true;
    });
  }

  /** The feed takes the same lock: a delivery that it adds is either found here, or gets a job as the oldest of its lane. */
  private async finish(
    due: DueDelivery,
    status: 'succeeded' | 'failed',
    attempt: Attempt,
  ): Promise<string | null> {
    const next = await this.transactions.run(async () => {
      await this.webhooks.lock(due.webhookId);
      await this.deliveries.note(due.id, status, attempt, null);
      return this.jobs.nextOf(due.id);
    });
    if (!due.disabled) this.attempts.inc({ result: status === 'failed' ? 'given_up' : status });
    return next;
  }
}

const DISABLED = 'The webhook is disabled.';
const ENDED: Record<WebhookEnd, string> = {
  gone: 'Not sent: another delivery was answered with 410, so the webhook was disabled.',
  not_found: 'Not sent: the target responded with 404 for a day, so the webhook was disabled.',
};

/** What the log says of a delivery that was not sent. */
const unsent = (error: string): Attempt => ({
  at: new Date().toISOString(),
  status: null,
  error,
  durationMs: 0,
});
