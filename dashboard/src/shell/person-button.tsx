import type { Me } from '../api/types';
import { Avatar } from '../parts/who';
import type { Destination } from './destination';
import styles from './topbar.module.css';
import { UserMenu } from './topbar';

/** The menu of the person in the top bar of a phone, with the places that its bar at the foot leaves out. */
export function PersonButton({ me, more }: { me: Me; more: readonly Destination[] }) {
  return (
    <UserMenu
      more={more}
      trigger={
        <button type="button" className={styles.person} aria-label={`${me.name}: profile and more`}>
          <Avatar party={{ type: 'user', name: me.name }} />
        </button>
      }
    />
  );
}
