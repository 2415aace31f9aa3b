import type { ReactNode } from 'react';
import type { Role } from '../api/types';
import { Notice } from '../parts/notice';
import { hasRole, useMe } from './me';

interface NeedsRoleProps {
  role: Role;
  /** What the screen would show or do, after "You cannot": "see what happened". */
  to: string;
  children: ReactNode;
}

/** Shows its content to those whose role suffices, and to everyone else which role is needed, without a request. */
export function NeedsRole({ role, to, children }: NeedsRoleProps) {
  const me = useMe();
  if (hasRole(me, role)) return children;
  return (
    <Notice title={`You cannot ${to}`}>
      <p>
        This needs the role {role} or above. You are {me.role ?? 'signed in as an agent'}.
      </p>
    </Notice>
  );
}
