import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Subject } from 'rxjs';
import {
  JournalFollowerWorker,
  type JournalSubscriber,
  type JournalUpdate,
} from './journal-follower-and-subscriptions.worker.js';

/** A journal whose rows and open transactions the test decides. */
class FakeJournal {
  rows: { position: number; type: string }[] = [];
  oldestRunning = 100n;
  readonly notified = new Subject<void>();
  readonly connected = new Subject<void>();
  isConnected = false;

  connect(): Promise<void> {
    this.isConnected = true;
    this.connected.next();
    return Promise.resolve();
  }
  end = () => Promise.resolve();
  last = () => Promise.resolve(Math.max(0, ...this.rows.map(({ position }) => position)));
  newTransactionId = () => Promise.resolve(50n);
  look = (above: number) =>
    Promise.resolve({
      oldestRunning: this.oldestRunning,
      rows: this.rows.filter(({ position }) => position > above),
    });

  async commit(position: number, type: string): Promise<void> {
    this.rows = [...this.rows, { position, type }].toSorted((a, b) => a.position - b.position);
    this.notified.next();
    await nextTurn();
  }
}

describe('JournalFollowerWorker', () => {
  let journal: FakeJournal;
  let follower: JournalFollowerWorker;
  let updates: JournalUpdate[];
  const subscriber = (changes: Partial<JournalSubscriber> = {}): JournalSubscriber => ({
    name: 'test',
    types: /^mcp\./,
    handle: (update) => Promise.resolve(void updates.push(update)),
    ...changes,
  });

  beforeEach(async () => {
    updates = [];
    journal = new FakeJournal();
    follower = new JournalFollowerWorker(journal as never, journal as never);
    await follower.onApplicationBootstrap();
    await nextTurn();
  });
  afterEach(() => follower.onApplicationShutdown());

  it('calls a subscriber at once, and then for the types that it named', async () => {
    follower.subscribe(subscriber());
    await nextTurn();
    await journal.commit(1, 'issue.created');
    await journal.commit(2, 'mcp.access.changed');
    expect(updates.map(({ types, isComplete }) => [[...types], isComplete])).toEqual([
      [[], false],
      [['mcp.access.changed'], true],
    ]);
  });

  it('reports a row above a gap once, and moves the head only when the gap has closed', async () => {
    follower.subscribe(subscriber());
    await nextTurn();
    journal.oldestRunning = 10n;
    await journal.commit(2, 'mcp.server.disabled');
    await journal.commit(3, 'issue.created');
    expect(updates).toHaveLength(2);
    expect(follower.head).toBe(0);
    await journal.commit(1, 'mcp.server.enabled');
    expect([...updates[2]!.types]).toEqual(['mcp.server.enabled']);
    expect(follower.head).toBe(3);
  });

  it('makes every subscriber check everything after a reconnect', async () => {
    follower.subscribe(subscriber());
    await nextTurn();
    journal.connected.next();
    await nextTurn();
    expect(updates.at(-1)).toEqual({ types: new Set(), isComplete: false });
  });

  it('follows a restored database, whose positions are lower', async () => {
    await journal.commit(7, 'issue.created');
    journal.rows = [{ position: 3, type: 'issue.created' }];
    journal.connected.next();
    await nextTurn();
    await journal.commit(4, 'issue.created');
    expect(follower.head).toBe(4);
  });

  it('calls a subscriber that failed again with the same news', async () => {
    let failures = 1;
    const handle = (update: JournalUpdate) => {
      updates.push(update);
      return update.types.size > 0 && failures-- > 0 ? Promise.reject(new Error('away')) : Promise.resolve();
    };
    follower.subscribe(subscriber({ handle }));
    await nextTurn();
    await journal.commit(1, 'mcp.access.changed');
    await journal.commit(2, 'mcp.server.deleted');
    expect(updates.map(({ types }) => [...types])).toEqual([
      [],
      ['mcp.access.changed'],
      ['mcp.access.changed', 'mcp.server.deleted'],
    ]);
  });

  it('does not call a subscriber that has unsubscribed', async () => {
    const subscription = follower.subscribe(subscriber());
    await nextTurn();
    await follower.unsubscribe(subscription);
    await journal.commit(1, 'mcp.access.changed');
    expect(updates).toHaveLength(1);
  });
});
