import { createHash } from 'node:crypto';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { Settings } from '../../platform/config/settings.js';
import { type Actor, currentOrigin, JournalService, SYSTEM } from '../../platform/journal/journal.service.js';
import { jsonText, withNearest } from '../../platform/json/exact-json.js';
import { ownFoldersPattern } from '../server-processes/server-folders.js';
import { InstalledServer } from '../server-records/server-records.entities.js';
import {
  checkedTool,
  hashOf,
  type ListedTool,
  meaningOf,
  type ToolDefinition,
} from '../server-records/tool-definition.js';
import {
  isOpen,
  type KnownTexts,
  type ListedToolRow,
  ServerToolRepository,
  stateOf,
  type StoredTool,
  type ToolFacts,
  type UncheckedTool,
} from './server-tool.repository.js';

/** How a listing differs from the stored tools, by name. */
export interface ToolChanges {
  added: string[];
  /** Present before and after, with different definitions. */
  changed: string[];
  removed: string[];
  /** Removed earlier and listed again. */
  returned: string[];
}

/** Compares the hashes of a new listing with the stored tools. */
export function compareTools(
  known: readonly (ToolFacts & { name: string })[],
  listed: ReadonlyMap<string, string>,
): ToolChanges {
  const names = new Set(known.map(({ name }) => name));
  const namesOf = (which: (tool: ToolFacts & { name: string }) => boolean): string[] =>
    known.filter(which).map(({ name }) => name);
  return {
    added: [...listed.keys()].filter((name) => !names.has(name)),
    changed: namesOf(({ name, hash, present }) => present && listed.has(name) && listed.get(name) !== hash),
    removed: namesOf(({ name, present }) => present && !listed.has(name)),
    returned: namesOf(({ name, present }) => !present && listed.has(name)),
  };
}

/**
 * Stores the tools that servers list. The first listing of a server is approved as it is; a tool that differs later is
 * withheld from agents until a person approves it, unless TOOL_CHANGE_POLICY=allow (contract §3.3).
 */
@Injectable()
export class ToolComparisonsService {
  constructor(
    @InjectRepository(InstalledServer) private readonly servers: Repository<InstalledServer>,
    private readonly tools: ServerToolRepository,
    private readonly journal: JournalService,
    private readonly settings: Settings,
  ) {}

  /**
   * Call it in a transaction that has locked the server's row and checked that the listing is of its revision.
   * @param isVerification its process has ended: what it said of its own folders is not written over what agents read
   */
  async keep(
    serverId: string,
    tools: readonly ListedTool[],
    {
      isDefaultSet = true,
      isVerification = false,
    }: { isDefaultSet?: boolean; isVerification?: boolean } = {},
  ): Promise<ToolChanges> {
    const { affected } = await this.servers.update(
      { id: serverId, toolsListedAt: IsNull() },
      { toolsListedAt: () => 'now()' },
    );
    const isFirst = affected === 1;
    const stored = await this.tools.stored(serverId);
    const known = new Map(stored.map((tool) => [tool.name, tool]));
    const listed = await this.rowsOf(serverId, tools, known, isVerification);
    const found = compareTools(stored, new Map(listed.map(({ name, hash }) => [name, hash])));
    const changes = isDefaultSet || isFirst ? found : { ...NO_CHANGES, changed: found.changed };
    const touched = new Set([...changes.added, ...changes.changed, ...changes.returned]);
    await this.tools.put(
      serverId,
      listed.filter(({ name }) => touched.has(name)),
    );
    if (isDefaultSet) await this.rewrite(serverId, listed, stored, touched);
    await this.tools.markRemoved(serverId, changes.removed);
    const subject = { type: 'server', id: serverId };
    if (!isFirst && touched.size + changes.removed.length > 0)
      await this.journal.record({
        type: 'mcp.tool.changed',
        subject,
        data: shortened(changes),
        actor: SYSTEM,
      });
    if (isFirst || this.settings.toolChangePolicy === 'allow')
      await this.approveAll(serverId, isFirst ? approver() : SYSTEM);
    return changes;
  }

  /** A tool that means the same as the stored one, or as the approved one, has its hash, which approvals name. */
  private async rowsOf(
    serverId: string,
    tools: readonly ListedTool[],
    stored: ReadonlyMap<string, StoredTool>,
    isVerification: boolean,
  ): Promise<ListedToolRow[]> {
    const rows = tools.map((tool, position) => rowOf(tool, position));
    const differing = rows.filter(({ name, hash }) => stored.has(name) && stored.get(name)!.hash !== hash);
    if (differing.length === 0) return rows;
    const names = differing.map(({ name }) => name);
    const before = await this.tools.definitions(serverId, names);
    const own = ownFoldersPattern(this.settings.dataDir, serverId);
    for (const row of differing) {
      const { hash, approvedHash, writtenDigest } = stored.get(row.name)!;
      // An earlier release stored the nearest numbers of JavaScript.
      const listed = writtenDigest === null ? withNearest(row.definition) : row.definition;
      const same = sameAmong(before.get(row.name)!, listed, own);
      if (!same) continue;
      row.hash = same.isApproved ? approvedHash! : hash;
      row.definition = same.definition ?? row.definition;
      if (isVerification && meaningOf(same.read) !== meaningOf(listed)) row.written = jsonText(same.read);
    }
    return rows;
  }

  /** Keeps the order and the further members of tools that have not changed, where they are not the stored ones. */
  private async rewrite(
    serverId: string,
    listed: readonly ListedToolRow[],
    stored: readonly StoredTool[],
    touched: ReadonlySet<string>,
  ): Promise<void> {
    const before = new Map(stored.map((tool) => [tool.name, tool]));
    const rewritten = listed.filter(
      (row) => !touched.has(row.name) && !isAsStored(row, before.get(row.name)!),
    );
    if (rewritten.length > 0) await this.tools.rewrite(serverId, rewritten);
  }

  private async approveAll(serverId: string, approvedBy: Actor): Promise<void> {
    const open = (await this.tools.stored(serverId)).filter(isOpen);
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

/** What is known of a tool that means the same as its listing. */
interface SameTool {
  isApproved: boolean;
  /** As agents read it. */
  read: ToolDefinition;
  /** What has the hash of the approval; absent where it is stored already. */
  definition?: ToolDefinition;
}

function sameAmong(
  { last, approved, approvedWritten }: KnownTexts,
  listed: ToolDefinition,
  own: RegExp,
): SameTool | null {
  const meant = meaningOf(listed, own);
  if (meaningOf(last, own) === meant) return { isApproved: false, read: last };
  if (!approved || meaningOf(approved, own) !== meant) return null;
  const isRead = approvedWritten !== null && meaningOf(approvedWritten, own) === meant;
  return { isApproved: true, read: isRead ? approvedWritten : approved, definition: approved };
}

function rowOf({ definition, invalid }: ListedTool, position: number): ListedToolRow {
  const { name } = definition;
  const written = jsonText(definition);
  return { name, definition, written, hash: hashOf(definition), invalidReason: invalid, position };
}

function isAsStored({ written, invalidReason, position }: ListedToolRow, stored: StoredTool): boolean {
  return (
    stored.writtenDigest === createHash('md5').update(written).digest('hex') &&
    stored.invalidReason === invalidReason &&
    stored.position === position
  );
}

/** Which tools a server has, it says with its set `default`; any set shows that a tool has changed (contract §3.5). */
const NO_CHANGES: ToolChanges = { added: [], changed: [], removed: [], returned: [] };

/** The names of one kind of change that the journal keeps; nothing prunes it. */
const MOST_NAMES = 50;

/** Returns the changes with their first names, and the numbers of all where there are more. */
function shortened(changes: ToolChanges): Record<string, unknown> {
  const kinds = Object.entries(changes) as [string, string[]][];
  const names = Object.fromEntries(kinds.map(([kind, all]) => [kind, all.slice(0, MOST_NAMES)]));
  if (kinds.every(([, all]) => all.length <= MOST_NAMES)) return names;
  return { ...names, counts: Object.fromEntries(kinds.map(([kind, all]) => [kind, all.length])) };
}

/** Returns the person who verified the server, or the service if an agent's request caused the listing. */
function approver(): Actor {
  const actor = currentOrigin()?.actor;
  return actor?.type === 'user' ? actor : SYSTEM;
}

const AT_ONCE = 500;

/**
 * Checks the definitions that an earlier release stored, before agents list them: a server that is not started would be
 * listed as it was stored (contract §3.3). The next listing brings the order of their members.
 */
@Injectable()
export class DefinitionChecksWorker implements OnApplicationBootstrap {
  private readonly log = new Logger(DefinitionChecksWorker.name);

  constructor(private readonly tools: ServerToolRepository) {}

  async onApplicationBootstrap(): Promise<void> {
    try {
      let unchecked = await this.tools.unchecked(AT_ONCE);
      while (unchecked.length > 0 && (await this.check(unchecked)) > 0)
        unchecked = await this.tools.unchecked(AT_ONCE);
    } catch (error) {
      this.log.warn(
        `Stored definitions of tools could not be checked; verify their servers: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  /** @returns how many of them were changed; another process may have been first */
  private async check(unchecked: readonly UncheckedTool[]): Promise<number> {
    let changed = 0;
    for (const serverId of new Set(unchecked.map((tool) => tool.serverId))) {
      const ofServer = unchecked.filter((tool) => tool.serverId === serverId);
      changed += await this.tools.rewrite(serverId, ofServer.map(checkedRowOf));
    }
    return changed;
  }
}

function checkedRowOf({ name, hash, position, definition: stored }: UncheckedTool) {
  const { definition, invalid } = checkedTool({ ...stored });
  return { name, hash, position, written: jsonText(definition), invalidReason: invalid };
}
