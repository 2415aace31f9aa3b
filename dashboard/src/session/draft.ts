import { useState } from 'react';
import { useMe } from './me';

/** What a person has typed and not sent, kept for this tab under their name. Never a password, key or credential. */
export interface Draft<Value> {
  value: Value;
  set: (value: Value) => void;
  /** Forgets it: it was sent, or is not wanted any more. */
  discard: () => void;
}

const PREFIX = 'draft';
const placeOf = (userId: string, form: string): string => `${PREFIX} ${userId} ${form}`;

/**
 * State of a form that outlives a change of screen, the end of the session and a reload of the tab. The person who signs in
 * afterwards finds it again, and no other person does.
 * @param form names the form and what it is about, such as `comment <issue id>`
 * @param start what the form begins with, and what counts as nothing typed
 */
export function useDraft<Value>(form: string, start: Value): Draft<Value> {
  const place = placeOf(useMe().id, form);
  const [held, setHeld] = useState(() => ({ place, value: stored(place, start) }));
  // The same form is about something else now.
  if (held.place !== place) setHeld({ place, value: stored(place, start) });
  const value = held.place === place ? held.value : stored(place, start);
  return {
    value,
    set: (next) => {
      setHeld({ place, value: next });
      const text = JSON.stringify(next);
      if (text === JSON.stringify(start)) sessionStorage.removeItem(place);
      else keep(place, text);
    },
    discard: () => {
      sessionStorage.removeItem(place);
      setHeld({ place, value: start });
    },
  };
}

/** Returns what the forms with this prefix are about, for those with a draft of the person. */
export function draftsOf(userId: string, prefix: string): string[] {
  const start = placeOf(userId, `${prefix} `);
  return Object.keys(sessionStorage)
    .filter((place) => place.startsWith(start))
    .map((place) => place.slice(start.length))
    .toSorted();
}

function stored<Value>(place: string, start: Value): Value {
  const text = sessionStorage.getItem(place);
  if (text === null) return start;
  try {
    return JSON.parse(text) as Value;
  } catch {
    return start; // Not written by this form.
  }
}

/** A full store keeps no draft; what is typed stays in the form. */
function keep(place: string, text: string): void {
  try {
    sessionStorage.setItem(place, text);
  } catch {
    sessionStorage.removeItem(place);
  }
}
