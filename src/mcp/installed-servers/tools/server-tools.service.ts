import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions.js';
import { NotFound, ValidationFailed } from '../../../platform/http/problem.js';
import { currentOrigin, SYSTEM } from '../../../platform/journal/journal-context.js';
import { Journal } from '../../../platform/journal/journal.js';
import { InstalledServersRepository } from '../installed-servers.repository.js';
import { ServerToolsRepository, type ServerToolRow } from './server-tools.repository.js';
import { stateOf } from './tool-state.js';

/** The tools of a server, and the approval of those that changed (spec §3.3). */
@Injectable()
export class ServerToolsService {
  constructor(
    private readonly servers: InstalledServersRepository,
    private readonly tools: ServerToolsRepository,
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  async list(serverId: string): Promise<ServerToolRow[]> {
    if (!(await this.servers.findById(serverId))) throw new NotFound();
    return this.tools.list(serverId);
  }

  /** Approves these tools, or all of them, as they are now. Approving one that was removed forgets it. */
  approve(serverId: string, names: string[] | undefined): Promise<ServerToolRow[]> {
    return this.transactions.run(async () => {
      if (!(await this.servers.lock(serverId))) throw new NotFound();
      const tools = await this.tools.list(serverId);
      refuseUnknown(names, tools);
      const open = tools.filter(
        (tool) => stateOf(tool) !== 'approved' && (names?.includes(tool.name) ?? true),
      );
      if (open.length === 0) return tools;
      await this.tools.approve(
        serverId,
        open.map(({ name }) => name),
        currentOrigin()?.actor ?? SYSTEM,
      );
      const approved = open.map((tool) => ({ name: tool.name, was: stateOf(tool), hash: tool.hash }));
      await this.journal.record({
        type: 'mcp.tool.approved',
        subject: { type: 'server', id: serverId },
        data: { tools: approved },
      });
      return this.tools.list(serverId);
    });
  }
}

function refuseUnknown(names: string[] | undefined, tools: ServerToolRow[]): void {
  const faults = (names ?? []).flatMap((name, index) =>
    tools.some((tool) => tool.name === name)
      ? []
      : [{ path: `names[${index}]`, message: 'names no tool of this server' }],
  );
  if (faults.length > 0) throw new ValidationFailed(faults);
}
