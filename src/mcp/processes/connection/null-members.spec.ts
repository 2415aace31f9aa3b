import { describe, expect, it } from '@jest/globals';
import { resultWithoutNulls, withoutNullMembers } from './null-members.js';

describe('withoutNullMembers', () => {
  it.each([
    [
      { jsonrpc: '2.0', id: 1, method: null, params: null, result: {}, error: null },
      { jsonrpc: '2.0', id: 1, result: {} },
    ],
    [
      { jsonrpc: '2.0', id: 1, result: null, error: { code: 1, message: 'x', data: null } },
      { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x', data: null } },
    ],
    [
      { jsonrpc: '2.0', id: null, method: 'notifications/tools/list_changed', params: null },
      { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
    ],
    [
      {
        method: 'notifications/progress',
        params: { progressToken: 1, progress: 1, total: null, message: null },
      },
      { method: 'notifications/progress', params: { progressToken: 1, progress: 1 } },
    ],
    [
      { method: 'notifications/message', params: { level: 'info', logger: null, data: null } },
      { method: 'notifications/message', params: { level: 'info', data: null } },
    ],
    [
      {
        id: 1,
        result: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: { listChanged: null }, prompts: null, experimental: { a: { b: null } } },
          serverInfo: { name: 'x', version: '1', title: null },
          instructions: null,
        },
      },
      {
        id: 1,
        result: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {}, experimental: { a: { b: null } } },
          serverInfo: { name: 'x', version: '1' },
        },
      },
    ],
  ])('reads %j as if its null members were absent', (message, expected) => {
    expect(withoutNullMembers(message)).toEqual(expected);
  });

  it('takes the id of an answer that is the text of a number for the number', () => {
    expect(withoutNullMembers({ id: '7', result: {} })).toEqual({ id: 7, result: {} });
    const greeting = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: {} };
    expect(withoutNullMembers({ id: '0', result: greeting })).toMatchObject({ id: 0 });
    for (const id of ['', '0', '07', '7a', '-1', ' 7'])
      expect(withoutNullMembers({ id, result: {} })).toEqual({ id, result: {} });
    expect(withoutNullMembers({ id: '7', method: 'ping' })).toEqual({ id: '7', method: 'ping' });
  });

  it('keeps the id of an answer that is null, which belongs to no request', () => {
    expect(withoutNullMembers({ id: null, error: {} })).toEqual({ id: null, error: {} });
  });
});

describe('resultWithoutNulls', () => {
  it.each([
    [{ content: [], structuredContent: null, isError: null, _meta: null, nextCursor: null }, { content: [] }],
    [
      { content: [{ type: 'text', text: 'a', annotations: null, _meta: null }, null, 'x'] },
      { content: [{ type: 'text', text: 'a' }, null, 'x'] },
    ],
    [
      { content: [{ type: 'resource', resource: { uri: 'a:', text: 'a', blob: null, mimeType: null } }] },
      { content: [{ type: 'resource', resource: { uri: 'a:', text: 'a' } }] },
    ],
    [
      { content: [{ type: 'text', text: 'a', annotations: { audience: null, priority: 1 } }] },
      { content: [{ type: 'text', text: 'a', annotations: { priority: 1 } }] },
    ],
    [{ contents: [{ uri: 'a:', text: 'a', mimeType: null }] }, { contents: [{ uri: 'a:', text: 'a' }] }],
    [
      { messages: [{ role: 'user', content: { type: 'text', text: 'a', _meta: null } }], description: null },
      { messages: [{ role: 'user', content: { type: 'text', text: 'a' } }] },
    ],
    [{ content: [], _meta: 5 }, { content: [] }],
    [
      { content: [], _meta: { progressToken: {}, a: 1 } },
      { content: [], _meta: { a: 1 } },
    ],
    [{ completion: { values: [], total: null, hasMore: null } }, { completion: { values: [] } }],
  ])('reads %j as if its null members were absent', (result, expected) => {
    expect(resultWithoutNulls(result)).toEqual(expected);
  });

  it('returns data with its nulls, and the same object where nothing has to be left out', () => {
    const result = {
      content: [{ type: 'text', text: 'a', own: null }],
      structuredContent: { a: null, content: [null] },
      own: null,
      _meta: { a: null },
    };
    expect(resultWithoutNulls(result)).toBe(result);
    expect(result.structuredContent.a).toBeNull();
  });
});
