import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Explanation, ExplainReason, Issue, Run, StopReason } from '../../../api/types';
import { buttonClass } from '../../../parts/button';
import { classes } from '../../../parts/classes';
import { countOf, sayNumber } from '../../../parts/count';
import { MarkedText } from '../../../parts/marked-text';
import { issueStatuses, StatusIcon } from '../../../parts/status';
import { clockTime, shortTime } from '../../../parts/time';
import { Who } from '../../../parts/who';
import { explainQuery, runsQuery } from '../queries';
import { hasRole, useMe } from '../../../session/me';
import styles from './why.module.css';

/** Reasons that need a heading of their own; work that runs or is over needs none. */
const headings: Partial<Record<ExplainReason, string>> = {
  waiting: 'Why is this stuck?',
  paused: 'Paused',
  in_review: 'Waits for a review',
  unassigned: 'Unassigned',
  assigned_to_user: 'Waits for a person',
  agent_retired: 'Its agent was retired',
  agent_disabled: 'Its agent is disabled',
  agent_cannot_see_project: 'Its agent cannot see this project',
  halted: 'All agents are halted',
  budget: 'The budget is used up',
  released: 'Released by its agent',
  given_back: 'Given back by its agent',
  lease_ran_out: 'The lease ran out',
  agent_never_seen: 'Its agent has never connected',
  agent_failing: 'Its agent takes no more work',
  agent_silent: 'Its agent is silent',
  agent_full: 'Its agent is full',
  ready: 'Ready to be picked up',
};

/** So many issues are named in one place; the graph has the others. */
const BESIDE = 4;

/** Explains why there is no work on an issue, who must act, and the chain of causes from the root to here. */
export function Why({ issue }: { issue: Issue }) {
  const { data: explanation } = useSuspenseQuery(explainQuery(issue.id));
  if (!explanation) return null;
  const heading = headings[explanation.reason];
  if (heading === undefined) return null;
  const root = explanation.rootBlockers[0];
  return (
    <section
      className={classes(styles.why, explanation.reason === 'in_review' && styles.review)}
      aria-labelledby="why"
    >
      <h2 id="why">
        <StatusIcon status={issue.status} />
        {heading}
      </h2>
      <p className={styles.say}>
        {explanation.reason === 'in_review' && <HowItEnded issue={issue} />}
        {sentenceOf(explanation)}
      </p>
      <Chain issue={issue} explanation={explanation} />
      <p>
        <span className="soft">Who must act:</span> <Actor explanation={explanation} />
      </p>
      <ToGate explanation={explanation} />
      {root && (
        <div className="row">
          <Link to="/i/$key" params={{ key: root.key }} className={buttonClass({ look: 'primary' })}>
            {root.status === 'PendingReview' ? 'Review' : 'Open'} {root.key}
          </Link>
          <Link
            to="/p/$key/graph"
            params={{ key: projectOf(issue.key) }}
            search={{ focus: issue.key }}
            className={buttonClass({})}
          >
            Open the graph
          </Link>
        </div>
      )}
    </section>
  );
}

/** Why the newest run stopped: a person who reviews has to know whether the agent finished or failed. */
function HowItEnded({ issue }: { issue: Issue }) {
  const run = useQuery(runsQuery(issue.id, false)).data?.[0];
  return run?.stopped == null ? null : <MarkedText text={`${endOf(run)} `} />;
}

/** What the stop reasons of the service mean for a run. A worker may report one instead of a sentence of its own. */
const sentences: Record<StopReason, string> = {
  paused: 'The issue was paused. The work goes on from here when it is resumed.',
  waiting: 'It waits for an answer or for another issue, and goes on from here afterwards.',
  budget: 'The budget is used up. The work goes on from here when the budget is raised.',
  reassigned: 'The issue was given to another agent, or to a person, so the agent was stopped.',
  in_review: 'The issue went to review while the agent worked on it.',
  open: 'The issue was set to Open while the agent worked on it.',
  resolved: 'The issue was resolved while the agent worked on it.',
  closed: 'The issue was closed while the agent worked on it.',
  deleted: 'The agent cannot see the issue any more.',
  lease_lost: 'The worker was out of reach for longer than its lease, so the issue was handed out again.',
  taken_over: 'Another process of the worker took the issue over, so this one was stopped.',
  halted: 'All agents were halted.',
  disabled: 'The agent was disabled.',
};

const isReason = (word: string): word is StopReason => Object.hasOwn(sentences, word);

/** Why a run is over, or how it is now. */
export function endOf({ state, stopped, reportedAt }: Pick<Run, 'state' | 'stopped' | 'reportedAt'>): string {
  if (stopped !== null) return isReason(stopped) ? sentences[stopped] : stopped;
  if (state === 'lost') return 'Its lease ended without a report: the worker died, or lost its network.';
  return `Last report at ${clockTime(reportedAt)}.`;
}

/** The service names times in UTC; people read those of their own clock. */
const ISO_TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** An issue that waits or is in review says in the page's own words what holds it up; other reasons come from the service. */
function sentenceOf({ reason, blockedBy, rootBlockers: [root], next }: Explanation): string {
  if (reason === 'in_review') return 'A person looks at the work, and resolves it or sends it back.';
  if (reason !== 'waiting' || root === undefined) return next.replace(ISO_TIME, (iso) => shortTime(iso));
  const named = blockedBy.slice(0, BESIDE).map(({ key }) => key);
  const others = blockedBy.length - named.length;
  const direct = listed(others > 0 ? [...named, `${sayNumber(others)} more`] : named);
  const held = blockedBy.some(({ id }) => id === root.id) ? '' : ` ${root.key} holds it up.`;
  return `It waits for ${direct}, and opens automatically when ${blockedBy.length === 1 ? 'that is' : 'those are'} resolved.${held}`;
}

/** `PAY-1, PAY-2 and PAY-3` */
const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** The one who has to act, and who else may where a person has to. */
function Actor({ explanation: { waitsFor, needsRole } }: { explanation: Explanation }) {
  const me = useMe();
  if (needsRole === null) return waitsFor ? <Who party={waitsFor} /> : 'No one: it goes on by itself';
  if (waitsFor?.type === 'user')
    return <Who party={waitsFor}>{waitsFor.id === me.id ? 'You' : waitsFor.name}</Who>;
  const anyone = `${hasRole(me, needsRole) ? 'you, or anyone' : 'anyone'} with the role ${needsRole}`;
  if (waitsFor === null) return `${anyone[0]!.toUpperCase()}${anyone.slice(1)}`;
  return (
    <>
      <Who party={waitsFor} /> or {anyone}
    </>
  );
}

/** Leads to the answer that lets the work go on, for those who may give it. A gate of the issue itself stands on its page. */
function ToGate({ explanation: { reason, gateId, needsRole } }: { explanation: Explanation }) {
  const me = useMe();
  if (reason !== 'budget' || gateId === null || needsRole === null || !hasRole(me, needsRole)) return null;
  return (
    <div className="row">
      <Link to="/" search={{ ids: [`gate:${gateId}`] }} className={buttonClass({ look: 'primary' })}>
        Decide on the budget
      </Link>
    </div>
  );
}

const projectOf = (key: string): string => key.replace(/-\d+$/, '');

/**
 * The roots that lie further away, how many lie between, what holds it up directly, and this issue. What stands in one step
 * waits for no other issue of the step.
 */
function Chain({
  issue,
  explanation: { rootBlockers, blockedBy, issuesBetween },
}: {
  issue: Issue;
  explanation: Explanation;
}) {
  if (blockedBy.length === 0) return null;
  const near = new Set(blockedBy.map(({ id }) => id));
  const far = rootBlockers.filter(({ id }) => !near.has(id));
  const isRoot = ({ id }: { id: string }) => rootBlockers.some((root) => root.id === id);
  // What waits for the roots stands next to them.
  const direct = blockedBy.toSorted((a, b) => Number(isRoot(a)) - Number(isRoot(b)));
  return (
    <ol className={styles.chain} aria-label="From the root to this issue">
      <Step of={far} />
      {issuesBetween > 0 && <li className="soft">{countOf(issuesBetween, 'issue')} between</li>}
      <Step of={direct} />
      <li>
        <span className={classes(styles.chip, styles.here)}>
          <StatusIcon status={issue.status} />
          <span className={styles.key}>{issue.key}</span>
          This issue
        </span>
      </li>
    </ol>
  );
}

/** Issues that hold up what follows, none of which waits for another one here. */
function Step({
  of,
}: {
  of: readonly Pick<Explanation['blockedBy'][number], 'id' | 'key' | 'status' | 'title'>[];
}) {
  if (of.length === 0) return null;
  return (
    <li>
      <span className={styles.beside}>
        {of.slice(0, BESIDE).map(({ id, key, status, title }) => (
          <Link key={id} to="/i/$key" params={{ key }} className={styles.chip} title={title}>
            <StatusIcon status={status} />
            <span className={styles.key}>{key}</span>
            {issueStatuses[status].word}
          </Link>
        ))}
        {of.length > BESIDE && <span className="soft small">and {sayNumber(of.length - BESIDE)} more</span>}
      </span>
    </li>
  );
}
