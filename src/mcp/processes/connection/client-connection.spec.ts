import { expect, it } from '@jest/globals';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { AnswerMask } from './answer-mask.js';
import { ClientConnection } from './connection-and-declared-capabilities.js';

const SECRET = 'leaky-secret-value-0123456789';

it('masks what a server says about itself before it is stored', async () => {
  const [transport] = InMemoryTransport.createLinkedPair();
  const discover = {
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
    serverInfo: { name: `leaky ${SECRET}`, version: '1' },
    instructions: `The token is ${SECRET}.`,
    resultType: 'complete',
    ttlMs: 0,
    cacheScope: 'private',
  };
  const connection = await ClientConnection.greet(transport, {
    mask: new AnswerMask([SECRET]),
    prior: { at: new Date().toISOString(), era: 'modern', discover },
    startTimeoutMs: 1_000,
    limits: { frameMaxBytes: 65_536, toolsMaxBytes: 65_536 },
    pid: null,
    note: () => undefined,
    stderrTail: () => '',
    processes: () => [],
    storedBytes: () => Promise.resolve(0),
    end: () => transport.close(),
    endReason: () => Promise.resolve(''),
  });
  expect(connection.verdict).toMatchObject({
    era: 'modern',
    discover: { instructions: 'The token is [secret].' },
  });
  expect(JSON.stringify(connection.verdict)).not.toContain(SECRET);
  await transport.close();
});
