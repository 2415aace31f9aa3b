import { describe, expect, it } from '@jest/globals';
import type { Settings } from '../../platform/config/settings.js';
import { McpUnavailable } from '../processes/connection/mcp-errors.js';
import { HostLost } from './host-request.js';
import type { LiveHostsService } from './live-hosts.service.js';
import type { LiveHost } from './tools-host.entity.js';
import { type InternalKeysService, ToolsHostsClient } from './tools-hosts-and-internal-keys.client.js';

const host = (id: string): LiveHost => ({ id, address: `${id}:1`, isDraining: false });

/** A client that knows some hosts, and others once it has read the list again. */
class Asking extends ToolsHostsClient {
  readonly asked: string[] = [];

  constructor(
    known: string[],
    announced: string[],
    private readonly respond: (id: string) => string,
  ) {
    let ids = known;
    const hosts = {
      inOrder: async () => ids.map(host),
      refresh: async () => void (ids = announced),
      suspect: () => undefined,
    };
    super(hosts as unknown as LiveHostsService, {} as InternalKeysService, {} as Settings);
  }

  override async askHost({ id }: LiveHost): Promise<unknown> {
    this.asked.push(id);
    return this.respond(id);
  }
}

/** Of these hosts the ones named have gone, and certainly have not begun the request. */
const gone = (ids: string[]) => (id: string) => {
  if (ids.includes(id)) throw new HostLost(true);
  return `from ${id}`;
};

describe('a request to the hosts of a server', () => {
  it('goes to the first host in the order', async () => {
    const client = new Asking(['a', 'b'], [], gone([]));
    expect(await client.ask('k', 'call', null)).toBe('from a');
    expect(client.asked).toEqual(['a']);
  });

  it('goes to the next one where a host has not begun it', async () => {
    const client = new Asking(['a', 'b'], [], gone(['a']));
    expect(await client.ask('k', 'call', null)).toBe('from b');
  });

  it('goes to a host that was announced since the list was read, where all known ones are gone', async () => {
    const client = new Asking(['a', 'b'], ['a', 'b', 'c'], gone(['a', 'b']));
    expect(await client.ask('k', 'call', null)).toBe('from c');
    expect(client.asked).toEqual(['a', 'b', 'c']);
  });

  it('fails where no host is left, each of which was asked once', async () => {
    const client = new Asking(['a', 'b'], ['a', 'b'], gone(['a', 'b']));
    await expect(client.ask('k', 'call', null)).rejects.toMatchObject({ kind: 'unreachable' });
    expect(client.asked).toEqual(['a', 'b']);
  });

  it('is not repeated where a host may have begun it', async () => {
    const client = new Asking(['a', 'b'], [], () => {
      throw new HostLost(false);
    });
    await expect(client.ask('k', 'call', null)).rejects.toBeInstanceOf(McpUnavailable);
    expect(client.asked).toEqual(['a']);
  });

  it('is not repeated where the host returned an error', async () => {
    const client = new Asking(['a', 'b'], [], () => {
      throw new McpUnavailable('busy', 'Too many calls are running.');
    });
    await expect(client.ask('k', 'call', null)).rejects.toMatchObject({ kind: 'busy' });
    expect(client.asked).toEqual(['a']);
  });
});
