import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Webhook } from 'standardwebhooks';
import { Settings } from '../../platform/config/settings.js';
import { OutboundHttp } from '../../platform/http/outbound-http.js';
import { OutboundError } from '../../platform/http/outbound.errors.js';
import { nextTraceparent } from '../../platform/http/request-context.js';
import type { Attempt, DueDelivery } from './webhook-delivery.repository.js';
import { WebhookSecretsService } from './webhook-secrets.service.js';

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
    const begun = Date.now();
    const outcome = await this.outcomeOf(delivery, signal);
    return { at: new Date(begun).toISOString(), ...outcome, durationMs: Date.now() - begun };
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
      new Webhook(secret).sign(event.id, at, body),
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
