import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The dashboard as `scripts/build-dashboard.mjs` leaves it, beside the service's own build. */
export const DASHBOARD_FOLDER = join(import.meta.dirname, '../../../../dashboard/dist');

/**
 * The files of the built dashboard, listed again whenever another build is put in place: the one that a first start
 * makes in the background, or the one that replaces a stale one while the service runs.
 */
export class DashboardBuild {
  private paths: ReadonlySet<string> | null = null;
  private builtAt: number | null = null;

  constructor(readonly folder: string) {}

  /** Returns paths such as `/assets/index-1a2b.js`; null while there is no build. */
  files(): ReadonlySet<string> | null {
    const builtAt = statSync(join(this.folder, 'index.html'), { throwIfNoEntry: false })?.mtimeMs ?? null;
    if (builtAt !== this.builtAt) {
      this.paths = builtAt === null ? null : filesIn(this.folder);
      this.builtAt = builtAt;
    }
    return this.paths;
  }
}

function filesIn(folder: string): ReadonlySet<string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Set(entries.map((entry) => `/${relative(folder, join(entry.parentPath, entry.name))}`));
}
