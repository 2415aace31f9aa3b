import { describe, expect, it } from '@jest/globals';
import type { EnvironmentVariable, StdioEntry } from './catalog-entry.js';
import { MissingVariables } from './variable-values-and-placeholders.js';
import { RuntimeNotDetected } from './installability-and-runtime-detection.js';
import { launchOf } from './launch-template.js';

const folders = { installDir: '/srv/awp/i', dataDir: '/srv/awp/d' };
const variable = (name: string, changes: Partial<EnvironmentVariable> = {}): EnvironmentVariable => ({
  name,
  description: name,
  isRequired: false,
  isSecret: false,
  default: null,
  format: null,
  choices: null,
  placeholder: null,
  pattern: null,
  access: 'read',
  ...changes,
});

function anEntry(
  launch: Partial<StdioEntry['manifest']['launch']>,
  environmentVariables: EnvironmentVariable[] = [],
  registry: 'npm' | 'none' = 'npm',
): StdioEntry {
  return {
    id: 'acme',
    name: 'Acme',
    description: 'Acme',
    category: 'dev',
    transport: 'stdio',
    runtime: 'node',
    verified: false,
    verifiedBy: null,
    version: '1.0.0',
    publisher: null,
    homepage: null,
    license: null,
    installInstructions: '',
    runtimeVersion: null,
    environmentVariables,
    manifest: {
      package: { registry },
      launch: { command: 'node', args: [], cwd: null, ...launch },
      runInstallScripts: false,
      sharing: 'shared',
      credentialProbe: null,
      serverJson: null,
    },
  };
}

describe('launchOf', () => {
  it("runs node as the service's own binary, in the data folder", () => {
    const launch = launchOf(anEntry({ args: ['{installDir}/index.js', '{dataDir}/db'] }), {
      ...folders,
      values: {},
    });
    expect(launch).toEqual({
      command: process.execPath,
      args: ['/srv/awp/i/index.js', '/srv/awp/d/db'],
      cwd: '/srv/awp/d',
      env: {},
      secretFiles: [],
      readOnlyPaths: [],
      writablePaths: [],
    });
  });

  it('runs the Python of the runtime report and throws if there is none', () => {
    const entry = anEntry({ command: 'python', cwd: '{installDir}' });
    expect(launchOf(entry, { ...folders, values: {}, python: '/usr/bin/python3' })).toMatchObject({
      command: '/usr/bin/python3',
      cwd: '/srv/awp/i',
    });
    expect(() => launchOf(entry, { ...folders, values: {} })).toThrow(RuntimeNotDetected);
  });

  it('takes the first search path that is on the host, or the given one, and says what is missing', () => {
    const browser = (searchPaths: string[]) =>
      anEntry({ args: ['--browser={env:BROWSER}'] }, [
        variable('BROWSER', {
          description: 'The browser.',
          isRequired: true,
          format: 'filepath',
          searchPaths,
        }),
      ]);
    const found = browser(['/no/such/browser', '/bin/sh', '/bin/cat']);
    expect(launchOf(found, { ...folders, values: {} })).toMatchObject({
      args: ['--browser=/bin/sh'],
      env: { BROWSER: '/bin/sh' },
      readOnlyPaths: ['/bin/sh'],
    });
    expect(launchOf(found, { ...folders, values: { BROWSER: '/bin/cat' } }).env).toEqual({
      BROWSER: '/bin/cat',
    });
    const missing = () => launchOf(browser(['/no/such/browser', '/nor/this']), { ...folders, values: {} });
    expect(missing).toThrow(RuntimeNotDetected);
    expect(missing).toThrow(
      'The browser. Looked for /no/such/browser, /nor/this. Install it, or set BROWSER to its path.',
    );
  });

  it('fills in values and defaults and turns {{ into a brace', () => {
    const args = ['--zone={env:ZONE}', '{env:DIR}', '{{"a":"{env:ZONE}"}'];
    const entry = anEntry({ args }, [
      variable('ZONE', { default: 'UTC' }),
      variable('DIR', { isRequired: true }),
    ]);
    expect(launchOf(entry, { ...folders, values: { DIR: '/x y' } }).args).toEqual([
      '--zone=UTC',
      '/x y',
      '{"a":"UTC"}',
    ]);
  });

  it('does not fill in placeholders in a value', () => {
    const entry = anEntry({ args: ['{env:NAME}'] }, [variable('NAME')]);
    const launch = launchOf(entry, { ...folders, values: { NAME: '{dataDir}{env:NAME}' } });
    expect(launch).toMatchObject({ args: ['{dataDir}{env:NAME}'], env: { NAME: '{dataDir}{env:NAME}' } });
  });

  it('leaves out the whole argument of an optional variable without a value', () => {
    const entry = anEntry({ args: ['--a', '--region={env:REGION}', '--b'] }, [variable('REGION')]);
    const launch = launchOf(entry, { ...folders, values: {} });
    expect([launch.args, launch.env]).toEqual([['--a', '--b'], {}]);
  });

  it('throws with the names of required variables that have no value', () => {
    const entry = anEntry({}, [
      variable('A', { isRequired: true }),
      variable('B', { isRequired: true, default: 'x' }),
    ]);
    expect(() => launchOf(entry, { ...folders, values: {} })).toThrow(MissingVariables);
    expect(() => launchOf(entry, { ...folders, values: {} })).toThrow(/values for A with/);
  });

  it('passes only declared variables, with defaults in the data folder filled in', () => {
    const entry = anEntry({}, [
      variable('FILE', { default: '{dataDir}/m.jsonl', format: 'filepath', access: 'write' }),
    ]);
    const launch = launchOf(entry, { ...folders, values: { UNDECLARED: 'x' } });
    expect([launch.env, launch.writablePaths]).toEqual([{ FILE: '/srv/awp/d/m.jsonl' }, []]);
  });

  it('keeps the content of a secret file out of the environment', () => {
    const entry = anEntry({}, [variable('KUBECONFIG', { isSecret: true, format: 'file' })]);
    const { env, secretFiles } = launchOf(entry, { ...folders, values: { KUBECONFIG: 'apiVersion: v1' } });
    expect(env).toEqual({});
    expect(secretFiles).toEqual([{ variable: 'KUBECONFIG', content: 'apiVersion: v1' }]);
  });

  it('mounts the paths of filepath variables according to their access', () => {
    const entry = anEntry({}, [
      variable('IN', { format: 'filepath' }),
      variable('OUT', { format: 'filepath', access: 'write' }),
      variable('TEXT'),
    ]);
    const launch = launchOf(entry, { ...folders, values: { IN: '/in', OUT: '/out', TEXT: '/text' } });
    expect(launch).toMatchObject({ readOnlyPaths: ['/in'], writablePaths: ['/out'] });
  });

  it('mounts the absolute paths that an entry without a package names, but none from a value', () => {
    const args = ['/opt/acme/{env:NAME}.js', '--config=/etc/acme', 'a/b', '{env:NAME}'];
    const entry = anEntry({ command: '/opt/acme/run', args, cwd: '/opt/acme' }, [variable('NAME')], 'none');
    const launch = launchOf(entry, { installDir: null, dataDir: '/d', values: { NAME: '../../etc/shadow' } });
    expect(launch.readOnlyPaths).toEqual(['/opt/acme/run', '/etc/acme', '/opt/acme']);
    expect(launchOf(anEntry({ args }, [variable('NAME')]), { ...folders, values: {} }).readOnlyPaths).toEqual(
      [],
    );
  });
});
