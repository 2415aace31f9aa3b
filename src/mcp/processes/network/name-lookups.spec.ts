import { describe, expect, it } from '@jest/globals';
import { NameLookups } from './egress-connections-and-name-lookups.js';

/** A resolver whose answers wait until `answer` is called. */
class SlowNames {
  readonly asked: string[] = [];
  private readonly answers: (() => void)[] = [];

  readonly resolve = (name: string): Promise<string[]> => {
    this.asked.push(name);
    return new Promise((resolve) => this.answers.push(() => resolve(['192.0.2.1'])));
  };

  answerAll(): void {
    for (const answer of this.answers.splice(0)) answer();
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the lookups of a server', () => {
  it('run two at a time, three for all servers, and refuse what is too much', async () => {
    const names = new SlowNames();
    const [hostile, honest] = [new NameLookups(names.resolve), new NameLookups(names.resolve)];
    const flood = Array.from({ length: 100 }, (_, n) => hostile.resolve(`${n}.evil.test`));
    const settled = Promise.allSettled(flood);
    const others = ['a.test', 'b.test'].map((name) => honest.resolve(name));
    await turn();
    expect(names.asked).toEqual(['0.evil.test', '1.evil.test', 'a.test']);
    while (names.asked.length < 68) {
      names.answerAll();
      await turn();
    }
    names.answerAll();
    expect((await settled).filter(({ status }) => status === 'rejected')).toHaveLength(100 - 2 - 64);
    expect(await Promise.all(others)).toEqual([['192.0.2.1'], ['192.0.2.1']]);
  });

  it('ask once for a name that is asked for twice at the same time, and again later', async () => {
    const names = new SlowNames();
    const lookups = new NameLookups(names.resolve);
    const both = Promise.all([lookups.resolve('a.test'), lookups.resolve('a.test')]);
    await turn();
    names.answerAll();
    await both;
    const later = lookups.resolve('a.test');
    await turn();
    names.answerAll();
    await later;
    expect(names.asked).toEqual(['a.test', 'a.test']);
  });
});
