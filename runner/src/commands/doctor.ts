import { mkdirSync } from 'node:fs';
import type { Config } from '../config/config-schema.js';
import { isInsecure } from '../config/values.js';
import { AcpAgent } from '../drivers/acp-agent.js';
import { cancelled } from '../drivers/acp-values.js';
import { Child, runStep } from '../processes/child.js';
import { newMark } from '../processes/guard.js';
import { printable } from '../run/run-log.js';
import { agentsOf, setupOf, type AgentSetup } from '../run/agent-setup.js';
import { gitEnv, Workspace } from '../workspace/workspace.js';
import type { Flags } from './arguments.js';

const LIMIT_MS = 30_000;
type Check = [what: string, check: () => Promise<string>];

/** `doctor [agent…]`: checks everything that a run needs, and says what to do about each problem. */
export async function doctor(config: Config, _flags: Flags, names: string[]): Promise<number> {
  mkdirSync(config.workspaces, { recursive: true, mode: 0o700 });
  const checks: Check[] = [
    ['service and clock', () => clockOf(config)],
    ...agentsOf(config, names).flatMap((agent) => checksOf(config, agent)),
  ];
  let failed = 0;
  for (const [what, check] of checks) {
    try {
      process.stdout.write(printable(`ok    ${what}: ${await check()}\n`));
    } catch (error) {
      failed += 1;
      process.stdout.write(printable(`FAIL  ${what}: ${(error as Error).message.trim()}\n`));
    }
  }
  return failed > 0 ? 1 : 0;
}

function checksOf(file: Config, name: string): Check[] {
  const { acp, git } = file.agents[name]!;
  const setup = () => setupOf(file, name);
  const checks: Check[] = [['key', () => keyIn(setup())]];
  if (git) checks.push(['git', () => gitOf(setup(), git)]);
  if (acp) checks.push([acp[0]!, () => greetingOf(setup(), acp)]);
  return checks.map(([what, check]) => [`${name}: ${what}`, check]);
}

async function clockOf({ url }: Config): Promise<string> {
  const response = await fetch(new URL('/livez', url), { signal: AbortSignal.timeout(LIMIT_MS) });
  const difference = Date.now() - Date.parse(response.headers.get('date') ?? new Date().toISOString());
  const warning = isInsecure(url)
    ? '. Others on the network can read the keys and change answers (allowInsecure)'
    : '';
  if (Math.abs(difference) <= LIMIT_MS) return `${url} answers ${response.status}${warning}`;
  throw new Error(`The clocks differ by ${Math.round(difference / 1000)} s. Logs have wrong times.`);
}

async function keyIn({ service }: AgentSetup): Promise<string> {
  const [{ name }, { tools }] = [await service.me(), await service.tools()];
  const granted = Array.isArray(tools) ? tools.filter(({ serverId }) => serverId !== null) : [];
  const names = granted.map((tool) => tool.name).join(', ');
  return `belongs to «${name}», which has ${granted.length} tools granted. ${names.slice(0, 200)}`.trim();
}

async function gitOf({ root: cwd }: AgentSetup, { repo, base }: { repo: string; base: string }) {
  const command = ['git', 'ls-remote', '--exit-code', repo, base];
  await runStep('git', { command, cwd, env: gitEnv(), mark: newMark() }, LIMIT_MS);
  return `${repo} has ${base}`;
}

async function greetingOf(setup: AgentSetup, command: string[]): Promise<string> {
  const mark = newMark();
  const { env } = new Workspace(setup, 'doctor', mark);
  mkdirSync(env['HOME']!, { recursive: true, mode: 0o700 });
  const child = new Child({ command, cwd: setup.root, env, mark });
  const nothing = { onUpdate: () => undefined, onPermission: () => Promise.resolve(cancelled) };
  try {
    const { agentInfo, agentCapabilities: can } = await new AcpAgent(child, nothing).initialize();
    const isResuming = can?.sessionCapabilities?.resume || can?.loadSession;
    const after = isResuming ? 'resumes sessions' : 'begins again after a pause';
    return `${agentInfo?.name ?? 'an agent'} ${agentInfo?.version ?? ''} ${after}`;
  } finally {
    await child.stop();
  }
}
