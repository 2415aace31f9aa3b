import fc from 'fast-check';

export const STATUSES = [
  'Open',
  'InProgress',
  'WaitingOnDependency',
  'PendingReview',
  'Resolved',
  'Closed',
] as const;
export type Status = (typeof STATUSES)[number];
export type LinkType = 'Blocks' | 'BlockedBy' | 'RelatedTo' | 'DuplicateOf';
/** One of two agents, by number. */
export type Agent = 0 | 1;
export type Policy = 'skip' | 'queue' | 'replace';

/** What an issue is created with. */
export interface NewIssue {
  agent: Agent | null;
  priority: number;
  blocker: number | null;
  parent: number | null;
  holds: boolean;
}

/** One step of a walk. Issues and links are numbered in the order of creation. Generated numbers are random until `aim` replaces them. */
export type Step =
  | ({ kind: 'create' } & NewIssue)
  /** Makes a schedule, whose template names issues as a creation does. */
  | ({ kind: 'schedule'; policy: Policy } & NewIssue)
  | { kind: 'run'; schedule: number }
  /** The next due time of a schedule comes, or with `again` the last one once more, as if the clock went back. */
  | { kind: 'due'; schedule: number; again: boolean }
  | { kind: 'place'; issue: number; parent: number | null; holds: boolean }
  /** The agent of a lease puts a new issue below the one that it works on. */
  | { kind: 'split'; agent: Agent; lease: number; holds: boolean }
  | { kind: 'put'; issue: number; status: Status }
  | { kind: 'close'; issue: number; force: boolean }
  | { kind: 'delete'; issue: number }
  | { kind: 'link'; issue: number; target: number; type: LinkType }
  | { kind: 'unlink'; link: number }
  | { kind: 'pause'; issue: number }
  | { kind: 'resume'; issue: number }
  | { kind: 'assign'; issue: number; agent: Agent | null }
  | { kind: 'ask' | 'await'; issue: number }
  | { kind: 'answer' | 'withdraw' | 'expire'; gate: number }
  | { kind: 'beat'; agent: Agent; capacity: number | null }
  /** Gives the issue of a lease a budget, and reports more than that. */
  | { kind: 'overspend'; agent: Agent; lease: number }
  | { kind: 'agentPut'; agent: Agent; lease: number; status: 'Open' | 'PendingReview' | 'Resolved' };

/** Unbiased, because fast-check prefers small numbers and would name the first objects far too often. */
const some = fc.noBias(fc.nat(1000));
const agent = fc.constantFrom<Agent>(0, 1);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 2 });
const linkType = fc.constantFrom<LinkType>(
  'Blocks',
  'Blocks',
  'BlockedBy',
  'BlockedBy',
  'RelatedTo',
  'DuplicateOf',
);
/** Most children hold their parent. */
const holds = fc.constantFrom(true, true, true, false);
const kind = <K extends Step['kind']>(name: K) => fc.constant(name);

const newIssue = {
  agent: maybe(agent),
  priority: fc.nat(4),
  blocker: maybe(some),
  parent: maybe(some),
  holds,
};
const create = fc.record({ kind: kind('create'), ...newIssue });
const schedule = fc.record({
  kind: kind('schedule'),
  policy: fc.constantFrom<Policy>('skip', 'queue', 'replace'),
  ...newIssue,
});
const run = fc.record({ kind: kind('run'), schedule: some });
const due = fc.record({
  kind: kind('due'),
  schedule: some,
  again: fc.constantFrom(false, false, false, true),
});
const place = fc.record({ kind: kind('place'), issue: some, parent: fc.option(some, { freq: 4 }), holds });
const link = fc.record({ kind: kind('link'), issue: some, target: some, type: linkType });
const beat = fc.record({ kind: kind('beat'), agent, capacity: fc.constantFrom(null, null, 0, 1, 2) });
const overspend = fc.record({ kind: kind('overspend'), agent, lease: some });
const put = fc.record({ kind: kind('put'), issue: some, status: fc.constantFrom(...STATUSES) });
const open = fc.record({ kind: kind('put'), issue: some, status: fc.constant<Status>('Open') });
const resolve = fc.record({ kind: kind('put'), issue: some, status: fc.constant<Status>('Resolved') });
const close = fc.record({ kind: kind('close'), issue: some, force: fc.boolean() });
const remove = fc.record({ kind: kind('delete'), issue: some });
const start = fc.record({ kind: kind('put'), issue: some, status: fc.constant<Status>('InProgress') });

/** A kind that is listed several times occurs that much more often. */
const step: fc.Arbitrary<Step> = fc.oneof(
  link,
  link,
  link,
  link,
  place,
  place,
  place,
  fc.record({ kind: kind('split'), agent, lease: some, holds }),
  put,
  open,
  open,
  resolve,
  resolve,
  start,
  beat,
  beat,
  beat,
  create,
  schedule,
  run,
  due,
  due,
  fc.record({ kind: kind('ask'), issue: some }),
  fc.record({ kind: kind('await'), issue: some }),
  fc.record({ kind: fc.constantFrom('answer', 'answer', 'withdraw'), gate: some }),
  fc.record({ kind: fc.constantFrom('answer', 'answer', 'withdraw', 'expire'), gate: some }),
  close,
  remove,
  fc.record({ kind: kind('unlink'), link: some }),
  fc.record({ kind: kind('pause'), issue: some }),
  fc.record({ kind: kind('pause'), issue: some }),
  fc.record({ kind: kind('resume'), issue: some }),
  fc.record({ kind: kind('assign'), issue: some, agent: maybe(agent) }),
  overspend,
  overspend,
  overspend,
  fc.record({
    kind: kind('agentPut'),
    agent,
    lease: some,
    status: fc.constantFrom('Open', 'PendingReview', 'Resolved'),
  }),
);

/** Few walks would come to a used-up budget, and fewer to what follows from it, so that two of five begin with one. */
const spent: Step[] = [
  { kind: 'create', agent: 0, priority: 4, blocker: null, parent: null, holds: true },
  { kind: 'beat', agent: 0, capacity: null },
  { kind: 'overspend', agent: 0, lease: 0 },
];
/** Numbers that name an issue over its budget. */
const reopened: Step[] = [
  ...spent,
  { kind: 'put', issue: 2, status: 'Resolved' },
  { kind: 'put', issue: 2, status: 'Open' },
];

/** Few walks would come to what ends the wait of an agent that gave an issue back. */
const givenBack: Step[] = [
  { kind: 'create', agent: 0, priority: 4, blocker: null, parent: null, holds: true },
  { kind: 'beat', agent: 0, capacity: null },
  { kind: 'agentPut', agent: 0, lease: 0, status: 'Open' },
];

/** Few walks would come to the due times of one schedule: that its last issue is open, ended, or cannot be made any more. */
const scheduled: fc.Arbitrary<Step[]> = fc.tuple(
  schedule,
  fc.oneof(run, due),
  fc.oneof(close, remove, open, resolve, place),
  due,
);

/** A walk begins by creating a few issues, so that its steps have objects to name. */
export const walkOf = (fewest: number, most: number): fc.Arbitrary<Step[]> =>
  fc
    .tuple(
      fc.array(create, { minLength: 3, maxLength: 5 }),
      fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom<Step[]>([], [], spent, reopened, givenBack) },
        { weight: 2, arbitrary: scheduled },
      ),
      fc.array(step, { minLength: fewest, maxLength: most }),
    )
    .map((parts) => parts.flat());
