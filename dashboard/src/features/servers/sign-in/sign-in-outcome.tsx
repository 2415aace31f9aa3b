import { Link } from '@tanstack/react-router';
import { IconButton } from '../../../parts/button';
import { Notice } from '../../../parts/notice';
import styles from './sign-in-outcome.module.css';

/** What happened and what to do, for each outcome with which a sign-in at a remote server comes back (contract §3.7). */
const SENTENCES: Record<string, [string, string]> = {
  done: ['You are signed in.', 'The server is called with this sign-in from now on.'],
  expired: [
    'This sign-in is too old, or was begun in another browser.',
    'Begin again here, and finish it in the same browser within 10 minutes.',
  ],
  cancelled: ['The sign-in was cancelled.', 'Nothing was changed. Sign in again if that was a mistake.'],
  refused: [
    'The authorization server refused the sign-in.',
    'The activity has its answer. Correct the client, there or in the values of the set, then sign in again.',
  ],
  invalid: [
    'The answer of the authorization server was not accepted.',
    'It may be of another one. Do not sign in again before you know why: the activity says what was wrong.',
  ],
  unavailable: ['The authorization server gave no usable answer.', 'Sign in again in a few minutes.'],
  forbidden: ['You are no longer an Admin.', 'Ask an Admin to sign in.'],
};

/** Returns what happened and what to do. A word that this page does not know has a sentence too. */
export function outcomeWords(outcome: string): [string, string] {
  const words = Object.hasOwn(SENTENCES, outcome) ? SENTENCES[outcome] : undefined;
  return words ?? ['The sign-in did not work.', 'Begin again, and look at the activity if it fails again.'];
}

interface SignInOutcomeProps {
  /** The word with which the sign-in came back. */
  outcome: string;
  onClose: () => void;
}

/** How a sign-in at a remote server ended. It stands above elevated mode, whose key did not survive the way there. */
export function SignInOutcome({ outcome, onClose }: SignInOutcomeProps) {
  const [what, then] = outcomeWords(outcome);
  return (
    <div className={styles.outcome}>
      <Notice tone={outcome === 'done' ? 'plain' : outcome === 'cancelled' ? 'warning' : 'bad'}>
        <p>
          <b>{what}</b> {then}{' '}
          {['refused', 'invalid'].includes(outcome) && (
            <Link to="/activity" search={{ type: 'mcp.credentials.sign_in_failed' }} className="link">
              Look at the activity
            </Link>
          )}
        </p>
      </Notice>
      <IconButton small icon="close" label="Dismiss" onClick={onClose} />
    </div>
  );
}
