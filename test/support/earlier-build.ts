import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const LOCK = 'package-lock.json';

/** A version of migrations/versions.json. */
export interface EarlierVersion {
  version: string;
  commit: string;
}

/** Returns why a commit cannot be built here, or null: a shallow clone and an archive do not have it. */
export function missingCommit(commit: string): string | null {
  try {
    git('cat-file', '-e', `${commit}^{commit}`);
    return null;
  } catch {
    return `git has no commit ${commit} here`;
  }
}

/**
 * An earlier version of the service, built from its commit in a temporary folder, in about a minute. It uses the packages of
 * this checkout where its lock file names the same ones, and installs its own otherwise.
 */
export class EarlierBuild {
  private constructor(private readonly folder: string) {}

  static make({ commit }: EarlierVersion): EarlierBuild {
    const build = new EarlierBuild(mkdtempSync(join(tmpdir(), 'awp-earlier-')));
    try {
      build.checkOut(commit);
      build.addPackages(commit);
      build.compile();
      return build;
    } catch (error) {
      build.remove();
      throw error;
    }
  }

  get main(): string {
    return join(this.folder, 'dist/src/main.js');
  }

  /** Whether a text is in the sources of this build. */
  has(text: string): boolean {
    return spawnSync('grep', ['-rqF', '-e', text, join(this.folder, 'src')]).status === 0;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private checkOut(commit: string): void {
    execFileSync('tar', ['-x', '-C', this.folder], { input: git('archive', commit) });
  }

  private addPackages(commit: string): void {
    const [own, present] = [
      git('show', `${commit}:${LOCK}`).toString(),
      readFileSync(join(ROOT, LOCK), 'utf8'),
    ];
    if (packagesOf(own) === packagesOf(present))
      symlinkSync(join(ROOT, 'node_modules'), join(this.folder, 'node_modules'));
    else execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: this.folder });
  }

  /** Calls the build itself: `npm run setup` would install packages, here into the folder of this checkout. */
  private compile(): void {
    const script = `const { build } = await import(${JSON.stringify(join(this.folder, 'scripts/build.mjs'))}); await build();`;
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: this.folder });
    if (!existsSync(this.main)) throw new Error(`The build made no ${this.main}.`);
  }
}

/** Returns what a lock file installs, without what it says of the service itself. */
function packagesOf(text: string): string {
  const { packages } = JSON.parse(text) as { packages: Record<string, unknown> };
  return JSON.stringify(Object.entries(packages).filter(([path]) => path !== ''));
}

function git(...parameters: string[]): Buffer {
  return execFileSync('git', parameters, {
    cwd: ROOT,
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}
