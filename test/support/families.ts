import { expect } from '@jest/globals';
import { LocalCatalog } from '../api/mcp/local-catalog.js';
import { aServer, processesNaming, tryOut, type Installed } from '../api/mcp/servers.js';
import { relativesOf, type Relative } from './relatives.js';
import type { Service } from './service.js';

const KINDS = ['stubborn', 'grandchild', 'double fork'];

/** Servers that heed nothing or leave relatives behind. By their mark these are found again, wherever they went. */
export class Families {
  readonly catalog = new LocalCatalog();
  private readonly servers: Installed[] = [];

  constructor() {
    for (const kind of KINDS) this.catalog.stdio(idOf(kind), ['family.mjs', kind, markOf(kind)]);
  }

  async installAt(service: Service): Promise<void> {
    for (const kind of KINDS) this.servers.push(await aServer(service.owner, idOf(kind)));
  }

  /** One process of each at this process of the service, with what they started and all else that the service did. */
  async at(service: Service): Promise<Relative[]> {
    for (const server of this.servers) expect(await tryOut(service.owner, server, 'ready')).toBe('ready');
    const relatives = relativesOf(service.pid);
    for (const kind of KINDS)
      expect(relatives.filter(({ command }) => command.includes(markOf(kind)))).not.toEqual([]);
    return relatives;
  }

  /** Command lines of all that is left of them on this host. */
  left(): string[] {
    return KINDS.flatMap((kind) => processesNaming(markOf(kind)));
  }
}

function idOf(kind: string): string {
  return kind.replace(' ', '-');
}

/** Of this run of the tests: others may go on beside it. */
function markOf(kind: string): string {
  return `92000000${KINDS.indexOf(kind)}${process.pid}`;
}
