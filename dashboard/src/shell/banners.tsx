import { useQuery } from '@tanstack/react-query';
import { useLiveState } from '../live/live-provider';
import { Icon } from '../parts/icon';
import { shortTime } from '../parts/time';
import { useMe } from '../session/me';
import { hasRole } from '../session/roles';
import { ElevatedBar } from '../session/elevated/elevated-bar';
import styles from './banners.module.css';
import { haltQuery } from '../session/halt/halt';
import { GoOnButton } from '../session/halt/halt-button';

/** What concerns every screen: a halt of all agents, and a lost connection. */
export function Banners() {
  const state = useLiveState();
  const admin = hasRole(useMe(), 'Admin');
  const halt = useQuery(haltQuery);
  return (
    <>
      {halt.data?.halted && (
        <div className={`${styles.banner} ${styles.halt}`} role="status">
          <Icon name="pause" />
          <span>
            <b>All agents are halted.</b> {halt.data.reason}
          </span>
          {admin && <GoOnButton />}
        </div>
      )}
      {state.phase === 'lost' && (
        <div className={`${styles.banner} ${styles.stale}`} role="status">
          <Icon name="refresh" />
          <span>
            <b>Reconnecting.</b> What you see is from {shortTime(new Date(state.since).toISOString())}.
          </span>
        </div>
      )}
      <ElevatedBar />
    </>
  );
}
