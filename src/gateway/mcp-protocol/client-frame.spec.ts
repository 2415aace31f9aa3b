import { describe, expect, it } from '@jest/globals';
import { initializeErrorIn, withoutNulls } from './client-frame.js';

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
