import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { api, bodyOf } from '../../../api/client';
import { issueKey, keys } from '../../../api/keys';
import { attentionQuery, causesIn } from '../../../api/lists';
import type { AttentionItem, Issue } from '../../../api/types';
import { Button, Buttons, Key } from '../../../parts/button';
import { Card } from '../../../parts/card';
import { TextArea } from '../../../parts/field';
import { later } from '../../../parts/later';
import { Markdown } from '../../../parts/markdown';
import { MarkedText } from '../../../parts/marked-text';
import { Loaded, Missing, ProblemNotice, Skeleton } from '../../../parts/notice';
import { usePageTitle } from '../../../parts/page';
import { issueStatuses, PriorityIcon, StatusPill } from '../../../parts/status';
import { Time } from '../../../parts/time';
import { useDraft } from '../../../session/draft';
import { hasRole, useMe } from '../../../session/me';
import { AnsweredMeanwhile } from '../../../shared/gates/answers';
import { GateForm } from '../../../shared/gates/gate-form';
import { actionsFor, useIssueChange } from '../changes';
import { type Command, IssueCommands } from '../commands/issue-commands';
import { EditIssue } from '../edit/edit-issue';
import { issueQuery } from '../queries';
import { IssueFacts } from './issue-facts';
import styles from './issue-screen.module.css';
import { LinksCard } from './links-card';
import { ParentCrumb, SubIssues } from './sub-issues';
import { Why } from './why';

const CodeCard = later(async () => (await import('../code/code-card')).CodeCard, <Skeleton rows={1} />);
const History = later(async () => (await import('./timeline')).History, <Skeleton rows={4} />);

interface IssueHeadProps {
  issue: Issue;
  onCommand: (command: Command) => void;
}

/** What an issue is called, where it stands, and what this person may do with it now. */
function IssueHead({ issue, onCommand }: IssueHeadProps) {
  const editable = hasRole(useMe(), 'Editor');
  return (
    <div className={styles.head}>
      <ParentCrumb issue={issue} />
      <div className={styles.line}>
        <span className={styles.key}>{issue.key}</span>
        <StatusPill status={issue.status} />
        <PriorityIcon priority={issue.priority} />
        <span className="soft small">
          {issueStatuses[issue.status].word.toLowerCase()} since <Time iso={issue.statusSince} />
        </span>
      </div>
      <h1>{issue.title}</h1>
      {editable && <IssueButtons issue={issue} onCommand={onCommand} />}
    </div>
  );
}

function IssueButtons({ issue, onCommand }: IssueHeadProps) {
  const me = useMe();
  const change = useIssueChange();
  const [editing, setEditing] = useState(false);
  return (
    <Buttons label="Change the issue">
      {actionsFor(issue, me).map((action, index) => (
        <Button
          key={action.id}
          icon={action.icon}
          look={index === 0 && issue.status === 'PendingReview' ? 'primary' : 'plain'}
          busy={change.isPending}
          onClick={() => change.mutate({ issue, change: action.change })}
        >
          {action.label}
          {action.shortcut && <Key>{action.shortcut}</Key>}
        </Button>
      ))}
      <Button icon="link" onClick={() => onCommand('block')}>
        Add blocker
        <Key>b</Key>
      </Button>
      <Button onClick={() => setEditing(true)}>Edit</Button>
      {editing && <EditIssue issue={issue} onClose={() => setEditing(false)} />}
    </Buttons>
  );
}

/** The questions, approvals and budgets of an issue that wait for a person, each with its answer. */
function Decisions({ issue }: { issue: Issue }) {
  const decisions = useDecisionsOf(issue);
  return (
    <>
      <AnsweredMeanwhile
        present={new Set(decisions.flatMap(({ gate }) => (gate ? [gate.id] : [])))}
        issueId={issue.id}
      />
      {decisions.map(
        (item) =>
          item.gate && (
            <Card key={item.id} title="Needs a decision">
              <div className="stack">
                <h3>
                  <MarkedText text={item.title} />
                </h3>
                <GateForm item={item} gateId={item.gate.id} />
              </div>
            </Card>
          ),
      )}
    </>
  );
}

/** The causes of the open gates of the issue, snoozed or not. */
function useDecisionsOf(issue: Issue): AttentionItem[] {
  const query = { issueId: issue.id, state: 'open' } as const;
  const gates = useQuery({
    queryKey: [...keys.attention, 'gates', issue.id],
    queryFn: () => bodyOf(api.GET('/api/projects/gates', { params: { query } })),
  }).data;
  const ids = gates?.map(({ id }) => `gate:${id}`) ?? [];
  const causes = useInfiniteQuery({ ...attentionQuery({ ids }), enabled: ids.length > 0 });
  return ids.length === 0 ? [] : causesIn(causes.data);
}

/** Writes a comment. The text stays in the field until the service has it, whatever happens to the screen or the session. */
function CommentForm({ issue }: { issue: Issue }) {
  const client = useQueryClient();
  const { value: content, set: setContent, discard } = useDraft(`comment ${issue.id}`, '');
  const send = useMutation({
    mutationFn: () =>
      api.POST('/api/projects/issues/{issueId}/comments', {
        params: { path: { issueId: issue.id } },
        body: { content },
      }),
    onSuccess: async () => {
      discard();
      await client.invalidateQueries({ queryKey: issueKey(issue.id) });
    },
  });
  const submit = () => content.trim() !== '' && send.mutate();
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextArea
        label="Comment"
        placeholder="A running agent reads it at its next turn."
        value={content}
        onChange={(event) => setContent(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
        }}
      />
      {send.isError && <ProblemNotice title="The comment was not saved" error={send.error} />}
      <div className="row">
        <Button look="primary" type="submit" busy={send.isPending} disabled={content.trim() === ''}>
          Comment
        </Button>
        <Key>Ctrl</Key>
        <Key>Enter</Key>
      </div>
    </form>
  );
}

/** Everything about one issue: what may be done with it, why it is stuck, its text, links, timeline and facts. */
export function IssueScreen({ issueId }: { issueId: string }) {
  return (
    <Loaded
      query={useQuery(issueQuery(issueId))}
      what="The issue"
      missing={<Missing title={`There is no issue ${issueId}`} to="/projects" label="All projects" />}
    >
      {(issue) => <IssueDetail issue={issue} />}
    </Loaded>
  );
}

export function IssueDetail({ issue }: { issue: Issue }) {
  usePageTitle(`${issue.key} ${issue.title}`);
  const editable = hasRole(useMe(), 'Editor');
  const [command, setCommand] = useState<Command | null>(null);
  return (
    <div className={styles.split}>
      <div className={styles.main}>
        <IssueHead issue={issue} onCommand={setCommand} />
        <Suspense fallback={<Skeleton rows={1} />}>
          <Why issue={issue} />
        </Suspense>
        <Decisions issue={issue} />
        <section aria-label="Description">
          {issue.description === '' ? (
            <p className="soft">No description.</p>
          ) : (
            <Markdown text={issue.description} />
          )}
        </section>
        <SubIssues issue={issue} editable={editable} />
        <LinksCard issue={issue} editable={editable} />
        <CodeCard issue={issue} editable={editable} />
        <History issue={issue} compose={editable && <CommentForm issue={issue} />} />
      </div>
      <aside className={styles.side} aria-label="Facts">
        <IssueFacts issue={issue} editable={editable} onCommand={setCommand} />
      </aside>
      <IssueCommands issue={issue} command={command} onCommand={setCommand} />
    </div>
  );
}
