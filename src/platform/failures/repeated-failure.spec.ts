import { beforeEach, describe, expect, it } from '@jest/globals';
import { RepeatedFailure } from './repeated-failure.js';

const AWAY = new Error('connect ECONNREFUSED 127.0.0.1:5432');
const STARTING = new Error('the database system is starting up');

describe('a failure that repeats', () => {
  let time = 0;
  let lines: unknown[] = [];
  let failure: RepeatedFailure;
  beforeEach(() => {
    [time, lines] = [0, []];
    const output = {
      warn: (line: unknown) => void lines.push(line),
      log: (line: unknown) => void lines.push(line),
    };
    failure = new RepeatedFailure(output, 'The journal could not be read', () => time);
  });
  /** Fails twice per second. */
  const failFor = (seconds: number, error: unknown) => {
    for (const end = time + 1000 * seconds; time < end; time += 500) failure.failed(error);
  };

  it('is one line when it begins, one per minute with its count, and one when it is over', () => {
    failFor(150, AWAY);
    failure.succeeded();
    failure.succeeded();
    const msg = `The journal could not be read: ${AWAY.message}`;
    expect(lines).toEqual([
      msg,
      { msg, failures: 120 },
      { msg, failures: 120 },
      { msg: 'It is over after 150 s: The journal could not be read.', failures: 300 },
    ]);
  });

  it('is logged again for each cause, and for the same one after a success', () => {
    failure.failed(AWAY);
    failure.failed(STARTING);
    failure.failed(AWAY);
    failure.succeeded();
    failure.failed('a text');
    failure.failed(AWAY);
    expect(lines).toEqual([
      `The journal could not be read: ${AWAY.message}`,
      `The journal could not be read: ${STARTING.message}`,
      { msg: 'It is over after 0 s: The journal could not be read.', failures: 3 },
      'The journal could not be read: a text',
      `The journal could not be read: ${AWAY.message}`,
    ]);
  });

  it('has few lines, also where each error has a number or a text of its own', () => {
    for (let at = 0; at < 1000; at += 1) failure.failed(`attempt ${at} of 1000`);
    expect(lines).toHaveLength(1);
    for (let at = 0; at < 1000; at += 1) failure.failed(`cause ${'x'.repeat(at)}`);
    expect(lines.length).toBeLessThan(25);
  });

  it('writes nothing while there is none', () => {
    failure.succeeded();
    expect(lines).toEqual([]);
  });
});
