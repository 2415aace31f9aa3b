import type { Project } from '../api/types';

const KEY = 'awp.project';

/** The project that a person last looked at, or the first; null when there is none. */
export function lastProject(projects: readonly Project[]): string | null {
  const kept = localStorage.getItem(KEY);
  return projects.find(({ key }) => key === kept)?.key ?? projects[0]?.key ?? null;
}

export function rememberProject(key: string): void {
  localStorage.setItem(KEY, key);
}
