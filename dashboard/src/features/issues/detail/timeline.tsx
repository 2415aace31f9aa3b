import { useSuspenseQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import type { Activity, Comment, Issue, IssueStatus } from '../../../api/types';
import { Button } from '../../../parts/button';
import { Icon, type IconName } from '../../../parts/icon';
import { Markdown } from '../../../parts/markdown';
import { issueStatuses, priorityWord, Tag } from '../../../parts/status';
import { Time } from '../../../parts/time';
import { Avatar } from '../../../parts/who';
import { activityQuery, commentsQuery } from '../queries';
import styles from './timeline.module.css';

interface TimelineSentence {
  icon: IconName;
  text: ReactNode;
}

type Change = { old: unknown; new: unknown };
type Data = Record<string, unknown>;

const fieldNames: Record<string, string> = {
  title: 'title',
  description: 'description',
  priority: 'priority',
  assignedAgentId: 'agent',
  assigneeUserId: 'person in charge',
  goalId: 'goal',
};

/** Each type of activity as one sentence, after the name of who did it. */
const sentences: Record<Activity['type'], (data: Data, issue: Issue) => TimelineSentence> = {
  'issue.created': () => ({ icon: 'plus', text: 'created the issue' }),
  'issue.updated': (data) => ({ icon: 'more', text: changedFields(data) }),
  'issue.status_changed': (data) => statusChange(data),
  'issue.picked_up': () => ({ icon: 'progress', text: 'picked it up' }),
  'issue.lease_lost': () => ({ icon: 'clock', text: 'lost the lease; the work is handed out again' }),
  'issue.paused': () => ({ icon: 'pause', text: 'paused it' }),
  'issue.resumed': () => ({ icon: 'progress', text: 'resumed it' }),
  'issue.tools_called': (data) => ({ icon: 'more', text: toolCalls(data) }),
  'comment.created': () => ({ icon: 'comment', text: 'commented' }),
  'comment.updated': () => ({ icon: 'comment', text: 'changed a comment' }),
  'comment.deleted': () => ({ icon: 'comment', text: 'deleted a comment' }),
  'attachment.created': (data) => ({
    icon: 'file',
    text: (
      <>
        attached <b>{words(data['filename'])}</b>
      </>
    ),
  }),
  'attachment.deleted': (data) => ({
    icon: 'file',
    text: (
      <>
        removed the file <b>{words(data['filename'])}</b>
      </>
    ),
  }),
  'link.created': (data, issue) => ({ icon: 'link', text: <>added a link: {linkWords(data, issue)}</> }),
  'link.deleted': (data, issue) => ({ icon: 'link', text: <>removed a link: {linkWords(data, issue)}</> }),
  'gate.opened': (data) => ({ icon: 'waiting', text: <>asked a person: {gateTitle(data)}</> }),
  'gate.answered': (data) => ({ icon: 'comment', text: <>answered: {gateTitle(data)}</> }),
  'gate.expired': (data) => ({ icon: 'clock', text: <>nobody answered in time: {gateTitle(data)}</> }),
  'gate.withdrawn': (data) => ({ icon: 'more', text: <>withdrew a question: {gateTitle(data)}</> }),
  'gate.executed': (data) => ({ icon: 'progress', text: <>ran an approved call: {gateTitle(data)}</> }),
};

function sentenceOf({ type, data }: Activity, issue: Issue): TimelineSentence {
  return sentences[type](data as Data, issue);
}

function toolCalls({ calls, failed }: Data): string {
  const failures = Number(failed) > 0 ? `, ${Number(failed)} without success` : '';
  return `called tools ${Number(calls) === 1 ? 'once' : `${Number(calls)} times`}${failures}`;
}

function statusChange({ new: to, cause }: Data): TimelineSentence {
  const status = issueStatuses[to as IssueStatus];
  const automatic = typeof cause === 'string' && cause.includes('blocker');
  return {
    icon: status?.icon ?? 'more',
    text: (
      <>
        {automatic ? 'changed it automatically to ' : 'set it to '}
        <b>{status?.word.toLowerCase() ?? words(to)}</b>
      </>
    ),
  };
}

function changedFields(data: Data): ReactNode {
  const changes = Object.entries(
    (data['changes'] as Record<string, Change> | undefined) ?? (data as Record<string, Change>),
  );
  const parts = changes.filter(
    ([, change]) => typeof change === 'object' && change !== null && 'new' in change,
  );
  return parts.map(([field, change], index) => (
    <span key={field}>
      {index > 0 && ', '}
      {field === 'priority' ? (
        <>
          set the priority to <b>{priorityWord(change.new as never)?.toLowerCase()}</b>
        </>
      ) : (
        <>changed the {fieldNames[field] ?? field}</>
      )}
    </span>
  ));
}

const linkTypes: Record<string, string> = {
  Blocks: 'blocks',
  BlockedBy: 'blocked by',
  RelatedTo: 'related to',
  DuplicateOf: 'duplicate of',
};

/** The row has the id of the other issue; its key is known while the link exists. */
function linkWords(data: Data, { links }: Issue): ReactNode {
  const target = links.find(
    (link) => link.targetIssueId === data['targetIssueId'] || link.issueId === data['targetIssueId'],
  )?.target;
  return (
    <>
      {linkTypes[words(data['linkType'])] ?? 'linked to'} <b>{target?.key ?? 'another issue'}</b>
    </>
  );
}

const gateTitle = (data: Data): ReactNode => <b>{words(data['title'] ?? 'a decision')}</b>;

const words = (value: unknown): string => (typeof value === 'string' ? value : '');

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
          Show all {text.length.toLocaleString('en')} characters
        </Button>
      </div>
    </div>
  );
}

type Entry = { at: string; id: string } & ({ comment: Comment } | { activity: Activity });

/** What happened to an issue, oldest first, with comments where they were written. */
export function Timeline({ issue }: { issue: Issue }) {
  const { data: activity } = useSuspenseQuery(activityQuery(issue.id));
  const { data: comments } = useSuspenseQuery(commentsQuery(issue.id));
  const entries = useMemo(() => merged(activity.rows, comments.rows), [activity, comments]);
  return (
    <ol className={styles.timeline}>
      {entries.map((entry) => (
        <li key={entry.id}>
          {'comment' in entry ? (
            <Said comment={entry.comment} />
          ) : (
            <Happened activity={entry.activity} issue={issue} />
          )}
        </li>
      ))}
    </ol>
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
