import { describe, expect, it } from '@jest/globals';
import {
  anyio,
  errorsOf,
  npm,
  region,
  remote,
  stdio,
  variable,
} from '../../../test/support/catalog-entries.js';
import { parseEntry } from './catalog-files.js';

describe('parseEntry', () => {
  it('fills in every default', () => {
    const formed = parseEntry(stdio());
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
    expect(parseEntry(remote('https://acme.example/mcp')).entry?.manifest).toMatchObject({
      headers: expect.anything(),
    });
  });

  it.each<[string, object, string, RegExp]>([
    ['a closure for a package of npm', npm({ closure: [anyio] }), 'manifest.package.closure', /null/],
    ['an unknown field', stdio({ verifed: true }), '', /unknown field: verifed\. Did you mean verified\?/],
    ['an unknown field like no other', stdio({ colour: 1 }), '', /unknown field: colour$/],
    [
      'the configuration of a client',
      { mcpServers: { a: { command: 'npx' } } },
      'mcpServers',
      /catalog:import/,
    ],
    ['a field that the service computes', stdio({ installable: true }), '', /unknown field: installable/],
    ['an unknown category', stdio({ category: 'fun' }), 'category', /one of .*"database"/],
    ['a missing name', stdio({ name: undefined }), 'name', /required/],
    ['verified without a reviewer', stdio({ verified: true }), 'verifiedBy', /required/],
    ['a range for a version', npm({ version: '^1.2.3' }), 'manifest.package.version', /exact/],
    ['npm without integrity', npm({ integrity: undefined }), 'manifest.package.integrity', /required/],
    [
      'a remote server with a runtime',
      { ...remote('https://acme.example/'), runtime: 'node' },
      'runtime',
      /must be "none"$/,
    ],
    ['an invalid header name', remote('https://acme.example/', { 'a b': 'x' }), 'manifest.headers', /name/],
    [
      'a secret with a default',
      variable({ isSecret: true, default: 'x' }),
      'environmentVariables[2].default',
      /must be null: an entry is no secret/,
    ],
    [
      'a pattern that does not compile',
      variable({ pattern: '[' }),
      'environmentVariables[2].pattern',
      /regex/,
    ],
  ])('rejects %s', (_, file, path, message) => {
    const formed = parseEntry(JSON.parse(JSON.stringify(file)));
    expect(formed.errors).toContainEqual({ path, message: expect.stringMatching(message) });
  });

  it.each(
    'PATH HOME TMPDIR SHELL ENV IFS BASH_ENV NODE_OPTIONS NODE_PATH LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT LD_PRELOAD_64 LD_PROFILE_OUTPUT LD_BIND_NOW GLIBC_TUNABLES DYLD_LIBRARY_PATH PYTHONPATH PIP_INDEX_URL NPM_CONFIG_REGISTRY GIT_SSH_COMMAND RUBYOPT lower'.split(
      ' ',
    ),
  )('rejects a variable named %s', (name) => {
    expect(errorsOf(variable({ name })).map(({ path }) => path)).toEqual(['environmentVariables[2].name']);
  });

  it.each(['LD_ACCESS_TOKEN', 'LD_API_KEY'])('accepts a variable named %s, which no loader reads', (name) => {
    expect(errorsOf(variable({ name }))).toEqual([]);
  });
});
