import { useQuery } from '@tanstack/react-query';
import type { Issue, Priority } from '../../../api/types';
import { Button, IconButton } from '../../../parts/button';
import { Fact, Facts } from '../../../parts/card';
import { later } from '../../../parts/later';
import { Menu } from '../../../parts/menu';
import { LabelChips, PriorityIcon, priorityWord } from '../../../parts/status';
import { Time } from '../../../parts/time';
import { Who } from '../../../parts/who';
import { usageQuery } from '../../../shared/usage/queries';
import { UsageFacts } from '../../../shared/usage/usage-screen';
import { useIssueChange } from '../changes';
import type { Command } from '../commands/issue-commands';
import { goalsQuery, issueQuery } from '../queries';
import styles from './issue-facts.module.css';

const BudgetCard = later(async () => (await import('../../../shared/usage/budget-card')).BudgetCard);

const Files = later(async () => (await import('./files/files')).Files);

const DAY_MS = 86_400_000;

/** What work on an issue used since it was created, and its budget for those who may set it. */
function IssueUsage({ issue, editable }: { issue: Issue; editable: boolean }) {
  const days = Math.ceil((Date.now() - Date.parse(issue.createdAt)) / DAY_MS) + 1;
  const row = useQuery(usageQuery({ kind: 'issue', id: issue.id }, 'issue', days)).data?.rows[0];
  return (
    <>
      {row && (
        <section>
          <h2 className={styles.heading}>Usage</h2>
          <UsageFacts usage={row} />
        </section>
      )}
      {editable && <BudgetCard subject={{ kind: 'issue', id: issue.id }} />}
    </>
  );
}

const priorities: Priority[] = ['urgent', 'high', 'medium', 'low', 'none'];

/** What belongs to an issue beside its text. People who may edit change assignee, priority and parent here. */
export function IssueFacts({
  issue,
  editable,
  onCommand,
}: {
  issue: Issue;
  editable: boolean;
  onCommand: (command: Command) => void;
}) {
  const goals = useQuery({ ...goalsQuery(issue.projectId), enabled: issue.goalId !== null });
  return (
    <div className="stack">
      <Facts>
        <Fact name="Assignee">
          {editable ? (
            <Assignee issue={issue} onAssign={() => onCommand('assign')} />
          ) : (
            <Who party={issue.assignee} />
          )}
        </Fact>
        <Fact name="Lease">
          {issue.lease === null ? (
            <span className="soft">None</span>
          ) : (
            <>
              until <Time iso={issue.lease.expiresAt} />
            </>
          )}
        </Fact>
        <Fact name="Priority">
          {editable ? <PriorityMenu issue={issue} /> : <PriorityValue priority={issue.priority} />}
        </Fact>
        <Fact name="Labels">
          {editable ? (
            <Labels issue={issue} onLabel={() => onCommand('label')} />
          ) : (
            <LabelsValue issue={issue} />
          )}
        </Fact>
        <Fact name="Goal">
          {goals.data?.find(({ id }) => id === issue.goalId)?.title ?? <span className="soft">None</span>}
        </Fact>
        <Fact name="Parent">
          <ParentFact issue={issue} onChoose={editable ? () => onCommand('parent') : null} />
        </Fact>
        <Fact name="Attempts">{issue.attempts}</Fact>
        <Fact name="Created">
          <Time iso={issue.createdAt} /> by {issue.createdBy.name}
        </Fact>
        <Fact name="Version">{issue.version}</Fact>
      </Facts>
      <Files issue={issue} />
      <IssueUsage issue={issue} editable={editable} />
    </div>
  );
}

function Assignee({ issue, onAssign }: { issue: Issue; onAssign: () => void }) {
  return (
    <Button look="quiet" small className={styles.value} onClick={onAssign}>
      <Who party={issue.assignee} />
      <span className="sr-only">, assign {issue.key}</span>
    </Button>
  );
}

function Labels({ issue, onLabel }: { issue: Issue; onLabel: () => void }) {
  return (
    <Button look="quiet" small className={styles.labels} onClick={onLabel}>
      <LabelsValue issue={issue} />
      <span className="sr-only">, label {issue.key}</span>
    </Button>
  );
}

function LabelsValue({ issue: { labels } }: { issue: Issue }) {
  return labels.length === 0 ? <span className="soft">None</span> : <LabelChips labels={labels} />;
}

function PriorityMenu({ issue }: { issue: Issue }) {
  const change = useIssueChange();
  const items = priorities.map((priority) => ({
    id: priority,
    label: priorityWord(priority),
    icon: priority,
    chosen: priority === issue.priority,
    onSelect: () => change.mutate({ issue, change: { kind: 'priority', priority } }),
  }));
  return (
    <Menu
      label="Set the priority"
      items={items}
      trigger={
        <Button look="quiet" small className={styles.value}>
          <PriorityValue priority={issue.priority} />
        </Button>
      }
    />
  );
}

function PriorityValue({ priority }: { priority: Priority }) {
  return (
    <span className="row">
      <PriorityIcon priority={priority} />
      <span aria-hidden="true">{priorityWord(priority)}</span>
    </span>
  );
}

/** The parent of an issue as a fact; people who may edit choose another one or none. */
function ParentFact({ issue, onChoose }: { issue: Issue; onChoose: (() => void) | null }) {
  const { parentId } = issue;
  const parent = useQuery({ ...issueQuery(parentId ?? ''), enabled: parentId !== null }).data;
  const change = useIssueChange();
  const name = parentId === null ? <span className="soft">None</span> : (parent?.key ?? '…');
  if (onChoose === null) return name;
  return (
    <span className="row">
      <Button look="quiet" small className={styles.value} onClick={onChoose}>
        {name}
        <span className="sr-only">, choose the parent of {issue.key}</span>
      </Button>
      {parentId !== null && (
        <IconButton
          icon="close"
          small
          label={`Put ${issue.key} on the top level`}
          onClick={() => change.mutate({ issue, change: { kind: 'parent', to: null } })}
        />
      )}
    </span>
  );
}
