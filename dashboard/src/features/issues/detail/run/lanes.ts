import type { Activity, Comment, Issue, IssueStatus, Run, ToolCall } from '../../../../api/types';
import { countOf } from '../../../../parts/count';
import type { IconName } from '../../../../parts/icon';
import { issueStatuses } from '../../../../parts/status';
import { covered, lasting, type Span } from './axis';

type Tone = 'open' | 'progress' | 'waiting' | 'review' | 'resolved' | 'closed' | 'agent' | 'danger' | 'plain';

/** Something that happened to an issue, or lasted. */
export interface Mark extends Span {
  id: string;
  /** What it was, for everyone. */
  words: string;
  /** What is written on a bar that is wide enough. */
  short?: string;
  icon?: IconName;
  tone: Tone;
  /** Whether it has not ended yet. */
  open?: boolean;
}

export const laneNames = {
  status: 'Status',
  leases: 'Leases',
  turns: 'Turns',
  calls: 'Tool calls',
  gates: 'Questions',
  comments: 'Comments',
} as const;
export type LaneId = keyof typeof laneNames;
/** From top to bottom. */
export const laneIds = Object.keys(laneNames) as LaneId[];
export type Lanes = Record<LaneId, Mark[]>;

/** What the lanes are made of, as the service returns it. */
export interface RunData {
  issue: Pick<Issue, 'createdAt' | 'status' | 'lease'>;
  /** In any order. */
  activity: readonly Activity[];
  comments: readonly Comment[];
  runs: readonly Run[];
  calls: readonly ToolCall[];
}

type Data = Record<string, unknown>;
const timeOf = (iso: unknown): number => Date.parse(String(iso));
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The lanes of an issue, each by time. What has not ended lasts until now. */
export function lanesOf(data: RunData, now: number): Lanes {
  const activity = data.activity.toSorted((a, b) => timeOf(a.createdAt) - timeOf(b.createdAt));
  const lanes: Lanes = {
    status: statusesOf(data.issue, activity, now),
    leases: leasesOf(data, activity, now),
    turns: turnsOf(activity),
    calls: data.calls.map(callOf),
    gates: gatesOf(activity, now),
    comments: data.comments.map(({ id, author, createdAt, authorType }) => ({
      id,
      ...moment(createdAt),
      words: `Comment by ${author.name}`,
      tone: authorType === 'Agent' ? 'agent' : 'plain',
    })),
  };
  for (const marks of Object.values(lanes)) marks.sort((a, b) => a.from - b.from);
  return lanes;
}

const moment = (iso: string): Span => ({ from: timeOf(iso), to: timeOf(iso) });

const isEnded = (status: IssueStatus): boolean => status === 'Resolved' || status === 'Closed';

function statusesOf(issue: RunData['issue'], activity: readonly Activity[], now: number): Mark[] {
  const changes = activity.filter(({ type }) => type === 'issue.status_changed');
  const first = ((changes[0]?.data as Data | undefined)?.['old'] ?? issue.status) as IssueStatus;
  const begins = [
    { at: timeOf(issue.createdAt), status: first },
    ...changes.map(({ createdAt, data }) => ({
      at: timeOf(createdAt),
      status: (data as Data)['new'] as IssueStatus,
    })),
  ];
  return begins.flatMap(({ at, status }, index) => {
    const known = issueStatuses[status];
    const to = begins[index + 1]?.at;
    // The end of an issue is a moment: it has no length, and the axis does not grow with it.
    if (known === undefined) return [];
    const open = to === undefined && !isEnded(status);
    const words = known.word;
    return {
      id: `status ${index}`,
      from: at,
      to: to ?? (open ? now : at),
      words,
      short: words,
      icon: known.icon,
      tone: known.tone,
      open,
    };
  });
}

/** A lease ends where the issue leaves In progress, where it is lost, and where the next one begins. */
function leasesOf({ issue, runs }: RunData, activity: readonly Activity[], now: number): Mark[] {
  return activity.flatMap((begin, index) => {
    if (begin.type !== 'issue.picked_up') return [];
    const end = activity.slice(index + 1).find((row) => endsLease(row));
    const token = Number((begin.data as Data)['token']);
    const run = runs.find((one) => one.token === token);
    const from = timeOf(begin.createdAt);
    const isLive = end === undefined && issue.lease !== null;
    const known = end ? timeOf(end.createdAt) : (lastSignOf(run, activity.slice(index)) ?? from);
    const name = begin.actor.name ?? run?.agent.name ?? 'An agent';
    const isLost = end?.type === 'issue.lease_lost' || run?.state === 'lost';
    return {
      id: `lease ${token}`,
      from,
      to: Math.max(from, isLive ? now : known),
      words: `Lease of ${name}${turnWords(run)}${isLost ? ', lost' : ''}`,
      short: name,
      tone: isLost ? 'danger' : 'agent',
      open: isLive,
    };
  });
}

const turnWords = (run: Run | undefined): string =>
  run === undefined || run.turns === 0 ? '' : `, ${countOf(run.turns, 'turn')}`;

function endsLease({ type, data }: Activity): boolean {
  if (type === 'issue.lease_lost' || type === 'issue.picked_up') return true;
  return type === 'issue.status_changed' && (data as Data)['old'] === 'InProgress';
}

/** A lease that ran out ends unseen, until the issue is handed out again: what is known of it is its last sign. */
function lastSignOf(run: Run | undefined, activity: readonly Activity[]): number | undefined {
  const times = activity
    .filter(({ type }) => type === 'issue.tools_called')
    .map(({ data }) => timeOf((data as Data)['lastAt']));
  const known = [...times, run ? timeOf(run.stoppedAt ?? run.reportedAt) : Number.NaN].filter(
    Number.isFinite,
  );
  return known.length === 0 ? undefined : Math.max(...known);
}

/** The service notes a turn by its tool calls, so one without calls has no bar. */
function turnsOf(activity: readonly Activity[]): Mark[] {
  return activity.flatMap(({ type, data: values, id, actor }) => {
    const data = values as Data;
    if (type !== 'issue.tools_called' || typeof data['firstAt'] !== 'string') return [];
    const [calls, failed, turn] = [Number(data['calls']), Number(data['failed']), Number(data['turn'])];
    const without = failed > 0 ? `, ${failed} without success` : '';
    return {
      id,
      from: timeOf(data['firstAt']),
      to: timeOf(data['lastAt']),
      words: `Turn ${turn} of ${actor.name ?? 'an agent'}: ${countOf(calls, 'call')}${without}`,
      short: String(turn),
      tone: failed > 0 ? 'waiting' : 'progress',
    };
  });
}

/** How each end of a call reads within a sentence. */
const outcomes: Record<ToolCall['outcome'], string> = {
  ok: 'done',
  tool_error: 'the tool failed',
  refused: 'refused',
  timeout: 'timed out',
  cancelled: 'cancelled',
  unavailable: 'no server',
  unknown: 'result unknown',
};

function callOf({ id, at, durationMs, toolName, outcome, server }: ToolCall): Mark {
  const from = timeOf(at);
  return {
    id,
    from,
    to: from + durationMs,
    words: `${toolName} of ${server.name}: ${outcomes[outcome]}, ${lasting(durationMs)}`,
    tone: outcome === 'ok' ? 'progress' : 'danger',
  };
}

const gateEnds: Partial<Record<Activity['type'], string>> = {
  'gate.answered': 'answered',
  'gate.expired': 'not answered in time',
  'gate.withdrawn': 'withdrawn',
};

function gatesOf(activity: readonly Activity[], now: number): Mark[] {
  return activity.flatMap((row) => {
    if (row.type !== 'gate.opened') return [];
    const { gateId, title } = row.data as Data;
    const end = activity.find(
      ({ type, data }) => gateEnds[type] !== undefined && (data as Data)['gateId'] === gateId,
    );
    const from = timeOf(row.createdAt);
    const to = end ? timeOf(end.createdAt) : now;
    const how = end ? `${gateEnds[end.type]} by ${end.actor.name ?? 'the service'}` : 'waits for an answer';
    return {
      id: textOf(gateId),
      from,
      to,
      words: `“${textOf(title) || 'A decision'}”, ${how}`,
      short: lasting(to - from),
      tone: 'waiting' as const,
      open: end === undefined,
    };
  });
}

/** When work went on or something was done; time between may be folded. Waiting is quiet. */
export function busyIn({ leases, turns, calls, comments, status, gates }: Lanes): Span[] {
  const changes = [...status, ...gates].flatMap(({ from, to }) => [
    { from, to: from },
    { from: to, to },
  ]);
  return [...leases, ...turns, ...calls, ...comments, ...changes];
}

/** The whole time that lanes show. */
export function extentOf(lanes: Lanes): Span {
  const all = Object.values(lanes).flat();
  return { from: Math.min(...all.map(({ from }) => from)), to: Math.max(...all.map(({ to }) => to)) };
}

/** An issue is unblocked a moment after its question is answered; that moment is no wait for others. */
const A_WHILE_MS = 60_000;

/** Where the time went, in a sentence. */
export function summaryOf({ leases, gates, status }: Lanes): string {
  const times = countOf(leases.length, 'lease');
  const waited = covered(gates);
  const blocked = covered(status.filter(({ tone }) => tone === 'waiting'));
  const reviewed = covered(status.filter(({ tone }) => tone === 'review'));
  return [
    `Worked on for ${lasting(covered(leases))} in ${times}`,
    waited > 0 && `waited ${lasting(waited)} for answers`,
    blocked - waited > A_WHILE_MS && `${lasting(blocked - waited)} for other issues`,
    reviewed > 0 && `${lasting(reviewed)} in review`,
  ]
    .filter(Boolean)
    .join(' · ');
}
