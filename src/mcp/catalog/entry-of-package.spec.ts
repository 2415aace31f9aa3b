import { describe, expect, it } from '@jest/globals';
import { entryOfPackage, programPath } from './entry-of-package.js';

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

  it('takes an address that is not in ASCII', () => {
    expect(made({ homepage: 'https://ü.example/ä b' }).entry).toMatchObject({
      homepage: 'https://xn--tda.example/%C3%A4%20b',
    });
  });

  it.each([
    ['--path', 'VALUE_OF_PATH'],
    ['--node-path', 'VALUE_OF_NODE_PATH'],
    ['--home', 'VALUE_OF_HOME'],
  ])('gives the value of %s a variable that controls no runtime', (flag, name) => {
    const args = ['@acme/mcp', flag, '/path/to/a'];
    const { entry } = made({}, { readme: `\`\`\`json\n${JSON.stringify({ command: 'npx', args })}\n\`\`\`` });
    expect(entry).toMatchObject({
      manifest: { launch: { args: [expect.anything(), flag, `{env:${name}}`] } },
    });
  });

  it('says which variable seems to carry a secret that was an argument, and what the server may not write', () => {
    const readme =
      '```json\n{"command":"npx","args":["@acme/mcp","--key=x","/path/to/a"],"env":{"ACME_TOKEN":""}}\n```';
    expect(made({}, { readme }).notes).toEqual([
      expect.stringMatching(/by --key.*ACME_TOKEN seems to carry it/),
      expect.stringMatching(/only read the path of PATH_TO_USE/),
    ]);
  });

  it.each<[string, unknown, RegExp]>([
    ['none', undefined, /no program/],
    ['a list', ['cli.js'], /no program/],
    ['an empty one', '', /no program/],
    ['no text', { acme: 7 }, /no program/],
    ['several', { a: 'a.js', b: 'b.js' }, /several programs.*a, b/],
    ['one outside', '../x.js', /outside/],
    ['one outside, for Windows', '..\\..\\x.js', /outside/],
    ['one with invisible characters', 'a\u202e.js', /invisible characters/],
  ])('refuses a package whose program is %s', (_, bin, why) => {
    expect(() => programPath('@acme/mcp', bin as string)).toThrow(why);
  });

  it('looks into the code where the README names no credential, and says that there is no README', () => {
    const code = 'env.ACME_TOKEN';
    const named = (texts: object) => made({}, texts).entry.environmentVariables.map(({ name }) => name);
    expect(named({ code })).toEqual(['ACME_TOKEN']);
    expect(named({ code, readme: '- `ACME_API_KEY`: the key.' })).toEqual(['ACME_API_KEY']);
    expect(made({}, { code, readme: '' }).notes).toEqual([expect.stringMatching(/no README/)]);
  });
});
