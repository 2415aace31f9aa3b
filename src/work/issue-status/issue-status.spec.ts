import { describe, expect, it } from '@jest/globals';
import {
  allowedTransitions,
  isUnresolved,
  pausedAfter,
  type Standing,
  type Status,
  statuses,
  transitionOf,
  transitions,
  type Trigger,
} from './issue-status.js';

/**
 * The table of the contract (contract §5.3) once more, written from its words: trigger, from, to, and whether the
 * issue must be paused (`paused`), must not be (`free`) or either (`any`). Whatever is not here is refused.
 */
const CONTRACT: [Trigger, Status, Status, 'any' | 'free' | 'paused', 'agents too' | 'people'][] = [
  ['put', 'Open', 'InProgress', 'free', 'people'],
  ['put', 'Open', 'Resolved', 'any', 'people'],
  ['put', 'Open', 'Closed', 'any', 'people'],
  ['put', 'InProgress', 'Open', 'any', 'agents too'],
  ['put', 'InProgress', 'PendingReview', 'any', 'agents too'],
  ['put', 'InProgress', 'Resolved', 'any', 'agents too'],
  ['put', 'InProgress', 'Closed', 'any', 'people'],
  ['put', 'WaitingOnDependency', 'Resolved', 'any', 'people'],
  ['put', 'WaitingOnDependency', 'Closed', 'any', 'people'],
  ['put', 'PendingReview', 'Open', 'any', 'people'],
  ['put', 'PendingReview', 'InProgress', 'any', 'people'],
  ['put', 'PendingReview', 'Resolved', 'any', 'people'],
  ['put', 'PendingReview', 'Closed', 'any', 'people'],
  ['put', 'Resolved', 'Open', 'any', 'people'],
  ['put', 'Resolved', 'Closed', 'any', 'people'],
  ['put', 'Closed', 'Open', 'any', 'people'],
  ['close', 'Open', 'Closed', 'any', 'people'],
  ['close', 'InProgress', 'Closed', 'any', 'people'],
  ['close', 'WaitingOnDependency', 'Closed', 'any', 'people'],
  ['close', 'PendingReview', 'Closed', 'any', 'people'],
  ['close', 'Resolved', 'Closed', 'any', 'people'],
  ['block', 'Open', 'WaitingOnDependency', 'any', 'people'],
  ['block', 'InProgress', 'WaitingOnDependency', 'any', 'people'],
  ['block', 'WaitingOnDependency', 'WaitingOnDependency', 'any', 'people'],
  ['block', 'PendingReview', 'WaitingOnDependency', 'any', 'people'],
  ['block', 'Resolved', 'WaitingOnDependency', 'any', 'people'],
  ['reopenedBlocker', 'Open', 'WaitingOnDependency', 'any', 'people'],
  ['reopenedBlocker', 'InProgress', 'WaitingOnDependency', 'any', 'people'],
  ['reopenedBlocker', 'PendingReview', 'WaitingOnDependency', 'any', 'people'],
  ['unblock', 'WaitingOnDependency', 'Open', 'any', 'people'],
  ['pickUp', 'Open', 'InProgress', 'free', 'people'],
  ['pause', 'InProgress', 'Open', 'any', 'people'],
  ['hold', 'WaitingOnDependency', 'WaitingOnDependency', 'any', 'people'],
  ['resume', 'Open', 'InProgress', 'paused', 'people'],
  ['handIn', 'Open', 'PendingReview', 'any', 'agents too'],
  ['handIn', 'InProgress', 'PendingReview', 'any', 'agents too'],
  ['handIn', 'WaitingOnDependency', 'PendingReview', 'any', 'agents too'],
  ['handIn', 'WaitingOnDependency', 'WaitingOnDependency', 'any', 'agents too'],
  ['exhaust', 'InProgress', 'PendingReview', 'any', 'people'],
];

const TRIGGERS: Trigger[] = [
  'put',
  'block',
  'reopenedBlocker',
  'unblock',
  'pickUp',
  'pause',
  'hold',
  'resume',
  'handIn',
  'exhaust',
  'close',
];
const STANDINGS: Standing[] = statuses.flatMap((status) => [
  { status, paused: false },
  { status, paused: true },
]);
const named = ({ status, paused }: Standing) => (paused ? `paused ${status}` : status);

function contractFor({ status, paused }: Standing, trigger: Trigger, to: Status) {
  return CONTRACT.find(
    ([on, from, towards, when]) =>
      on === trigger &&
      from === status &&
      towards === to &&
      (when === 'any' || (when === 'paused') === paused),
  );
}

describe('the table of states', () => {
  const ways = STANDINGS.flatMap((standing) =>
    TRIGGERS.flatMap((trigger) => statuses.map((to) => ({ standing, trigger, to }))),
  );

  it.each(ways.map((way) => [named(way.standing), way.trigger, way.to, way] as const))(
    'moves %s by %s to %s only where the contract says so',
    (_from, _trigger, _to, { standing, trigger, to }) => {
      expect(transitionOf(standing, trigger, to) !== null).toBe(
        contractFor(standing, trigger, to) !== undefined,
      );
    },
  );

  it('lets agents ask only for the three ways out of their own work', () => {
    const forAgents = ways.filter(({ standing, trigger, to }) => transitionOf(standing, trigger, to)?.agents);
    const inContract = ways.filter(
      ({ standing, trigger, to }) => contractFor(standing, trigger, to)?.[4] === 'agents too',
    );
    expect(forAgents).toEqual(inContract);
  });

  it('knows no trigger and no status that the contract does not name', () => {
    for (const { trigger, from, to } of transitions) {
      expect(TRIGGERS).toContain(trigger);
      for (const status of [...from, to]) expect(statuses).toContain(status);
    }
  });
});

describe('what a user may ask for', () => {
  it.each([
    ['Open', false, ['InProgress', 'Resolved', 'Closed']],
    ['Open', true, ['Resolved', 'Closed']],
    ['InProgress', false, ['Open', 'PendingReview', 'Resolved', 'Closed']],
    ['WaitingOnDependency', false, ['Resolved', 'Closed']],
    ['WaitingOnDependency', true, ['Resolved', 'Closed']],
    ['PendingReview', false, ['Open', 'InProgress', 'Resolved', 'Closed']],
    ['Resolved', false, ['Open', 'Closed']],
    ['Closed', false, ['Open']],
  ] as [Status, boolean, Status[]][])('from %s (paused: %s) is %j', (status, paused, allowed) => {
    expect(allowedTransitions({ status, paused })).toEqual(allowed);
  });
});

describe('the pause of an issue', () => {
  const keeps: Trigger[] = ['block', 'reopenedBlocker', 'unblock'];

  it.each(TRIGGERS.map((trigger) => [trigger]))('after %s is as the contract says', (trigger) => {
    for (const standing of STANDINGS) {
      const lasts = trigger === 'pause' || trigger === 'hold' || (standing.paused && keeps.includes(trigger));
      expect(pausedAfter(standing, trigger)).toBe(lasts);
    }
  });
});

it('an issue blocks others until it is Resolved or Closed', () => {
  expect(statuses.filter((status) => isUnresolved(status))).toEqual([
    'Open',
    'InProgress',
    'WaitingOnDependency',
    'PendingReview',
  ]);
});
