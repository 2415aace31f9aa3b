import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { transformSync } from '@swc/core';
import { aLink, anAgent, anIssue, aProject, type Issue } from '../../support/builders.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';

const service = useService();
const folder = mkdtempSync(join(tmpdir(), 'awp-examples-'));
const children: ChildProcess[] = [];
const compiled = join(folder, 'worker.mjs');
beforeAll(() => {
  // Node 20 does not run TypeScript.
  const { code } = transformSync(readFileSync('examples/worker.ts', 'utf8'), {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  });
  writeFileSync(compiled, code);
});
afterAll(() => {
  children.forEach((child) => child.kill('SIGKILL'));
  rmSync(folder, { recursive: true });
});

describe('the example workers', () => {
  it.each([
    ['TypeScript', 'examples/worker.ts', [process.execPath, compiled]],
    ['Python', 'examples/worker.py', ['python3', 'examples/worker.py']],
  ])('in %s resolves a chain of issues, and has at most 60 lines', async (_, file, [program, path]) => {
    expect(readFileSync(file, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(60);
    const agent = await anAgent(service.owner);
    const project = await aProject(service.owner);
    const issues: Issue[] = [];
    for (let count = 0; count < 3; count += 1)
      issues.push(await anIssue(service.owner, project, { assignedAgentId: agent.id }));
    await aLink(service.owner, issues[0]!, issues[1]!);
    await aLink(service.owner, issues[1]!, issues[2]!);
    const env = { PATH: process.env['PATH'], AWP_URL: service.baseUrl, AWP_KEY: agent.key };
    children.push(spawn(program!, [path!], { env, stdio: 'ignore' }));
    await until(async () => {
      const { body } = await service.owner.get<Issue[]>(`/api/projects/${project.id}/issues`);
      return body.every(({ status }) => status === 'Resolved');
    }, 110);
  });
});
