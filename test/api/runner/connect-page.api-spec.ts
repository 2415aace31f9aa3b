import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { anAgent, type NewAgent } from '../../support/builders.js';
import { registryReach } from '../../support/registry-reach.js';
import { useService } from '../../support/service.js';
import { shellBlock } from '../../support/shell-blocks.js';

const PACKAGES = [
  '@anthropic-ai/claude-code@2.1.197',
  '@openai/codex@0.169.0',
  '@google/gemini-cli@0.61.0',
  'opencode-ai@1.18.33',
  'mcp-remote@0.15.1',
  '@langchain/mcp-adapters@1.1.4',
  '@ai-sdk/mcp@1.0.101',
  '@openai/agents@0.20.0',
];
const page = readFileSync('docs/connect.md', 'utf8');
// The clients take 1 GB: only in the long form, and where AWP_CLIENTS names a folder that has them.
const installed = process.env['AWP_CLIENTS'];
const clients = process.env['TEST_SIZE'] === 'full' || installed !== undefined ? describe : describe.skip;

const service = useService();
const folder = mkdtempSync(join(tmpdir(), 'awp-connect-'));
const home = mkdtempSync(join(tmpdir(), 'awp-home-'));
let agent: NewAgent;
beforeAll(async () => {
  agent = await anAgent(service.owner);
});
afterAll(() => {
  for (const made of [folder, home]) rmSync(made, { recursive: true, force: true, maxRetries: 5 });
});

/** The code of a block below a line of the page that begins with `title`. */
function blockBelow(title: string, language: string): string {
  const text = page.slice(page.indexOf(`\n${title}`));
  const code = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(text)?.[1];
  if (!code) throw new Error(`docs/connect.md has no ${language} below ${title}.`);
  return code;
}

const filled = (text: string) =>
  text.replace('http://127.0.0.1:3000', service.baseUrl).replace(/(\$?)\{env:AGENT_KEY\}/g, agent.key);

describe('the settings of docs/connect.md', () => {
  it.each([
    ['OpenCode', 'mcp'],
    ['Cursor', 'mcpServers'],
  ])('for %s reach the tools of the agent', async (title, member) => {
    const settings = JSON.parse(filled(blockBelow(title, 'json'))) as Record<
      string,
      { work: { url: string; headers: Record<string, string> } }
    >;
    const { url, headers } = settings[member]!.work;
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    const { tools } = await client.listTools();
    await client.close();
    expect(tools.map(({ name }) => name)).toContain('platform__next_issue');
  });
});

clients('the clients of docs/connect.md, from npm', () => {
  const modules = join(installed ?? folder, 'node_modules');
  beforeAll(() => {
    if (installed) return;
    const options = ['--no-audit', '--no-fund', '--silent', '--prefix', folder];
    execFileSync('npm', ['install', ...options, ...PACKAGES], {
      env: { ...process.env, ...registryReach() },
    });
  }, 900_000);

  async function bash(commands: string): Promise<string> {
    const env = {
      ...{ PATH: `${join(modules, '.bin')}:${process.env['PATH']}`, HOME: home, CI: '1' },
      ...{ URL: service.baseUrl, AGENT_KEY: agent.key, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    };
    const options = { env, cwd: folder, timeout: 240_000 };
    const { stdout, stderr } = await promisify(execFile)(
      'bash',
      ['-euo', 'pipefail', '-c', commands],
      options,
    );
    return stdout + stderr;
  }

  it.each([
    ['claude', '', /work: .*Connected/],
    ['codex', 'codex mcp list', /work/],
    ['gemini', 'gemini mcp list', /work: .*Connected/],
  ])(
    'takes the commands for %s as they are',
    async (name, check, shown) => {
      expect(await bash(`${shellBlock('docs/connect.md', name)}\n${check}`)).toMatch(shown);
    },
    300_000,
  );

  it('takes the settings for OpenCode as they are', async () => {
    writeFileSync(
      join(folder, 'opencode.json'),
      blockBelow('OpenCode', 'json').replace('http://127.0.0.1:3000', service.baseUrl),
    );
    expect(await bash('opencode mcp list')).toMatch(/work.*connected/);
  }, 300_000);

  it('takes the command of mcp-remote as it is', async () => {
    const command = blockBelow('A client without HTTP', 'sh').trim();
    const call = (id: number, method: string, params: object) =>
      JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const hello = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    const lines = [call(1, 'initialize', hello), call(2, 'tools/list', {})].map((line) => `echo '${line}'`);
    // It ends with its input, which waits for the response.
    const output = await bash(
      `(${lines.join('; ')}; for i in $(seq 100); do grep -q platform__ out && break; sleep 1; done) | ${command} > out; cat out`,
    );
    expect(output).toContain('platform__next_issue');
  }, 300_000);

  it.each([
    [
      'LangChain',
      "import { MultiServerMCPClient } from '@langchain/mcp-adapters';",
      'tools.map(({ name }) => name)',
    ],
    ['AI SDK', "import { createMCPClient } from '@ai-sdk/mcp';", 'Object.keys(tools)'],
    [
      'OpenAI Agents',
      "import { Agent, MCPServerStreamableHttp } from '@openai/agents';",
      '(await server.connect(), await agent.mcpServers[0].listTools()).map(({ name }) => name)',
    ],
  ])(
    'takes the code for %s as it is',
    async (title, imports, names) => {
      const file = join(modules, '..', `${title.replaceAll(' ', '-')}-${process.pid}.mjs`);
      const variables = `const { URL: address, AGENT_KEY: KEY } = process.env;`;
      const code = blockBelow(title, 'js').replaceAll('${URL}', '${address}');
      writeFileSync(
        file,
        `${imports}\n${variables}\n${code}\nconsole.log(${names}.join(' '));\nprocess.exit(0);\n`,
      );
      try {
        expect(await bash(`'${process.execPath}' '${file}'`)).toContain('platform__next_issue');
      } finally {
        rmSync(file);
      }
    },
    300_000,
  );
});
