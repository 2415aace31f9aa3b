import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config-schema.js';
import { AcpAgent } from '../drivers/acp-agent.js';
import { cancelled } from '../drivers/permissions.js';
import { Child } from '../processes/child.js';
import { markOfRun } from '../processes/guard.js';
import { Workspace } from '../workspace/workspace.js';
import { agentsOf, load, serviceOf, type Flags } from './context.js';

const CLOCK_MS = 30_000;

/** `doctor [agent…]`: checks everything that a run needs, and says what to do about each problem. */
export async function doctor(flags: Flags, names: string[]): Promise<number> {
  const config = load(flags);
  let failed = 0;
  const check = async (what: string, work: () => Promise<string> | string) => {
    try {
      process.stdout.write(`ok    ${what}: ${await work()}\n`);
    } catch (error) {
      failed += 1;
      process.stdout.write(`FAIL  ${what}: ${(error as Error).message.trim()}\n`);
    }
  };
  await check('service and clock', () => clockOf(config));
  await check(
    'workspaces',
    () => (mkdirSync(config.workspaces, { recursive: true, mode: 0o700 }), config.workspaces),
  );
  for (const agent of agentsOf(config, names)) {
    const { acp, git } = config.agents[agent]!;
    await check(`${agent}: key`, async () => `belongs to «${(await serviceOf(config, agent).me()).name}»`);
    await check(`${agent}: tools`, () => toolsOf(config, agent));
    if (git)
      await check(`${agent}: git`, () =>
        execFileSync('git', ['ls-remote', '--exit-code', git.repo, git.base], {
          encoding: 'utf8',
          timeout: 30_000,
        }).trim(),
      );
    if (acp) await check(`${agent}: ${acp[0]}`, () => greetingOf(config, agent, acp));
  }
  return failed > 0 ? 1 : 0;
}

async function clockOf({ url }: Config): Promise<string> {
  const response = await fetch(new URL('/livez', url), { signal: AbortSignal.timeout(10_000) });
  const difference = Date.now() - Date.parse(response.headers.get('date') ?? new Date().toISOString());
  if (Math.abs(difference) > CLOCK_MS)
    throw new Error(`The clocks differ by ${Math.round(difference / 1000)} s. Logs have wrong times.`);
  return `${url} answers ${response.status}`;
}

async function toolsOf(config: Config, agent: string): Promise<string> {
  const { tools } = await serviceOf(config, agent).tools();
  const granted = Array.isArray(tools) ? tools.filter(({ serverId }) => serverId !== null) : [];
  return `${granted.length} granted${
    granted.length > 0
      ? `: ${granted
          .map(({ name }) => name)
          .join(', ')
          .slice(0, 200)}`
      : ''
  }`;
}

async function greetingOf(config: Config, agent: string, command: string[]): Promise<string> {
  const root = config.workspaces;
  const settings = config.agents[agent]!;
  const mark = markOfRun(root, agent);
  const { env } = new Workspace({ root, agent, key: 'doctor', config: settings, mark, secrets: [] });
  const cwd = join(root, agent, '.home');
  mkdirSync(cwd, { recursive: true, mode: 0o700 });
  const child = new Child({ command, cwd, env, mark, maxOutput: 2 ** 24 });
  try {
    const acp = new AcpAgent(child, {
      onUpdate: () => undefined,
      onPermission: () => Promise.resolve(cancelled),
    });
    const { agentInfo, agentCapabilities: can } = await acp.initialize();
    if (can?.mcpCapabilities?.http !== true)
      throw new Error('It takes no MCP servers over HTTP, so it cannot reach its tools.');
    const again = can.sessionCapabilities?.resume
      ? 'resumes sessions'
      : can.loadSession
        ? 'loads sessions'
        : 'begins again after a pause';
    return `${agentInfo?.name ?? 'an agent'} ${agentInfo?.version ?? ''} ${again}`;
  } finally {
    await child.stop();
  }
}
