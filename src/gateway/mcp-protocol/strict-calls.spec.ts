import type { ServerResponse } from 'node:http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client as NewClient } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import fc from 'fast-check';
import { resultWithoutNulls, withoutNullMembers } from '../../mcp/processes/connection/null-members.js';
import { ExactNumber, jsonText } from '../../platform/json/exact-json.js';
import { CallResponse } from './call-exchanges.service.js';
import { GENERATED_CASES } from '../../../test/support/generated-cases.js';

type Loose = Record<string, unknown>;
/** What a server sends during a call and at its end. */
interface Sent {
  progress: Loose[];
  result: Loose;
}

const GOOD: Sent = { progress: [], result: { content: [{ type: 'text', text: 'fine' }] } };
const greeting = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'gateway', version: '1' },
};
const limits = { mcpNotificationMaxBytes: 64, streamUnreadMaxBytes: 65_536, refusedFor: () => null };
/** A client that was sent an answer has it at once. */
const PATIENCE_MS = 3_000;
let sent = GOOD;

/** Takes what a response writes, as a reader that is never behind. */
class Written {
  text = '';
  headersSent = false;
  destroyed = false;
  writableEnded = false;
  writableNeedDrain = false;
  writableLength = 0;
  statusCode = 200;
  setHeader() {}
  writeHead() {
    this.headersSent = true;
  }
  write(text: string) {
    this.text += text;
  }
  end(text: string) {
    this.text += text;
    this.writableEnded = true;
  }
  /** The messages in it, of a stream or alone. */
  messages(): unknown[] {
    const events = this.text.match(/(?<=^data: ).*$/gm) ?? [this.text];
    return events.map((event) => JSON.parse(event));
  }
}

/** The way of a call: the server's frames, the gateway's own rules, and its response. */
class Wire {
  onmessage?: <Message>(message: Message) => void;
  onclose?: () => void;
  async start() {}
  async close() {
    this.onclose?.();
  }
  async send(message: object) {
    const { id, method, params } = message as { id?: number; method: string; params?: Loose };
    if (id === undefined) return;
    for (const answer of method === 'tools/call' ? called(id, params) : [answerOf(id, method)])
      queueMicrotask(() => this.onmessage?.(JSON.parse(JSON.stringify(answer))));
  }
}

const answerOf = (id: number, method: string) => ({
  jsonrpc: '2.0',
  id,
  result: method === 'initialize' ? greeting : { tools: [{ name: 'a', inputSchema: { type: 'object' } }] },
});

function called(id: number, params: Loose = {}): unknown[] {
  const written = new Written();
  const progressToken = (params._meta as { progressToken?: string | number } | undefined)?.progressToken;
  const call = {
    era: 'session',
    id,
    params: {},
    ...(progressToken !== undefined && { progressToken }),
  } as const;
  const response = new CallResponse(written as unknown as ServerResponse, call, limits);
  for (const notice of sent.progress) {
    const frame = { jsonrpc: '2.0', method: 'notifications/progress', params: notice };
    response.onProgress?.(withoutNullMembers(frame).params);
  }
  response.result(resultWithoutNulls(sent.result));
  return written.messages();
}

const RUNS = { numRuns: GENERATED_CASES, endOnFailure: true };
const odd = fc.oneof(
  fc.constantFrom<unknown>(null, true, 5, 'x', '', [], {}, ['a'], [null], { a: null }, '\0'),
  fc.constantFrom('1e400', '9007199254740993').map((digits) => new ExactNumber(digits)),
  fc.jsonValue({ maxDepth: 2 }),
);
const some = (sensible: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Loose> =>
  fc.record(
    Object.fromEntries(
      Object.entries(sensible).map(([name, value]) => [name, fc.oneof({ weight: 3, arbitrary: value }, odd)]),
    ),
    { requiredKeys: [] },
  ) as fc.Arbitrary<Loose>;
const words = fc.string({ maxLength: 80 });
const block = some({
  type: fc.constantFrom('text', 'image', 'audio', 'resource', 'resource_link', 'video'),
  text: words,
  data: fc.constant('AA=='),
  mimeType: fc.constant('image/png'),
  uri: words,
  name: words,
  resource: some({ uri: words, text: words }),
  annotations: some({ audience: fc.constant(['user']), priority: fc.double({ min: 0, max: 1 }) }),
});
const result = some({
  content: fc.array(fc.oneof({ weight: 4, arbitrary: block }, odd), { maxLength: 3 }),
  structuredContent: fc.dictionary(words, odd, { maxKeys: 2 }),
  isError: fc.boolean(),
  _meta: fc.dictionary(fc.oneof(words, fc.constant('progressToken')), odd, { maxKeys: 2 }),
  own: odd,
});
const progress = fc.array(some({ progress: fc.nat(), total: fc.nat(), message: words }), { maxLength: 3 });

describe('what a server sends for a call harms that call only, in both released clients:', () => {
  let clients: ((onprogress: () => void) => Promise<unknown>)[];
  beforeAll(async () => {
    const identity = { name: 'strict', version: '1' };
    const [old, modern] = [new OldClient(identity), new NewClient(identity)];
    await old.connect(new Wire());
    await modern.connect(new Wire());
    const params = { name: 'a', arguments: {} };
    clients = [
      (onprogress) => old.callTool(params, undefined, { onprogress, timeout: PATIENCE_MS }),
      (onprogress) => modern.callTool(params, { onprogress, timeout: PATIENCE_MS }),
    ];
  });

  it('a result that a client refuses leaves the next one as it is, whatever progress came before either', async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(result, progress, progress, async (answer, notices, later) => {
        for (const call of clients) {
          sent = { result: answer, progress: notices };
          await call(() => undefined).catch((error: Error) => {
            refused += 1;
            // A frame that the client takes for none leaves it waiting.
            expect(error.message).not.toMatch(/timed out/i);
          });
          sent = { ...GOOD, progress: later };
          expect(await call(() => undefined)).toMatchObject(GOOD.result);
        }
      }),
      RUNS,
    );
    expect(refused).toBeGreaterThan(100);
  }, 120_000);

  it('the text of a result is what the server wrote, digit for digit', () => {
    fc.assert(
      fc.property(result, (answer) => {
        const plain = resultWithoutNulls(answer);
        const written = new Written();
        const call = { era: 'session', id: 1, params: {} } as const;
        new CallResponse(written as unknown as ServerResponse, call, limits).result(plain);
        expect(written.text).toContain(`"result":${jsonText(plain)}`);
      }),
      RUNS,
    );
  });
});
