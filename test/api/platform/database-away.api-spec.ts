import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aProject, anIssue, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asEditor } from '../../support/callers.js';
import { DatabaseProxy } from '../../support/database-proxy.js';
import { Following } from '../../support/following.js';
import { refused } from '../../support/refusal.js';
import { startService, type Service } from '../../support/service.js';
import { until } from '../../support/until.js';

const ROUNDS = process.env['TEST_SIZE'] === 'full' ? 20 : 4;
/** The contract says 5 s; a busy machine may take longer to notice. */
const WITHIN_MS = 9_000;

describe('a database that goes away', () => {
  let first: Service;
  let service: Service;
  let proxy: DatabaseProxy;
  let editor: Caller;
  let project: Project;
  let reader: Following;
  beforeAll(async () => {
    first = await startService();
    proxy = await DatabaseProxy.before(first.databaseUrl);
    service = await first.second({ DATABASE_URL: proxy.url });
    editor = (await asEditor(first)).at(service);
    project = await aProject(editor);
    reader = await Following.begin(editor);
  });
  afterAll(async () => {
    await reader?.stop();
    await first?.remove();
    await proxy?.stop();
  });

  it(
    'stopped or out of reach, is a 503 that says when to try again; the process lives, and is ready by itself',
    async () => {
      const { pid } = service;
      const made: string[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        made.push((await anIssue(editor, project)).id);
        if (round % 2) await proxy.stop();
        else proxy.swallow();
        const begun = Date.now();
        const answers = await Promise.all(
          [1, 2, 3].map(() => editor.post<Issue>(`/api/projects/${project.id}/issues`, { title: 'unsure' })),
        );
        expect(Date.now() - begun).toBeLessThan(WITHIN_MS);
        for (const answer of answers)
          expect(answer).toMatchObject({
            ...refused(503, 'unavailable'),
            headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
          });
        expect((await editor.get('/livez')).status).toBe(200);
        await proxy.giveBack();
        await until(async () => (await editor.get('/readyz')).status === 200, 20);
        expect((await editor.get(`/api/projects/issues/${made.at(-1)!}`)).status).toBe(200);
      }
      expect(service.pid).toBe(pid);
      await until(() => made.every((id) => reader.subjectsOf('issue.created').includes(id)));
      expect(new Set(reader.events.map(({ id }) => id)).size).toBe(reader.events.length);
    },
    60_000 + ROUNDS * 20_000,
  );
});
