import { entryErrors } from '../../src/mcp/catalog/entry-rules.js';
import { parseEntry } from '../../src/mcp/catalog/catalog-files.js';
import type { FieldError } from '../../src/platform/http/problem.js';

export const integrity = `sha512-${Buffer.alloc(64, 7).toString('base64')}`;
export const region = { name: 'REGION', description: 'Region.', isRequired: false, isSecret: false };
export const token = { name: 'TOKEN', description: 'Token.', isRequired: true, isSecret: true };
export const facts = { name: 'Acme', description: 'Acme tools.', category: 'dev', version: '1.2.3' };
export const stdio = (changes: object = {}, manifest: object = {}) => ({
  id: 'acme',
  ...facts,
  transport: 'stdio',
  runtime: 'node',
  manifest: {
    package: { registry: 'npm', name: '@acme/mcp', version: '1.2.3', integrity },
    launch: { command: 'node', args: ['{installDir}/index.js', '--region={env:REGION}'] },
    ...manifest,
  },
  environmentVariables: [region, token],
  ...changes,
});
export const remote = (url: string, headers: object = {}, variables: object[] = [region, token]) => ({
  id: 'acme',
  ...facts,
  transport: 'http',
  runtime: 'none',
  manifest: { url, headers },
  environmentVariables: variables,
});
export const launch = (command: string, args: string[] = [], cwd: string | null = null) =>
  stdio({}, { launch: { command, args, cwd } });
export const npm = (pin: object, version = '1.2.3') =>
  stdio({ version }, { package: { registry: 'npm', name: '@acme/mcp', version, integrity, ...pin } });
export const sha256 = 'a'.repeat(64);
export const anyio = {
  name: 'anyio',
  version: '4.6.2',
  files: [{ filename: 'anyio-4.6.2-py3-none-any.whl', sha256 }],
};
export const pypi = (closure: object[]) =>
  stdio(
    { runtime: 'python' },
    { package: { registry: 'pypi', name: 'acme', version: '1.2.3', integrity, closure } },
  );
export const onHost = (args: string[]) =>
  stdio({}, { package: { registry: 'none' }, launch: { command: '/opt/acme/server', args } });
export const variable = (changes: object) =>
  stdio({ environmentVariables: [region, token, { ...region, name: 'X', ...changes }] });

export function errorsOf(file: object): FieldError[] {
  const formed = parseEntry(structuredClone(file));
  return formed.errors ?? entryErrors(formed.entry, 'acme.json');
}
