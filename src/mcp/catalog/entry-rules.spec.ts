import { describe, expect, it } from '@jest/globals';
import {
  region,
  token,
  stdio,
  remote,
  launch,
  npm,
  anyio,
  pypi,
  onHost,
  variable,
  errorsOf,
} from '../../../test/support/catalog-entries.js';

const DEFAULT = ['environmentVariables[2].default', /dataDir/] as const;
const SEARCH_PATHS = [
  'environmentVariables[2].searchPaths',
  /format filepath and without a default/,
] as const;

describe('a valid entry', () => {
  it.each<[string, object]>([
    ['from npm', stdio()],
    [
      'from pypi that is not pinned',
      stdio(
        { version: 'unpinned', runtime: 'python' },
        { package: { registry: 'pypi', name: 'acme', version: null, integrity: null } },
      ),
    ],
    ['from pypi with its closure', pypi([anyio])],
    ['that runs a program of the host', onHost(['--config=/etc/acme.json', '{dataDir}'])],
    [
      'for a remote server',
      remote('https://{env:REGION}/mcp', { Authorization: 'Bearer {env:TOKEN}' }, [
        { ...region, default: 'eu' },
        token,
      ]),
    ],
    ['with a brace in an argument', launch('node', ['{{"a": 1}'])],
    ['with a default in the data folder', variable({ default: '{dataDir}/x', format: 'filepath' })],
  ])('%s has no errors', (_, file) => {
    expect(errorsOf(file)).toEqual([]);
  });
});

describe('entryErrors', () => {
  it.each<[string, object, string, RegExp]>([
    [
      'a closure with the archive of another package',
      pypi([{ ...anyio, name: 'other' }]),
      'manifest.package.closure[0]',
      /anyio-4\.6\.2-py3-none-any\.whl is not an archive of other 4\.6\.2/,
    ],
    [
      'a closure that names a package twice',
      pypi([anyio, { ...anyio, name: 'Anyio' }]),
      'manifest.package.closure[1]',
      /again/,
    ],
    [
      'a closure that names the package itself',
      pypi([{ ...anyio, name: 'acme' }]),
      'manifest.package.closure[0]',
      /itself/,
    ],
    [
      'a closure with an option in place of a version',
      pypi([{ ...anyio, version: '--index-url=x' }]),
      'manifest.package.closure[0]',
      /exact version/,
    ],
    ['a file with another name', { ...stdio(), id: 'other' }, 'id', /other\.json/],
    ['a version other than the package version', stdio({ version: '1.2.4' }), 'version', /1\.2\.3/],
    ['a tag for a version', npm({}, 'next'), 'manifest.package.version', /exact/],
    ['an incomplete version', npm({}, '1.2'), 'manifest.package.version', /exact/],
    [
      'a name that is a URL',
      npm({ name: 'https://evil.example/x.tgz' }),
      'manifest.package.name',
      /not the name/,
    ],
    ['a name that is an option', npm({ name: '--registry=x' }), 'manifest.package.name', /not the name/],
    ['a truncated integrity', npm({ integrity: 'sha512-AAAA' }), 'manifest.package.integrity', /length/],
    [
      'pypi under node',
      stdio({}, { package: { registry: 'pypi', name: 'acme', version: '1.2.3' } }),
      'runtime',
      /pipx/,
    ],
    [
      'a runtime version that is not a range',
      stdio({ runtimeVersion: 'python 3' }),
      'runtimeVersion',
      /range/,
    ],
    ['npx', launch('npx'), 'manifest.launch.command', /not npx: manifest\.package .*catalog:import/],
    ['npx by its path', launch('/usr/bin/npx'), 'manifest.launch.command', /not npx/],
    ['a shell', launch('/bin/sh', ['-c', 'x']), 'manifest.launch.command', /not sh/],
    ['a command above its folder', launch('{installDir}/../x'), 'manifest.launch.command', /\.\./],
    ['a variable as the command', launch('/opt/{env:REGION}'), 'manifest.launch.command', /placeholder/],
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
    ['an unknown placeholder', launch('node', ['{home}']), 'manifest.launch.args[0]', /not a placeholder/],
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
    ['an address without a host', remote('https://'), 'manifest.url', /not an address/],
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
    ['a name that occurs twice', variable({ name: 'TOKEN' }), 'environmentVariables[2].name', /twice/],
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
    ['a default in the package folder', variable({ default: '{installDir}/x' }), ...DEFAULT],
    ['search paths without a path', variable({ searchPaths: ['/bin/sh'] }), ...SEARCH_PATHS],
    [
      'search paths beside a default',
      variable({ format: 'filepath', default: '/bin/sh', searchPaths: ['/bin/sh'] }),
      ...SEARCH_PATHS,
    ],
    [
      'write access for a variable that is not a path',
      variable({ access: 'write' }),
      'environmentVariables[2].access',
      /filepath/,
    ],
  ])('rejects %s', (_, file, path, message) => {
    expect(errorsOf(file)).toContainEqual({ path, message: expect.stringMatching(message) });
  });
});
