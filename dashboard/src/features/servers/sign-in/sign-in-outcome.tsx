import { Link } from '@tanstack/react-router';
import { IconButton } from '../../../parts/button';
import { Notice } from '../../../parts/notice';
import { outcomeWords } from './outcome-words';
import styles from './sign-in-outcome.module.css';

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
