// The service as an operator runs it: processes on one database behind one address, a server with tools, and an agent.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inRoot } from '../../scripts/paths.mjs';
import { startTestServer } from '../support/test-server.mjs';

/** How long a process keeps a session without a request. */
export const IDLE_SECONDS = 2;

export class World {
  #folder = mkdtempSync(join(tmpdir(), 'awp-client-drill-'));
  #ownerKey = `owner-key-${randomBytes(24).toString('hex')}`;
  #processes = [];
  #sockets = new Set();
  #database = null;
  #front = null;
  #target = null;

  async open() {
    this.#database = await startTestServer();
    const catalog = join(this.#folder, 'catalog');
    mkdirSync(catalog);
    const servers = join(catalog, 'servers');
    cpSync(inRoot('test/support/mcp-servers'), servers, { recursive: true });
    writeFileSync(join(catalog, 'polite.json'), JSON.stringify(entryIn(servers)));
    this.#front = createServer((socket) => this.#pass(socket)).listen(0, '127.0.0.1');
    await once(this.#front, 'listening');
    await this.start();
    await this.#furnish();
  }

  get url() {
    return `http://127.0.0.1:${this.#front.address().port}`;
  }

  /** Starts one more process and leads new connections to it. */
  async start() {
    const env = {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: '0',
      DATA_DIR: join(this.#folder, 'data'),
      DATABASE_URL: this.#database.url,
      CATALOG_DIRS: join(this.#folder, 'catalog'),
      BOOTSTRAP_OWNER_API_KEY: this.#ownerKey,
      MCP_SESSION_IDLE_SECONDS: String(IDLE_SECONDS),
      RATE_LIMIT_PER_MINUTE: '0',
      LOG_LEVEL: 'error',
      PROCESSES: '1',
    };
    const child = spawn(process.execPath, [inRoot('dist/src/main.js')], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env,
    });
    this.#processes.push(child);
    const address = new URL(await readyAt(child));
    this.#lead(Number(address.port));
  }

  /** Ends the process that has the connections. */
  async end(signal) {
    const child = this.#processes.pop();
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** Ends all processes but the newest. */
  async endFormer() {
    const newest = this.#processes.pop();
    while (this.#processes.length > 0) await this.end('SIGTERM');
    this.#processes.push(newest);
  }

  async send(method, path, body, key = this.#ownerKey) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(new URL(path, this.url), {
      method,
      headers,
      body: body && JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path} gave ${response.status}: ${await response.text()}`);
    return response;
  }

  /** Waits until a tool call is under way. */
  async untilCalled() {
    for (;;) {
      const metrics = await (await this.send('GET', '/metrics')).text();
      if (Number(/^awp_mcp_calls_in_flight (\d+)$/m.exec(metrics)?.[1]) > 0) return;
      await sleep(20);
    }
  }

  async close() {
    for (const child of this.#processes) child.kill('SIGKILL');
    for (const socket of this.#sockets) socket.destroy();
    this.#front?.close();
    await this.#database?.stop();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #lead(port) {
    this.#target = port;
    for (const socket of this.#sockets) socket.destroy();
  }

  #pass(socket) {
    const inner = connect(this.#target, '127.0.0.1');
    this.#sockets.add(socket);
    for (const [one, other] of [
      [socket, inner],
      [inner, socket],
    ]) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
      one.pipe(other);
    }
    socket.on('close', () => this.#sockets.delete(socket));
  }

  async #furnish() {
    const json = async (method, path, body) => (await this.send(method, path, body)).json();
    const agent = await json('POST', '/api/agents', { name: 'drill' });
    const server = await json('POST', '/api/mcp/installed', { catalogId: 'polite' });
    await json('POST', `/api/mcp/installed/${server.id}/verify`);
    await json('PUT', `/api/mcp/installed/${server.id}/access`, {
      entries: [{ agentId: agent.id, granted: true }],
    });
    this.key = agent.key;
    this.slug = server.slug;
  }
}

function entryIn(servers) {
  return {
    id: 'polite',
    name: 'polite',
    description: 'Echoes and waits.',
    category: 'dev',
    version: '1.0.0',
    transport: 'stdio',
    runtime: 'none',
    manifest: {
      package: { registry: 'none' },
      launch: { command: 'node', args: [join(servers, 'misbehaving.mjs'), 'polite'], cwd: servers },
    },
    environmentVariables: [],
  };
}

function readyAt(child) {
  return new Promise((resolve, reject) => {
    let log = '';
    const hear = (text) => {
      log += text;
      const address = /is ready at ([^\s"]+)/.exec(log)?.[1];
      if (address) resolve(address);
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', hear);
    child.once('exit', () => reject(new Error(`The service ended:\n${log}`)));
  });
}
