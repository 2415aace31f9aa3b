#!/usr/bin/env node
// `awp COMMAND`, the command of the package: it runs the modules that `npm start` and `npm run …` run in a checkout.
import process from 'node:process';
import { COMMANDS } from './commands.mjs';
import { requireNodeVersion, versionOf } from './node-version.mjs';
import { inRoot } from './paths.mjs';

const LOAD = {
  start: () => import('./start.mjs'),
  setup: () => import('./prepare.mjs'),
  doctor: () => import('./doctor.mjs'),
  migrate: () => import('./migrate.mjs'),
  backup: () => import('./backup.mjs'),
  restore: () => import('./restore.mjs'),
  'restore-drill': () => import('./restore-drill.mjs'),
  keys: () => import('./keys.mjs'),
  archive: () => import('./archive.mjs'),
  catalog: () => import('./catalog.mjs'),
  'catalog-import': () => import('./catalog-import.mjs'),
  export: () => import('./export.mjs'),
  import: () => import('./import.mjs'),
  demo: () => import('./demo.mjs'),
};
const EXIT_USAGE = 64;
const VERSION = ['version', '--version', '-v'];
const HELP = ['help', '--help', '-h'];
const PARENT_CHECK_MS = 500;

endWithNpx();
await main(process.argv.slice(2));

async function main([command = 'help', ...rest]) {
  if (VERSION.includes(command)) return console.log(versionOf());
  if (HELP.includes(command)) return help(rest[0]);
  if (!Object.hasOwn(COMMANDS, command)) return refuse(command);
  if (rest.some((argument) => HELP.slice(1).includes(argument))) return help(command);
  requireNodeVersion();
  // A command reads its own arguments from the third one on.
  process.argv.splice(2, 1);
  await LOAD[command]();
}

/**
 * `npx awp` runs this in a shell, and a signal to npx ends npx and the shell alone. The service that is left would hold its data
 * folder and its port, so it ends as if the signal had been sent to it.
 */
function endWithNpx() {
  if (process.env.npm_command !== 'exec') return;
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK_MS);
  check.unref();
}

function help(command) {
  if (command === undefined) return console.log(overview());
  if (!Object.hasOwn(COMMANDS, command)) return refuse(command);
  console.log(pageOf(command));
}

function refuse(command) {
  console.error(`awp has no command '${command}'.\n\n${overview()}`);
  process.exitCode = EXIT_USAGE;
}

function overview() {
  const lines = Object.entries(COMMANDS).map(([name, { about }]) => `  ${name.padEnd(16)}${about}`);
  return [
    'Usage: awp COMMAND [ARGUMENT ...]',
    '',
    ...lines,
    `  ${'version'.padEnd(16)}prints the version`,
    `  ${'help [COMMAND]'.padEnd(16)}prints what a command takes, its settings and exit codes`,
    '',
    'Settings are environment variables, which a file .env in the present folder completes. All of them are in',
    `${inRoot('.env.example')}.`,
  ].join('\n');
}

function pageOf(command) {
  const { about, usage, settings, exits } = COMMANDS[command];
  return [
    `awp ${command} ${about}.`,
    '',
    usage,
    ...(usage.includes('--settings') || ['start', 'setup', 'export', 'import', 'demo'].includes(command)
      ? []
      : ['  --settings FILE  reads the settings of the service from FILE, as systemd does']),
    '',
    `Settings: ${settings.join(', ')}`,
    '',
    'Exit codes:',
    ...Object.entries(exits).map(([code, meaning]) => `  ${code.padStart(2)}  ${meaning}`),
  ].join('\n');
}
