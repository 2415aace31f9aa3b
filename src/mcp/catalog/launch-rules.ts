import { basename } from 'node:path';
import type { Fault } from '../../platform/http/problem.js';
import type { StdioEntry } from './catalog-entry.js';
import type { Folder } from './placeholders.js';
import { faultRows, type Check } from './fault-rows.js';
import { declared, templateFault } from './template-rule.js';

/** Programs that would run whatever their arguments say, or fetch code at start ("never a shell, never npx"). */
const refusedPrograms = new Set(
  'sh ash bash dash zsh ksh csh tcsh fish busybox env npx npm pnpm yarn bunx uvx uv pipx pip'.split(' '),
);

/** The command is a known one, and its templates name declared variables that are not secret. */
export function launchFaults(entry: StdioEntry): Fault[] {
  const { command, args, cwd } = entry.manifest.launch;
  const checks: Check[] = [
    ['manifest.launch.command', commandFault(entry, command)],
    ...args.map((argument, index): Check => [
      `manifest.launch.args[${index}]`,
      argumentFault(entry, argument),
    ]),
    ['manifest.launch.cwd', cwd === null ? null : cwdFault(entry, cwd)],
  ];
  return faultRows(checks);
}

function commandFault(entry: StdioEntry, command: string): string | null {
  if (command === 'node' || command === 'python') return null;
  if (!command.startsWith('/') && !command.startsWith('{installDir}/'))
    return 'must be node, python, a path that starts with {installDir}/, or an absolute path';
  if (command.split('/').includes('..')) return "must not contain '..'";
  if (command.startsWith('/') && refusedPrograms.has(basename(command)))
    return `must be the server itself, not ${basename(command)}`;
  return templateFault(command, {
    folder: (folder) => folderFault(entry, folder),
    variable: () => 'may use no placeholder but {installDir}',
  });
}

function argumentFault(entry: StdioEntry, argument: string): string | null {
  return templateFault(argument, {
    folder: (folder) => folderFault(entry, folder),
    variable: declared(entry.environmentVariables, ({ isSecret, format }) =>
      isSecret || format === 'file' ? 'which is secret: every user of the host can read arguments' : null,
    ),
  });
}

function cwdFault(entry: StdioEntry, cwd: string): string | null {
  if (cwd === '{installDir}') return folderFault(entry, 'installDir');
  if (cwd === '{dataDir}' || cwd.startsWith('/')) return null;
  return 'must be {installDir}, {dataDir} or an absolute path';
}

function folderFault(entry: StdioEntry, folder: Folder): string | null {
  if (folder === 'installDir' && entry.manifest.package.registry === 'none')
    return 'uses {installDir}, but nothing is installed for registry none';
  return null;
}
