import { describe, expect, it } from '@jest/globals';
import type { Client, McpSubscription } from '@modelcontextprotocol/client';
import { ResourceStreams } from './server-questions-and-resource-streams.js';

/** A client whose streams stay open until they are closed. Closing one of `broken` fails. */
function clientOf(broken: string[] = []) {
  const open = new Set<string>();
  const listen = ({ resourceSubscriptions: [uri] }: { resourceSubscriptions: [string] }) => {
    open.add(uri);
    const close = () => {
      open.delete(uri);
      return broken.includes(uri) ? Promise.reject(new Error('The server is gone.')) : Promise.resolve();
    };
    const closed = new Promise<never>(() => undefined);
    return Promise.resolve({ close, closed } as unknown as McpSubscription);
  };
  const client = { listen, getServerCapabilities: () => ({ resources: { subscribe: true } }) };
  return { open, streams: new ResourceStreams(client as unknown as Client, () => undefined) };
}

const uriOf = (index: number) => `test://${index}`;

async function fill(streams: ResourceStreams): Promise<void> {
  for (let index = 0; index < 1_024; index += 1) await streams.subscribe(uriOf(index));
}

describe('streams of single resources', () => {
  it('close the oldest where a further one would exceed their number', async () => {
    const { open, streams } = clientOf();
    await fill(streams);
    expect(open.size).toBe(1_024);
    await streams.subscribe('test://new');
    expect([open.size, open.has(uriOf(0)), open.has(uriOf(1)), open.has('test://new')]).toEqual([
      1_024,
      false,
      true,
      true,
    ]);
  });

  it('can be opened again after the oldest could not be closed', async () => {
    const { open, streams } = clientOf([uriOf(0)]);
    await fill(streams);
    await expect(streams.subscribe('test://new')).rejects.toThrow('gone');
    await streams.subscribe('test://new');
    expect(open.has('test://new')).toBe(true);
  });

  it('are one for each resource', async () => {
    const { open, streams } = clientOf();
    await streams.subscribe('test://a');
    await streams.subscribe('test://a');
    await streams.unsubscribe('test://a');
    expect(open.size).toBe(0);
  });
});
