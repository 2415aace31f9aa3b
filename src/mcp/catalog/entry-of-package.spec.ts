import { describe, expect, it } from '@jest/globals';
import { entryOfPackage } from './entry-of-package.js';

const integrity = `sha512-${Buffer.alloc(64, 1).toString('base64')}`;
const choices = {
  id: null,
  category: 'dev',
  network: 'any',
  importedFrom: 'https://npm.example/acme',
} as const;
const made = (manifest: object, texts: object = {}) =>
  entryOfPackage(
    { name: '@acme/mcp', version: '1.0.0', ...manifest },
    { readme: '# Acme', code: '', ...texts },
    { integrity, program: 'dist/index.js' },
    choices,
  );

describe('entryOfPackage', () => {
  it.each([
    ['@playwright/mcp', 'Playwright'],
    ['@zereight/mcp-gitlab', 'Gitlab'],
    ['mcp-server-kubernetes', 'Kubernetes'],
    ['@azure-devops/mcp', 'Azure Devops'],
    ['mcp', 'mcp'],
  ])('names %s %s, which begins the names of its tools', (name, title) => {
    expect(made({ name }).entry).toMatchObject({ name: title, verified: false });
  });

  it('takes description, address, licence and the range of Node where they are sound', () => {
    const sound = {
      description: ' Orders. ',
      homepage: 'https://a.example',
      license: 'MIT',
      engines: { node: '>=22' },
    };
    expect(made(sound).entry).toMatchObject({
      ...{ description: 'Orders.', homepage: 'https://a.example', license: 'MIT', runtimeVersion: '>=22' },
    });
    const odd = { homepage: 'javascript:1', license: { type: 'MIT' }, engines: { node: 'the newest' } };
    expect(made(odd).entry).toMatchObject({
      ...{
        description: 'The package @acme/mcp of npm.',
        homepage: null,
        license: null,
        runtimeVersion: null,
      },
    });
  });

  it('looks into the code where the README names no credential, and says that there is no README', () => {
    const code = 'env.ACME_TOKEN';
    const named = (texts: object) => made({}, texts).entry.environmentVariables.map(({ name }) => name);
    expect(named({ code })).toEqual(['ACME_TOKEN']);
    expect(named({ code, readme: '- `ACME_API_KEY`: the key.' })).toEqual(['ACME_API_KEY']);
    expect(made({}, { code, readme: '' }).notes).toEqual([expect.stringMatching(/no README/)]);
  });
});
