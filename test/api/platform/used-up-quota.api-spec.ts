import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { anIssue, aProject, type Issue } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asEditor } from '../../support/callers.js';
import { refused } from '../../support/refusal.js';
import { startService, type Service } from '../../support/service.js';
import { attachmentsOf, file, form } from '../work/attachments.forms.js';

let folder = '';
let marker = '';
let service: Service;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awp-quota-'));
  marker = join(folder, 'used-up');
  const planted = pathToFileURL(resolve(import.meta.dirname, '../../support/used-up-quota.mjs'));
  service = await startService({
    ownProcess: true,
    settings: { NODE_OPTIONS: `--import=${planted.href}`, QUOTA_USED_UP: marker },
  });
});
afterAll(async () => {
  await service?.remove();
  await rm(folder, { recursive: true, force: true });
});

it('a quota that is used up counts as a full disk: uploads and readiness say so until it is raised', async () => {
  const editor = await asEditor(service);
  const issue = await anIssue(editor, await aProject(editor));
  expect((await upload(editor, issue)).status).toBe(201);
  await writeFile(marker, '');
  expect(await upload(editor, issue)).toMatchObject(refused(503, 'storage_full'));
  const notReady = await editor.get('/readyz');
  expect(notReady).toMatchObject({ status: 503, body: { checks: { dataFolder: 'full' } } });
  await rm(marker);
  expect((await editor.get('/readyz')).status).toBe(200);
  expect((await upload(editor, issue)).status).toBe(201);
});

function upload(editor: Caller, issue: Issue) {
  return editor.unchecked().request('POST', attachmentsOf(issue), form(file('text')));
}
