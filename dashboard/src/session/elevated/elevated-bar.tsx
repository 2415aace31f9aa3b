import { Button } from '../../parts/button';
import { Icon } from '../../parts/icon';
import { shortTime } from '../../parts/time';
import { announceRefusal } from '../../parts/toasts';
import styles from './elevated.module.css';
import { stop, useElevatedUntil } from './elevated-mode';

/** Says until when one manages servers, with the way to end it. */
export function ElevatedBar() {
  const until = useElevatedUntil();
  if (until === null) return null;
  const end = () => stop().catch((error: unknown) => announceRefusal('The key could not be ended', error));
  return (
    <div className={styles.bar} role="status">
      <Icon name="shield" />
      <span>
        You manage servers until <b>{shortTime(until)}</b>. Every change is recorded with your name.
      </span>
      <Button small onClick={() => void end()}>
        Stop now
      </Button>
    </div>
  );
}
