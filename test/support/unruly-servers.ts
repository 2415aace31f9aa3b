import { expect } from '@jest/globals';
import { LocalCatalog } from '../api/mcp/local-catalog.js';
import { aServer, processesNaming, tryOut, type Installed } from '../api/mcp/servers.js';
import { descendantsOf, type Descendant } from './descendants.js';
import type { Service } from './service.js';

const KINDS = ['stubborn', 'grandchild', 'double fork'];

/** Servers that ignore signals or leave processes behind. A mark in their command lines finds these processes again. */
export class UnrulyServers {
  readonly catalog = new LocalCatalog();
  private readonly servers: Installed[] = [];

  constructor() {
    for (const kind of KINDS) this.catalog.stdio(idOf(kind), ['process-tree.mjs', kind, markOf(kind)]);
  }

  async installAt(service: Service): Promise<void> {
    for (const kind of KINDS) this.servers.push(await aServer(service.owner, idOf(kind)));
  }

  /** Starts one process of each server in this service process, and returns all descendants of that process. */
  async at(service: Service): Promise<Descendant[]> {
    for (const server of this.servers) expect(await tryOut(service.owner, server, 'ready')).toBe('ready');
    const descendants = descendantsOf(service.pid);
    for (const kind of KINDS)
      expect(descendants.filter(({ command }) => command.includes(markOf(kind)))).not.toEqual([]);
    return descendants;
  }

  /** Returns the command lines of the processes of these servers that are left on this host. */
  left(): string[] {
    return KINDS.flatMap((kind) => processesNaming(markOf(kind)));
  }
}

function idOf(kind: string): string {
  return kind.replace(' ', '-');
}

/** Returns a mark of this test run, because another may run at the same time. */
function markOf(kind: string): string {
  return `92000000${KINDS.indexOf(kind)}${process.pid}`;
}
