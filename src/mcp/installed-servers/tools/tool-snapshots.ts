import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import { currentOrigin, SYSTEM, type Actor } from '../../../platform/journal/journal-context.js';
import { Journal } from '../../../platform/journal/journal.js';
import { ServerToolsRepository } from './server-tools.repository.js';
import { compareTools, type ToolChanges } from './tool-changes.js';
import { hashOf, type ToolDefinition } from './tool-definition.js';
import { stateOf } from './tool-state.js';

/**
 * Keeps what servers list. The first listing of a server is approved as it is; whatever differs later is withheld
 * from agents until a person approves it, unless TOOL_CHANGE_POLICY=allow (spec §3.3).
 */
@Injectable()
export class ToolSnapshots {
  constructor(
    private readonly tools: ServerToolsRepository,
    private readonly journal: Journal,
    private readonly settings: Settings,
  ) {}

  /** Inside a transaction that holds the server's row, and has found its revision to be that of the listing. */
  async keep(serverId: string, definitions: readonly ToolDefinition[]): Promise<ToolChanges> {
    const listed = definitions.map((definition) => ({
      name: definition.name,
      definition,
      hash: hashOf(definition),
    }));
    const isFirst = await this.tools.markListed(serverId);
    const changes = compareTools(
      await this.tools.list(serverId),
      new Map(listed.map(({ name, hash }) => [name, hash])),
    );
    const touched = new Set([...changes.added, ...changes.changed, ...changes.returned]);
    await this.tools.put(
      serverId,
      listed.filter(({ name }) => touched.has(name)),
    );
    await this.tools.markRemoved(serverId, changes.removed);
    const subject = { type: 'server', id: serverId };
    if (!isFirst && touched.size + changes.removed.length > 0)
      await this.journal.record({ type: 'mcp.tool.changed', subject, data: { ...changes }, actor: SYSTEM });
    if (isFirst || this.settings.toolChangePolicy === 'allow')
      await this.approveAll(serverId, isFirst ? approver() : SYSTEM);
    return changes;
  }

  private async approveAll(serverId: string, approvedBy: Actor): Promise<void> {
    const open = (await this.tools.list(serverId)).filter((tool) => stateOf(tool) !== 'approved');
    if (open.length === 0) return;
    await this.tools.approve(
      serverId,
      open.map(({ name }) => name),
      approvedBy,
    );
    await this.journal.record({
      type: 'mcp.tool.approved',
      subject: { type: 'server', id: serverId },
      data: { tools: open.map((tool) => ({ name: tool.name, was: stateOf(tool), hash: tool.hash })) },
      actor: approvedBy,
    });
  }
}

/** The person who had the server verified; the service itself where an agent's turn was the occasion. */
function approver(): Actor {
  const actor = currentOrigin()?.actor;
  return actor?.type === 'user' ? actor : SYSTEM;
}
