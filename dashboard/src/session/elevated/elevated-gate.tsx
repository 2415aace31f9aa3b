import { useEffect, useState, type ReactNode } from 'react';
import { Empty } from '../../parts/notice';
import { hasRole, useMe } from '../me';
import { ElevateForm } from './elevate-form';
import { useElevatedUntil } from './store';

/**
 * Shows its content while elevated mode is on, and asks for the password otherwise. Content that was shown stays mounted
 * out of sight when the time ends, so that unsaved edits survive until it is confirmed again.
 */
export function ElevatedGate({ children }: { children: ReactNode }) {
  const me = useMe();
  const elevated = useElevatedUntil() !== null;
  const [entered, setEntered] = useState(elevated);
  useEffect(() => {
    if (elevated) setEntered(true);
  }, [elevated]);
  if (!hasRole(me, 'Admin')) return <RoleNeeded />;
  return (
    <>
      {!elevated && <ElevateForm again={entered} />}
      {(elevated || entered) && <div hidden={!elevated}>{children}</div>}
    </>
  );
}

function RoleNeeded() {
  return (
    <Empty icon="shield" title="You cannot manage servers">
      {`This needs the role Admin or above. You are ${useMe().role}. An Admin can change your role or make the change for you.`}
    </Empty>
  );
}
