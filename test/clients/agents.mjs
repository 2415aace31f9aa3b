// The coding agents, each as one process that works through all events, with a scripted model on loopback in place of a
// model API. `call` sends a prompt, and resolves to what the agent returns to its model for the tool call.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Model } from './model.mjs';

/** The seconds that an agent has for its start and its connection to the MCP endpoint. */
const START_SECONDS = 60;

/** @type {Record<string, (url: string, key: string, modules: string) => Promise<{ call: (name: string, given?: object) => Promise<string>, close: () => Promise<void> }>>} */
export const agents = {
  'Claude Code 2.1.197': async (url, key, modules) => {
    const agent = await AgentProcess.of(key);
    const settings = {
      mcpServers: { awp: { type: 'http', url, headers: { Authorization: `Bearer ${key}` } } },
    };
    const file = agent.write('mcp.json', JSON.stringify(settings));
    const flags = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
    const servers = ['--mcp-config', file, '--strict-mcp-config', '--allowedTools', 'mcp__awp'];
    const main = join(modules, '@anthropic-ai/claude-code/cli-wrapper.cjs');
    agent.start([main, ...flags, ...servers], anthropic(agent));
    return agent.connected((content) => agent.send({ type: 'user', message: { role: 'user', content } }));
  },
  'Codex 0.169.0': async (url, key, modules) => {
    const agent = await AgentProcess.of(key);
    agent.write(
      'config.toml',
      `model = "scripted"
model_provider = "scripted"
[model_providers.scripted]
name = "scripted"
base_url = "${agent.model.url}/v1"
wire_api = "responses"
[mcp_servers.awp]
url = "${url}"
bearer_token_env_var = "AGENT_KEY"
default_tools_approval_mode = "approve"
`,
    );
    agent.start([join(modules, '@openai/codex/bin/codex.js'), 'app-server'], { CODEX_HOME: agent.home });
    const clientInfo = { name: 'drill', title: 'drill', version: '1' };
    await agent.request('initialize', { clientInfo, capabilities: null });
    agent.send({ method: 'initialized' });
    const policy = { cwd: agent.home, approvalPolicy: 'never', sandbox: 'read-only' };
    const { thread } = await agent.request('thread/start', policy);
    return agent.connected((text) =>
      agent.request('turn/start', {
        threadId: thread.id,
        input: [{ type: 'text', text, text_elements: [] }],
      }),
    );
  },
  'claude-agent-acp 0.100.0 (ACP)': async (url, key, modules) => {
    const agent = await AgentProcess.of(key);
    agent.envelope = { jsonrpc: '2.0' };
    agent.start([join(modules, '@agentclientprotocol/claude-agent-acp/dist/index.js')], anthropic(agent));
    await agent.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
    const headers = [{ name: 'Authorization', value: `Bearer ${key}` }];
    const mcpServers = [{ type: 'http', name: 'awp', url, headers }];
    const { sessionId } = await agent.request('session/new', { cwd: agent.home, mcpServers });
    // Its response comes at the end of the turn, and the result of the call before that.
    return agent.connected((text) => {
      const prompt = { sessionId, prompt: [{ type: 'text', text }] };
      agent.request('session/prompt', prompt).catch(() => undefined);
    });
  },
};

const anthropic = (agent) => ({
  ANTHROPIC_BASE_URL: agent.model.url,
  ANTHROPIC_API_KEY: 'sk-no-key',
  // Otherwise the model has to search for the tools of servers.
  ENABLE_TOOL_SEARCH: 'false',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
});

/** A process that speaks JSON lines on its standard input and output. */
class AgentProcess {
  home = mkdtempSync(join(tmpdir(), 'awp-agent-drill-'));
  output = '';
  /** The members that every message has. */
  envelope = {};
  #child = null;
  #waiting = new Map();

  constructor(model, key) {
    this.model = model;
    this.key = key;
  }

  static async of(key) {
    return new AgentProcess(await new Model().start(), key);
  }

  write(name, text) {
    mkdirSync(this.home, { recursive: true });
    writeFileSync(join(this.home, name), text);
    return join(this.home, name);
  }

  start(command, settings) {
    const env = { PATH: process.env.PATH, HOME: this.home, AGENT_KEY: this.key, ...settings };
    // It has a group of its own, because both are started by a script that starts the real program.
    this.#child = spawn(process.execPath, command, { cwd: this.home, env, detached: true });
    let rest = '';
    this.#child.stdout.setEncoding('utf8').on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines.filter((one) => one.startsWith('{'))) this.#take(JSON.parse(line));
    });
    this.#child.stderr.setEncoding('utf8').on('data', (text) => (this.output += text));
    this.#child.stdin.on('error', () => undefined);
  }

  send(message) {
    this.#child.stdin.write(`${JSON.stringify({ ...this.envelope, ...message })}\n`);
  }

  async request(method, params) {
    const id = this.#waiting.size + 1;
    const answer = new Promise((resolve) => this.#waiting.set(id, resolve));
    this.send({ id, method, params });
    const { error, result } = await answer;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  /** Waits until the agent has the tools, and returns the form in which the drill uses it. */
  async connected(prompt) {
    const call = async (name, given = {}) => {
      const asked = this.model.ask(name, given);
      await prompt(asked.prompt);
      return asked.result;
    };
    const limit = performance.now() + START_SECONDS * 1000;
    for (;;) {
      try {
        await Promise.race([call('platform__my_issues'), this.#ended()]);
        return { call, close: () => this.#close() };
      } catch (error) {
        if (performance.now() < limit && this.#child.exitCode === null) await sleep(500);
        else {
          await this.#close();
          throw new Error(`The agent did not connect: ${error.message}\n${this.output}`, { cause: error });
        }
      }
    }
  }

  async #ended() {
    await once(this.#child, 'exit');
    throw new Error('The agent ended.');
  }

  #take({ id, method, params, ...answer }) {
    if (id === undefined) return;
    if (method === undefined) this.#waiting.get(id)?.(answer);
    // An agent of ACP asks before it uses a tool.
    else if (method === 'session/request_permission') {
      const { optionId } = params.options.find(({ kind }) => kind.startsWith('allow'));
      this.send({ id, result: { outcome: { outcome: 'selected', optionId } } });
    }
  }

  async #close() {
    this.model.close();
    const { pid, exitCode, signalCode } = this.#child;
    if (exitCode === null && signalCode === null) {
      const ended = once(this.#child, 'exit');
      process.kill(-pid, 'SIGKILL');
      await ended;
    }
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }
}
