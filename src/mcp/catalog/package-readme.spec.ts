import { describe, expect, it } from '@jest/globals';
import { credentialsInCode, readmeFacts } from './package-readme.js';

const fenced = (text: string, language = 'json') => `# Acme\n\n\`\`\`${language}\n${text}\n\`\`\`\n`;
const block = (server: object) => fenced(JSON.stringify({ mcpServers: { acme: server } }, null, 2));
const facts = (readme: string) => readmeFacts(readme, '@acme/mcp', ['acme-mcp']);
const names = (readme: string) => facts(readme).variables.map(({ name }) => name);

describe('readmeFacts', () => {
  it('takes variables and arguments of the block that starts the package', () => {
    const env = { ACME_API_KEY: 'YOUR_KEY', ACME_REGION: 'eu' };
    const found = facts(block({ command: 'npx', args: ['-y', '@acme/mcp@latest', '--read-only'], env }));
    expect(found).toEqual({
      args: ['--read-only'],
      secretArgs: [],
      variables: [
        {
          name: 'ACME_API_KEY',
          description: 'Value of ACME_API_KEY.',
          isRequired: false,
          isSecret: true,
          placeholder: 'YOUR_KEY',
        },
        expect.objectContaining({ name: 'ACME_REGION', isSecret: false, placeholder: 'eu' }),
      ],
    });
  });

  it.each<[string, string]>([
    [
      'with comments, an address and a trailing comma',
      '{"servers": {"a": {"command": "npx", // by npx\n "args": ["@acme/mcp"], "env": {"ACME_URL": "https://a.example", },}}}',
    ],
    [
      'without its outer braces',
      '"acme": {"command": "npx", "args": ["@acme/mcp"], "env": {"ACME_URL": "x"}}',
    ],
    [
      'that starts an installed program',
      '{"command": "/usr/bin/acme-mcp", "args": [], "env": {"ACME_URL": "x"}}',
    ],
    ['for Windows', '{"command": "cmd", "args": ["/c", "npx", "@acme/mcp"], "env": {"ACME_URL": "x"}}'],
  ])('reads a block %s', (_, text) => {
    expect(names(fenced(text, 'jsonc'))).toEqual(['ACME_URL']);
  });

  it('passes over the name of the program behind that of the package', () => {
    const args = ['-y', '--package', '@acme/mcp', '--', 'acme-mcp', 'start'];
    expect(facts(block({ command: 'npx', args })).args).toEqual(['start']);
  });

  it('leaves out the variables of another server, and what is no name of a variable', () => {
    const other = block({ command: 'npx', args: ['other-mcp'], env: { OTHER_KEY: 'x' } });
    const own = block({ command: 'npx', args: ['@acme/mcp'], env: { 'not a name': 'x', lower_case: 'x' } });
    expect(names(other + own)).toEqual([]);
  });

  it('leaves out a secret among the arguments and names its flag', () => {
    const args = ['@acme/mcp', '<YOUR_ACME_API_KEY>', '--api-key=sk_123', '--token', 'x', '--all'];
    expect(facts(block({ command: 'npx', args }))).toEqual({
      args: ['--all'],
      secretArgs: ['<YOUR_ACME_API_KEY>', '--api-key', '--token'],
      variables: [],
    });
  });

  it("makes variables of an example's own values, the first of its paths required", () => {
    const args = ['@acme/mcp', '--site=https://your.site.example', '--depth', '3', '/Users/me/{a}', '/other'];
    const found = facts(block({ command: 'npx', args }));
    expect(found.args).toEqual([
      '--site={env:SITE}',
      '--depth',
      '3',
      '{env:PATH_TO_USE}',
      '{env:PATH_TO_USE_2}',
    ]);
    expect(found.variables.map(({ name, isRequired, format }) => [name, isRequired, format])).toEqual([
      ['SITE', false, undefined],
      ['PATH_TO_USE', true, 'filepath'],
      ['PATH_TO_USE_2', false, 'filepath'],
    ]);
  });

  it.each(['..', '/a/..', './', '.'])(
    'gives what is written its own name in the own folder for %s',
    (example) => {
      const found = facts(block({ command: 'npx', args: ['@acme/mcp'], env: { ACME_DATA_DIR: example } }));
      expect(found.variables).toMatchObject([{ default: '{dataDir}/acme_data_dir', access: 'write' }]);
    },
  );

  it('reads tables, lists and shell lines, with what they say', () => {
    const readme = [
      '| Variable | Required | Description |',
      '|---|---|---|',
      '| `ACME_TOKEN` | Yes | Token of the [console](https://a.example). |',
      '- `ACME_PAGE_SIZE` (required): Rows of a page.',
      '- **`ACME_DEBUG`** - Says more.',
      'Or set ACME_SECRET_KEY in your environment variables, as ACME_OTHERS does.',
      fenced('claude mcp add acme -e ACME_TEAM=core -- npx @acme/mcp\nexport ACME_ZONE=a', 'sh'),
    ].join('\n');
    expect(
      facts(readme).variables.map(({ name, description, isRequired }) => [name, description, isRequired]),
    ).toEqual([
      ['ACME_TEAM', 'Value of ACME_TEAM.', false],
      ['ACME_ZONE', 'Value of ACME_ZONE.', false],
      ['ACME_SECRET_KEY', 'Value of ACME_SECRET_KEY.', false],
      ['ACME_OTHERS', 'Value of ACME_OTHERS.', false],
      ['ACME_TOKEN', 'Token of the console.', true],
      ['ACME_PAGE_SIZE', 'Rows of a page.', true],
      ['ACME_DEBUG', 'Says more.', false],
    ]);
  });

  it('finds in the code the credentials that begin with a word of the name, and no others', () => {
    const code =
      'a(env.ACME_ACCESS_TOKEN, { env: "ACME_PASSWORD" }, env.AWS_SECRET_KEY, env.MCP_KEY, env.ACME_DEBUG);';
    const found = credentialsInCode(code, '@acme/mcp').map(({ name, isSecret }) => [name, isSecret]);
    expect(found).toEqual([
      ['ACME_ACCESS_TOKEN', true],
      ['ACME_PASSWORD', true],
    ]);
  });

  it('takes a block that starts the package on its standard streams', () => {
    const http = block({ command: 'npx', args: ['@acme/mcp', '--transport', 'http'] });
    const stdio = block({ command: 'npx', args: ['@acme/mcp', '--transport', 'stdio'] });
    expect(facts(http + stdio).args).toEqual(['--transport', 'stdio']);
    expect(facts(http).args).toEqual([]);
  });

  it('gives a path its format, and one that is written a place in the folder of the server', () => {
    const env = { MEMORY_FILE_PATH: '/path/to/memory.jsonl', ACME_CONFIG_PATH: '/etc/acme.json' };
    expect(facts(block({ command: 'npx', args: ['@acme/mcp'], env })).variables).toMatchObject([
      { name: 'MEMORY_FILE_PATH', format: 'filepath', access: 'write', default: '{dataDir}/memory.jsonl' },
      { name: 'ACME_CONFIG_PATH', format: 'filepath' },
    ]);
  });

  it.each([
    ['a header', '--header', 'Authorization: Bearer abc'],
    ['an address with a password', '--db', 'mongodb://user:pw@host/db'],
    ['a flag in another case', '--accessToken', 'your-token'],
    ['the plural', '--tokens', 'a,b'],
    ['a token by its beginning', '--with', 'ghp_0123456789'],
  ])('leaves out %s', (_, flag, value) => {
    expect(facts(block({ command: 'npx', args: ['@acme/mcp', flag, value] }))).toMatchObject({
      args: [],
      secretArgs: [flag],
      variables: [],
    });
  });

  it('knows a secret by what its example looks like', () => {
    const env = {
      ACME_SETTINGS: '{"Authorization": "Bearer x"}',
      ACME_HEADERS: '',
      REDIS_URL: '',
      ACME_JWT: '',
    };
    const found = facts(block({ command: 'npx', args: ['@acme/mcp'], env })).variables;
    expect(found.map(({ isSecret }) => isSecret)).toEqual([true, true, true, true]);
  });

  it('passes over stand-ins and names of files in sentences', () => {
    expect(
      names('Set YOUR_API_KEY as an environment variable, see ADVANCED_README.md for ACME_API_KEY.'),
    ).toEqual(['ACME_API_KEY']);
  });

  it.each([
    ['line breaks', '\n'],
    ['blanks and line breaks', ' \n'],
    ['marks of code', '`'],
    ['fences that do not end', '```x\n'],
    ['an item with blanks', `- \`ACME_KEY\`${' '.repeat(100_000)}x\n`],
    ['brackets of links', '- `ACME_KEY`: [[[[[[[['],
    ['brackets of a block', `\`\`\`\n${'['.repeat(50_000)}\n\`\`\`\n`],
    ['a name without an end', 'environment variable A_A_A_A_A_A_A_A_A_'],
  ])('reads a README of 2 MB of %s', (_, part) => {
    // Where this takes time in the square of the text, it takes hours.
    const readme = part.repeat(Math.ceil(2_000_000 / part.length));
    expect(facts(readme).args).toEqual([]);
    expect(credentialsInCode(readme, '@acme/mcp').length).toBeLessThan(2);
  });

  it('bounds what one block may give, whatever it holds', () => {
    const args = ['@acme/mcp', ...Array.from({ length: 200 }, () => '<a>')];
    const env = { ACME_ODD: { toString: 1 }, ACME_FINE: 'x' };
    const found = facts(block({ command: 'npx', args }));
    expect(found.args).toHaveLength(50);
    expect(names(block({ command: 'npx', args: ['@acme/mcp'], env }))).toEqual(['ACME_FINE']);
  });

  it('finds nothing in a README that says nothing', () => {
    expect(facts('')).toEqual({ args: [], secretArgs: [], variables: [] });
  });
});
