import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { Issue } from '../support/builders.js';
import { useService } from '../support/service.js';
import { runShell, shellBlock } from '../support/shell-blocks.js';

const service = useService();
const PARTS = [
  'check the key',
  'create work',
  'do the work',
  'split an issue',
  'split work',
  'read lists',
  'change',
  'labels',
  'schedules',
  'files',
  'move',
  'events',
];

it('leads from a key to a finished issue with the commands of docs/api-guide.md, in their order', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'awp-guide-'));
  const commands = PARTS.map((part) => shellBlock('docs/api-guide.md', part)).join('\n');
  const place = { URL: service.baseUrl, KEY: service.ownerKey };
  await runShell(`cd '${folder}'\n${commands}`, place);
  const again = runShell(`cd '${folder}'\n${commands}`, place);
  await expect(again).rejects.toMatchObject({
    code: 22,
    stdout: expect.stringContaining('"code":"name_taken"'),
  });
  await rm(folder, { recursive: true });
  const issues = (await service.owner.get<Issue[]>('/api/projects/GUIDE/issues?sort=createdAt')).body;
  expect(issues.map(({ key, status, priority }) => ({ key, status, priority }))).toEqual([
    { key: 'GUIDE-1', status: 'Resolved', priority: 'none' },
    { key: 'GUIDE-2', status: 'WaitingOnDependency', priority: 'high' },
    { key: 'GUIDE-3', status: 'Open', priority: 'none' },
    { key: 'GUIDE-4', status: 'Open', priority: 'none' },
    { key: 'GUIDE-5', status: 'WaitingOnDependency', priority: 'none' },
    { key: 'GUIDE-6', status: 'WaitingOnDependency', priority: 'none' },
  ]);
  const schedules = await service.owner.get<object[]>('/api/projects/GUIDE/schedules');
  expect(schedules.body).toMatchObject([{ name: 'Weekly notes', nextAt: expect.any(String) }]);
  const files = await service.owner.get<{ filename: string }[]>('/api/projects/issues/GUIDE-2/attachments');
  expect(files.body).toMatchObject([{ filename: 'notes.txt' }]);
  expect((await service.owner.get<object[]>('/api/webhooks')).body).toHaveLength(1);
});
