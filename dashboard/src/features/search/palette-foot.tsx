import { useElevatedUntil } from '../../session/elevated/store';
import { hasRole, useMe } from '../../session/me';
import { Key } from '../../parts/keys';
import styles from './palette.module.css';

/** Which keys work, and whether more may come. */
export function PaletteFoot({ searching, problem }: { searching: boolean; problem: string | null }) {
  const locked = useElevatedUntil() === null;
  const admin = hasRole(useMe(), 'Admin');
  return (
    <div className={styles.foot}>
      {problem === null ? (
        <span>{noteOf(searching, admin && locked)}</span>
      ) : (
        <span role="alert" className={styles.problem}>
          Issues could not be searched. {problem}
        </span>
      )}
      <span className={styles.keys} aria-hidden="true">
        <Key>↑</Key>
        <Key>↓</Key> move <Key>Enter</Key> open <Key>Esc</Key> close
      </span>
    </div>
  );
}

/** Servers are read with a key that the password gives. */
function noteOf(searching: boolean, withoutServers: boolean): string {
  if (searching) return 'Searching issues …';
  return withoutServers ? 'Servers are found once you have confirmed your password under Servers' : '';
}
