import { basename } from 'node:path';
import type { FieldError } from '../../platform/http/problem/problem.js';
import type { StdioEntry } from './catalog-entry.js';
import { hostsIn } from './network-hosts.js';
import { variablesOf, type Folder } from './placeholders.js';
import { schemaErrors, type Check } from './schema-errors.js';
import { declared, templateError } from './template-rule.js';

/** Programs that run whatever their arguments say or fetch code when they start ("never a shell, never npx"). */
const FORBIDDEN_PROGRAMS = new Set(
  'sh ash bash dash zsh ksh csh tcsh fish busybox env npx npm pnpm yarn bunx uvx uv pipx pip'.split(' '),
);

/** Checks that the command is allowed and that the templates use declared variables that are not secret. */
export function launchErrors(entry: StdioEntry): FieldError[] {
  const { command, args, cwd } = entry.manifest.launch;
  const checks: Check[] = [
    ['manifest.launch.command', commandError(entry, command)],
    ...args.map((argument, index): Check => [
      `manifest.launch.args[${index}]`,
      argumentError(entry, argument),
    ]),
    ['manifest.launch.cwd', cwd === null ? null : cwdError(entry, cwd)],
    ...networkChecks(entry),
  ];
  return schemaErrors(checks);
}

function commandError(entry: StdioEntry, command: string): string | null {
  if (command === 'node' || command === 'python') return null;
  if (!command.startsWith('/') && !command.startsWith('{installDir}/'))
    return 'must be node, python, a path that starts with {installDir}/, or an absolute path';
  if (command.split('/').includes('..')) return "must not contain '..'";
  if (command.startsWith('/') && FORBIDDEN_PROGRAMS.has(basename(command)))
    return `must be the server itself, not ${basename(command)}`;
  return templateError(command, {
    folder: (folder) => folderError(entry, folder),
    variable: () => 'may use the placeholder {installDir} only',
  });
}

function argumentError(entry: StdioEntry, argument: string): string | null {
  return templateError(argument, {
    folder: (folder) => folderError(entry, folder),
    variable: declared(entry.environmentVariables, ({ isSecret, format }) =>
      isSecret || format === 'file'
        ? 'which is secret: every user of the host can read the arguments of a process'
        : null,
    ),
  });
}

function cwdError(entry: StdioEntry, cwd: string): string | null {
  if (cwd === '{installDir}') return folderError(entry, 'installDir');
  if (cwd === '{dataDir}' || cwd.startsWith('/')) return null;
  return 'must be {installDir}, {dataDir} or an absolute path';
}

function networkChecks(entry: StdioEntry): Check[] {
  const { network } = entry.manifest;
  const hosts = typeof network === 'object' && network !== null ? network.hosts : [];
  return hosts.map((host, index): Check => [`manifest.network.hosts[${index}]`, hostError(entry, host)]);
}

function hostError(entry: StdioEntry, host: string): string | null {
  const error = templateError(host, {
    folder: () => 'may use placeholders of variables only',
    variable: declared(entry.environmentVariables, () => null),
  });
  if (error !== null || variablesOf(host).length > 0) return error;
  return hostsIn(host).length === 1 && !host.includes('/')
    ? null
    : 'must be a host, host:port or *.example.com';
}

function folderError(entry: StdioEntry, folder: Folder): string | null {
  if (folder === 'installDir' && entry.manifest.package.registry === 'none')
    return 'uses {installDir}, but registry none installs nothing';
  return null;
}
