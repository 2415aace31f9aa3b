import { basename } from 'node:path';
import type { FieldError } from '../../platform/http/problem.js';
import type { EnvironmentVariable, StdioEntry } from './catalog-entry.js';
import { hostsIn } from './network-hosts.js';
import { declared, type Folder, templateError, variablesOf } from './placeholders.js';
import { effectiveValue, formatError } from './variable-value.js';

/** The result of checking one field: its path and the error, or null if it is valid. */
export type Check = [path: string, message: string | null];

/** Returns the errors of the checks that failed. */
export function schemaErrors(checks: Check[]): FieldError[] {
  return checks.flatMap(([path, message]) => (message === null ? [] : [{ path, message }]));
}

/** Stands for `{dataDir}`; only the form of the path is checked. */
const SAMPLE_FOLDER = '/data';

/** Checks that names are unique, defaults match their format, and `access` is set only for paths that are mounted. */
export function variableErrors(variables: EnvironmentVariable[]): FieldError[] {
  const names = variables.map(({ name }) => name);
  return variables.flatMap((variable, index) => {
    const at = `environmentVariables[${index}]`;
    const checks: Check[] = [
      [`${at}.name`, names.indexOf(variable.name) === index ? null : `${variable.name} is declared twice`],
      [`${at}.pattern`, patternError(variable)],
      [`${at}.default`, defaultError(variable)],
      [`${at}.access`, accessError(variable)],
      [`${at}.searchPaths`, searchPathsError(variable)],
    ];
    return schemaErrors(checks);
  });
}

function defaultError(variable: EnvironmentVariable): string | null {
  if (variable.default === null || patternError(variable)) return null;
  const onlyDataDir = 'may use the placeholder {dataDir} only';
  const error = templateError(variable.default, {
    folder: (folder) => (folder === 'dataDir' ? null : onlyDataDir),
    variable: () => onlyDataDir,
  });
  return error ?? formatError(variable, effectiveValue(variable, {}, SAMPLE_FOLDER) ?? '');
}

/** The schema's format `regex` compiles without the u flag, and some patterns are invalid with it. */
function patternError({ pattern }: EnvironmentVariable): string | null {
  try {
    void new RegExp(pattern ?? '', 'u');
    return null;
  } catch {
    return 'must compile with the u flag';
  }
}

function searchPathsError({ searchPaths, format, default: preset }: EnvironmentVariable): string | null {
  if (!searchPaths || (format === 'filepath' && preset === null)) return null;
  return 'is allowed only with format filepath and without a default';
}

function accessError({ access, format }: EnvironmentVariable): string | null {
  return access === 'write' && format !== 'filepath' ? 'is allowed only with format filepath' : null;
}

/** Programs that run whatever their arguments say or fetch code when they start ("never a shell, never npx"). */
const FORBIDDEN_PROGRAMS = new Set(
  'sh ash bash dash zsh ksh csh tcsh fish busybox env npx npm pnpm yarn bunx uvx uv pipx pip'.split(' '),
);

/** What READMEs start servers with. */
const FETCHING = new Set(['npx', 'bunx', 'uvx', 'uv', 'pipx']);
const PACKAGED =
  'manifest.package names the package, which is fetched once and checked. For one of npm, npm run catalog:import -- npm:<package> writes the entry';

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
  if (FETCHING.has(basename(command)))
    return `must be the server itself, not ${basename(command)}: ${PACKAGED}`;
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
        ? 'which is secret: every user of the host can read the arguments of a process. Leave it out: the server has it in its environment'
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
