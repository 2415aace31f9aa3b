import { randomBytes } from 'node:crypto';
import { lstat, readFile, rename, rm, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';

interface Link {
  source: string;
  target: string;
}

/** npm packs no symbolic links, and may block the install script that would make them: without, nothing loads. */
export async function makeLibraryLinks(packageDir: string): Promise<void> {
  const links = JSON.parse(await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8')) as Link[];
  await Promise.all(links.map((link) => makeLink(basename(link.source), join(packageDir, link.target))));
}

/** Made aside and renamed: two starters at once must never see a missing link between them. */
async function makeLink(source: string, target: string): Promise<void> {
  if (await lstat(target).catch(() => null)) return;
  const draft = `${target}.${randomBytes(6).toString('hex')}`;
  try {
    await symlink(source, draft);
    await rename(draft, target);
  } finally {
    await rm(draft, { force: true });
  }
}
