import { useState } from 'react';
import type { Issue } from '../../../api/types';
import { Button, Buttons } from '../../../parts/button';
import { Key } from '../../../parts/keys';
import { PriorityIcon } from '../../../parts/priority';
import { issueStatuses, StatusPill } from '../../../parts/status';
import { Time } from '../../../parts/time';
import { useMe } from '../../../session/me';
import { hasRole } from '../../../session/roles';
import { actionsFor } from '../actions';
import { useIssueChange } from '../changes';
import type { Command } from '../commands/issue-commands';
import { EditIssue } from '../edit/edit-issue';
import styles from './issue-screen.module.css';

interface IssueHeadProps {
  issue: Issue;
  onCommand: (command: Command) => void;
}

/** What an issue is called, where it stands, and what this person may do with it now. */
export function IssueHead({ issue, onCommand }: IssueHeadProps) {
  const editable = hasRole(useMe(), 'Editor');
  return (
    <div className={styles.head}>
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
