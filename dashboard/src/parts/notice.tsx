import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { asProblem, type Problem } from '../api/problem';
import { Button, buttonClass, CopyButton } from './button';
import { classes } from './classes';
import { Icon, type IconName } from './icon';
import styles from './notice.module.css';
import { Page } from './page';

interface EmptyProps {
  icon: IconName;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
}

/** An empty screen: what belongs here, and the first step. A list that a filter emptied says so instead. */
export function Empty({ icon, title, children, actions }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <Icon name={icon} />
      <h3>{title}</h3>
      <p>{children}</p>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}

interface MissingProps {
  /** What is not there: "There is no project NOPE". */
  title: string;
  /** Where one goes on from here. */
  to?: LinkProps['to'];
  label?: string;
}

/** In place of a screen whose object does not exist, or is not visible to this person. */
export function Missing({ title, to = '/', label = 'Go to Needs you' }: MissingProps) {
  return (
    <Page title="Not found">
      <Empty
        icon="search"
        title={title}
        actions={
          <Link to={to} className={buttonClass({ look: 'primary' })}>
            {label}
          </Link>
        }
      >
        It was removed, you cannot see it, or the address has a typing error.
      </Empty>
    </Page>
  );
}

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
        {problem.errors
          .filter(({ path }) => path !== '')
          .map(({ path, message }) => (
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
