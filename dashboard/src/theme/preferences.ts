/** What a person chose for this browser. Kept in localStorage, applied as attributes of the root element. */
export type Theme = 'system' | 'light' | 'dark';
export type Density = 'comfortable' | 'compact';

/** Not when it is loaded: a test without a page loads it too. */
const root = () => document.documentElement;

export function currentTheme(): Theme {
  const theme = root().dataset['theme'];
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

export function setTheme(theme: Theme): void {
  keep('awp.theme', theme === 'system' ? null : theme);
  if (theme === 'system') delete root().dataset['theme'];
  else root().dataset['theme'] = theme;
}

/** Switches between light and dark, starting from what is shown now. */
export function toggleTheme(): void {
  const theme = currentTheme();
  const dark = theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
  setTheme(dark ? 'light' : 'dark');
}

export function currentDensity(): Density {
  return root().dataset['density'] === 'compact' ? 'compact' : 'comfortable';
}

export function setDensity(density: Density): void {
  keep('awp.density', density === 'compact' ? density : null);
  if (density === 'compact') root().dataset['density'] = density;
  else delete root().dataset['density'];
}

/** Whether single-key shortcuts are on (WCAG 2.1.4). */
export function singleKeysOn(): boolean {
  return localStorage.getItem('awp.keys') !== 'off';
}

export function setSingleKeys(on: boolean): void {
  keep('awp.keys', on ? null : 'off');
}

function keep(key: string, value: string | null): void {
  if (value === null) localStorage.removeItem(key);
  else localStorage.setItem(key, value);
}
