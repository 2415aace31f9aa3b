import { describe, expect, it } from '@jest/globals';
import { type Frame, FrameReader } from './frames.js';

function read(reader: FrameReader, ...chunks: string[]): Frame[] {
  return chunks.flatMap((chunk) => [...reader.read(Buffer.from(chunk))]);
}

describe('reading frames', () => {
  it('puts lines together from any pieces, and takes several from one', () => {
    const text = '{"a":1}\n{"b":"ü"}\r\n\n  \n{"c":[]}\n';
    const whole = [{ a: 1 }, { b: 'ü' }, { c: [] }].map((value) => ({ kind: 'message', value }));
    expect(read(new FrameReader(100), text)).toEqual(whole);
    const bytes = Buffer.from(text);
    const reader = new FrameReader(100);
    const piecemeal = [...bytes].flatMap((_, at) => [...reader.read(bytes.subarray(at, at + 1))]);
    expect(piecemeal).toEqual(whole);
  });

  it('reports lines that are not JSON and frames that nest too deep', () => {
    const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    const kinds = read(new FrameReader(10_000), `hello\n{"a":\n${deep(256)}\n${deep(257)}\n`).map(
      ({ kind }) => kind,
    );
    expect(kinds).toEqual(['garbage', 'garbage', 'message', 'oversized']);
  });

  it.each([
    ['a byte order mark', '\ufeff'],
    ['escape sequences', '\u001b[32mready\u001b[0m\u001b]0;title\u0007'],
    ['words', 'processing... '],
    ['blanks', '  \t'],
  ])('skips %s before the first brace of a line, also of one that is too long to hold', (_, leading) => {
    const message = [{ kind: 'message', value: { a: [1] } }];
    expect(read(new FrameReader(100), `${leading}{"a":[1]}\n`)).toEqual(message);
    const long = `${leading}{"id":7,"text":"${'x'.repeat(300)}"}\n`;
    for (const cut of [0, 60])
      expect(read(new FrameReader(100), long.slice(0, cut), long.slice(cut))).toEqual([
        { kind: 'oversized', id: 7 },
      ]);
  });

  it.each(['\u001b[0m', '\u001b[0m\r', ' done', ' \r'])(
    'skips %j after the last brace of a line',
    (trailing) => {
      expect(read(new FrameReader(100), `\u001b[32m{"a":{"b":1}}${trailing}\n`)).toEqual([
        { kind: 'message', value: { a: { b: 1 } } },
      ]);
    },
  );

  it('takes a batch as it came, and nothing from a line without a message', () => {
    const frames = read(new FrameReader(100), ' [{"a":1}]\n', '\ufeffhello\n', 'x {y} {"a":1}\n');
    expect(frames).toEqual([
      { kind: 'message', value: [{ a: 1 }] },
      { kind: 'garbage', text: expect.any(String) },
      { kind: 'garbage', text: expect.any(String) },
    ]);
  });

  it('takes a line of exactly the limit, and reads past a longer one', () => {
    const reader = new FrameReader(10);
    const frames = read(reader, '"12345678"\n', '"123456789"\n', '{"d":1}\n');
    expect(frames.map(({ kind }) => kind)).toEqual(['message', 'oversized', 'message']);
  });

  it.each([
    ['{"jsonrpc":"2.0","id":7,"result":{"text":"AAAA"}}', 7],
    ['{"result":{"id":1,"text":"\\",\\"id\\":2,AAAA","list":[{"id":3}]},"jsonrpc":"2.0","id":42}', 42],
    ['{ "id" : "a\\"b" , "result" : "AAAA" }', 'a"b'],
    ['{"text":"\\\\","id":-3,"result":"AAAA"}', -3],
    ['{"result":{"id":5},"text":"AAAA"}', undefined],
    ['{"id":null,"text":"AAAA"}', undefined],
    ['[{"id":6,"text":"AAAA"}]', undefined],
    ['{"id":{"id":8},"text":"AAAA"}', undefined],
  ])('finds the id of a line that is too long to hold: %s', (line, id) => {
    const long = line.replace('AAAA', 'A'.repeat(200));
    for (const size of [1, 3, 7, 1_000]) {
      const pieces = long.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      expect(read(new FrameReader(20), ...pieces, '\n')).toEqual([{ kind: 'oversized', id }]);
    }
  });

  it('shows a line that has not ended without its last word, in one pass', () => {
    const word = 'x'.repeat(3_000_000);
    for (const [written, shown] of [
      ['ready, key sk-li', 'ready, key '],
      ['sk-li', ''],
      ['\n\n', ''],
      [`${word} sk-li`, `${word} `],
    ] as const) {
      const reader = new FrameReader(4_000_000);
      read(reader, written);
      expect(reader.unfinished === shown).toBe(true);
    }
  });

  it('counts what it has read past, for a line that never ends', () => {
    const reader = new FrameReader(10);
    read(reader, 'x'.repeat(8), 'x'.repeat(8), 'x'.repeat(8));
    expect(reader.skipped).toBe(16);
    read(reader, '\n');
    expect(reader.skipped).toBe(0);
  });
});
