import { describe, expect, it } from '@jest/globals';
import { McpStartFailure, McpUnavailable } from './mcp-errors.js';
import {
  asRepeat,
  isSafe,
  mayBeForgotten,
  sessionAfter,
  speaksOfSession,
} from './lost-sessions-and-refused-tokens.js';

describe('a JSON-RPC error', () => {
  it.each([
    [-32001, 'Session not found'],
    [-32000, 'Bad Request: No valid session ID provided'],
    [-32000, 'Bad Request: Server not initialized'],
    [-32600, 'Session not found'],
    [-32600, 'Invalid or expired session'],
    [-32000, 'Bad Request: Mcp-Session-Id header is required'],
    [-32003, 'The session has been terminated'],
    [-32000, 'Server not yet initialised'],
    [-32001, 'Unknown session: 1234'],
  ])('%i "%s" speaks of the session', (code, message) => {
    expect(speaksOfSession({ code, message })).toBe(true);
  });

  it.each([
    [-32602, 'Session not found'],
    [-32603, 'No session for this browser'],
    [-32002, 'Resource session/5 not found'],
    [1, 'Session not found'],
    [-32000, 'The obsession is invalid'],
    [-32001, 'Request timed out'],
    [-32600, 'Invalid request'],
    [-32000, 'Session saved'],
  ])('%i "%s" is about the request', (code, message) => {
    expect(speaksOfSession({ code, message })).toBe(false);
  });
});

describe('the session of a request that failed', () => {
  const http = { transport: 'http' } as const;
  it.each([
    [new McpUnavailable('session_lost', ''), 'forgotten'],
    [new McpStartFailure('list', '', '', false, new McpUnavailable('session_lost', '')), 'forgotten'],
    [new McpUnavailable('unreachable', ''), 'doubtful'],
    [new McpUnavailable('died', ''), 'doubtful'],
    [new McpUnavailable('timed_out', ''), null],
    [new McpUnavailable('stopped', ''), null],
    [new Error('other'), null],
  ])('%# is judged by the error', (error, session) => {
    expect(sessionAfter(error, http)).toBe(session);
    expect(sessionAfter(error, { transport: 'stdio' })).toBeNull();
  });

  it('is not judged again when the request is repeated in a new one', async () => {
    expect(mayBeForgotten()).toBe(true);
    const later = asRepeat(async () => {
      await Promise.resolve();
      return mayBeForgotten();
    });
    expect(mayBeForgotten()).toBe(true);
    expect(await later).toBe(false);
  });
});

it('only what changes nothing is sent again when it may have been executed', () => {
  const safe = ['tools/list', 'prompts/list', 'prompts/get', 'resources/read', 'resources/templates/list'];
  expect([...safe, 'completion/complete', 'resources/subscribe', 'ping'].every(isSafe)).toBe(true);
  expect(['tools/call', 'tasks/cancel', 'vendor/list', 'tools/list/x'].some(isSafe)).toBe(false);
});
