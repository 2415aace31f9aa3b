import { tmpdir } from 'node:os';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Settings } from '../config/settings.js';
import type { DatabaseService } from '../database/database.service.js';
import { WriteChecksService } from './database-state-and-space-checks.service.js';

const failing = (code: string) => Object.assign(new Error('x'), { code });

describe('why the database takes no writes', () => {
  /** What PostgreSQL says of itself, and how it answers; `null` means without an error. */
  let world: {
    isStandby: boolean;
    isReadOnly: boolean;
    unconfirmed?: number;
    trial: Error | null;
    connect: Error | null;
  };
  let trials = 0;
  let connections = 0;
  let checks: WriteChecksService;
  beforeEach(() => {
    world = { isStandby: false, isReadOnly: false, trial: null, connect: null };
    [trials, connections] = [0, 0];
    const fail = async (error: Error | null) => {
      if (error) throw error;
    };
    const database = {
      dataSource: { query: () => Promise.resolve([world]) },
      get unconfirmedWrites() {
        return world.unconfirmed ?? 0;
      },
      pool: { query: () => ((trials += 1), fail(world.trial)) },
      separateClient: () => ({
        connect: () => ((connections += 1), fail(world.connect)),
        end: () => Promise.resolve(),
      }),
    } as unknown as DatabaseService;
    checks = new WriteChecksService(database, { dataDir: tmpdir() } as Settings);
  });

  it('is nothing while it takes them, and then a probe neither writes nor connects each time', async () => {
    for (let probe = 0; probe < 3; probe += 1) expect(await checks.databaseReason()).toBeNull();
    expect({ trials, connections }).toEqual({ trials: 0, connections: 1 });
  });

  it.each([
    [{ isStandby: true, isReadOnly: true }, 'standby'],
    [{ isReadOnly: true }, 'read-only'],
    [{ unconfirmed: 1 }, 'unconfirmed'],
  ])('is what it says of itself: %j', async (state, reason) => {
    Object.assign(world, state);
    expect(await checks.databaseReason()).toBe(reason);
  });

  it('is its full disk from a refused write on, until a trial of the probe succeeds', async () => {
    checks.note(failing('57P01'));
    expect(await checks.databaseReason()).toBeNull();
    expect(trials).toBe(0);
    checks.note(failing('53100'));
    world.trial = failing('53100');
    expect([await checks.databaseReason(), await checks.databaseReason()]).toEqual(['full', 'full']);
    world.trial = null;
    expect([await checks.databaseReason(), await checks.databaseReason()]).toEqual([null, null]);
    expect(trials).toBe(3);
  });

  it('is not its full disk for a role that may make no temporary table', async () => {
    checks.note(failing('53100'));
    world.trial = failing('42501');
    expect(await checks.databaseReason()).toBeNull();
  });

  it('is its rejection of the credentials, asked again at each probe until it accepts them', async () => {
    world.connect = failing('28P01');
    expect([await checks.databaseReason(), await checks.databaseReason()]).toEqual([
      'credentials rejected',
      'credentials rejected',
    ]);
    world.connect = null;
    expect(await checks.databaseReason()).toBeNull();
  });

  it('is not a limit of connections, which concerns no open one', async () => {
    world.connect = failing('53300');
    expect(await checks.databaseReason()).toBeNull();
  });

  it('does not count the folder of this host as full', async () => {
    expect(await checks.isFolderFull()).toBe(false);
  });
});
