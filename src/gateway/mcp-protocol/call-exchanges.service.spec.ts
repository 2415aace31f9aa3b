import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CallResponse } from './call-exchanges.service.js';

const call = { era: 'session', id: 1, params: {}, progressToken: 'p' } as const;
const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

/** A response, and the client that reads it once it is resumed. */
async function exchange(
  headers = {},
): Promise<{ response: ServerResponse; reader: Promise<IncomingMessage> }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const requested = once(server, 'request');
  const request = get({ port: (server.address() as AddressInfo).port, headers });
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

  it.each([
    [{ structuredContent: {} }, { structuredContent: {}, resultType: 'complete', content: [] }],
    [{ content: ['odd'] }, { content: ['odd'], resultType: 'complete' }],
    [{ resultType: 'task' }, { resultType: 'task' }],
  ])('has the content that 2026-07-28 requires in place of none: %j', async (result, expected) => {
    const { response, reader } = await exchange();
    new CallResponse(response, { ...call, era: 'stateless' }, limits).result(result);
    const text = (await (await reader).setEncoding('utf8').toArray()).join('');
    expect(JSON.parse(text).result).toEqual({ ...expected, _meta: expect.anything() });
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

  describe('that takes longer than ten seconds', () => {
    const silent = { era: 'session', id: 1, params: {} } as const;
    const STREAM = { accept: 'application/json, Text/Event-Stream' };
    beforeEach(() => {
      jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'clearTimeout'] });
    });
    afterEach(() => {
      jest.useRealTimers();
    });

    it('keeps the connection alive by comments of an event stream without a progress token', async () => {
      const { response, reader } = await exchange(STREAM);
      const answer = new CallResponse(response, silent, limits);
      jest.advanceTimersByTime(9_999);
      expect(response.headersSent).toBe(false);
      jest.advanceTimersByTime(10_001);
      answer.result({ content: [] });
      const text = (await (await reader).setEncoding('utf8').toArray()).join('');
      expect(text).toMatch(/^(: keepalive\n\n){2}event: message\ndata: .*"id":1/);
    });

    it('keeps the connection alive by blanks before the JSON of a client that accepts no event stream', async () => {
      const { response, reader } = await exchange({ accept: 'application/json' });
      const answer = new CallResponse(response, call, limits);
      jest.advanceTimersByTime(20_000);
      answer.onProgress!({ progress: 1 });
      answer.result({ content: [] });
      const incoming = await reader;
      expect(incoming.headers['content-type']).toBe('application/json');
      const text = (await incoming.setEncoding('utf8').toArray()).join('');
      expect(text).toMatch(/^ {2}{/);
      expect(JSON.parse(text)).toMatchObject({ id: 1, result: { content: [] } });
    });

    it('leaves no timer behind when it has ended, was dropped or has lost its client', async () => {
      const [ended, dropped, lost] = await Promise.all([
        exchange(STREAM),
        exchange(STREAM),
        exchange(STREAM),
      ]);
      const [first, second] = [ended, dropped, lost].map(
        ({ response }) => new CallResponse(response, silent, limits),
      );
      first!.result({});
      second!.drop();
      lost.reader.catch(() => undefined); // The client is gone, which is the case to try.
      lost.response.destroy();
      for (const { reader } of [ended, dropped]) await (await reader).toArray();
      jest.advanceTimersByTime(10_000);
      expect(jest.getTimerCount()).toBe(0);
    });
  });
});
