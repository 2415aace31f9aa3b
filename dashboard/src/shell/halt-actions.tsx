import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useActions } from '../keyboard/use-actions';
import { haltQuery } from '../session/halt/halt';
import { GoOnDialog, HaltDialog } from '../session/halt/halt-button';
import { useMe } from '../session/me';
import { hasRole } from '../session/roles';

/** The halt of all agents and its end, from every screen; for Admins. */
export function HaltActions() {
  const admin = hasRole(useMe(), 'Admin');
  const halted = useQuery(haltQuery).data?.halted ?? false;
  const [asking, setAsking] = useState<'halt' | 'go-on' | null>(null);
  const close = () => setAsking(null);
  useActions(
    [
      {
        id: 'halt',
        name: 'Halt all agents',
        icon: 'pause',
        group: 'Agents',
        words: 'stop pause emergency brake',
        available: admin && !halted,
        perform: () => setAsking('halt'),
      },
      {
        id: 'go-on',
        name: 'Let agents go on',
        icon: 'progress',
        group: 'Agents',
        words: 'end the halt resume continue start all',
        available: admin && halted,
        perform: () => setAsking('go-on'),
      },
    ],
    'page',
  );
  if (asking === 'halt') return <HaltDialog onClose={close} />;
  return asking === 'go-on' ? <GoOnDialog onClose={close} /> : null;
}
