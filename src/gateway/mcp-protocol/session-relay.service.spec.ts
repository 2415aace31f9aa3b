import { expect, it } from '@jest/globals';
import { Subject } from 'rxjs';
import type { DataSource } from 'typeorm';
import type { Encryption } from '../../platform/encryption/encryption.service.js';
import { KeyRingError, SealBroken } from '../../platform/encryption/key-ring.js';
import { parseJson, withMarks } from '../../platform/json/exact-json.js';
import type { JournalConnectionClient } from '../../platform/journal/journal-connection.client.js';
import { type SessionNews, SessionRelayService } from './session-relay.service.js';

const encryption = {
  seal: (plain: string) => `sealed:${Buffer.from(plain).toString('base64')}`,
  open: (text: string) => {
    if (text === 'unreadable') throw new KeyRingError('The key ring cannot be read.');
    if (!text.startsWith('sealed:')) throw new SealBroken('it does not have the form of a sealed value');
    return Buffer.from(text.slice(7), 'base64').toString();
  },
} as unknown as Encryption;

/** Two processes of one database, and the notifications that it delivered. */
function twoProcesses() {
  const [relayed, connected] = [new Subject<string>(), new Subject<void>()];
  const missed: string[] = [];
  const sent: string[] = [];
  const source = {
    query: async (_: string, [, parts]: [string, string[]]) => {
      sent.push(...parts);
      for (const part of parts) relayed.next(part);
    },
  } as unknown as DataSource;
  const heard: SessionNews[][] = [[], []];
  const [one] = heard.map((news) => {
    const relay = new SessionRelayService(
      source,
      { relayed, connected } as unknown as JournalConnectionClient,
      encryption,
    );
    relay.onApplicationBootstrap();
    relay.news.subscribe((each) => news.push(each));
    relay.missed.subscribe(() => missed.push(news === heard[0] ? 'one' : 'other'));
    return relay;
  });
  return { one: one!, heard, sent, missed, relayed, connected };
}

it('is heard by the other process alone, in parts that PostgreSQL takes', async () => {
  const { one, heard, sent } = twoProcesses();
  const news: SessionNews = {
    ...{ kind: 'answered', session: 's', question: 'question-1' },
    result: { content: 'ä'.repeat(30_000) },
  };
  await one.tell(news);
  expect(heard).toEqual([[], [news]]);
  expect(sent.length).toBeGreaterThan(1);
  for (const part of sent) expect(Buffer.byteLength(part)).toBeLessThan(8_000);
});

it('has the digits of its numbers, since the marks that stand for them are those of one process', async () => {
  const { one, heard, sent } = twoProcesses();
  const requestId = withMarks(parseJson('1234567890123456789')) as string;
  await one.tell({ kind: 'cancelled', session: 's', requestId });
  expect(heard[1]).toEqual([{ kind: 'cancelled', session: 's', requestId }]);
  const sealed = sent[0]!.split(' ').at(-1)!;
  expect(encryption.open(sealed, '')).toContain('"requestId":1234567890123456789');
});

it('is missed while there is no connection, which the next one says', () => {
  const { connected, missed } = twoProcesses();
  connected.next();
  expect(missed).toEqual(['one', 'other']);
});

it('is whole where two connections bring its parts', async () => {
  const { one, heard, sent, relayed } = twoProcesses();
  await one.tell({ kind: 'answered', session: 's', question: 'q', result: { content: 'a'.repeat(20_000) } });
  for (const part of sent.toReversed()) for (let each = 0; each < 2; each += 1) relayed.next(part);
  expect(heard[1]).toEqual([heard[1]![0], heard[1]![0]]);
});

it('is not told where it would take too many notifications', async () => {
  const { one, heard, sent } = twoProcesses();
  await one.tell({ kind: 'cancelled', session: 's', requestId: 'x'.repeat(1_000_000) });
  expect([heard, sent]).toEqual([[[], []], []]);
});

it.each([
  '',
  'a b',
  'a b 1 0 forged',
  'a b 1 0 unreadable',
  'a b 1000000 0 sealed:',
  'a b many 0 sealed:',
  'a b 1 1 sealed:',
])('ignores %j, which any user of the database may send', (payload) => {
  const { heard, relayed } = twoProcesses();
  relayed.next(payload);
  expect(heard).toEqual([[], []]);
});
