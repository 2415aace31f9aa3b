import { useEffect, useState, type ReactNode } from 'react';
import type { Verification } from '../../api/types';
import { Icon, type IconName } from '../../parts/icon';
import { Notice } from '../../parts/notice';
import { Ink, type Tone } from '../../parts/status';
import { MarkedText } from '../../parts/marked-text';
import { adviceOn, phasesOf, type PhaseState } from './phases';
import styles from './verification-view.module.css';

const LIMIT_SECONDS = 30;

const signs = {
  passed: { icon: 'resolved', tone: 'resolved', word: 'Passed' },
  failed: { icon: 'error', tone: 'danger', word: 'Failed' },
  unreached: { icon: 'open', tone: 'plain', word: 'Not reached' },
  unchecked: { icon: 'none', tone: 'plain', word: 'Not checked' },
} as const satisfies Record<PhaseState, { icon: IconName; tone: Tone; word: string }>;

interface VerificationViewProps {
  verification: Verification;
  remote: boolean;
  /** What to do instead of what the result alone suggests. */
  advice?: ReactNode;
}

/** The result of a verification: each phase, what the service says, and what to do after a failure. */
export function VerificationView({ verification, remote, advice }: VerificationViewProps) {
  const words = adviceOn(verification, remote);
  const toDo = advice ?? (words !== null && <p>{words}</p>);
  return (
    <>
      <ol className={styles.phases}>
        {phasesOf(verification).map(({ name, state, says, ms, detail }) => (
          <li key={name}>
            <Ink tone={signs[state].tone} icon={signs[state].icon} />
            <b>{name}</b>
            <span className="soft">
              {detail === null ? says : <MarkedText text={ms === null ? detail : `${says}: ${detail}`} />}
            </span>
            <span className={styles.word}>{ms === null ? '' : `${ms} ms`}</span>
            <span className={styles.word}>{signs[state].word}</span>
          </li>
        ))}
      </ol>
      <div className={styles.words}>
        <p className={verification.status === 'ok' ? 'soft' : undefined}>
          <MarkedText text={verification.details} />
        </p>
        {toDo && (
          <Notice tone="warning" title="What to do">
            {toDo}
          </Notice>
        )}
        {verification.stderrTail && (
          <pre className={styles.tail} tabIndex={0} role="region" aria-label="Last lines of the process">
            <MarkedText text={verification.stderrTail} />
          </pre>
        )}
      </div>
    </>
  );
}

/** A verification on its way: the service reports its phases at the end, so this says what happens and how long. */
export function VerificationRunning() {
  const seconds = useSeconds();
  return (
    <p className={styles.running} role="status">
      <Icon name="refresh" />
      <span>The server is started, greeted and asked for its tools.</span>
      <span className={styles.word} aria-hidden="true">
        {seconds} s of at most {LIMIT_SECONDS} s
      </span>
    </p>
  );
}

/** Whole seconds since the component appeared. */
export function useSeconds(): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  return seconds;
}
