// A scripted agent that speaks ACP. Lines of a prompt that begin with `>>` are its steps; without one it says what it heard.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { agent, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const flags = new Set(process.argv.slice(2));
const sessions = new Map();

class Session {
  cost = 0;
  canceled = new AbortController();

  constructor(id, { cwd, mcpServers }) {
    Object.assign(this, { id, cwd, server: mcpServers[0] });
    this.folder = join(cwd, '.awp');
    mkdirSync(this.folder, { recursive: true });
    this.file = join(this.folder, `session-${id}`);
    this.turns = existsSync(this.file) ? Number(readFileSync(this.file, 'utf8')) : 0;
  }

  note(what) {
    appendFileSync(
      join(this.folder, 'heard.jsonl'),
      `${JSON.stringify({ session: this.id, turn: this.turns, ...what })}\n`,
    );
  }

  async tool(name, args) {
    const headers = Object.fromEntries(this.server.headers.map((header) => [header.name, header.value]));
    const transport = new StreamableHTTPClientTransport(new URL(this.server.url), {
      requestInit: { headers },
    });
    const client = new Client({ name: 'scripted-agent', version: '1.0.0' });
    await client.connect(transport);
    try {
      return await client.callTool({ name, arguments: args });
    } finally {
      await client.close();
    }
  }
}

/** Each step gets the rest of its line, the session, and functions that talk to the client. */
const steps = {
  say: (text, _session, { say }) => say(text),
  think: () => undefined,
  sleep: (seconds, session) =>
    // A cancelled turn ends early.
    sleep(Number(seconds) * 1000, undefined, { signal: session.canceled.signal }).catch(() => undefined),
  async until(file, session) {
    while (!existsSync(join(session.cwd, file)) && !session.canceled.signal.aborted) await sleep(50);
  },
  write: (text, session) => writeFileSync(join(session.cwd, text.split(' ')[0]), text),
  async hang() {
    // It ignores session/cancel, SIGTERM and the end of its input.
    process.on('SIGTERM', () => undefined);
    for (;;) await sleep(1000);
  },
  crash: (code) => process.exit(Number(code || 3)),
  daemon(file, session) {
    // It leads a session of its own. The program setsid would fork, and have another pid than the one that is written.
    const child = spawn('sh', ['-c', 'trap "" TERM; while true; do sleep 1; done'], {
      detached: true,
      stdio: 'ignore',
    });
    child.unref();
    writeFileSync(join(session.cwd, file), String(child.pid));
  },
  flood(mebibytes, _session, { say }) {
    return (async () => {
      for (let count = 0; count < Number(mebibytes) * 16; count += 1) await say('x'.repeat(65_536));
    })();
  },
  /** Breaks the protocol with one line without end. */
  junk: (mebibytes) => pour(process.stdout, mebibytes),
  errors: (mebibytes) => pour(process.stderr, mebibytes),
  environment: (file, session) =>
    writeFileSync(join(session.cwd, file), JSON.stringify({ env: process.env, server: session.server })),
  async tool(text, session, { update }) {
    const [name, ...rest] = text.split(' ');
    await update({
      sessionUpdate: 'tool_call',
      toolCallId: randomUUID(),
      title: name,
      kind: 'other',
      status: 'in_progress',
    });
    const result = await session.tool(name, JSON.parse(rest.join(' ') || '{}'));
    session.note({ tool: name, result });
  },
  async permission(title, session, { ask }) {
    const { outcome } = await ask(title);
    session.note({ permission: title, outcome });
  },
  async cost(dollars, session, { update }) {
    session.cost += Number(dollars);
    await update({
      sessionUpdate: 'usage_update',
      used: 1,
      size: 2,
      cost: { amount: session.cost, currency: 'USD' },
    });
  },
};

async function pour(stream, mebibytes) {
  for (let count = 0; count < Number(mebibytes) * 16; count += 1)
    if (!stream.write('x'.repeat(65_536))) await once(stream, 'drain');
}

agent({ name: 'scripted-agent' })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: 'scripted-agent', version: '1.0.0' },
    agentCapabilities: {
      loadSession: flags.has('--load'),
      mcpCapabilities: { http: !flags.has('--no-http'), sse: false },
      sessionCapabilities: flags.has('--load') || flags.has('--forget') ? {} : { resume: {} },
    },
  }))
  .onRequest(methods.agent.session.new, ({ params }) => {
    if (flags.has('--signed-out')) throw Object.assign(new Error('Sign in first'), { code: -32000 });
    const id = randomUUID();
    sessions.set(id, new Session(id, params));
    return { sessionId: id };
  })
  .onRequest(methods.agent.session.resume, ({ params }) => {
    sessions.set(params.sessionId, new Session(params.sessionId, params));
    return {};
  })
  .onRequest(methods.agent.session.load, async ({ params, client }) => {
    sessions.set(params.sessionId, new Session(params.sessionId, params));
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'the history' } };
    await client.notify(methods.client.session.update, { sessionId: params.sessionId, update });
    return {};
  })
  .onRequest(methods.agent.session.setMode, () => ({}))
  .onNotification(methods.agent.session.cancel, ({ params }) =>
    sessions.get(params.sessionId)?.canceled.abort(),
  )
  .onRequest(methods.agent.session.prompt, ({ params, client }) =>
    turn(sessions.get(params.sessionId), params, client),
  )
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));

async function turn(session, { prompt, sessionId }, client) {
  session.canceled = new AbortController();
  session.turns += 1;
  writeFileSync(session.file, String(session.turns));
  const text = prompt.map((block) => block.text ?? '').join('\n');
  session.note({ prompt: text });
  const update = (content) => client.notify(methods.client.session.update, { sessionId, update: content });
  const say = (words) =>
    update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: words } });
  const ask = (title) =>
    client.request(methods.client.session.requestPermission, {
      sessionId,
      toolCall: { toolCallId: randomUUID(), title, kind: 'execute', status: 'pending' },
      options: [
        { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
        { optionId: 'no', name: 'Deny', kind: 'reject_once' },
      ],
    });
  const lines = text.split('\n').filter((line) => line.startsWith('>> '));
  let usage;
  for (const line of lines) {
    const [, name = '', rest = ''] = /^>> (\w+) ?(.*)$/.exec(line) ?? [];
    if (name === 'refuse') return { stopReason: 'refusal' };
    if (name === 'silent') session.isSilent = true;
    if (name === 'silent') return { stopReason: 'end_turn' };
    if (name === 'usage')
      usage = {
        totalTokens: 0,
        inputTokens: Number(rest.split(' ')[0]),
        outputTokens: Number(rest.split(' ')[1]),
      };
    else await steps[name](rest, session, { update, say, ask });
    if (session.canceled.signal.aborted) return { stopReason: 'cancelled', ...(usage && { usage }) };
  }
  if (lines.length === 0 && !session.isSilent) await say(`Turn ${session.turns}: ${text.split('\n')[0]}`);
  return { stopReason: 'end_turn', ...(usage && { usage }) };
}
