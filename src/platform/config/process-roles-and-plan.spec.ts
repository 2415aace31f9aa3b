import { describe, expect, it } from '@jest/globals';
import { loadSettings } from './load-settings.js';
import { apisFor, partsFor, quotaOf, shareOf } from './process-roles-and-plan.js';

const GIB = 1024 ** 3;
const on = (cores: number, gib: number) => () => ({ cores, memoryBytes: gib * GIB });

describe('the number of processes', () => {
  it.each([
    ['one per processor', 4, 16, 4],
    ['one on a single processor', 1, 16, 1],
    ['one on half a processor', 0.5, 16, 1],
    ['the whole ones of a quota', 2.5, 16, 2],
    ['at most eight', 32, 256, 8],
    ['as many as the memory has room for', 8, 2, 2],
    ['one on little memory', 8, 0.25, 1],
  ])('is with auto %s', (_, cores, gib, apis) => expect(apisFor('auto', 'all', on(cores, gib))).toBe(apis));

  it('is what the setting says, for the roles that answer requests', () => {
    expect(apisFor('3', 'all', on(1, 1))).toBe(3);
    expect(apisFor('3', 'api', on(1, 1))).toBe(3);
    for (const role of ['tools', 'worker'] as const) expect(apisFor('auto', role, on(8, 16))).toBe(1);
  });

  it('reads the quota of a control group', () => {
    expect([quotaOf('150000 100000'), quotaOf('max 100000'), quotaOf('')]).toEqual([1.5, null, null]);
  });
});

describe('the processes of a start', () => {
  it('are one that does everything, or those for requests with one beside them', () => {
    const names = (apis: number, role: 'all' | 'api') => partsFor(apis, role).map(({ name }) => name);
    expect(names(1, 'all')).toEqual([]);
    expect(names(2, 'all')).toEqual(['api-1', 'api-2', 'host']);
    expect(names(2, 'api')).toEqual(['api-1', 'api-2']);
  });

  it('divide a limit of the machine, and keep what one of them needs', () => {
    expect([shareOf(500, 1), shareOf(500, 3), shareOf(64, 8), shareOf(32, 8, 16), shareOf(8, 8, 16)]).toEqual(
      [500, 167, 8, 16, 8],
    );
  });

  it('divide what the whole start may have, and not the sessions, each of which may come to be in all of them', () => {
    const { limits, limitsTogether } = loadSettings({ PROCESSES: '4' });
    expect(limits.streamsPerPrincipal).toBe(limitsTogether.streamsPerPrincipal / 4);
    expect(limits.mcpSessionsPerAgent).toBe(limitsTogether.mcpSessionsPerAgent);
  });
});
