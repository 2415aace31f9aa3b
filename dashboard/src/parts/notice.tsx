import type { ReactNode } from 'react';
import { asProblem, type Problem } from '../api/problem';
import { Button } from './button';
import { classes } from './classes';
import { CopyButton } from './copy-button';
import { Icon, type IconName } from './icon';
import styles from './notice.module.css';

interface NoticeProps {
  tone?: 'plain' | 'warning' | 'bad';
  title?: string;
  children: ReactNode;
}

const icons = { plain: 'info', warning: 'waiting', bad: 'error' } as const satisfies Record<string, IconName>;

/** A message inside a screen. A bad one interrupts screen readers; the others are read in turn. */
export function Notice({ tone = 'plain', title, children }: NoticeProps) {
  return (
    <div className={classes(styles.notice, styles[tone])} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon name={icons[tone]} />
      <div>
        {title && <h3>{title}</h3>}
        {children}
      </div>
    </div>
  );
}

/** An error: our heading, the service's own sentence, its code and request id to copy, and a retry where it can help. */
export function ProblemNotice({
  title,
  error,
  onRetry,
}: {
  title: string;
  error: unknown;
  onRetry?: () => void;
}) {
  const problem = asProblem(error);
  return (
    <Notice tone="bad" title={title}>
      <p>{problem.detail}</p>
      <ul>
        {problem.errors.map(({ path, message }) => (
          <li key={path + message}>
            <code>{path}</code>: {message}
          </li>
        ))}
      </ul>
      <ProblemFacts problem={problem} />
      {onRetry && canRetry(problem) && (
        <Button small onClick={onRetry}>
          Try again
        </Button>
      )}
    </Notice>
  );
}

function ProblemFacts({ problem }: { problem: Problem }) {
  return (
    <p className={styles.facts}>
      <code>{problem.code}</code>
      {problem.requestId !== null && (
        <>
          <span>
            Request <code>{problem.requestId}</code>
          </span>
          <CopyButton text={problem.requestId} label="Copy the request id" />
        </>
      )}
    </p>
  );
}

/** A refusal stays a refusal; only what may pass by itself is worth another try. */
function canRetry({ status }: Problem): boolean {
  return status === 0 || status === 429 || status >= 500;
}
