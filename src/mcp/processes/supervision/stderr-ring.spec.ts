import { describe, expect, it } from '@jest/globals';
import { StderrRing } from './stderr-ring.js';

const texts = (ring: StderrRing, secrets: string[] = []): string[] =>
  ring.lines(secrets).map(({ text }) => text);

describe('StderrRing', () => {
  it('returns whole lines with their times, also when they came in pieces', () => {
    const ring = new StderrRing();
    ['one\ntw', 'o\n', 'thr', 'ee'].forEach((piece) => ring.push(Buffer.from(piece)));
    expect(texts(ring)).toEqual(['one', 'two', 'three']);
    expect(ring.lines([])[0]?.at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  it('masks a secret that came in pieces', () => {
    const ring = new StderrRing();
    ['key=topsec', 'ret-value\n'].forEach((piece) => ring.push(Buffer.from(piece)));
    expect(texts(ring, ['topsecret-value'])).toEqual(['key=[secret]']);
  });

  it.each([
    ['colours', 'topsecret-\u001b[31mvalue'],
    ['a control character', 'topsecret-\u0007value'],
    ['a carriage return', 'topsecret-\rvalue'],
    ['two bytes for each character', [...'topsecret-value'].join('\0')],
  ])('masks a secret that is whole only without %s', (_, said) => {
    const ring = new StderrRing();
    ring.push(Buffer.from(`${said}\n`));
    expect(texts(ring, ['topsecret-value'])).toEqual(['[secret]']);
  });

  it('keeps the last 64 KiB, and never the end of a line whose beginning is gone', () => {
    const ring = new StderrRing();
    const secret = 'topsecret-value';
    for (let n = 0; n < 200; n += 1) {
      const bytes = Buffer.from(`${'x'.repeat(1_000)}${secret}\n`);
      ring.push(bytes.subarray(0, 1_005));
      ring.push(bytes.subarray(1_005));
    }
    const kept = texts(ring, [secret]);
    expect(kept.length).toBeGreaterThan(50);
    expect(kept.join('').length).toBeLessThanOrEqual(64 * 1024);
    kept.forEach((line) => expect(line).toBe(`${'x'.repeat(1_000)}[secret]`));
  });

  it('returns each line that ended once with take, and none that is still written', () => {
    const ring = new StderrRing();
    const take = () => ring.take(['topsecret-value']).map(({ text }) => text);
    ring.push(Buffer.from('one\ntopsecret-value\nthr'));
    expect(take()).toEqual(['one', '[secret]']);
    expect(take()).toEqual([]);
    ring.push(Buffer.from('ee'));
    expect(take()).toEqual([]);
    ring.push(Buffer.from('\n'));
    expect(take()).toEqual(['three']);
    for (let n = 0; n < 100; n += 1) ring.push(Buffer.from(`${'x'.repeat(1_000)}${n}\n`));
    const late = take();
    expect(late.length).toBeLessThan(66);
    expect(late.at(-1)).toMatch(/x99$/);
    expect(take()).toEqual([]);
  });

  it('removes colours and control characters, and cuts a line at 8 KiB', () => {
    const ring = new StderrRing();
    ring.push(Buffer.from(`\u001b[31mred\u001b[0m\u0007\tend\n${'y'.repeat(9_000)}\n`));
    expect(texts(ring)).toEqual(['red\tend', `${'y'.repeat(8_192)}… (cut)`]);
  });

  it('takes notes as lines of their own, also in the middle of one of stderr', () => {
    const ring = new StderrRing();
    ring.note('first\r\nof two');
    ring.push(Buffer.from('key=topsec'));
    ring.note('y'.repeat(9_000));
    expect(texts(ring)).toEqual(['first of two', `${'y'.repeat(8_192)}… (cut)`, 'key=topsec']);
    expect(ring.take([]).map(({ text }) => text.slice(0, 5))).toEqual(['first', 'yyyyy']);
    ring.push(Buffer.from('ret-value\n'));
    expect(ring.take(['topsecret-value']).map(({ text }) => text)).toEqual(['key=[secret]']);
  });

  it('returns the last 4,000 characters as the tail', () => {
    const ring = new StderrRing();
    ring.push(Buffer.from(`${'a'.repeat(5_000)}\nlast words\n`));
    expect(ring.tail([])).toHaveLength(4_000);
    expect(ring.tail([])).toMatch(/\nlast words$/);
  });
});
