import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aLink, anIssue, aProject, type Issue } from '../../support/builders.js';
import { registryReach } from '../../support/registry-reach.js';
import { ScriptedModel } from '../../support/scripted-model.js';
import { useService } from '../../support/service.js';
import { shellBlock } from '../../support/shell-blocks.js';
import { until } from '../../support/until.js';
import { answer, type Gate } from '../work/gates/gate-requests.js';

const AGENT = '@agentclientprotocol/claude-agent-acp@0.100.0';
const ROOT = resolve(import.meta.dirname, '../../..');
// It installs 250 MB: only in the long form, and where AWP_REAL_AGENTS names a folder that has it.
const installed = process.env['AWP_REAL_AGENTS'];
const isAsked = process.env['TEST_SIZE'] === 'full' || installed !== undefined;
const service = useService();
const folder = mkdtempSync(join(tmpdir(), 'awp-real-'));
let model: ScriptedModel;
let pid: number | undefined;

beforeAll(async () => {
  model = await ScriptedModel.start();
});
afterAll(() => {
  model.close();
  if (pid) process.kill(-pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

describe('a real agent with a scripted model', () => {
  (isAsked ? it : it.skip)(
    'resolves three linked issues by the commands of docs/runner.md, and a person allows its tools',
    async () => {
      const agents = installed ?? folder;
      const options = ['--no-audit', '--no-fund', '--silent', '--prefix', folder];
      if (!installed)
        execFileSync('npm', ['install', ...options, AGENT], { env: { ...process.env, ...registryReach() } });
      const { PATH = '' } = process.env;
      const env = {
        ...{ PATH: `${join(agents, 'node_modules/.bin')}:${PATH}`, HOME: folder, ROOT },
        ...{ AWP_URL: service.baseUrl, AWP_ADMIN_KEY: service.ownerKey },
        ...{ ANTHROPIC_API_KEY: 'sk-no-key', ANTHROPIC_BASE_URL: model.url },
      };
      // The commands run in a folder of their own, and npm in that of the project.
      const commands = `npm() { command npm --prefix "$ROOT" "$@"; }\n${shellBlock('docs/runner.md', 'start')}`;
      const child = spawn('bash', ['-euo', 'pipefail', '-c', commands], { cwd: folder, env, detached: true });
      pid = child.pid;
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => (output += text));
      await until(() => output.includes('works for writer') || child.exitCode !== null, 300);
      expect(output).toContain('works for writer');
      expect(output).not.toContain('FAIL');
      const issues = await threeIssues();
      try {
        await until(async () => {
          await allowAll();
          return (await statuses(issues)).every((status) => status === 'Resolved');
        }, 600);
      } catch (error) {
        throw new Error(`${(await statuses(issues)).join(' ')}\n${output}`, { cause: error });
      }
      for (const { id } of issues) {
        const { body } = await service.owner.get<{ content: string }[]>(
          `/api/projects/issues/${id}/comments`,
        );
        expect(body.map(({ content }) => content)).toEqual([
          'From the model.',
          expect.stringMatching(/^I have commented\.[^]*The agent ended its turn/),
        ]);
      }
    },
    900_000,
  );
});

async function threeIssues(): Promise<Issue[]> {
  const { body } = await service.owner.get<{ id: string; name: string }[]>('/api/agents');
  const assignedAgentId = body.find(({ name }) => name === 'writer')!.id;
  const project = await aProject(service.owner);
  const issues: Issue[] = [];
  for (let count = 0; count < 3; count += 1)
    issues.push(await anIssue(service.owner, project, { description: 'Comment on this issue.' }));
  await aLink(service.owner, issues[0]!, issues[1]!);
  await aLink(service.owner, issues[1]!, issues[2]!);
  for (const { id } of issues) await service.owner.put(`/api/projects/issues/${id}`, { assignedAgentId });
  return issues;
}

async function allowAll(): Promise<void> {
  const { body } = await service.owner.get<Gate[]>('/api/projects/gates?state=open');
  for (const gate of body) {
    const option = gate.options.find((one) => /^Allow$|^Yes/i.test(one)) ?? gate.options[0];
    await answer(service.owner, gate, { option });
  }
}

async function statuses(issues: Issue[]): Promise<string[]> {
  const answers = await Promise.all(
    issues.map(({ id }) => service.owner.get<Issue>(`/api/projects/issues/${id}`)),
  );
  return answers.map(({ body }) => body.status);
}
