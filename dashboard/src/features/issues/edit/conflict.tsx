import { useQuery } from '@tanstack/react-query';
import type { Issue } from '../../../api/types';
import { Button } from '../../../parts/button';
import { Dialog } from '../../../parts/dialog';
import { ProblemNotice } from '../../../parts/notice';
import { Skeleton } from '../../../parts/skeleton';
import { Time } from '../../../parts/time';
import { issueQuery } from '../queries';
import styles from './conflict.module.css';
import { linesAgainst, type IssueText } from './issue-text';

interface ConflictProps {
  issueKey: string;
  /** What was there when the person began to write. */
  base: IssueText & { version: number };
  mine: IssueText;
  busy: boolean;
  onMine: (theirs: Issue) => void;
  onTheirs: () => void;
  onEdit: (theirs: Issue) => void;
}

/** Both versions side by side when an issue changed while someone wrote; nothing is lost until they decide. */
export function Conflict({ issueKey, base, mine, busy, onMine, onTheirs, onEdit }: ConflictProps) {
  const latest = useQuery({ ...issueQuery(issueKey), staleTime: 0, refetchOnMount: 'always' });
  const theirs = latest.data;
  return (
    <Dialog
      open
      wide
      onClose={onTheirs}
      title="This issue changed while you wrote"
      footer={
        theirs && (
          <>
            <Button onClick={onTheirs}>Keep theirs</Button>
            <Button onClick={() => onEdit(theirs)}>Edit mine further</Button>
            <Button look="primary" busy={busy} onClick={() => onMine(theirs)}>
              Save mine over it
            </Button>
          </>
        )
      }
    >
      <p className="soft">
        You read version {base.version}
        {theirs && `, it is at ${theirs.version}`}. Your text stays here until you decide.
      </p>
      {latest.isError && (
        <ProblemNotice
          title="The present version cannot be shown"
          error={latest.error}
          onRetry={() => void latest.refetch()}
        />
      )}
      {latest.isPending && <Skeleton />}
      {theirs && (
        <div className={styles.versions}>
          <Version name="Yours, not saved" base={base} text={mine} />
          <Version name="Theirs" since={theirs.updatedAt} base={base} text={theirs} />
        </div>
      )}
    </Dialog>
  );
}

interface VersionProps {
  name: string;
  since?: string;
  base: IssueText;
  text: IssueText;
}

function Version({ name, since, base, text }: VersionProps) {
  return (
    <section className={styles.version} aria-label={name}>
      <h3>
        {name}
        {since && (
          <span className="soft small">
            {' '}
            <Time iso={since} />
          </span>
        )}
      </h3>
      <div className={styles.text} tabIndex={0} role="region" aria-label={`${name}: text`}>
        <Lines before={base.title} text={text.title} />
        <hr />
        <Lines before={base.description} text={text.description} />
      </div>
    </section>
  );
}

function Lines({ before, text }: { before: string; text: string }) {
  return linesAgainst(before, text).map(({ text: line, changed }, index) =>
    changed ? (
      <ins key={index}>
        <span className="sr-only">Changed: </span>
        {line || ' '}
      </ins>
    ) : (
      <p key={index}>{line || ' '}</p>
    ),
  );
}
