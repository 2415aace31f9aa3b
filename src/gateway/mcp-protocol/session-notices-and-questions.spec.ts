import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import {
  ANY_OBJECT,
  IDENTITY,
  PassThroughServer,
  SESSION_CAPABILITIES,
} from './agent-server-methods.service.js';
import { AgentSession } from './session-notices-and-questions.js';

const agent = { type: 'agent', id: 'a', keyId: 'k' } as AgentPrincipal;
const claims = { protocolVersion: '2025-06-18', capabilities: { sampling: {} }, createdAt: '' };
const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

/** A revived session behind a real HTTP server. */
async function revived(): Promise<{ url: string; session: AgentSession; server: PassThroughServer }> {
  let server!: PassThroughServer;
  const makeServer = () => {
    server = new PassThroughServer(IDENTITY, { capabilities: SESSION_CAPABILITIES });
    server.setRequestHandler('tools/list', { params: ANY_OBJECT }, async () => ({ tools: [] }));
    return server;
  };
  const session = new AgentSession('the-id', agent, makeServer, 1_048_576);
  await session.revive(claims);
  const http = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      void session.serve(agent, request, response, text === '' ? undefined : JSON.parse(text));
    });
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  closing.push(() => {
    void session.end();
    http.closeAllConnections();
    http.close();
  });
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, session, server };
}

const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-session-id': 'the-id',
};

describe('a revived session', () => {
  it('serves requests with its id, and knows the version and capabilities of its client', async () => {
    const { url, session, server } = await revived();
    expect(session.begun).toBe(true);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list' });
    const answer = await fetch(url, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('{"result":{"tools":[]},"jsonrpc":"2.0","id":7}');
    expect(server.getNegotiatedProtocolVersion()).toBe('2025-06-18');
    expect(server.getClientCapabilities()).toEqual({ sampling: {} });
  });

  it('reports on its first stream that the tools may have changed', async () => {
    const { url } = await revived();
    const stream = await fetch(url, { headers });
    const { value } = await stream.body!.getReader().read();
    expect(new TextDecoder().decode(value)).toContain('notifications/tools/list_changed');
  });

  it('is known to be deleted once its client has deleted it', async () => {
    const { url, session } = await revived();
    expect((await fetch(url, { method: 'DELETE', headers })).status).toBe(200);
    await session.ended;
    expect(session.isDeleted).toBe(true);
  });

  it('ends its tool calls when its client deletes it', async () => {
    const { url, session } = await revived();
    const call = session.run(agent, 9, until);
    expect((await fetch(url, { method: 'DELETE', headers })).status).toBe(200);
    await call;
  });

  it('ends a request other than a tool call, of whose cancellation another process told', async () => {
    const { url, session, server } = await revived();
    const begun = new EventEmitter();
    const ended = once(begun, 'ended');
    server.setRequestHandler('prompts/get', { params: ANY_OBJECT }, async (_, { mcpReq }) => {
      begun.emit('begun');
      await until(mcpReq.signal);
      begun.emit('ended');
      return { messages: [] };
    });
    const isBegun = once(begun, 'begun');
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'prompts/get', params: { name: 'p' } });
    void fetch(url, { method: 'POST', headers, body }).catch(() => undefined);
    await isBegun;
    session.cancelledElsewhere(7);
    await ended;
  });
});

const until = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
