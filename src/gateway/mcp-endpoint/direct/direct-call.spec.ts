import { describe, expect, it } from '@jest/globals';
import { directCallOf } from './direct-call.js';

const accept = 'application/json, text/event-stream';
const session = { accept, 'mcp-session-id': 's', 'mcp-protocol-version': '2025-11-25' };
const stateless = {
  accept,
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'x__echo',
};
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const frame = (params: object = {}, rest: object = {}) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name: 'x__echo', arguments: {}, ...params },
  ...rest,
});

it('takes the plain call of either era', () => {
  expect(directCallOf(session, frame())).toMatchObject({ era: 'session', id: 1 });
  expect(directCallOf(stateless, frame({ _meta: { ...envelope, traceparent: 't' } }))).toMatchObject({
    era: 'stateless',
    id: 1,
  });
});

describe('leaves to the SDK', () => {
  it.each([
    ['a call with progress', session, frame({ _meta: { progressToken: 1 } })],
    ['a task', session, frame({ task: {} })],
    ['another method', session, frame({}, { method: 'tools/list' })],
    ['a batch', session, [frame()]],
    ['a notice', session, frame({}, { id: undefined })],
    ['an id that is null', session, frame({}, { id: null })],
    ['a name that is no text', session, frame({ name: 1 })],
    ['arguments that are no object', session, frame({ arguments: [] })],
    ['a client that takes no stream', { ...session, accept: 'application/json' }, frame()],
    ['an unknown version', { ...session, 'mcp-protocol-version': '1999-01-01' }, frame()],
    ['a session that names the method', { ...session, 'mcp-method': 'tools/call' }, frame()],
    ['a session with the envelope of the other era', session, frame({ _meta: envelope })],
    ['no session, no envelope', { accept }, frame()],
    [
      'an envelope without its client',
      stateless,
      frame({ _meta: { ...envelope, [clientKey()]: undefined } }),
    ],
    ['another name in the header', { ...stateless, 'mcp-name': 'y__echo' }, frame({ _meta: envelope })],
    ['another method in the header', { ...stateless, 'mcp-method': 'ping' }, frame({ _meta: envelope })],
    [
      'another version in the header',
      { ...stateless, 'mcp-protocol-version': '2025-11-25' },
      frame({ _meta: envelope }),
    ],
    ['a header that repeats an argument', { ...stateless, 'mcp-param-a': '1' }, frame({ _meta: envelope })],
    ['a log level', stateless, frame({ _meta: { ...envelope, 'io.modelcontextprotocol/logLevel': 'info' } })],
  ])('%s', (_, headers, body) => {
    expect(directCallOf(headers, body)).toBeNull();
  });
});

function clientKey(): string {
  return 'io.modelcontextprotocol/clientInfo';
}
