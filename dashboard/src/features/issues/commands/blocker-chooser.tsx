import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type FoundIssue, foundIssuesQuery } from '../../../api/lists';
import { Button, IconButton } from '../../../parts/button';
import { Chooser } from '../../../parts/chooser';
import type { Option } from '../../../parts/chooser-list';
import { fieldClasses } from '../../../parts/field';
import { issueStatuses, StatusIcon } from '../../../parts/status';
import styles from './blocker-chooser.module.css';

interface BlockerChooserProps {
  /** What is chosen: "Add a blocker to PAY-12". */
  label: string;
  /** Where a number alone is that of an issue, and whose issues come first while nothing is typed. */
  projectId: string;
  /** The ids of issues that are not offered. */
  except: readonly string[];
  /** Whether finished issues are offered too. */
  finished?: boolean;
  /** The key of an issue or project; issues of this project alone are offered. */
  beside?: string;
  open: boolean;
  onClose: () => void;
  onChoose: (issue: FoundIssue) => void;
  /** Given where no issue is a choice too: it stands first while nothing is typed. */
  onNone?: () => void;
}

const NONE: Option = { id: 'none', label: 'No parent: on the top level', icon: 'close' };

/** Chooses an issue of any project that the person sees: by its key, by words, by the beginning of the last one. */
export function BlockerChooser({
  label,
  projectId,
  except,
  finished = false,
  beside,
  open,
  onClose,
  onChoose,
  onNone,
}: BlockerChooserProps) {
  const [query, setQuery] = useState('');
  const asked = query.trim();
  const found = useQuery({
    ...foundIssuesQuery(asked, projectId, finished ? 'any' : 'unfinished'),
    enabled: open,
    placeholderData: keepPreviousData,
  });
  const issues = (found.data ?? []).filter(
    ({ id, key }) => !except.includes(id) && (beside === undefined || projectOf(key) === projectOf(beside)),
  );
  return (
    <Chooser
      open={open}
      onClose={() => {
        setQuery('');
        onClose();
      }}
      label={label}
      placeholder="Words of the title, or a key like PAY-12"
      none={found.isFetching ? 'Searching …' : `No ${finished ? '' : 'unfinished '}issue has these words.`}
      optionsFor={() => [...(onNone && asked === '' ? [NONE] : []), ...issues.map(optionOf)]}
      onQuery={setQuery}
      onChoose={({ id }) => {
        if (id === NONE.id) return onNone?.();
        const issue = issues.find((one) => one.id === id);
        if (issue) onChoose(issue);
      }}
    />
  );
}

const projectOf = (key: string): string | undefined => key.split('-')[0];

const optionOf = ({ id, key, title, status, assignee }: FoundIssue): Option => ({
  id,
  code: key,
  label: title,
  icon: issueStatuses[status].icon,
  tone: issueStatuses[status].tone,
  end: <span className={styles.who}>{assignee?.name ?? 'Unassigned'}</span>,
});

interface IssuesFieldProps extends Pick<BlockerChooserProps, 'projectId' | 'except' | 'finished' | 'beside'> {
  label: string;
  hint?: string;
  error?: string | undefined;
  issues: readonly FoundIssue[];
  onChange: (issues: FoundIssue[]) => void;
  /** The most issues that it takes; any number where it is absent. */
  most?: number;
  /** The words of the button. */
  choose?: string;
}

/** A field of a form that holds issues, which are searched for. */
export function IssuesField({
  label,
  hint,
  error,
  issues,
  onChange,
  most = Infinity,
  choose = 'Choose an issue',
  except,
  ...chooser
}: IssuesFieldProps) {
  const [open, setOpen] = useState(false);
  return (
    <div className={fieldClasses.field} role="group" aria-label={label}>
      <span className={styles.label}>{label}</span>
      {issues.length > 0 && (
        <ul className={styles.issues}>
          {issues.map((issue) => (
            <li key={issue.id}>
              <StatusIcon status={issue.status} />
              <span className={styles.key}>{issue.key}</span>
              <span className="clip">{issue.title}</span>
              <IconButton
                icon="close"
                small
                label={`Without ${issue.key}`}
                onClick={() => onChange(issues.filter(({ id }) => id !== issue.id))}
              />
            </li>
          ))}
        </ul>
      )}
      {issues.length < most && (
        <Button small icon="search" className={styles.choose} onClick={() => setOpen(true)}>
          {issues.length === 0 ? choose : 'Choose another'}
        </Button>
      )}
      {hint && <p className={fieldClasses.hint}>{hint}</p>}
      {error && <p className={fieldClasses.error}>{error}</p>}
      <BlockerChooser
        label={label}
        except={[...except, ...issues.map(({ id }) => id)]}
        open={open}
        onClose={() => setOpen(false)}
        onChoose={(issue) => onChange([...issues, issue])}
        {...chooser}
      />
    </div>
  );
}
