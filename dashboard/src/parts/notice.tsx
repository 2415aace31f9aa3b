import type { UseQueryResult } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
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

interface LoadedProps<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isError' | 'isPending'> & { refetch: () => unknown };
  /** What is loaded: "The servers", "The tools". */
  what: string;
  /** Shown in place of a 404; without it, a 404 is an error like any other. */
  missing?: ReactNode;
  children: (data: Data) => ReactNode;
}

/** Shows the data of a query, or why they are not there yet. Data that were shown stay while they are read again. */
export function Loaded<Data>({ query, what, missing, children }: LoadedProps<Data>) {
  if (missing && query.isError && asProblem(query.error).status === 404) return missing;
  return (
    <>
      {query.isError && (
        <ProblemNotice
          title={`${what} cannot be shown`}
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      )}
      {query.isPending && <Skeleton rows={4} />}
      {query.data !== undefined && children(query.data)}
    </>
  );
}

const APPEARS_AFTER_MS = 200;

/** Grey lines in the shape of rows. They appear after 200 ms, so that a fast answer does not flicker. */
export function Skeleton({ rows = 3, label = 'Loading' }: { rows?: number; label?: string }) {
  const shown = useAfter(APPEARS_AFTER_MS);
  return (
    <div
      className={classes(styles.skeleton, !shown && styles.hidden)}
      role="status"
      aria-busy="true"
      aria-label={label}
    >
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={styles.row}>
          <span className={styles.short} />
          <span className={styles.long} />
        </div>
      ))}
    </div>
  );
}

function useAfter(milliseconds: number): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
  return over;
}
