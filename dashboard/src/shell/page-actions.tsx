import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { type Action, useActions } from '../keyboard/use-actions';
import { HelpDialog } from '../keyboard/help-dialog';
import { useKeyboard } from '../keyboard/use-keyboard';
import { useEndSession } from '../session/me';
import { performToast, toastStore, useToasts } from '../parts/toasts';
import { toggleTheme } from '../theme/preferences';
import type { Destination } from './topbar';

const PALETTE = { name: 'Search and commands', icon: 'search', group: 'Page' } as const;

/** The actions that every screen has, with the keyboard, the palette and the help dialog that perform them. */
export function PageActions({
  destinations,
  extra = [],
  palette,
}: {
  destinations: readonly Destination[];
  extra?: readonly Action[];
  palette: (open: boolean, onClose: () => void) => ReactNode;
}) {
  const [open, setOpen] = useState<'palette' | 'help' | null>(null);
  const navigate = useNavigate();
  const endSession = useEndSession();
  const show = (dialog: 'palette' | 'help') => setOpen((now) => (now === dialog ? null : dialog));
  const toasts = useToasts();
  const offer = toasts.findLast(({ action }) => action !== undefined);
  useKeyboard();
  useActions(
    [
      ...destinations.map((destination) => goTo(destination, (to) => void navigate({ to }))),
      ...extra,
      // Two keys open the same palette.
      { ...PALETTE, id: 'palette', shortcut: 'Mod+k', perform: () => show('palette') },
      { ...PALETTE, id: 'search', shortcut: '/', perform: () => show('palette') },
      {
        id: 'help',
        name: 'Keyboard shortcuts',
        icon: 'info',
        group: 'Page',
        shortcut: '?',
        perform: () => show('help'),
      },
      {
        id: 'dismiss',
        name: 'Dismiss the messages',
        icon: 'close',
        group: 'Page',
        words: 'toasts notifications',
        available: toasts.length > 0,
        perform: toastStore.dismissAll,
      },
      {
        // What the latest message offers: to take a change back, or to open what was created.
        id: 'offer',
        name: `${offer?.action?.label ?? ''}: ${offer?.title ?? ''}`,
        icon: 'back',
        group: 'Page',
        shortcut: 'z',
        available: offer !== undefined,
        perform: () => offer && performToast(offer),
      },
      {
        id: 'theme',
        name: 'Switch between light and dark',
        icon: 'theme',
        group: 'Page',
        words: 'theme',
        perform: toggleTheme,
      },
      {
        id: 'sign-out',
        name: 'Sign out',
        icon: 'back',
        group: 'Page',
        words: 'log out',
        perform: () => endSession.mutate(),
      },
    ],
    'page',
  );
  return (
    <>
      {palette(open === 'palette', () => setOpen(null))}
      <HelpDialog open={open === 'help'} onClose={() => setOpen(null)} />
    </>
  );
}

function goTo({ to, label, icon, shortcut }: Destination, go: (to: string) => void): Action {
  return {
    id: `go ${to}`,
    name: `Go to ${label}`,
    icon,
    group: 'Go to',
    ...(shortcut === undefined ? {} : { shortcut }),
    perform: () => go(to),
  };
}
