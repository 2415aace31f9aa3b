import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { alive, descendantsOf } from '../../support/descendants.js';
import { DividedStart } from './divided-start.js';

const KILLS = 20;
const REPLACEMENTS = 10;
const NAMES = ['api-1', 'api-2', 'api-3', 'host'];

describe('a divided start under load', () => {
  let start: DividedStart;
  beforeAll(async () => {
    start = await DividedStart.begin(3);
  });
  afterAll(() => start?.end());

  it(`survives ${KILLS} kills of any one process: no call is made twice, and none of the others fails`, async () => {
    const server = await start.server('shared');
    for (let round = 0; round < KILLS; round += 1) await start.kill(NAMES[round % NAMES.length]!, server);
    expect((await start.processes()).map(({ restarts }) => restarts)).toEqual([5, 5, 5, 5]);
  }, 3_000_000);

  it(`is replaced ${REPLACEMENTS} times without a refused connection, a cut call or a gap in the events`, async () => {
    const server = await start.server('own');
    for (let round = 0; round < REPLACEMENTS; round += 1) await start.replaceAll(server);
  }, 3_000_000);

  it('leaves no process behind', async () => {
    const all = descendantsOf(start.service.pid);
    await start.service.stop();
    expect(alive(all)).toEqual([]);
  });
});
