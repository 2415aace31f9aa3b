#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { Refused } from 'agent-work-platform-client';
import { clean } from './commands/clean.js';
import type { Flags } from './commands/context.js';
import { doctor } from './commands/doctor.js';
import { init } from './commands/init.js';
import { logs, ps } from './commands/look.js';
import { once, run } from './commands/run.js';
import { ConfigError } from './config/config-file.js';
import { editorSchema } from './config/config-schema.js';

const USAGE = `Usage: awp-runner COMMAND [--config awp-runner.yaml] [--json]

  init             makes an agent and its key, and writes awp-runner.yaml (--url, --agent, --acp, AWP_ADMIN_KEY)
  doctor [AGENT…]  checks service, key, clock, git, and each agent's first answer
  run [AGENT…]     takes work until SIGINT or SIGTERM
  once ISSUE       works on one issue in this terminal (--agent)
  ps               shows what runs, what is parked, and which agents are failing
  logs ISSUE [-f]  shows the log of an issue
  clean            removes workspaces of issues that ended 7 days ago
  schema           prints the JSON schema of awp-runner.yaml
`;
const commands: Record<string, (flags: Flags, rest: string[]) => Promise<number> | number> = {
  ...{ init, doctor, run, once, ps, logs, clean },
  schema: () => (process.stdout.write(editorSchema()), 0),
};

/** 78 is for what only a person can correct, and 1 for what may pass, so that a supervisor tries again. */
const BAD_CONFIG = 78;

async function main(): Promise<number> {
  const { flags, name, rest } = argumentsOf();
  const command = name === undefined ? undefined : commands[name];
  if (command) return await command(flags, rest);
  process.stderr.write(USAGE);
  return name === undefined || name === 'help' ? 0 : BAD_CONFIG;
}

function argumentsOf() {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      config: { ...text, short: 'c', default: 'awp-runner.yaml' },
      json: { type: 'boolean', default: false },
      follow: { type: 'boolean', short: 'f', default: false },
      url: text,
      agent: text,
      acp: text,
    },
  });
  const [name, ...rest] = positionals;
  return { flags: values as Flags, name, rest };
}

try {
  process.exitCode = await main();
} catch (error) {
  const isUsage = (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS') === true;
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = error instanceof ConfigError || isUsage ? BAD_CONFIG : 1;
  if (!(error instanceof ConfigError) && !(error instanceof Refused) && !isUsage)
    process.stderr.write(`${(error as Error).stack}\n`);
}
