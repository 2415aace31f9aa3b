import { describe, expect, it } from '@jest/globals';
import { SecretRegister } from '../encryption/masking.js';
import { JsonLogger, textLine } from './json-logger-and-start-log.js';

const line = (fields: object) => `${JSON.stringify(fields)}\n`;

describe('textLine', () => {
  it('shows time, level, context and message, then each field with a value', () => {
    const written = line({
      level: 'info',
      time: '2026-11-22T15:00:00.000Z',
      context: 'Request',
      msg: 'done "well"',
      status: 200,
      caller: null,
      route: '/api/x y',
    });
    expect(textLine(written)).toBe(
      '2026-11-22T15:00:00.000Z INFO  [Request] done "well" status=200 route="/api/x y"\n',
    );
  });

  it('keeps an entry on one line, whatever its texts hold', () => {
    const text = textLine(line({ level: 'warn', time: 't', msg: 'a\nb', url: 'x\n2026 INFO forged' }));
    expect(text).toBe('t WARN  a\\nb url="x\\n2026 INFO forged"\n');
  });
});

describe('the logger', () => {
  const logged = (format: 'json' | 'text') => {
    const lines: string[] = [];
    const secrets = new SecretRegister();
    secrets.set('a server', ['hunter2-hunter2']);
    const logger = new JsonLogger({ level: 'info', format }, secrets, { write: (text) => lines.push(text) });
    logger.warn('The key is hunter2-hunter2', 'Test');
    logger.debug('not shown', 'Test');
    return lines.join('');
  };

  it('writes JSON by default and text for people, and masks secrets in both', () => {
    expect(JSON.parse(logged('json'))).toMatchObject({ level: 'warn', context: 'Test' });
    expect(logged('text')).toMatch(/^\S+Z WARN {2}\[Test\] The key is \S+\n$/);
    for (const format of ['json', 'text'] as const) expect(logged(format)).not.toContain('hunter2');
  });
});
