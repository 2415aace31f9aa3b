import { beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Caller } from '../../../support/caller.js';
import { asEditor } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import { expectInvariants } from './invariants.js';
import { step, type Step } from './model/steps.js';
import { Walk } from './model/walk.js';

const WALKS = process.env['TEST_SIZE'] === 'full' ? 2_000 : 300;
/** Walks go on side by side, each in a project of its own. */
const SIDE_BY_SIDE = 6;
const STEPS = 30;

const service = useService();
let person: Caller;
beforeAll(async () => {
  person = (await asEditor(service)).unchecked();
});

it(`after ${WALKS} walks of people and agents everything stands where the contract says`, async () => {
  let failed = false;
  const steps = fc.array(step, { minLength: 8, maxLength: STEPS });
  const property = fc.asyncProperty(steps, async (walk) => {
    await walkThrough(walk);
  });
  const side = async () => {
    if (failed) return;
    await fc.assert(property, { numRuns: Math.ceil(WALKS / SIDE_BY_SIDE) }).finally(() => undefined);
  };
  const sides = await Promise.allSettled(
    Array.from({ length: SIDE_BY_SIDE }, () =>
      side().catch((fault: unknown) => {
        failed = true;
        throw fault;
      }),
    ),
  );
  const fault = sides.find((result) => result.status === 'rejected');
  if (fault) throw fault.reason;
  await expectInvariants(service);
  expect(failed).toBe(false);
}, 900_000);

async function walkThrough(steps: Step[]): Promise<void> {
  const walk = await Walk.begin(service, person);
  for (const one of steps) if (walk.isPossible(one)) await walk.take(one);
  await walk.compare();
}
