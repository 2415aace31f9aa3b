import { beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Caller } from '../../../support/caller.js';
import { asEditor } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import { expectInvariants } from './invariants.js';
import { walkOf, type Step } from './model/steps.js';
import { Walk } from './model/walk.js';

/** A mutant is met by few walks, and so needs many: `npm run test:mutants` asks for them. */
const WALKS = Number(process.env['MODEL_WALKS'] ?? (process.env['TEST_SIZE'] === 'full' ? 2_000 : 18));
/** Walks run concurrently, each in a project of its own. */
const SIDES = 6;
/** The search for the shortest walk to an error ends here, and the walk that was found until then is reported. */
const LONGEST_MS = WALKS > 100 ? 1_500_000 : 240_000;
const walks = walkOf(6, 20);

const service = useService({ settings: { LOG_LEVEL: 'warn' } });
/** How many steps all walks have taken. */
let taken = 0;
let person: Caller;
beforeAll(async () => {
  person = (await asEditor(service)).unchecked();
});

it(`after each of ${WALKS} walks of people and agents the whole graph is as the contract defines`, async () => {
  let failedSide: number | null = null;
  const walkAlong = (side: number) =>
    fc.asyncProperty(walks, async (steps) => {
      // Once one walk has found an error, the others would only slow down its search for the shortest walk to it.
      if (failedSide !== null && failedSide !== side) return;
      try {
        await walkThrough(steps);
      } catch (fault) {
        failedSide ??= side;
        throw fault;
      }
    });
  const runs = Array.from({ length: SIDES }, (_, side) =>
    fc.assert(walkAlong(side), {
      numRuns: Math.ceil(WALKS / SIDES),
      interruptAfterTimeLimit: LONGEST_MS,
      markInterruptAsFailure: true,
    }),
  );
  const ended = await Promise.allSettled(runs);
  for (const run of ended) if (run.status === 'rejected') throw run.reason;
  await expectInvariants(service);
  // Each walk begins with three steps or more, and has six others that it may have to leave out.
  expect(taken).toBeGreaterThanOrEqual(WALKS * 8);
}, 1_800_000);

async function walkThrough(steps: Step[]): Promise<void> {
  const walk = await Walk.begin(service, person);
  try {
    for (const one of steps) {
      if (!walk.isPossible(one)) continue;
      await walk.take(one);
      await walk.expectInvariants();
      taken += 1;
    }
    await walk.compare();
  } catch (fault) {
    throw walk.faultOf(fault);
  }
}
