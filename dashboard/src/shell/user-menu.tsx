import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Menu } from '../parts/menu';
import { useEndSession } from '../session/end-session';
import type { Destination } from './destination';

/** What belongs to the signed-in person. On a phone it also leads to what the bar at the foot has no room for. */
export function UserMenu({ trigger, more = [] }: { trigger: ReactElement; more?: readonly Destination[] }) {
  const navigate = useNavigate();
  const endSession = useEndSession();
  const places = more.map(({ to, label, icon }) => ({
    id: to,
    label,
    icon,
    onSelect: () => void navigate({ to }),
  }));
  return (
    <Menu
      label="You"
      trigger={trigger}
      items={[
        ...places,
        { id: 'profile', label: 'Profile', icon: 'user', onSelect: () => void navigate({ to: '/settings' }) },
        {
          id: 'keys',
          label: 'Your API keys',
          icon: 'access',
          onSelect: () => void navigate({ to: '/settings/keys' }),
        },
        { id: 'sign-out', label: 'Sign out', icon: 'back', onSelect: () => endSession.mutate() },
      ]}
    />
  );
}
