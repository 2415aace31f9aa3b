import { useSuspenseQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import type { Activity, Comment, Issue } from '../../../api/types';
import { Button } from '../../../parts/button';
import { Choice, Segments } from '../../../parts/field';
import { sayNumber } from '../../../parts/count';
import { Icon } from '../../../parts/icon';
import { later } from '../../../parts/later';
import { Markdown } from '../../../parts/markdown';
import { FilterBar } from '../../../parts/page';
import { Skeleton } from '../../../parts/notice';
import { Tag } from '../../../parts/status';
import { More } from '../../../parts/table';
import { Time } from '../../../parts/time';
import { Avatar } from '../../../parts/who';
import { activityQuery, commentsQuery } from '../queries';
import type { Moment } from './run/axis';
import { LanesCard } from './run/lanes-card';
import { RunsCard } from './run/runs-card';
import styles from './timeline.module.css';
import { sentenceOf } from './timeline-words';

/** An agent may write its whole output into a comment, and the timeline has to stay readable below it. */
const LONG = { characters: 3000, lines: 60 };
const SHOWN = { characters: 1500, lines: 15 };

/** Markdown of which a long one shows its beginning, until the person asks for the rest. */
export function LongText({ text }: { text: string }) {
  const lines = text.split('\n');
  const [whole, setWhole] = useState(text.length <= LONG.characters && lines.length <= LONG.lines);
  if (whole) return <Markdown text={text} />;
  return (
    <div className="stack">
      <Markdown text={`${lines.slice(0, SHOWN.lines).join('\n').slice(0, SHOWN.characters)} …`} />
      <div>
        <Button small onClick={() => setWhole(true)}>
          Show all {sayNumber(text.length)} characters
        </Button>
      </div>
    </div>
  );
}

type Entry = { at: string; id: string } & ({ comment: Comment } | { activity: Activity });

export type Kind = 'comments' | 'changes' | 'runs';
const kinds: readonly (readonly [Kind, string])[] = [
  ['comments', 'Comments'],
  ['changes', 'Changes'],
  ['runs', 'Runs'],
];
type Order = 'newest' | 'oldest';
/** A person reads the issues of a day in one order. */
const ORDER = 'awp.timeline';
/** How many entries are drawn at once. */
const DRAWN = 100;

/** The work on an issue and what happened to it; a choice among the lanes narrows the timeline. */
export function History({ issue, compose }: { issue: Issue; compose: ReactNode }) {
  const [chosen, setChosen] = useState<Moment | null>(null);
  return (
    <>
      <RunsCard issue={issue} />
      <CallsSection issue={issue} />
      <LanesCard issue={issue} chosen={chosen} onChoose={setChosen} />
      <section className="stack" aria-labelledby="timeline">
        <h2 id="timeline">Timeline</h2>
        <Suspense fallback={<Skeleton rows={3} />}>
          <Timeline issue={issue} moment={chosen} compose={compose} />
        </Suspense>
      </section>
    </>
  );
}

// The list is read when it is opened, and so is its code.
const CallList = later(
  async () => (await import('../../../shared/calls/call-list')).CallList,
  <Skeleton rows={3} />,
);

/** The tool calls that agents made for an issue, folded: the timeline says how many there were per turn. */
function CallsSection({ issue }: { issue: Issue }) {
  const [open, setOpen] = useState(false);
  return (
    <details className={styles.calls} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <h2>Tool calls</h2>
      </summary>
      {open && <CallList subject={{ kind: 'issue', id: issue.id }} />}
    </details>
  );
}

/** What happened to an issue, with comments where they were written; `compose` stands where the newest entry is. */
function Timeline({ issue, moment, compose }: { issue: Issue; moment: Moment | null; compose: ReactNode }) {
  const { data: activity } = useSuspenseQuery(activityQuery(issue.id));
  const { data: comments } = useSuspenseQuery(commentsQuery(issue.id));
  const [kind, setKind] = useState<Kind>();
  const [order, setOrder] = useState<Order>(() =>
    localStorage.getItem(ORDER) === 'newest' ? 'newest' : 'oldest',
  );
  const [drawn, setDrawn] = useState(DRAWN);
  const all = useMemo(() => merged(activity.rows, comments.rows), [activity, comments]);
  const found = all.filter((entry) => isOfKind(entry, kind));
  const entries = order === 'newest' ? within(found, moment).toReversed() : within(found, moment);
  return (
    <>
      <FilterBar end={moment ? `${entries.length} of ${all.length} in the chosen time` : undefined}>
        <Choice label="What is shown" any="Everything" value={kind} options={kinds} onChange={setKind} />
        <Segments
          label="Order"
          hideLabel
          value={order}
          options={[
            ['oldest', 'Oldest first'],
            ['newest', 'Newest first'],
          ]}
          onChange={(next) => {
            localStorage.setItem(ORDER, next);
            setOrder(next);
          }}
        />
      </FilterBar>
      {order === 'newest' && compose}
      {entries.length === 0 && <p className="soft">Nothing of this kind has happened here.</p>}
      <ol className={styles.timeline}>
        {entries.slice(0, drawn).map((entry) => (
          <li key={entry.id}>
            {'comment' in entry ? (
              <Said comment={entry.comment} />
            ) : (
              <Happened activity={entry.activity} issue={issue} />
            )}
          </li>
        ))}
      </ol>
      {entries.length > drawn && (
        <More shown={drawn} total={entries.length} busy={false} onMore={() => setDrawn(drawn + DRAWN)} />
      )}
      {activity.nextCursor !== null && (
        <p className="soft small">Only the newest {sayNumber(activity.rows.length)} changes are shown.</p>
      )}
      {order === 'oldest' && compose}
    </>
  );
}

/** Comments stand for themselves, so the activity that says "commented" is left out. */
function merged(activity: readonly Activity[], comments: readonly Comment[]): Entry[] {
  const happened = activity
    .filter(({ type }) => type !== 'comment.created')
    .map((row): Entry => ({ at: row.createdAt, id: row.id, activity: row }));
  const said = comments.map((comment): Entry => ({ at: comment.createdAt, id: comment.id, comment }));
  return [...happened, ...said].toSorted((a, b) => a.at.localeCompare(b.at));
}

const ofRuns = /^issue\.(picked_up|lease_lost|paused|resumed|tools_called)$|^gate\./;

/** Whether an entry is of a kind. The answer of a person is both what was said and why a run went on. */
export function isOfKind(entry: Entry, kind: Kind | undefined): boolean {
  if (kind === undefined) return true;
  if ('comment' in entry) return kind === 'comments';
  const { type } = entry.activity;
  if (kind === 'comments') return type === 'gate.answered' || type.startsWith('comment.');
  return ofRuns.test(type) === (kind === 'runs');
}

/** What is noted of a time may be some milliseconds beside it. */
const NEAR_MS = 1_000;

/** The entries of a time; where there are none, those right before and after it. @param entries oldest first */
export function within(entries: readonly Entry[], moment: Moment | null): Entry[] {
  if (moment === null) return [...entries];
  const inside = entries.filter((entry) => {
    const { from, to } = timeOf(entry);
    return to >= moment.from - NEAR_MS && from <= moment.to + NEAR_MS;
  });
  if (inside.length > 0) return inside;
  const before = entries.findLast((entry) => timeOf(entry).from < moment.from);
  const after = entries.find((entry) => timeOf(entry).from > moment.to);
  return [before, after].filter((entry) => entry !== undefined);
}

/** The calls of a turn have lasted; anything else is a moment. */
function timeOf(entry: Entry): { from: number; to: number } {
  const at = Date.parse(entry.at);
  const last = 'activity' in entry ? Date.parse(String(entry.activity.data['lastAt'])) : Number.NaN;
  return { from: at, to: Number.isNaN(last) ? at : Math.max(at, last) };
}

function Happened({ activity, issue }: { activity: Activity; issue: Issue }) {
  const { icon, text } = sentenceOf(activity, issue);
  return (
    <>
      <span className={styles.dot}>
        <Icon name={icon} />
      </span>
      <p className={styles.event}>
        <b>{activity.actor.name ?? 'The service'}</b> {text} <Time iso={activity.createdAt} />
      </p>
    </>
  );
}

function Said({ comment }: { comment: Comment }) {
  const { author, authorType, content, createdAt, updatedAt } = comment;
  return (
    <>
      <span className={styles.dot}>
        <Avatar party={{ type: authorType === 'Agent' ? 'agent' : 'user', name: author.name }} />
      </span>
      <article className={styles.comment} aria-label={`Comment by ${author.name}`}>
        <header>
          <b>{author.name}</b>
          {authorType === 'Agent' && <Tag>Agent</Tag>}
          {updatedAt !== createdAt && <span>edited</span>}
          <Time iso={createdAt} />
        </header>
        <div className={styles.body}>
          <LongText text={content} />
        </div>
      </article>
    </>
  );
}
