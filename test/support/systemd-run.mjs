#!/usr/bin/env node
// Stands in for systemd-run, of which hosts without systemd have none: runs the command as the user, in the folder and with the
// variables that the options name. A file of variables wins over --setenv, as in systemd.exec.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { variablesIn } from '../../scripts/settings-file.mjs';

const args = process.argv.slice(2);
const given = { variables: {}, files: {}, uid: '', gid: '', folder: '/' };
while (args[0]?.startsWith('--')) take(args.shift());
const result = spawnSync(
  'setpriv',
  [`--reuid=${given.uid}`, `--regid=${given.gid}`, '--clear-groups', ...args],
  {
    cwd: given.folder,
    stdio: 'inherit',
    env: { PATH: process.env.PATH, ...given.variables, ...given.files },
  },
);
process.exitCode = result.status ?? 1;

function take(option) {
  const [, name, value = ''] = /^--([\w-]+)(?:=(.*))?$/s.exec(option);
  if (name === 'setenv') assign(given.variables, value);
  else if (name === 'uid' || name === 'gid') given[name] = value;
  else if (name === 'working-directory') given.folder = value;
  else if (name === 'property' && value.startsWith('EnvironmentFile=-')) readFile(value.split('=-')[1]);
  else if (!['quiet', 'pipe', 'wait', 'collect', 'property'].includes(name))
    throw new Error(`unknown option ${option}`);
}

function assign(variables, pair) {
  variables[pair.split('=')[0]] = pair.slice(pair.indexOf('=') + 1);
}

function readFile(file) {
  if (existsSync(file)) Object.assign(given.files, variablesIn(readFileSync(file, 'utf8')));
}
