import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { PackageRequest } from './package-unavailable-and-folders.js';
import { hasHashes, lockOfArchives, lockOfClosure, readLock, refuseOtherPin } from './python-environment.js';

const folder = mkdtempSync(join(tmpdir(), 'awp-lock-'));
afterAll(() => rmSync(folder, { recursive: true }));

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const request: PackageRequest = {
  registry: 'pypi',
  runtime: 'python',
  name: 'Acme.MCP',
  version: '1.0.0',
  integrity: `sha256-${createHash('sha256').update('own').digest('base64')}`,
  closure: null,
  runInstallScripts: false,
};
const own = `acme-mcp==1.0.0 --hash=sha256:${sha256('own')}`;

describe('the lock of a Python package', () => {
  it('names the closure with the hashes of all platforms, sorted', () => {
    const files = ['a', 'b'].map((text) => ({ filename: `${text}.whl`, sha256: sha256(text) }));
    const lock = lockOfClosure(request, [{ name: 'Zope_Interface', version: '7.0', files }]);
    const other = `zope-interface==7.0 --hash=sha256:${sha256('a')} --hash=sha256:${sha256('b')}`;
    expect(lock).toBe(`${own}\n${other}\n`);
    expect(readLock(lock)[1]).toMatchObject({ name: 'zope-interface', version: '7.0' });
  });

  it('is made from downloaded archives, wheels and sources', async () => {
    writeFileSync(join(folder, 'acme_mcp-1.0.0-py3-none-any.whl'), 'own');
    writeFileSync(join(folder, 'typing_extensions-4.1-py3-none-any.whl'), 'wheel');
    writeFileSync(join(folder, 'odd-name-2.0.tar.gz'), 'source');
    expect(await lockOfArchives(request, folder)).toBe(
      [
        own,
        `odd-name==2.0 --hash=sha256:${sha256('source')}`,
        `typing-extensions==4.1 --hash=sha256:${sha256('wheel')}\n`,
      ].join('\n'),
    );
  });

  it('is rejected if the archive of the package itself is another one', async () => {
    const other = { ...request, integrity: `sha256-${Buffer.alloc(32).toString('base64')}` };
    await expect(lockOfArchives(other, folder)).rejects.toThrow(/integrity differs/);
    expect(() => refuseOtherPin(other, `${own}\n`)).toThrow(/integrity differs/);
    expect(() => refuseOtherPin(request, `${own} --hash=sha256:${sha256('evil')}\n`)).toThrow(/differs/);
    expect(() => refuseOtherPin(request, `${own}\n`)).not.toThrow();
  });

  it('of an earlier release has no hashes', () => {
    expect(hasHashes('acme-dep==1.0.0\nacme-mcp==1.0.0\n')).toBe(false);
    expect(hasHashes(`${own}\n`)).toBe(true);
  });
});
