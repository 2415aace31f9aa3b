// @ts-check
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Refused } from '../../client/client.mjs';
import { makeBoard } from './board.mjs';
import { createMore, resolveOldReviews, workOn } from './board-work.mjs';
import { person } from './service.mjs';

const ROUND_MS = 2_000;

/**
 * Makes the board of the demo, prints its address, and lets its agents work until Ctrl-C.
 * @param {import('./service.mjs').DemoService} service
 */
export async function startBoard(service) {
  const isOwn = !process.env.BASE_URL;
  const board = await makeBoard(service, isOwn ? '' : randomBytes(2).toString('hex').toUpperCase());
  console.log(`\nThe board is at ${service.url}/p/${board.project.key}/board`);
  console.log(
    isOwn
      ? `Sign in as ${person.email} with the password "${person.password}".`
      : 'Sign in with your own account.',
  );
  const stopping = new AbortController();
  process.once('SIGINT', () => {
    stopping.abort();
    void service.close().finally(() => process.exit(0));
  });
  const moving = keepMoving(service, board, stopping.signal);
  // Awaited at the end of the demo only; until then its failure is not an unhandled one.
  moving.catch(() => undefined);
  return {
    stopped: stopping.signal,
    untilStopped: () => {
      console.log('\nThe agents of the board go on. Ctrl-C ends the demo.');
      return moving;
    },
  };
}

/** @param {import('./service.mjs').DemoService} service @param {import('./board.mjs').Board} board @param {AbortSignal} stopped */
async function keepMoving(service, board, stopped) {
  for (let round = 1; !stopped.aborted; round += 1) {
    for (const agent of board.agents) await unlessRefused(() => workOn(service, agent, round));
    await unlessRefused(() => resolveOldReviews(service, board));
    await unlessRefused(() => createMore(service, board, round));
    await sleep(ROUND_MS);
  }
}

/**
 * A person may halt, pause and reassign what the agents work on, and then their requests are refused; the next round
 * sees what is left to do.
 * @param {() => Promise<void>} act
 */
async function unlessRefused(act) {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}
