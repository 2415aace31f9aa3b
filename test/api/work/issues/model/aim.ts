import type { Step } from './steps.js';
import {
  unresolved,
  type ModelGate,
  type ModelIssue,
  type ModelLink,
  type ModelSchedule,
  type TrackerModel,
} from './tracker-model.js';

/**
 * Turns the random numbers of a step into the objects that it names. Four of five steps name an object that they can
 * change: with purely random targets most steps of a walk would be rejected.
 */
export function aim(step: Step, model: TrackerModel): Step {
  switch (step.kind) {
    case 'create':
    case 'schedule':
      return { ...step, blocker: maybeOne(model, step.blocker), parent: maybeOne(model, step.parent) };
    case 'place':
      return aimPlace(step, model);
    case 'unlink':
      return { ...step, link: oneOf(model.links, step.link, ({ type }) => type === 'Blocks') };
    case 'link':
      return aimLink(step, model);
    case 'run':
    case 'due':
      return { ...step, schedule: oneOf(model.schedules, step.schedule, ({ enabled }) => enabled) };
    case 'answer':
    case 'withdraw':
    case 'expire':
      return { ...step, gate: oneOf(model.gates, step.gate, ({ open }) => open) };
    case 'ask':
    case 'await':
    case 'put':
    case 'close':
    case 'delete':
    case 'pause':
    case 'resume':
    case 'assign':
      return {
        ...step,
        issue: oneOf(model.issues, step.issue, isMeantBy(step), isRareFor(step, model)),
      };
    default:
      return step;
  }
}

/** What few walks come to: issues over their budget, and the end of issues that a schedule names or has created. */
function isRareFor({ kind }: Step, { schedules }: TrackerModel): (issue: ModelIssue) => boolean {
  const named = schedules.flatMap(({ template, last }) => [template.parent, template.blocker, last?.number]);
  const isEnd = kind === 'close' || kind === 'delete';
  return ({ number, overBudget }) => overBudget || (isEnd && named.includes(number));
}

function maybeOne({ issues }: TrackerModel, chance: number | null): number | null {
  return chance === null || issues.length === 0 ? null : oneOf(issues, chance, unresolved);
}

function aimPlace(step: Step & { kind: 'place' }, { issues }: TrackerModel): Step {
  const issue = oneOf(issues, step.issue);
  const fits = ({ number, status }: ModelIssue) => number !== issue && status !== 'Closed';
  return { ...step, issue, parent: step.parent === null ? null : oneOf(issues, step.parent, fits) };
}

function aimLink(step: Step & { kind: 'link' }, { issues }: TrackerModel): Step {
  const issue = oneOf(issues, step.issue);
  return {
    ...step,
    issue,
    target: oneOf(issues, step.target, ({ number, status }) => number !== issue && status !== 'Closed'),
  };
}

function isMeantBy(step: Step): (issue: ModelIssue) => boolean {
  if (step.kind === 'pause') return ({ status }) => status === 'InProgress';
  if (step.kind === 'ask' || step.kind === 'await') return unresolved;
  if (step.kind === 'resume') return ({ paused }) => paused;
  if (step.kind !== 'put') return () => true;
  if (step.status === 'Open') return (issue) => !unresolved(issue);
  return step.status === 'InProgress' ? ({ status, paused }) => status === 'Open' && !paused : unresolved;
}

function oneOf<T extends ModelIssue | ModelLink | ModelGate | ModelSchedule>(
  all: T[],
  chance: number,
  isMeant: (one: T) => boolean = () => true,
  isRare: (one: T) => boolean = () => false,
): number {
  const fit = all.filter((one) => !one.deleted && isMeant(one));
  // What few walks come to is named by every second step that can name it.
  const rare = chance % 2 === 0 ? fit.filter(isRare) : [];
  const meant = rare.length > 0 ? rare : fit;
  const from = chance % 5 > 0 && meant.length > 0 ? meant : all;
  return from[Math.floor(chance / 5) % from.length]!.number;
}
