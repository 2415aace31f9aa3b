import { describe, expect, it } from '@jest/globals';
import { initializeErrorIn, toolCallIn, withoutNulls } from './client-frame.js';

const accept = 'application/json, text/event-stream';
const session = { accept, 'mcp-session-id': 's', 'mcp-protocol-version': '2025-11-25' };
const stateless = {
  accept,
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'x__echo',
};
const PREFIX = 'io.modelcontextprotocol/';
const envelope = {
  [`${PREFIX}protocolVersion`]: '2026-07-28',
  [`${PREFIX}clientInfo`]: { name: 'c', version: '1' },
  [`${PREFIX}clientCapabilities`]: {},
};
const frame = (params: object = {}, rest: object = {}) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name: 'x__echo', arguments: {}, ...params },
  ...rest,
});
const modern = (meta: object = {}) => frame({ _meta: { ...envelope, ...meta } });

describe('a POST is a tool call', () => {
  it('in a session, with the progress token that it carries', () => {
    expect(toolCallIn(session, frame())).toEqual({ era: 'session', id: 1, params: frame().params });
    expect(toolCallIn(session, frame({ _meta: { progressToken: 'p' } }))).toMatchObject({
      era: 'session',
      progressToken: 'p',
    });
  });

  it('that stands alone, with the progress token that it carries', () => {
    expect(toolCallIn(stateless, modern({ progressToken: 7, traceparent: 't' }))).toMatchObject({
      era: 'stateless',
      id: 1,
      progressToken: 7,
    });
  });

  it.each([
    ['without a name', session, frame({ name: undefined })],
    ['with arguments that are not an object', session, frame({ arguments: [] })],
    ['with a name that is not text', session, frame({ name: 1 })],
    ['without parameters', session, { jsonrpc: '2.0', id: 1, method: 'tools/call' }],
    ['with an argument repeated in a header', { ...stateless, 'mcp-param-a': '1' }, modern()],
    ['with a log level', stateless, modern({ [`${PREFIX}logLevel`]: 'info' })],
    ['without the name of its client', stateless, modern({ [`${PREFIX}clientInfo`]: undefined })],
    ['with its name in Base64', { ...stateless, 'mcp-name': '=?base64?eF9fZWNobw==?=' }, modern()],
    ['of a client that takes JSON alone', { ...stateless, accept: 'application/json' }, modern()],
  ])('%s', (_, headers, body) => {
    expect(toolCallIn(headers, body)).not.toBeNull();
  });

  it('without the fields of a retry, which end at this hop', () => {
    const call = toolCallIn(session, frame({ inputResponses: {}, requestState: 's', task: {} }));
    expect(call?.params).toEqual({ name: 'x__echo', arguments: {} });
  });

  it('with the wish for a task as the era of the request has it', () => {
    expect(toolCallIn(session, frame({ task: {} }))?.task).toBe('now');
    expect(toolCallIn(session, frame({ task: 1 }))).not.toHaveProperty('task');
    expect(toolCallIn(session, frame({}))).not.toHaveProperty('task');
  });
});

describe('a POST is left to the SDK', () => {
  it.each([
    ['with another method', session, frame({}, { method: 'tools/list' })],
    ['with a batch', session, [frame()]],
    ['without an id', session, frame({}, { id: undefined })],
    ['with an id that is null', session, frame({}, { id: null })],
    ['with a fraction as its id', session, frame({}, { id: 1.5 })],
    ['of another JSON-RPC version', session, frame({}, { jsonrpc: '1.0' })],
    ['with parameters that are not an object', session, frame({}, { params: [] })],
    ['with an unknown version', { ...session, 'mcp-protocol-version': '1999-01-01' }, frame()],
    ['without session and envelope', { accept }, frame()],
    ['with a version that no server knows', { ...stateless, 'mcp-protocol-version': '2099-01-01' }, modern()],
    ['with another name in the header', { ...stateless, 'mcp-name': 'y__echo' }, modern()],
    ['without the header that repeats the name', { ...stateless, 'mcp-name': undefined }, modern()],
    ['without the header that repeats the method', { ...stateless, 'mcp-method': undefined }, modern()],
    ['with another method in the header', { ...stateless, 'mcp-method': 'ping' }, modern()],
    ['with another version in the header', { ...stateless, 'mcp-protocol-version': '2025-11-25' }, modern()],
    ['with a header of the stateless era and no envelope', stateless, frame()],
    ['with an envelope without capabilities', stateless, modern({ [`${PREFIX}clientCapabilities`]: 1 })],
  ])('%s', (_, headers, body) => {
    expect(toolCallIn(headers, body)).toBeNull();
  });
});

const greeting = (params: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
const clientInfo = { name: 'c', version: '1' };
const GOOD = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };

describe('a client frame', () => {
  it('counts null members that the protocol defines as absent', () => {
    expect(withoutNulls({ id: 1, method: 'tools/list', params: null })).toEqual({
      id: 1,
      method: 'tools/list',
    });
    expect(withoutNulls({ params: { cursor: null, _meta: null } })).toEqual({ params: {} });
    expect(
      withoutNulls(
        greeting({
          ...GOOD,
          capabilities: { roots: null, elicitation: {} },
          clientInfo: { ...clientInfo, title: null },
        }),
      ),
    ).toEqual(greeting({ ...GOOD, capabilities: { elicitation: {} } }));
    expect(withoutNulls([{ params: null }])).toEqual([{}]);
  });

  it('counts null in the depth of capabilities and of the client as absent, but not in what an extension has', () => {
    const given = {
      capabilities: {
        elicitation: { form: {}, url: null },
        tasks: { requests: { elicitation: null } },
        experimental: { x: { y: null }, z: null },
      },
      clientInfo: { ...clientInfo, icons: [{ src: 'data:,', mimeType: null }] },
    };
    const expected = {
      capabilities: { elicitation: { form: {} }, tasks: { requests: {} }, experimental: { x: { y: null } } },
      clientInfo: { ...clientInfo, icons: [{ src: 'data:,' }] },
    };
    expect(withoutNulls(greeting({ ...GOOD, ...given }))).toEqual(greeting({ ...GOOD, ...expected }));
  });

  it('keeps the nulls of data', () => {
    const call = { method: 'tools/call', params: { name: 'x', arguments: { a: null, list: [null] } } };
    expect(withoutNulls(call)).toEqual(call);
    expect(withoutNulls({ params: { own: null } })).toEqual({ params: { own: null } });
  });
});

describe('a faulty initialize', () => {
  it.each<[unknown, string]>([
    [undefined, 'initialize: params is required'],
    [[], 'initialize: params must be an object'],
    [
      {},
      'initialize: params.protocolVersion is required; params.capabilities is required; params.clientInfo is required',
    ],
    [{ ...GOOD, protocolVersion: 20250618 }, 'initialize: params.protocolVersion must be a string'],
    [{ ...GOOD, capabilities: [] }, 'initialize: params.capabilities must be an object'],
    [
      { ...GOOD, capabilities: { sampling: true, roots: { listChanged: 'yes' } } },
      'initialize: params.capabilities.sampling: expected object, received boolean; params.capabilities.roots.listChanged: expected boolean, received string',
    ],
    [{ ...GOOD, clientInfo: { name: 'c' } }, 'initialize: params.clientInfo.version is required'],
  ])('with params %j names what is wrong', (params, message) => {
    expect(initializeErrorIn(greeting(params))).toEqual({ id: 1, message });
  });

  it('is not seen in a correct one, nor in another method', () => {
    expect(initializeErrorIn(greeting(GOOD))).toBeNull();
    expect(initializeErrorIn({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).toBeNull();
  });
});
