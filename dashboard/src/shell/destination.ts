import type { IconName } from '../parts/icon';

/** One place of the rail; the same entry makes the action "Go to …" with its shortcut. */
export interface Destination {
  to: string;
  label: string;
  icon: IconName;
  /** What waits there for the person. */
  count?: number | undefined;
  /** Left out of the bar at the foot of a phone; the menu of the person holds it there. */
  wide?: boolean;
  /** Whether an address below another path belongs to it as well. */
  covers?: (pathname: string) => boolean;
  /** A sequence such as `g b`. */
  shortcut?: string;
}
