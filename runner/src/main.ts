#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refused } from 'agent-work-platform-client';
import { argumentsOf, type Flags } from './commands/arguments.js';
import { doctor } from './commands/doctor.js';
import { init } from './commands/init.js';
import { once, run } from './commands/run.js';
import { clean, logs, ps } from './commands/workspaces.js';
import { ConfigError, readConfig } from './config/config-file.js';
import { printable } from './run/run-log.js';
import { editorSchema, type Config } from './config/config-schema.js';

const USAGE = `Usage: awp-runner COMMAND [--config awp-runner.yaml] [--json]

  init             makes an agent and its key, and writes awp-runner.yaml (--url, --agent, --acp, --allow-insecure,
                   AWP_ADMIN_KEY)
  doctor [AGENT…]  checks service, key, clock, git, and each agent's first answer
  run [AGENT…]     takes work until SIGINT or SIGTERM
  once ISSUE       works on one issue in this terminal (--agent)
  ps               shows what runs, what is parked, and which agents are failing
  logs ISSUE [-f]  shows the log of an issue
  clean            removes workspaces of issues that ended 7 days ago
  schema           prints the JSON schema of awp-runner.yaml
  help, version    print this text (--help, -h), and the version (--version)
`;
/** A command that needs the file, which is read before it. */
type Command = (config: Config, flags: Flags, rest: string[]) => Promise<number> | number;
const commands: Record<string, Command> = { doctor, run, once, ps, logs, clean };

const version = (): string =>
  (JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as { version: string })
    .version;

/** 78 is for what only a person can correct, and 1 for what may pass, so that a supervisor tries again. */
const BAD_CONFIG = 78;

const PARENT_CHECK_MS = 500;

/** As `awp` does: a signal to npx ends npx and its shell alone, and what is left would go on to take work. */
function endWithNpx(): void {
  if (process.env['npm_command'] !== 'exec') return;
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK_MS);
  check.unref();
}

endWithNpx();
try {
  const { flags, name, rest } = argumentsOf();
  const command = commands[name];
  if (command) process.exitCode = await command(readConfig(flags.config), flags, rest);
  else if (name === 'init') await init(flags);
  else if (name === 'schema') process.stdout.write(editorSchema());
  else if (name === 'help') process.stdout.write(USAGE);
  else if (name === 'version') process.stdout.write(`${version()}\n`);
  else {
    process.stderr.write(USAGE);
    process.exitCode = BAD_CONFIG;
  }
} catch (error) {
  const { message, stack, code } = error as NodeJS.ErrnoException;
  const isBad = error instanceof ConfigError || code?.startsWith('ERR_PARSE_ARGS') === true;
  process.stderr.write(printable(`${isBad || error instanceof Refused ? message : stack}\n`));
  process.exitCode = isBad ? BAD_CONFIG : 1;
}
