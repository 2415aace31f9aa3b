import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Service } from '../support/service.js';
import { codeBlock, printedBlock, runShell, shapeOf, shellBlock } from '../support/shell-blocks.js';

/** The commands of the pages for operators, in their order, on one service. Those of a backup are in backup.api-spec.ts. */
const OPERATIONS = 'docs/operations.md';
const CATALOGUE = 'docs/catalogue.md';
const root = join(import.meta.dirname, '../..');

let folder = '';
let service: Service;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awp-docs-'));
  await writeFile(join(folder, 'acme.json'), codeBlock(CATALOGUE, 'example: acme.json', 'json'));
  service = new Service({ settings: { CATALOG_DIRS: folder } });
  await service.start();
  const hook = { url: 'https://hooks.example.com/x', eventTypes: ['issue.created'] };
  expect((await service.owner.post('/api/webhooks', hook)).status).toBe(201);
});
afterAll(async () => {
  await service?.remove();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a block in a folder, with the settings of the service. */
const run = (page: string, name: string, where = root) =>
  runShell(`cd '${where}'\n${shellBlock(page, name)}`, {
    DATABASE_URL: service.databaseUrl,
    DATA_DIR: service.dataDir,
    // As on a host with two processors, whichever this one has.
    PROCESSES: '2',
    PORT: new URL(service.baseUrl).port,
    URL: service.baseUrl,
    KEY: service.ownerKey,
  });

/** These lines differ from host to host: what is installed there, and the network. */
const OF_HOST = /^\w+ +(runtimes|sandbox|registry) |^ +-> install /;

describe('docs/operations.md', () => {
  it('shows what npm run doctor prints', async () => {
    const lines = (text: string) => shapeOf(text).filter((line) => !OF_HOST.test(line));
    expect(lines(await run(OPERATIONS, 'doctor'))).toEqual(lines(printedBlock(OPERATIONS, 'doctor')));
  });

  it('shows what the probes return', async () => {
    const { checks } = (await service.owner.get<{ checks: { sandbox: string } }>('/readyz')).body;
    const shown = printedBlock(OPERATIONS, 'health').replace('bubblewrap', checks.sandbox);
    expect(shapeOf(await run(OPERATIONS, 'health'))).toEqual(shapeOf(shown));
  });

  it('replaces a key beside the running service, and retires the old one when it is stopped', async () => {
    const shown = shapeOf(printedBlock(OPERATIONS, 'rotate'));
    expect(shapeOf(await run(OPERATIONS, 'rotate'))).toEqual(shown);
    await service.stop();
    expect(shapeOf(await run(OPERATIONS, 'retire'))).toEqual(shapeOf(printedBlock(OPERATIONS, 'retire')));
    await service.start();
  });
});

it('docs/catalogue.md checks an entry and reads it, with the schema beside it', async () => {
  expect(shapeOf(await run(CATALOGUE, 'check and reload', folder))).toEqual(
    shapeOf(printedBlock(CATALOGUE, 'check and reload')),
  );
  expect(JSON.parse(await readFile(join(folder, 'schema.json'), 'utf8'))).toHaveProperty('$defs');
  expect((await service.owner.get('/api/mcp/catalog/acme')).status).toBe(200);
});

it('docs/security.md writes a bill of materials with licences', async () => {
  const commands = shellBlock('docs/security.md', 'sbom').replace('sbom.json', `'${folder}/sbom.json'`);
  await runShell(`cd '${root}'\n${commands}`, {});
  const { components } = JSON.parse(await readFile(join(folder, 'sbom.json'), 'utf8')) as {
    components: { name: string; licenses?: object[] }[];
  };
  expect(components.find(({ name }) => name === '@nestjs/mapped-types')).toMatchObject({
    licenses: [expect.anything()],
  });
  expect(components.length).toBeGreaterThan(100);
});
