import { describe, expect, it } from 'vitest';
import { keyed } from './logs-tab';

const line = (text: string, at = '2026-11-22T08:00:00.000Z') => ({
  at,
  text,
  process: 'host 1',
  credentialSet: 'default',
});

describe('the keys of log lines', () => {
  it('differ for the same text at the same time', () => {
    expect(new Set(keyed([line('again'), line('again'), line('other')]).map(({ key }) => key)).size).toBe(3);
  });

  it('stay while older lines leave the log', () => {
    const lines = [line('old', '2026-11-22T07:59:00.000Z'), line('listening'), line('ready')];
    expect(keyed(lines.slice(1))).toEqual(keyed(lines).slice(1));
  });
});
