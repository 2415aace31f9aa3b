import { describe, expect, it } from '@jest/globals';
import { warningsOf } from './app.summary.js';
import type { Settings } from './platform/config/settings.js';

const settings = (mcpSandbox: string, servers = true) =>
  ({ warnings: ['of a setting'], mcpSandbox, duties: { servers } }) as unknown as Settings;

describe('the warnings of a start', () => {
  it.each([
    ['off', /^MCP_SANDBOX=off: MCP servers see the files/],
    ['auto', /^MCP_SANDBOX=auto found no sandbox: MCP servers see the files/],
  ])('say with MCP_SANDBOX=%s that servers have no sandbox', (setting, warning) => {
    expect(warningsOf(settings(setting), 'process-group')).toEqual([
      'of a setting',
      expect.stringMatching(warning),
    ]);
  });

  it('say nothing of the sandbox where the role runs no servers', () => {
    expect(warningsOf(settings('auto', false), 'process-group')).toEqual(['of a setting']);
  });

  it.each(['bubblewrap', 'namespace'] as const)('say nothing of the sandbox %s', (level) => {
    expect(warningsOf(settings('auto'), level)).toEqual(['of a setting']);
  });
});
