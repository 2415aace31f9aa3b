import type { ReactNode } from 'react';
import type { Activity, Issue, IssueStatus } from '../../../api/types';
import type { IconName } from '../../../parts/icon';
import { MarkedText } from '../../../parts/marked-text';
import { issueStatuses, priorityWord } from '../../../parts/status';

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
  parentId: 'parent',
  holdsParent: 'way it holds its parent',
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
  'issue.tools_called': (data) => ({ icon: 'tool', text: toolCalls(data) }),
  'issue.child_added': () => ({ icon: 'plus', text: 'added a sub-issue' }),
  'issue.child_removed': () => ({ icon: 'more', text: 'took a sub-issue away' }),
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
  'code.linked': (data) => ({ icon: 'link', text: <>linked {codeWords(data)}</> }),
  'code.updated': (data) => ({ icon: 'refresh', text: codeChange(data) }),
  'code.unlinked': (data) => ({ icon: 'link', text: <>took away {codeWords(data)}</> }),
  'gate.opened': (data) => ({
    icon: 'waiting',
    text: (
      <>
        {isOfChecks(data) ? 'lets it wait until' : 'asked a person:'} {gateTitle(data)}
      </>
    ),
  }),
  'gate.answered': (data) => ({ icon: 'comment', text: answered(data) }),
  'gate.expired': (data) => ({
    icon: 'clock',
    text: (
      <>
        closed {isOfChecks(data) ? 'a wait that took too long' : 'a question that was not answered in time'}:{' '}
        {gateTitle(data)}
      </>
    ),
  }),
  'gate.withdrawn': (data) => ({
    icon: 'more',
    text: (
      <>
        withdrew {isOfChecks(data) ? 'a wait' : 'a question'}: {gateTitle(data)}
      </>
    ),
  }),
  'gate.executed': (data) => ({ icon: 'progress', text: <>ran an approved call: {gateTitle(data)}</> }),
};

/** An activity as a sentence, after the name of who did it. */
export function sentenceOf({ type, data }: Activity, issue: Issue): TimelineSentence {
  return sentences[type](data as Data, issue);
}

function toolCalls({ calls, failed }: Data): string {
  const failures = Number(failed) > 0 ? `, ${Number(failed)} without success` : '';
  return `called tools ${Number(calls) === 1 ? 'once' : `${Number(calls)} times`}${failures}`;
}

function statusChange({ new: to, cause }: Data): TimelineSentence {
  const status = issueStatuses[to as IssueStatus];
  const automatic = typeof cause === 'string' && (cause.includes('blocker') || cause.startsWith('child_'));
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
    ([field, change]) =>
      typeof change === 'object' && change !== null && ('new' in change || field === 'labels'),
  );
  return parts.map(([field, change], index) => (
    <span key={field}>
      {index > 0 && ', '}
      {field === 'priority' ? (
        <>
          set the priority to <b>{priorityWord(change.new as never)?.toLowerCase()}</b>
        </>
      ) : field === 'labels' ? (
        labelChange(change)
      ) : (
        <>changed the {fieldNames[field] ?? field}</>
      )}
    </span>
  ));
}

/** Which labels were added and removed, by the names that they had. */
function labelChange(change: unknown): ReactNode {
  const { added = [], removed = [] } = change as Record<string, { name: string }[] | undefined>;
  const names = (labels: { name: string }[]) => <b>{labels.map(({ name }) => name).join(', ')}</b>;
  const what = (labels: { name: string }[]) => (labels.length === 1 ? 'the label' : 'the labels');
  return (
    <>
      {added.length > 0 && (
        <>
          added {what(added)} {names(added)}
        </>
      )}
      {added.length > 0 && removed.length > 0 && ' and '}
      {removed.length > 0 && (
        <>
          removed {what(removed)} {names(removed)}
        </>
      )}
    </>
  );
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

const isOfChecks = ({ kind }: Data): boolean => kind === 'checks';

const codeKinds: Record<string, string> = {
  branch: 'the branch',
  commit: 'the commit',
  pull_request: 'the pull request',
};

const codeWords = ({ kind, url }: Data): ReactNode => (
  <>
    {codeKinds[words(kind)] ?? 'code'} <b>{codeName(words(url))}</b>
  </>
);

/** The address of code without the host, in which everyone knows it again. */
const codeName = (url: string): string => url.replace(/^https?:\/\/[^/]+\//, '').replace(/\/-\//, '/');

const codeStates: Record<string, string> = {
  merged: 'was merged',
  closed: 'was closed',
  draft: 'is a draft',
};
const checkWords: Record<string, string> = {
  passing: 'passes its checks',
  failing: 'fails its checks',
  pending: 'is being checked',
};

function codeChange(data: Data): ReactNode {
  const news = codeStates[words(data['state'])] ?? checkWords[words(data['checks'])] ?? 'has changed';
  return (
    <>
      reported: {codeWords(data)} {news}
    </>
  );
}

const checksEnds: Record<string, string> = {
  checks_passed: 'the checks pass',
  checks_failed: 'the checks failed',
  merged: 'it is merged',
  closed: 'the pull request was closed',
};

/** The answer first: the question stands above, where it was asked. */
function answered(data: Data): ReactNode {
  if (isOfChecks(data))
    return (
      <>
        ended the wait: <b>{checksEnds[words(data['reason'])] ?? 'the checks ended'}</b>
      </>
    );
  const said = answerWords(data['answer']);
  return said === '' ? (
    <>answered {gateTitle(data)}</>
  ) : (
    <>
      answered{' '}
      <b>
        <MarkedText text={said} />
      </b>{' '}
      to “{words(data['title'])}”
    </>
  );
}

const decisions: Record<string, string> = {
  approve: 'Approved',
  deny: 'Denied',
  extend: 'Raised',
  stop: 'Stopped',
};

/** What a person answered, in words; empty where it was a form of fields. */
export function answerWords(answer: unknown): string {
  const { option, text, decision, note } = (answer ?? {}) as Record<string, unknown>;
  const said = [decisions[words(decision)] ?? words(option), words(text) || words(note)];
  return said.filter((one) => one !== '').join(': ');
}

/** What checks are waited for is a part of a sentence. */
const gateTitle = (data: Data): ReactNode => {
  const title = words(data['title'] ?? 'a decision');
  return <b>{isOfChecks(data) ? title.charAt(0).toLowerCase() + title.slice(1) : title}</b>;
};

const words = (value: unknown): string => (typeof value === 'string' ? value : '');
