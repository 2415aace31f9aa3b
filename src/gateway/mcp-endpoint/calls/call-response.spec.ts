import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { CallResponse } from './call-response.js';

const call = { era: 'session', id: 1, params: {}, progressToken: 'p' } as const;
const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

/** A response, and the client that reads it once it is resumed. */
async function exchange(): Promise<{ response: ServerResponse; reader: Promise<IncomingMessage> }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const requested = once(server, 'request');
  const request = get({ port: (server.address() as AddressInfo).port });
  const reader = once(request, 'response').then(([incoming]) => incoming as IncomingMessage);
  closing.push(() => {
    request.destroy();
    server.close();
  });
  const [, response] = (await requested) as [IncomingMessage, ServerResponse];
  return { response, reader };
}

const limits = { mcpNotificationMaxBytes: 4_096, streamUnreadMaxBytes: 262_144, refusedFor: () => null };

describe('the response to a tool call', () => {
  it('keeps only the latest progress for an agent that does not read', async () => {
    const { response, reader } = await exchange();
    const answer = new CallResponse(response, call, limits);
    const message = 'x'.repeat(100_000);
    for (let n = 1; n <= 5_000; n += 1) answer.onProgress!({ progress: n, message });
    expect(response.writableLength).toBeLessThan(65_536);
    answer.result({ content: [] });
    const text = (await (await reader).setEncoding('utf8').toArray()).join('');
    const events = text.match(/(?<=data: ).*/g)!.map((line) => JSON.parse(line));
    expect(events.at(-2).params).toMatchObject({ progress: 5_000, progressToken: 'p' });
    expect(events.at(-2).params.message).toHaveLength(4_096);
    expect(events.at(-1)).toMatchObject({ id: 1, result: { content: [] } });
  });

  it('sends all progress to an agent that reads', async () => {
    const { response, reader } = await exchange();
    const answer = new CallResponse(response, call, limits);
    for (const progress of [1, 2, 3]) answer.onProgress!({ progress });
    answer.result({});
    const text = (await (await reader).setEncoding('utf8').toArray()).join('');
    expect(text.match(/"progress":\d/g)).toEqual(['"progress":1', '"progress":2', '"progress":3']);
  });

  it('is an error in place of a result for which the agent has left too much unread', async () => {
    const { response, reader } = await exchange();
    const refusedFor = (bytes: number) => (bytes > 70_000 ? 4_000_000 : null);
    new CallResponse(response, call, { ...limits, refusedFor }).result({ content: 'x'.repeat(80_000) });
    const text = (await (await reader).setEncoding('utf8').toArray()).join('');
    expect(JSON.parse(text)).toMatchObject({
      id: 1,
      error: { code: -32_000, message: expect.stringMatching(/was made, but you have 4000000 bytes/) },
    });
  });

  it('has no message where the client cancelled the call', async () => {
    const { response, reader } = await exchange();
    new CallResponse(response, call, limits).drop();
    const incoming = await reader;
    expect(incoming.headers['content-type']).toBe('text/event-stream');
    expect(await incoming.toArray()).toEqual([]);
  });
});
