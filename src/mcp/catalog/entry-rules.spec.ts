import { describe, expect, it } from '@jest/globals';
import type { Fault } from '../../platform/http/problem.js';
import { formEntry } from './entry-form.js';
import { entryFaults } from './entry-rules.js';

const integrity = `sha512-${Buffer.alloc(64, 7).toString('base64')}`;
const region = { name: 'REGION', description: 'Region.', isRequired: false, isSecret: false };
const token = { name: 'TOKEN', description: 'Token.', isRequired: true, isSecret: true };
const facts = { name: 'Acme', description: 'Acme tools.', category: 'dev', version: '1.2.3' };
const stdio = (changes: object = {}, manifest: object = {}) => ({
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
const remote = (url: string, headers: object = {}, variables: object[] = [region, token]) => ({
  id: 'acme',
  ...facts,
  transport: 'http',
  runtime: 'none',
  manifest: { url, headers },
  environmentVariables: variables,
});
const launch = (command: string, args: string[] = [], cwd: string | null = null) =>
  stdio({}, { launch: { command, args, cwd } });
const npm = (pin: object, version = '1.2.3') =>
  stdio({ version }, { package: { registry: 'npm', name: '@acme/mcp', version, integrity, ...pin } });
const onHost = (args: string[]) =>
  stdio({}, { package: { registry: 'none' }, launch: { command: '/opt/acme/server', args } });
const variable = (changes: object) =>
  stdio({ environmentVariables: [region, token, { ...region, name: 'X', ...changes }] });

function faultsOf(file: object): Fault[] {
  const formed = formEntry(structuredClone(file));
  return formed.faults ?? entryFaults(formed.entry, 'acme.json');
}

describe('an entry without fault', () => {
  it.each<[string, object]>([
    ['of npm', stdio()],
    [
      'that is not pinned, of pypi',
      stdio(
        { version: 'unpinned', runtime: 'python' },
        { package: { registry: 'pypi', name: 'acme', version: null, integrity: null } },
      ),
    ],
    ['of what the host has', onHost(['--config=/etc/acme.json', '{dataDir}'])],
    [
      'of a remote server',
      remote('https://{env:REGION}/mcp', { Authorization: 'Bearer {env:TOKEN}' }, [
        { ...region, default: 'eu' },
        token,
      ]),
    ],
    ['whose argument holds a brace', launch('node', ['{{"a": 1}'])],
    ['whose default lies in the data folder', variable({ default: '{dataDir}/x', format: 'filepath' })],
  ])('%s passes', (_, file) => {
    expect(faultsOf(file)).toEqual([]);
  });
});

describe('the form', () => {
  it('fills every default in', () => {
    const formed = formEntry(stdio());
    expect(formed.entry).toMatchObject({
      verified: false,
      verifiedBy: null,
      publisher: null,
      installInstructions: '',
      runtimeVersion: null,
      manifest: { runInstallScripts: false, sharing: 'shared', credentialProbe: null, launch: { cwd: null } },
    });
    expect(formed.entry?.environmentVariables[0]).toEqual({
      ...region,
      default: null,
      format: null,
      choices: null,
      placeholder: null,
      pattern: null,
      access: 'read',
    });
    expect(formEntry(remote('https://acme.example/mcp')).entry?.manifest).toMatchObject({
      headers: expect.anything(),
    });
  });

  it.each<[string, object, string, RegExp]>([
    ['an unknown field', stdio({ verifed: true }), '', /unknown field: verifed/],
    ['what the service works out itself', stdio({ installable: true }), '', /unknown field: installable/],
    ['an unknown category', stdio({ category: 'fun' }), 'category', /one of .*"database"/],
    ['a missing name', stdio({ name: undefined }), 'name', /required/],
    ['verified by nobody', stdio({ verified: true }), 'verifiedBy', /required/],
    ['a range for a version', npm({ version: '^1.2.3' }), 'manifest.package.version', /Exact/],
    ['npm without integrity', npm({ integrity: undefined }), 'manifest.package.integrity', /required/],
    [
      'a remote server with a runtime',
      { ...remote('https://acme.example/'), runtime: 'node' },
      'runtime',
      /constant/,
    ],
    [
      'a header that no header is named',
      remote('https://acme.example/', { 'a b': 'x' }),
      'manifest.headers',
      /name/,
    ],
    [
      'a secret with a default',
      variable({ isSecret: true, default: 'x' }),
      'environmentVariables[2].default',
      /constant/,
    ],
    [
      'a pattern that does not compile',
      variable({ pattern: '[' }),
      'environmentVariables[2].pattern',
      /regex/,
    ],
  ])('refuses %s', (_, file, path, message) => {
    const formed = formEntry(JSON.parse(JSON.stringify(file)));
    expect(formed.faults).toContainEqual({ path, message: expect.stringMatching(message) });
  });

  it.each(
    'PATH HOME TMPDIR SHELL ENV IFS BASH_ENV NODE_OPTIONS NODE_PATH LD_PRELOAD DYLD_LIBRARY_PATH PYTHONPATH PIP_INDEX_URL NPM_CONFIG_REGISTRY GIT_SSH_COMMAND RUBYOPT lower'.split(
      ' ',
    ),
  )('refuses a variable named %s', (name) => {
    expect(faultsOf(variable({ name })).map(({ path }) => path)).toEqual(['environmentVariables[2].name']);
  });
});

describe('the rules refuse', () => {
  it.each<[string, object, string, RegExp]>([
    ['a file with another name', { ...stdio(), id: 'other' }, 'id', /other\.json/],
    ['another version than the package', stdio({ version: '1.2.4' }), 'version', /1\.2\.3/],
    ['a tag for a version', npm({}, 'next'), 'manifest.package.version', /exact/],
    ['an incomplete version', npm({}, '1.2'), 'manifest.package.version', /exact/],
    ['a name that is a URL', npm({ name: 'https://evil.example/x.tgz' }), 'manifest.package.name', /no name/],
    ['a name that is an option', npm({ name: '--registry=x' }), 'manifest.package.name', /no name/],
    ['an integrity cut short', npm({ integrity: 'sha512-AAAA' }), 'manifest.package.integrity', /long/],
    [
      'pypi under node',
      stdio({}, { package: { registry: 'pypi', name: 'acme', version: '1.2.3' } }),
      'runtime',
      /pipx/,
    ],
    ['a runtime version that is no range', stdio({ runtimeVersion: 'python 3' }), 'runtimeVersion', /range/],
    ['npx', launch('npx'), 'manifest.launch.command', /must be node, python/],
    ['npx by its path', launch('/usr/bin/npx'), 'manifest.launch.command', /not npx/],
    ['a shell', launch('/bin/sh', ['-c', 'x']), 'manifest.launch.command', /not sh/],
    ['a command above its folder', launch('{installDir}/../x'), 'manifest.launch.command', /\.\./],
    ['a variable as the command', launch('/opt/{env:REGION}'), 'manifest.launch.command', /no placeholder/],
    [
      'a folder that is not installed',
      onHost(['{installDir}/x']),
      'manifest.launch.args[0]',
      /registry none/,
    ],
    ['a secret in an argument', launch('node', ['{env:TOKEN}']), 'manifest.launch.args[0]', /TOKEN.*secret/],
    [
      'a file in an argument',
      stdio({ environmentVariables: [{ ...region, format: 'file' }, token] }),
      'manifest.launch.args[1]',
      /REGION.*secret/,
    ],
    [
      'an undeclared variable',
      launch('node', ['a', '{env:NOPE}']),
      'manifest.launch.args[1]',
      /NOPE.*declared/,
    ],
    ['an unknown placeholder', launch('node', ['{home}']), 'manifest.launch.args[0]', /no placeholder/],
    ['a lone brace', launch('node', ['{"a": 1}']), 'manifest.launch.args[0]', /\{\{/],
    ['a relative cwd', launch('node', [], 'src'), 'manifest.launch.cwd', /absolute/],
    [
      'a secret in an address',
      remote('https://acme.example/{env:TOKEN}/mcp'),
      'manifest.url',
      /TOKEN.*secret/,
    ],
    [
      'an optional part of an address',
      remote('https://acme.example/{env:REGION}'),
      'manifest.url',
      /required or have/,
    ],
    [
      'half a host',
      remote('https://a.{env:REGION}.example/', {}, [{ ...region, default: 'eu' }]),
      'manifest.url',
      /whole/,
    ],
    ['an address without host', remote('https://'), 'manifest.url', /not an address/],
    ['a password in an address', remote('https://me:pw@acme.example/'), 'manifest.url', /password/],
    [
      'a folder in a header',
      remote('https://acme.example/', { A: '{dataDir}' }),
      'manifest.headers.A',
      /no folder/,
    ],
    [
      'a line break in a header',
      remote('https://acme.example/', { A: 'x\r\nB: y' }),
      'manifest.headers.A',
      /line breaks/,
    ],
    [
      'an undeclared variable in a header',
      remote('https://acme.example/', { A: '{env:NOPE}' }),
      'manifest.headers.A',
      /NOPE/,
    ],
    [
      'a file in a header',
      remote('https://acme.example/', { A: '{env:KEY}' }, [{ ...token, name: 'KEY', format: 'file' }]),
      'manifest.headers.A',
      /file/,
    ],
    ['a name twice', variable({ name: 'TOKEN' }), 'environmentVariables[2].name', /twice/],
    [
      'a pattern for other flags',
      variable({ pattern: '\\-', default: 'x' }),
      'environmentVariables[2].pattern',
      /u flag/,
    ],
    [
      'a default outside its choices',
      variable({ default: 'c', choices: ['a', 'b'] }),
      'environmentVariables[2].default',
      /one of a, b/,
    ],
    [
      'a default of another format',
      variable({ default: 'yes', format: 'boolean' }),
      'environmentVariables[2].default',
      /true or false/,
    ],
    [
      'a default against its pattern',
      variable({ default: 'abc', pattern: '\\d+' }),
      'environmentVariables[2].default',
      /match/,
    ],
    [
      'a default from another variable',
      variable({ default: '{env:REGION}' }),
      'environmentVariables[2].default',
      /dataDir/,
    ],
    [
      'a default in the package folder',
      variable({ default: '{installDir}/x' }),
      'environmentVariables[2].default',
      /dataDir/,
    ],
    ['write access to no path', variable({ access: 'write' }), 'environmentVariables[2].access', /filepath/],
  ])('%s', (_, file, path, message) => {
    expect(faultsOf(file)).toContainEqual({ path, message: expect.stringMatching(message) });
  });
});
