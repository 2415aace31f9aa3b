import { describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { ExactNumber, withMarks } from '../../../platform/json/exact-json.js';
import { asPrior, logLineOf, verdictOf } from './mcp-connection.js';

const clientWith = (instructions: string) => {
  const discover = {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: {},
    serverInfo: { name: 'a', version: '1' },
    instructions,
  };
  return { getDiscoverResult: () => discover, getProtocolEra: () => 'modern' } as unknown as Client;
};

describe('what a server of 2026-07-28 says about itself', () => {
  it('is kept for its next start', () => {
    expect(verdictOf(clientWith('short'), undefined)).toMatchObject({
      era: 'modern',
      discover: { instructions: 'short' },
    });
  });

  it.each([
    ['of one byte', 'x'.repeat(65_536)],
    ['of two bytes', 'é'.repeat(32_768)],
  ])(
    'is not kept where its characters %s are more than 64 KiB, and the server is probed again',
    (_, text) => {
      const verdict = verdictOf(clientWith(text), undefined);
      expect(verdict).toMatchObject({ era: 'modern', discover: {} });
      expect(JSON.stringify(verdict).length).toBeLessThan(1_000);
      expect(asPrior(verdict)).toBeUndefined();
    },
  );
});

it('writes the digits of a number into a line of a log, also where MCP has a text', () => {
  const [number] = withMarks([new ExactNumber('1234567890123456789')]) as unknown as [string];
  expect(logLineOf({ level: 'info', logger: number, data: { n: number } })).toBe(
    '[info] 1234567890123456789: {"n":1234567890123456789}',
  );
});
