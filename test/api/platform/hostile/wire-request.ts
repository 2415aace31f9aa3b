import { request } from '../../../support/worker/undici.cjs';
import type { Service } from '../../../support/service.js';

/** One request as it is sent; `path` is encoded already. */
export interface WireRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** Returns what is wrong with the responses; empty when nothing is. */
export async function faultsOf(service: Service, requests: WireRequest[], atOnce = 12): Promise<string[]> {
  const faults: string[] = [];
  const waiting = [...requests];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const fault = await faultOf(service, next);
      if (fault) faults.push(`${fault}\n  ${describeRequest(next)}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return faults;
}

async function faultOf(
  service: Service,
  { method, path, headers, body }: WireRequest,
): Promise<string | null> {
  try {
    const answer = await request(service.baseUrl + path, {
      method: method as 'GET',
      headers,
      body,
      dispatcher: service.connections,
    });
    answer.body.on('error', () => undefined);
    if (String(answer.headers['content-type']).includes('event-stream')) {
      answer.body.destroy();
      return null;
    }
    const text = await answer.body.text();
    return shapeFault(answer.statusCode, String(answer.headers['content-type'] ?? ''), text, {
      hasBody: method !== 'HEAD',
      isRpc: /^\/(mcp|api\/agents\/[^/]*\/mcp)($|\?)/.test(path),
    });
  } catch (fault) {
    return `no answer: ${fault instanceof Error ? fault.message : String(fault)}`;
  }
}

/** Returns what is wrong with one response: a 5xx, or an error in another form than the contract's (contract §1). */
export function shapeFault(
  status: number,
  type: string,
  text: string,
  { hasBody = true, isRpc = false } = {},
): string | null {
  if (status >= 500) return `${status} ${text.slice(0, 300)}`;
  if (status < 400 || !hasBody || (isRpc && !type.includes('problem+json'))) return null;
  if (!type.startsWith('application/problem+json')) return `${status} as ${type}: ${text.slice(0, 300)}`;
  const problem = JSON.parse(text) as Record<string, unknown>;
  const names = ['type', 'title', 'status', 'detail', 'instance', 'code', 'message', 'requestId'];
  const lacks = names.filter((name) => !(name in problem));
  if (lacks.length > 0 || problem['status'] !== status || problem['message'] !== problem['detail'])
    return `${status} in another form: ${text.slice(0, 300)}`;
  const leaked = /node_modules|dist\/src|\bat \w+ \(|SELECT |INSERT |driverError|\/tmp\//.exec(text);
  return leaked ? `${status} leaked ${leaked[0]}: ${text.slice(0, 300)}` : null;
}

function describeRequest({ method, path, headers, body }: WireRequest): string {
  const sent = JSON.stringify({ ...headers, authorization: undefined });
  return `${method} ${path.slice(0, 300)} ${sent.slice(0, 300)} ${String(body ?? '').slice(0, 300)}`;
}
