import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { registryReach } from '../../support/registry-reach.js';
import { RunnerWorld } from '../../support/runner-world.js';
import { ScriptedModel } from '../../support/scripted-model.js';
import { useService, type Service } from '../../support/service.js';
import { until } from '../../support/until.js';
import { answer, type Gate } from '../work/gates/gate-requests.js';

const PACKAGES = [
  '@zed-industries/claude-code-acp@0.16.2',
  '@zed-industries/codex-acp@0.16.0',
  '@google/gemini-cli@0.61.0',
  'opencode-ai@1.18.33',
];
// They take 1 GB: only in the long form, and where AWP_REAL_AGENTS names a folder that has them.
const installed = process.env['AWP_REAL_AGENTS'];
const isAsked = process.env['TEST_SIZE'] === 'full' || installed !== undefined;
const service = useService();
const folder = mkdtempSync(join(tmpdir(), 'awp-others-'));
const bin = join(installed ?? folder, 'node_modules/.bin');
let model: ScriptedModel;
beforeAll(async () => {
  model = await ScriptedModel.start();
  if (!isAsked || installed) return;
  const options = ['--no-audit', '--no-fund', '--silent', '--prefix', folder];
  execFileSync('npm', ['install', ...options, ...PACKAGES], { env: { ...process.env, ...registryReach() } });
}, 600_000);
afterAll(() => {
  model.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** How each agent reaches the model: arguments and variables. */
const agents: [name: string, command: () => string[], env: () => Record<string, string>][] = [
  ['claude-code-acp', () => [], () => ({ ANTHROPIC_API_KEY: 'sk-no-key', ANTHROPIC_BASE_URL: model.url })],
  ['codex-acp', codexArguments, () => ({ CODEX_API_KEY: 'sk-no-key' })],
  ['gemini', () => ['--acp'], geminiEnvironment],
  ['opencode', () => ['acp'], () => ({ OPENCODE_CONFIG_CONTENT: JSON.stringify(openCodeSettings()) })],
];

describe('an agent of another maker, with a scripted model', () => {
  (isAsked ? it : it.skip).each(agents)(
    '%s comments with its tools, which a person allows, and its issue is resolved',
    async (name, command, variables) => {
      expect(existsSync(join(bin, name))).toBe(true);
      const env = variables();
      const settings = {
        acp: [join(bin, name), ...command()],
        env: Object.keys(env),
        limits: { stall: '10m' },
      };
      const world = await RunnerWorld.of(service, settings, { env });
      const issue = await world.issue([], { description: 'Comment on this issue.' });
      world.runner.start();
      try {
        await until(async () => {
          await allowAll(service);
          return (await world.read(issue)).status === 'Resolved';
        }, 400);
      } catch (error) {
        const { output } = await world.runner.command(['logs', issue.key]);
        throw new Error(`${world.runner.output}\n${output.slice(-4000)}\n${model.unknown}`, { cause: error });
      }
      expect(await world.comments(issue)).toEqual([
        'From the model.',
        expect.stringMatching(/I have commented\.[^]*The agent ended its turn/),
      ]);
    },
    450_000,
  );
});

function codexArguments(): string[] {
  const provider = `{name="scripted",base_url="${model.url}/v1",wire_api="responses",env_key="CODEX_API_KEY"}`;
  const values = ['model_provider="scripted"', 'model="scripted"', `model_providers.scripted=${provider}`];
  return values.flatMap((value) => ['-c', value]);
}

/** Gemini CLI uses no MCP servers in a folder that it does not trust. With a model it asks for no other one to choose. */
function geminiEnvironment(): Record<string, string> {
  return {
    ...{ GEMINI_API_KEY: 'no-key', GOOGLE_GEMINI_BASE_URL: model.url },
    ...{ GEMINI_CLI_TRUST_WORKSPACE: 'true', GEMINI_MODEL: 'gemini-2.5-pro' },
  };
}

function openCodeSettings() {
  const options = { baseURL: `${model.url}/v1`, apiKey: 'no-key' };
  const scripted = {
    ...{ npm: '@ai-sdk/openai-compatible', name: 'scripted', options },
    models: { scripted: { name: 'scripted' } },
  };
  const chosen = { model: 'scripted/scripted', small_model: 'scripted/scripted' };
  return { provider: { scripted }, ...chosen, autoupdate: false };
}

async function allowAll({ owner }: Service): Promise<void> {
  const { body } = await owner.get<Gate[]>('/api/projects/gates?state=open');
  for (const gate of body) {
    const option = gate.options.find((one) => /^Allow$|^Yes/i.test(one)) ?? gate.options[0];
    await answer(owner, gate, { option });
  }
}
