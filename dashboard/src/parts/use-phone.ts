import { useSyncExternalStore } from 'react';

const narrow = '(max-width: 640px)';

/** Whether the window is as narrow as a phone, where the order of a screen's parts is another one. */
export function usePhone(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = matchMedia(narrow);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => matchMedia(narrow).matches,
  );
}
