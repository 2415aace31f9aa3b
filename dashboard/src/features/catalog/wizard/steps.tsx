import type { ReactNode } from 'react';
import { classes } from '../../../parts/classes';
import { Icon } from '../../../parts/icon';
import styles from './wizard.module.css';

export function Steps({ children }: { children: ReactNode }) {
  return <ol className={styles.steps}>{children}</ol>;
}

interface StepProps {
  number: number;
  /** The step that is being done. */
  at: number;
  title: string;
  /** The line that a done step folds to. */
  done?: string;
  /** What the step will do, until it is reached. */
  later?: string;
  children?: ReactNode;
}

/** One step: open while it is done, one line before and after. */
export function Step({ number, at, title, done, later, children }: StepProps) {
  const state = number < at ? 'done' : number === at ? 'on' : 'later';
  return (
    <li className={styles.step} aria-current={state === 'on' ? 'step' : undefined}>
      <span className={classes(styles.number, styles[state])}>
        {state === 'done' ? (
          <>
            <Icon name="check" />
            <span className="sr-only">Done</span>
          </>
        ) : (
          number
        )}
      </span>
      <div className={styles.content}>
        <h2>{title}</h2>
        {state === 'on' && children}
        {state === 'done' && <p className="soft">{done}</p>}
        {state === 'later' && <p className="soft">{later}</p>}
      </div>
    </li>
  );
}
