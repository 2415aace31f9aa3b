import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { aComment, aLabel, aLink, anIssue, aProject } from '../../../support/builders.js';
import { asAdmin } from '../../../support/callers.js';
import { commandNamed, runAlone } from '../../../support/commands.js';
import { useService } from '../../../support/service.js';
import { canonical, exported, filesOf } from './import-requests.js';

const service = useService();

it('export writes a whole file or none, and import prints what could not be taken over', async () => {
  const admin = await asAdmin(service);
  const source = await aProject(admin);
  await aLabel(admin, source);
  const [one, two] = [await anIssue(admin, source), await anIssue(admin, source)];
  await aLink(admin, one, two);
  await aComment(admin, one);
  const folder = await mkdtemp(join(tmpdir(), 'awp-import-'));
  const settings = { BASE_URL: service.baseUrl, API_KEY: admin.key! };
  const run = (name: string, ...args: string[]) => runAlone(commandNamed(name), args, settings);
  const file = join(folder, 'project.ndjson');
  expect(await run('export', source.key, file)).toMatchObject({
    code: 0,
    stdout: `Wrote 7 lines to ${file}.\n`,
  });
  expect(canonical(await readFile(file, 'utf8'))).toEqual(canonical(await exported(admin, source)));
  const archive = join(folder, 'project.tar');
  expect(await run('export', '--attachments', source.key, archive)).toMatchObject({ code: 0 });
  expect([...(await filesOf(await readFile(archive))).keys()]).toEqual(['export.ndjson', 'end.json']);
  const copy = await aProject(admin);
  expect(await run('import', copy.key, file)).toEqual({
    code: 0,
    stdout: 'The import is completed. Created 5, updated 0, left out 0.\n',
    stderr: '',
  });
  expect(await run('import', copy.key, archive)).toMatchObject({
    code: 0,
    stdout: 'The import is completed. Created 0, updated 0, left out 0.\n',
  });
  await writeFile(
    file,
    [
      { kind: 'project', format: 'agent-work-platform', version: 1 },
      { kind: 'issue', externalId: 'a', title: 'a', status: 'Open', assignee: 'No One' },
      { kind: 'link', linkType: 'Blocks', source: 'a', target: 'b' },
      { kind: 'end' },
    ]
      .map((line) => JSON.stringify(line))
      .join('\n'),
  );
  const { code, stdout } = await run('import', copy.key, file);
  expect([code, stdout.split('\n')]).toEqual([
    0,
    [
      'The import is completed. Created 1, updated 0, left out 1.',
      'No place for: assignee No One (1 times)',
      'line 3: Blocks from a to b left out: "b" is not in this project',
      '',
    ],
  ]);
  await writeFile(file, 'nothing');
  expect(await run('import', copy.key, file)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('failed'),
  });
  expect(await run('export', 'NOSUCH', join(folder, 'none'))).toMatchObject({ code: 78 });
  expect(await run('import', copy.key)).toMatchObject({ code: 64 });
  expect((await readdir(folder)).toSorted()).toEqual(['project.ndjson', 'project.tar']);
  await rm(folder, { recursive: true });
});
