import { Injectable } from '@nestjs/common';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { NotFound, ValidationFailed } from '../../platform/http/problem.js';
import { currentOrigin, JournalService, SYSTEM } from '../../platform/journal/journal.service.js';
import { InstalledServerRepository } from '../server-records/installed-server.repository.js';
import { isOpen, ServerToolRepository, type ServerToolRow, stateOf } from './server-tool.repository.js';

/** Lists the tools of a server and approves those that changed (contract §3.3). */
@Injectable()
export class ServerToolsService {
  constructor(
    private readonly servers: InstalledServerRepository,
    private readonly tools: ServerToolRepository,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  async list(serverId: string): Promise<ServerToolRow[]> {
    if (!(await this.servers.findById(serverId))) throw new NotFound();
    return this.tools.list(serverId);
  }

  /** Approves the named tools, or all, as they are now. Approving a removed tool deletes it. */
  approve(serverId: string, names: string[] | undefined): Promise<ServerToolRow[]> {
    return this.transactions.run(async () => {
      if (!(await this.servers.lock(serverId))) throw new NotFound();
      const tools = await this.tools.list(serverId);
      refuseUnknown(names, tools);
      const open = tools.filter((tool) => isOpen(tool) && (names?.includes(tool.name) ?? true));
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
  const errors = (names ?? []).flatMap((name, index) => {
    const message = reasonAgainst(tools.find((tool) => tool.name === name));
    return message === null ? [] : [{ path: `names[${index}]`, message }];
  });
  if (errors.length > 0) throw new ValidationFailed(errors);
}

function reasonAgainst(tool: ServerToolRow | undefined): string | null {
  if (!tool) return 'is not the name of a tool of this server';
  return stateOf(tool) === 'invalid' ? `cannot be approved, because ${tool.invalidReason}` : null;
}
