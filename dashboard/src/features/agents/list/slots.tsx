import type { Agent } from '../../../api/types';
import styles from './slots.module.css';

/** More slots than this are only counted. */
const DRAWN = 10;

/** How many issues an agent works on, of how many: a number, and a bar of slots while they are few. */
export function Slots({ agent: { activeIssues, maxConcurrentIssues } }: { agent: Agent }) {
  return (
    <span className="row">
      {maxConcurrentIssues <= DRAWN && (
        <span className={styles.slots} aria-hidden="true">
          {Array.from({ length: maxConcurrentIssues }, (_, slot) => (
            <i key={slot} className={slot < activeIssues ? styles.taken : undefined} />
          ))}
        </span>
      )}
      <span>
        {activeIssues} of {maxConcurrentIssues}
      </span>
    </span>
  );
}
