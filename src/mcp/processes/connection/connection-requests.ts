import { withInputRequired, type Client, type Transport } from '@modelcontextprotocol/client';
import { withMarks } from '../../../platform/json/exact-json.js';
import type { AnswerMask } from './answer-mask.js';
import { callDeadline } from './call-deadline.js';
import { asCallFailure } from './call-failure.js';
import { AS_IT_CAME, NEVER_MS } from './client-options.js';
import type { Deadline } from './deadline.js';
import { progressFrom, resultFrom } from './exact-messages.js';
import { callWithHeaders } from './header-tools.js';
import type { RequestOptions } from './mcp-connection.js';
import type { OpenRequests } from './open-requests.js';
import { withMeta } from './request-meta.js';
import { SUBSCRIBE, SUBSCRIPTIONS, type ResourceStreams } from './resource-streams.js';
import { resultWithoutNulls } from '../protocol/null-members.js';
import type { ShortRequests } from './short-requests.js';

/** Sends the requests of one connection by the way that its era and method need, with time limits and masked results. */
export class ConnectionRequests {
  constructor(
    private readonly client: Client,
    private readonly transport: Transport,
    private readonly short: ShortRequests | null | undefined,
    private readonly mask: AnswerMask,
    private readonly streams: ResourceStreams,
    private readonly open: OpenRequests,
  ) {}

  /** Sends a request when `begin` of its options says so. */
  async send(
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions,
  ): Promise<Record<string, unknown>> {
    if (!options.begin) return this.sendNow(method, params, options);
    let sent!: Promise<Record<string, unknown>>;
    await options.begin(() => {
      sent = this.sendNow(method, params, options);
      // The server may respond before `begin` has returned. The caller gets the error below.
      sent.catch(() => undefined);
    });
    return sent;
  }

  private async sendNow(
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions,
  ): Promise<Record<string, unknown>> {
    const era = this.client.getProtocolEra() ?? 'legacy';
    if (era === 'modern' && SUBSCRIPTIONS.has(method)) return this.requestStream(method, String(params.uri));
    return resultWithoutNulls(
      await this.open.run(options, (onDeadline) =>
        era === 'legacy' && this.short
          ? this.requestShort(this.short, method, params, options, onDeadline)
          : this.requestBySdk(method, params, options, onDeadline),
      ),
    );
  }

  private async requestShort(
    short: ShortRequests,
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions,
    onDeadline: (deadline: Deadline) => void,
  ): Promise<Record<string, unknown>> {
    const { onProgress } = options;
    const masked = onProgress && ((notice: Record<string, unknown>) => onProgress(this.mask.value(notice)));
    try {
      return this.mask.value(
        await short.request(
          method,
          withMeta(params, options.meta),
          { ...options, onProgress: masked },
          onDeadline,
        ),
      );
    } catch (error) {
      throw asCallFailure(error, this.mask);
    }
  }

  private async requestStream(method: string, uri: string): Promise<Record<string, unknown>> {
    try {
      return await (method === SUBSCRIBE ? this.streams.subscribe(uri) : this.streams.unsubscribe(uri));
    } catch (error) {
      throw asCallFailure(error, this.mask);
    }
  }

  private async requestBySdk(
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions,
    onDeadline: (deadline: Deadline) => void,
  ): Promise<Record<string, unknown>> {
    const deadline = callDeadline(options.timeoutMs ?? 60_000, options.maxTotalMs ?? 300_000, options.signal);
    onDeadline(deadline);
    const onprogress = (progress: Record<string, unknown>): void => {
      deadline.renew();
      options.onProgress?.(this.mask.value(progressFrom(progress)));
    };
    try {
      const request = withMarks({ method, params: withMeta(params, options.meta) });
      const allowInputRequired = method === 'tools/call';
      const sending = { signal: deadline.signal, timeout: NEVER_MS, onprogress, allowInputRequired };
      const result = await callWithHeaders(this.client, this.transport, request, sending, () =>
        this.client.request(request, withInputRequired(AS_IT_CAME), sending),
      );
      return this.mask.value(resultFrom(result));
    } catch (error) {
      throw asCallFailure(deadline.signal.aborted ? deadline.signal.reason : error, this.mask);
    } finally {
      deadline.stop();
    }
  }
}
