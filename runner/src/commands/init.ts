import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { apiAt, dataOf } from 'agent-work-platform-client';
import { stringify } from 'yaml';
import { ConfigError } from '../config/config-file.js';
import { isInsecure } from '../config/values.js';
import type { Flags } from './arguments.js';

/** Commands that speak ACP, in the order in which `init` prefers them. */
const KNOWN = ['claude-agent-acp', 'claude-code-acp', 'codex-acp', 'opencode acp', 'gemini --acp'];

/** What such an agent reads to reach its model. `init` lets it have those that are set. */
const VARIABLE = /^(ANTHROPIC|OPENAI|CODEX|GEMINI)_(API_KEY|BASE_URL)$/;

/** `init`: makes an agent and its key with an Admin's key, and writes the file. Flags answer its questions. */
export async function init(flags: Flags): Promise<void> {
  const { config, url: given, agent, acp: command, 'allow-insecure': allowInsecure } = flags;
  const { AWP_URL, AWP_ADMIN_KEY, PATH = '' } = process.env;
  if (existsSync(config))
    throw new ConfigError(`${config} exists already. Edit it, or name another with --config.`);
  const url = await answerTo('URL of the service', given ?? AWP_URL, 'http://127.0.0.1:3000');
  if (isInsecure(url) && !allowInsecure)
    throw new ConfigError(`${url} is plain http beyond this machine: use https, or --allow-insecure.`);
  const adminKey = await answerTo("An Admin's key (AWP_ADMIN_KEY)", AWP_ADMIN_KEY, '');
  const name = await answerTo('Name of the agent', agent, 'writer');
  const isOnPath = (known: string) =>
    PATH.split(delimiter).some((folder) => existsSync(join(folder, known.split(' ')[0]!)));
  const found = KNOWN.filter(isOnPath);
  const question = `Command of the agent (found: ${found.join(', ') || 'none'})`;
  const acp = await answerTo(question, command, found[0] ?? '');
  if (!acp) throw new ConfigError('Name the command of an agent that speaks ACP with --acp.');
  const keys = join(homedir(), '.awp', 'keys');
  const file = join(keys, name);
  if (existsSync(file)) throw new ConfigError(`${file} exists already. Choose another name with --agent.`);
  const { key } = await dataOf(apiAt(url, adminKey).POST('/api/agents', { body: { name } }));
  mkdirSync(keys, { recursive: true, mode: 0o700 });
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  const env = Object.keys(process.env).filter((variable) => VARIABLE.test(variable));
  const agents = { [name]: { key: file, acp, env, permissions: 'ask' } };
  writeFileSync(
    config,
    `# Settings of awp-runner. All of them: docs/runner.md\n${stringify({ url, ...(allowInsecure && { allowInsecure }), agents })}`,
  );
  process.stdout.write(`Wrote ${config}, and the key of «${name}» to ${file}. Next: awp-runner doctor\n`);
}

async function answerTo(question: string, given: string | undefined, fallback: string): Promise<string> {
  if (given !== undefined || !process.stdin.isTTY) return given ?? fallback;
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await lines.question(`${question}${fallback ? ` [${fallback}]` : ''}: `);
  lines.close();
  return answer.trim() || fallback;
}
