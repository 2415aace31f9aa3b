import { describe, expect, it } from '@jest/globals';
import { ExactNumber, jsonText, withMarks, withNumbers } from '../../../platform/json/exact-json.js';
import { withDigits, withMarkedNumbers } from './exact-messages.js';

const BIG = '1234567890123456789';

/** Returns the body that the SDK reads of a response which arrives in pieces of so many bytes. */
async function bodyOf(type: string, text: string, size: number): Promise<string> {
  const bytes = Buffer.from(text);
  const body = new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size));
      controller.close();
    },
  });
  return withMarkedNumbers(new Response(body, { headers: { 'content-type': type } })).text();
}

describe('a response for the SDK', () => {
  it.each([1, 7, 1_000])('has marks in its JSON, however it arrives: in pieces of %i bytes', async (size) => {
    const text = `{"a":${BIG},\n"é":"${BIG} ü","b":[1]}`;
    const parsed = JSON.parse(await bodyOf('application/json', text, size)) as unknown;
    expect(jsonText(withNumbers(parsed))).toBe(text.replace('\n', ''));
  });

  it.each([1, 7, 1_000])(
    'has marks in the messages of a stream alone: in pieces of %i bytes',
    async (size) => {
      const other = `id: ${BIG}\nretry: ${BIG}\n: ${BIG}\n`;
      const endpoint = `event: endpoint\ndata: /messages?a=x: ${BIG}\n\n`;
      const message = `event: message\r\ndata: {"a":${BIG}}\r\n\r\n`;
      const seen = await bodyOf('text/event-stream; charset=utf-8', other + endpoint + message, size);
      expect(seen.startsWith(other + endpoint)).toBe(true);
      const [, data] = /data: (\{.*\})/.exec(seen)!;
      expect(withNumbers(JSON.parse(data!))).toEqual({ a: new ExactNumber(BIG) });
    },
  );

  it('of another type passes unchanged', async () => {
    expect(await bodyOf('text/plain', `[${BIG}]`, 5)).toBe(`[${BIG}]`);
  });
});

describe('a request of the SDK', () => {
  it('has its digits in the body, and in a header that repeats an argument', () => {
    const marked = withMarks(new ExactNumber(BIG)) as unknown as string;
    const headers = new Headers({ 'mcp-param-id': marked, accept: '*/*' });
    const sent = withDigits({ headers, body: JSON.stringify({ id: marked }) });
    expect(sent.body).toBe(`{"id":${BIG}}`);
    expect([...sent.headers]).toEqual([
      ['accept', '*/*'],
      ['mcp-param-id', BIG],
    ]);
  });
});
