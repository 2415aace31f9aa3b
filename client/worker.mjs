import { apiAt, dataOf, Refused, untilAnswered } from './client.mjs';

export { Refused };

/** Longer than a waiting heartbeat. */
const REQUEST_MS = 60_000;
const TRANSFER_MS = 300_000;
const ME = { path: { agentId: 'me' } };
const of = (issueId) => ({ path: { issueId } });
const limited = (request) =>
  fetchHere(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(REQUEST_MS)]) });

/** A service never sends a redirect. It would take texts and files of an issue to another address, also one without TLS. */
async function fetchHere(request, options) {
  const response = await fetch(request, { ...options, redirect: 'manual' });
  if (![301, 302, 303, 307, 308].includes(response.status)) return response;
  await response.body?.cancel();
  const to = response.headers.get('location');
  throw new Error(
    `The service answered with a redirect to ${to}, which is not followed. Set its own address.`,
  );
}

export class WorkerApi {
  constructor(url, key) {
    this.url = url.replace(/\/+$/, '');
    this.key = key;
    this.api = apiAt(url, key, { fetch: limited });
  }

  heartbeat(body, wait, signal, onRetry) {
    const params = { ...ME, query: { wait } };
    const path = '/api/agents/{agentId}/heartbeat';
    // Without an Idempotency-Key: a repeated heartbeat gets what is true then.
    return untilAnswered(() => this.api.POST(path, { params, body, signal }), signal, onRetry);
  }

  turn(issueId, token, usage, signal) {
    const body = { issueId, token, usage };
    const path = '/api/agents/{agentId}/turns';
    return untilAnswered((options) => this.api.POST(path, { params: ME, body, ...options }), signal);
  }

  async end(issueId, { route, body }, signal) {
    const path = `/api/projects/issues/{issueId}/${route}`;
    await untilAnswered((options) => this.api.POST(path, { params: of(issueId), body, ...options }), signal);
  }

  release(issueId, token, reason, signal) {
    return this.end(issueId, { route: 'release', body: { token, reason } }, signal);
  }

  ask(issueId, token, body, signal) {
    const path = '/api/projects/issues/{issueId}/gates';
    return untilAnswered((options) => {
      const headers = { ...options.headers, 'Lease-Token': String(token) };
      return this.api.POST(path, { params: of(issueId), body, ...options, headers });
    }, signal);
  }

  issue(issueId) {
    return dataOf(this.api.GET('/api/projects/issues/{issueId}', { params: of(issueId) }));
  }

  /** One page is enough for what a worker asks: whether it has split the issue itself. */
  children(issueId) {
    const params = { ...of(issueId), query: { fields: 'summary', limit: 200, sort: '-createdAt' } };
    return dataOf(this.api.GET('/api/projects/issues/{issueId}/children', { params }));
  }

  me() {
    return dataOf(this.api.GET('/api/agents/{agentId}', { params: ME }));
  }

  tools() {
    return dataOf(this.api.POST('/api/agents/{agentId}/turns', { params: ME, body: {} }));
  }

  attachments(issueId) {
    return dataOf(this.api.GET('/api/projects/issues/{issueId}/attachments', { params: of(issueId) }));
  }

  async report(issueId, body) {
    await this.api.PUT('/api/projects/issues/{issueId}/run', { params: of(issueId), body });
  }

  async download(path) {
    const headers = { authorization: `Bearer ${this.key}` };
    const signal = AbortSignal.timeout(TRANSFER_MS);
    const response = await fetchHere(`${this.url}${path}`, { headers, signal });
    if (!response.ok || !response.body) throw new Refused(response, undefined);
    return response.body;
  }

  upload(issueId, name, bytes, replaces) {
    const form = new FormData();
    form.append('file', bytes, name);
    const params = { ...of(issueId), ...(replaces && { query: { replaces } }) };
    const options = { params, body: { file: '' }, bodySerializer: () => form };
    return dataOf(this.api.POST('/api/projects/issues/{issueId}/attachments', options));
  }
}
