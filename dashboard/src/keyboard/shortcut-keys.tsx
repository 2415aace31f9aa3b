import { Key } from '../parts/keys';
import { keyCaps } from './action';
import styles from './shortcut-keys.module.css';

/** A shortcut as key caps, in the order in which they are pressed. */
export function ShortcutKeys({ shortcut }: { shortcut: string }) {
  return (
    <span className={styles.keys}>
      {keyCaps(shortcut).map((cap, index) => (
        <Key key={index}>{cap}</Key>
      ))}
    </span>
  );
}
