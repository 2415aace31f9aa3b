import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { run } from '../../support/backup-commands.js';

const CATALOG = resolve(import.meta.dirname, '../../../scripts/catalog.mjs');
const SERVERS = resolve(import.meta.dirname, '../../support/mcp-servers');
const folder = mkdtempSync(join(tmpdir(), 'awp-entries-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const server = `import { serve, text } from '${SERVERS}/minimal-server.mjs';
if (!process.env.GREETING) throw new Error('GREETING is required');
serve({ calls: { greet: () => text('hello') } });`;
writeFileSync(join(folder, 'server.mjs'), server);
const entry = {
  id: 'own',
  name: 'Own',
  description: 'A server of this host.',
  category: 'dev',
  transport: 'stdio',
  runtime: 'node',
  version: '1',
  manifest: {
    package: { registry: 'none' },
    launch: { command: 'node', args: [join(folder, 'server.mjs')], cwd: SERVERS },
  },
  environmentVariables: [{ name: 'GREETING', description: 'A word.', isRequired: true, isSecret: false }],
};
const check = (text: string, ...values: string[]) => {
  const file = join(folder, 'own.json');
  writeFileSync(file, text);
  return run(CATALOG, ['check', file, ...values], {});
};
const pretty = (changes: object = {}) => JSON.stringify({ ...entry, ...changes }, null, 2);

describe('npm run catalog -- check', () => {
  it('names line and field of each error, in their order', async () => {
    const { launch, ...manifest } = entry.manifest;
    const wrong = {
      id: 'other',
      category: 'odd',
      manifest: { ...manifest, launch: { ...launch, command: 7 } },
    };
    const { code, said } = await check(pretty(wrong));
    expect(code).toBe(78);
    expect(said).toMatch(
      /own\.json:5: category must be one of.*\n.*own\.json:14: manifest\.launch\.command must be string/,
    );
    expect((await check(pretty({ id: 'other' }))).said).toMatch(
      /own\.json:2: id is 'other', so the file must be named/,
    );
    expect(await check('{\n  "id": "own"\n  "name": 1\n}')).toEqual({
      code: 78,
      said: expect.stringMatching(/own\.json:3: is not JSON: a comma is missing here/),
    });
  });

  it('names members that are there twice, of which a person may have read the first', async () => {
    const twice = pretty()
      .replace('"cwd":', '"command": "node",\n      "cwd":')
      .replace('"name": "Own"', '"name": "Own",\n  "name": "X"');
    const { code, said } = await check(twice);
    expect(code).toBe(78);
    expect(said).toMatch(/own\.json:4: name is there twice\n.*: manifest\.launch\.command is there twice/);
  });

  it('refuses a file that nests deeper than any entry', async () => {
    expect(await check(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`)).toEqual({
      code: 78,
      said: expect.stringContaining('nested too deep'),
    });
  });

  it('installs and verifies a valid entry on a service of its own', async () => {
    const { code, said } = await check(pretty(), 'GREETING=hi');
    expect([code, said]).toEqual([
      0,
      expect.stringMatching(/handshake +ok.*Tools: greet\nThe server answered/s),
    ]);
  });

  it('says why a server does not work, and what helps', async () => {
    const { launch, ...manifest } = entry.manifest;
    const hidden = pretty({ manifest: { ...manifest, launch: { ...launch, cwd: null } } });
    const { code, said } = await check(hidden, 'GREETING=hi');
    expect([code, said]).toEqual([
      1,
      expect.stringMatching(/handshake +failed.*Cannot find module.*launch\.cwd/s),
    ]);
    expect(await check(pretty())).toEqual({ code: 78, said: expect.stringContaining('as in GREETING=test') });
    expect((await check(pretty(), 'GREETING=hi', 'GRETING=hi')).said).toContain('no variable GRETING');
  });

  it('prints how it is used', async () => {
    expect(await run(CATALOG, ['check'], {})).toEqual({
      code: 64,
      said: expect.stringContaining('NAME=VALUE'),
    });
  });
});
