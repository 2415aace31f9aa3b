import { randomBytes } from 'node:crypto';
import { lstat, readFile, rename, rm, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';

interface Link {
  source: string;
  target: string;
}

/** Creates the symbolic links that npm does not pack; npm may also block the install script that would create them. Without them no program loads. */
export async function makeLibraryLinks(packageDir: string): Promise<void> {
  const links = JSON.parse(await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8')) as Link[];
  await Promise.all(links.map((link) => makeLink(basename(link.source), join(packageDir, link.target))));
}

/** Creates a link under another name and renames it: of two starters at once, neither may see a missing link. */
async function makeLink(source: string, target: string): Promise<void> {
  // A link that cannot be read counts as missing: creating it then fails with the cause.
  if (await lstat(target).catch(() => null)) return;
  const draft = `${target}.${randomBytes(6).toString('hex')}`;
  try {
    await symlink(source, draft);
    await rename(draft, target);
  } finally {
    await rm(draft, { force: true });
  }
}
