import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { proveKeyRing } from '../../../src/platform/encryption/key-proof-rotation-and-first-ring.js';
import { KEYS, SealedPlace } from '../../support/key-ring.js';

let place: SealedPlace;
beforeEach(async () => void (place = await SealedPlace.make()));
afterEach(() => place.remove());

const ROUNDS = process.env['TEST_SIZE'] === 'full' ? 20 : 8;

describe('npm run keys, killed at a random moment', () => {
  it('leaves every value readable, in each of many runs', async () => {
    await place.keys(['init']);
    await place.seal(place.ring(), 2_000);
    const begun = Date.now();
    await place.keys(['rotate']);
    const whole = Date.now() - begun;
    for (let round = 0; round < ROUNDS; round += 1) {
      const command = round % 2 ? 'rotate' : 'add';
      await killed(
        command,
        round % 4 < 2 ? () => pause(Math.random() * whole) : (child) => seenAtWork(child, command),
      );
      expect(await place.broken(place.ring())).toEqual([]);
      await proveKeyRing(place.ring(), place.store, { production: true, file: place.file });
    }
    expect(await place.keys(['rotate'])).toMatchObject({ code: 0 });
    expect(await place.keyIdsInUse()).toEqual([place.ring().primary]);
  }, 180_000);
});

async function killed(command: string, moment: (child: ChildProcess) => Promise<unknown>): Promise<void> {
  const child = spawn(process.execPath, [KEYS, command], { env: place.environment, stdio: 'ignore' });
  const ended = once(child, 'exit');
  await moment(child);
  child.kill('SIGKILL');
  await ended;
}

/** Resolves while the command has its transaction open or holds its lock, and at the latest when it has ended. */
async function seenAtWork(child: ChildProcess, command: string): Promise<void> {
  const last =
    command === 'rotate' ? /^(LOCK TABLE|SELECT server_id|UPDATE server_credentials)/ : /encryption_keys/;
  while (child.exitCode === null && !last.test(await lastStatement())) await pause(1);
}

async function lastStatement(): Promise<string> {
  const { rows } = await place.client.query<{ query: string }>(
    `SELECT query FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'agent-work-platform command'`,
  );
  return rows[0]?.query ?? '';
}
