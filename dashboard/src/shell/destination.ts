import type { Project } from '../api/types';
import type { IconName } from '../parts/icon';

const KEY = 'awp.project';

/** The project that a person last looked at, or the first; null when there is none. */
export function lastProject(projects: readonly Project[]): string | null {
  const kept = localStorage.getItem(KEY);
  return projects.find(({ key }) => key === kept)?.key ?? projects[0]?.key ?? null;
}

export function rememberProject(key: string): void {
  localStorage.setItem(KEY, key);
}

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
