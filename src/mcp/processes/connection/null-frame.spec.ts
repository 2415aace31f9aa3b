import { describe, expect, it } from '@jest/globals';
import { withoutNullFrame, withoutNullFrames } from './null-members.js';

const GIVEN =
  '{"jsonrpc":"2.0","method":null,"id":1,"result":{"n":1234567890123456789,"error":null},"error":null}';
const EXPECTED = '{"jsonrpc":"2.0","id":1,"result":{"n":1234567890123456789,"error":null}}';

describe('withoutNullFrame', () => {
  it.each([
    [GIVEN, EXPECTED],
    [
      '{ "id" : 1 , "error" : null , "result" : [1, {"a":"}\\",\\"error\\":null"}] }',
      '{ "id" : 1 , "result" : [1, {"a":"}\\",\\"error\\":null"}] }',
    ],
    ['{"id":null,"method":"notifications/x","params":null}', '{"method":"notifications/x"}'],
    ['{"error":null}', '{}'],
    [
      '{"id":1,"result":{"tools":[{"_meta":null}], "_meta" : null}}',
      '{"id":1,"result":{"tools":[{"_meta":null}]}}',
    ],
    ['{"id":1,"result":{"_meta":5,"content":[]}}', '{"id":1,"result":{"content":[]}}'],
    [
      '{"id":1,"result":{"_meta":{"progressToken":null,"a":{"progressToken":null}}}}',
      '{"id":1,"result":{"_meta":{"a":{"progressToken":null}}}}',
    ],
    ['{"method":"n","params":{"_meta":null,"n":1e400}}', '{"method":"n","params":{"n":1e400}}'],
  ])('removes the null members of the frame alone from %s', (given, expected) => {
    expect(withoutNullFrame(given)).toBe(expected);
  });

  it.each([
    '{"id":null,"error":{"code":1}}',
    '{"result":{"error":null}}',
    '{"result":{"structuredContent":{"_meta":null}}}',
    '{"result":{"_meta":{"progressToken":"a"},"structuredContent":{"progressToken":null}}}',
    '{"_meta":null}',
    '[{"error":null}]',
    'error":null',
    '',
  ])('returns %s as it is', (text) => {
    expect(withoutNullFrame(text)).toBe(text);
  });
});

describe('the id of an answer', () => {
  const answer = (text: string) => withoutNullFrame(text, () => '7');

  it.each([
    ['{"jsonrpc":"2.0","id":null,"error":{"id":null}}', '{"jsonrpc":"2.0","error":{"id":null},"id":7}'],
    ['{"error":{"code":1},"result":null}', '{"error":{"code":1},"id":7}'],
  ])('is that of its request where the error %s has none', (given, expected) => {
    expect(answer(given)).toBe(expected);
  });

  it.each([
    '{"id":3,"error":{"data":{"id":null}}}',
    '{"id":null,"result":{"error":1}}',
    '{"method":"notifications/message","params":{"data":{"error":1}}}',
    '{"result":{"error":null}}',
  ])('stays as it is in %s', (text) => {
    expect(answer(text)).toBe(text);
  });
});

describe('withoutNullFrames', () => {
  const cut = (text: string, type: string) => {
    const bytes = new TextEncoder().encode(text);
    const body = new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
        controller.close();
      },
    });
    return withoutNullFrames(new Response(body, { headers: { 'content-type': type } })).text();
  };

  it('reads a body of JSON, however it is cut', async () => {
    expect(await cut(`${GIVEN}é`, 'text/plain')).toBe(`${GIVEN}é`);
    const accented = (text: string) => text.replace('"n"', '"é"');
    expect(await cut(accented(GIVEN), 'application/json; charset=utf-8')).toBe(accented(EXPECTED));
  });

  it('reads the lines of an event stream, however they are cut', async () => {
    const events = `: ping\r\nid: 1\ndata: ${GIVEN}\n\ndata:${GIVEN}\r\n\r\ndata: rest`;
    const expected = `: ping\r\nid: 1\ndata: ${EXPECTED}\n\ndata:${EXPECTED}\r\n\r\ndata: rest`;
    expect(await cut(events, 'text/event-stream')).toBe(expected);
  });
});
