import { mkdirSync } from 'node:fs';
import type { Config } from '../config/config-schema.js';
import { AcpAgent } from '../drivers/acp-agent.js';
import { cancelled } from '../drivers/acp-values.js';
import { Child, runStep } from '../processes/child.js';
import { markOfRun } from '../processes/guard.js';
import { Workspace } from '../workspace/workspace.js';
import { agentsOf, load, serviceOf, type Flags } from './context.js';

const CLOCK_MS = 30_000;
const LIMIT_MS = 30_000;
type Check = () => Promise<string> | string;

/** `doctor [agent…]`: checks everything that a run needs, and says what to do about each problem. */
export async function doctor(flags: Flags, names: string[]): Promise<number> {
  const config = load(flags);
  const checks: [string, Check][] = [
    ['service and clock', () => clockOf(config)],
    ['workspaces', () => (mkdirSync(config.workspaces, { recursive: true, mode: 0o700 }), config.workspaces)],
    ...agentsOf(config, names).flatMap((agent) => checksOf(config, agent)),
  ];
  let failed = 0;
  for (const [what, check] of checks) {
    try {
      process.stdout.write(`ok    ${what}: ${await check()}\n`);
    } catch (error) {
      failed += 1;
      process.stdout.write(`FAIL  ${what}: ${(error as Error).message.trim()}\n`);
    }
  }
  return failed > 0 ? 1 : 0;
}

function checksOf(config: Config, agent: string): [string, Check][] {
  const { acp, git } = config.agents[agent]!;
  return [
    [`${agent}: key`, async () => `belongs to «${(await serviceOf(config, agent).me()).name}»`],
    [`${agent}: tools`, () => toolsOf(config, agent)],
    ...(git ? [[`${agent}: git`, () => gitOf(config, agent, git)] as [string, Check]] : []),
    ...(acp ? [[`${agent}: ${acp[0]}`, () => greetingOf(config, agent, acp)] as [string, Check]] : []),
  ];
}

async function clockOf({ url }: Config): Promise<string> {
  const response = await fetch(new URL('/livez', url), { signal: AbortSignal.timeout(LIMIT_MS) });
  const difference = Date.now() - Date.parse(response.headers.get('date') ?? new Date().toISOString());
  if (Math.abs(difference) > CLOCK_MS)
    throw new Error(`The clocks differ by ${Math.round(difference / 1000)} s. Logs have wrong times.`);
  return `${url} answers ${response.status}`;
}

async function toolsOf(config: Config, agent: string): Promise<string> {
  const { tools } = await serviceOf(config, agent).tools();
  const granted = Array.isArray(tools) ? tools.filter(({ serverId }) => serverId !== null) : [];
  const names = granted.map(({ name }) => name).join(', ');
  return `${granted.length} granted${names && `: ${names.slice(0, 200)}`}`;
}

async function gitOf(
  { workspaces: cwd }: Config,
  agent: string,
  { repo, base }: { repo: string; base: string },
) {
  const env = { ...(process.env as Record<string, string>), GIT_TERMINAL_PROMPT: '0' };
  const command = ['git', 'ls-remote', '--exit-code', repo, base];
  const signal = new AbortController().signal;
  await runStep('git', { command, cwd, env, mark: markOfRun(cwd, agent) }, LIMIT_MS, signal);
  return `${repo} has ${base}`;
}

async function greetingOf(config: Config, agent: string, command: string[]): Promise<string> {
  const root = config.workspaces;
  const mark = markOfRun(root, agent);
  const settings = config.agents[agent]!;
  const { env } = new Workspace({ root, agent, key: 'doctor', config: settings, mark, secrets: [] });
  mkdirSync(env['HOME']!, { recursive: true, mode: 0o700 });
  const child = new Child({ command, cwd: root, env, mark });
  const nothing = { onUpdate: () => undefined, onPermission: () => Promise.resolve(cancelled) };
  try {
    const { agentInfo, agentCapabilities: can } = await new AcpAgent(child, nothing).initialize();
    const resumes = can?.sessionCapabilities?.resume ? 'resumes sessions' : null;
    const again = resumes ?? (can?.loadSession ? 'loads sessions' : 'begins again after a pause');
    return `${agentInfo?.name ?? 'an agent'} ${agentInfo?.version ?? ''} ${again}`;
  } finally {
    await child.stop();
  }
}
