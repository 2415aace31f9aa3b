import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { checkEnvironment, linkPrograms } from './python-environment.js';

const folder = mkdtempSync(join(tmpdir(), 'awp-venv-'));
afterAll(() => rmSync(folder, { recursive: true }));

const packages = join(folder, 'venv', 'lib', 'python3.12', 'site-packages');
function installs(name: string, version: string, programs = ''): void {
  const info = join(packages, `${name.replace('-', '_')}-${version}.dist-info`);
  mkdirSync(info, { recursive: true });
  const description = 'Name: not-this-one';
  writeFileSync(
    join(info, 'METADATA'),
    `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n\n${description}\n`,
  );
  if (programs) writeFileSync(join(info, 'entry_points.txt'), programs);
}
installs(
  'Acme-Mcp',
  '1.0.0',
  '[console_scripts]\nacme-mcp = acme:main\nlost = acme:lost\n\n[other]\nx = y\n',
);
installs('pip', '24.0');
mkdirSync(join(folder, 'venv', 'bin'));
for (const program of ['acme-mcp', 'x', 'python']) writeFileSync(join(folder, 'venv', 'bin', program), '');
const check = (lock: string) => checkEnvironment(join(folder, 'venv'), lock);

describe('checkEnvironment', () => {
  it('accepts what the lock names, beside what venv itself installs', async () => {
    await check('acme-mcp==1.0.0 --hash=sha256:00\n');
  });

  it.each([
    ['another version', 'acme-mcp==1.0.1\n', /acme-mcp/],
    ['a missing package', 'acme-mcp==1.0.0\nother==1\n', /other/],
    ['a package that the lock does not name', 'pip==24.0\n', /Acme-Mcp/],
  ])('rejects %s', async (_, lock, message) => {
    await expect(check(lock)).rejects.toThrow(message);
  });
});

describe('linkPrograms', () => {
  it('links the console scripts of the package that exist, and no other program', async () => {
    await linkPrograms(join(folder, 'venv'), 'acme_mcp', join(folder, 'bin'));
    expect(readdirSync(join(folder, 'bin'))).toEqual(['acme-mcp']);
    expect(readlinkSync(join(folder, 'bin', 'acme-mcp'))).toBe('../venv/bin/acme-mcp');
  });
});
