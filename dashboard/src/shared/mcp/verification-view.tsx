import { type ReactNode, useEffect, useState } from 'react';
import type { Verification } from '../../api/types';
import { Icon, type IconName } from '../../parts/icon';
import { MarkedText } from '../../parts/marked-text';
import { Notice } from '../../parts/notice';
import { Ink, type Tone } from '../../parts/status';
import styles from './verification-view.module.css';

type PhaseState = 'passed' | 'failed' | 'unreached' | 'unchecked';

interface Phase {
  name: string;
  state: PhaseState;
  /** What happens in the phase, for the people who have not read the documentation. */
  says: string;
  ms: number | null;
  /** What the service found, such as the number of tools. */
  detail: string | null;
}

type Result = Pick<Verification, 'status' | 'details' | 'phases'>;
type Step = Verification['phases'][number]['phase'];

const stepWords: Record<Step, { name: string; says: string }> = {
  runtime: { name: 'Runtime', says: 'The host has what the server needs' },
  package: { name: 'Package', says: 'The pinned package is there' },
  spawn: { name: 'Start', says: 'A fresh process starts' },
  handshake: { name: 'Handshake', says: 'The server answers in a protocol version that is known' },
  list: { name: 'List tools', says: 'The server lists its tools' },
  credentials: { name: 'Credential', says: 'A harmless tool call is accepted' },
};

/** The steps of a verification in their order, without those that such a server does not need. */
export function phasesOf({ status, details, phases }: Result): Phase[] {
  const last = phases.findLastIndex((step) => step.status !== 'skipped');
  return phases.flatMap((step, at) => {
    if (step.status === 'skipped' && at < last) return [];
    const { ms } = step;
    // The reason of a failure stands below the phases.
    const detail = step.detail === details ? null : step.detail;
    return [{ ...stepWords[step.phase], state: stateOf(step.status, status), ms, detail }];
  });
}

function stateOf(step: Verification['phases'][number]['status'], status: Verification['status']): PhaseState {
  if (step === 'ok') return 'passed';
  if (step === 'failed') return 'failed';
  return status === 'ok' ? 'unchecked' : 'unreached';
}

/** What a person can do about a verification that failed; null after one that passed. */
export function adviceOn({ status, phase, credentials }: Verification, isRemote: boolean): string | null {
  if (credentials === 'refused')
    return 'The server refused its credential. Replace it under Credentials, then verify again.';
  if (status === 'ok') return null;
  if (phase === 'runtime') return 'Install the runtime on the host that runs the service, then verify again.';
  if (phase === 'package')
    return 'The package on this host is missing or damaged. Remove the server and install it again.';
  if (phase === 'list')
    return 'The server answered but did not list its tools. Its last lines often say why; a missing permission of the credential is the usual cause.';
  if (isRemote)
    return 'Check that this host may reach the address and that the credential is valid, then verify again.';
  return 'The process did not get as far as answering. Read its last lines; a wrong value under Credentials is the usual cause.';
}

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
        <Warnings of={verification.warnings} />
        {verification.stderrTail && (
          <pre className={styles.tail} tabIndex={0} role="region" aria-label="Last lines of the process">
            <MarkedText text={verification.stderrTail} />
          </pre>
        )}
      </div>
    </>
  );
}

/** As many warnings as are seen without a click. */
const FIRST_WARNINGS = 5;

/** What is odd in what the server lists. Its maker can change that, and nobody here. */
export function Warnings({ of: warnings }: { of: Verification['warnings'] }) {
  if (warnings.length === 0) return null;
  const [first, others] = [warnings.slice(0, FIRST_WARNINGS), warnings.slice(FIRST_WARNINGS)];
  return (
    <Notice tone="warning" title="What to tell the maker of the server">
      <WarningRows of={first} />
      {others.length > 0 && (
        <details>
          <summary>{others.length} more</summary>
          <WarningRows of={others} />
        </details>
      )}
    </Notice>
  );
}

function WarningRows({ of: warnings }: { of: Verification['warnings'] }) {
  return (
    <ul className={styles.warnings}>
      {warnings.map(({ subject, message }, at) => (
        <li key={at}>
          <span className="mono">
            <MarkedText text={subject} />
          </span>{' '}
          <MarkedText text={message} />
        </li>
      ))}
    </ul>
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
