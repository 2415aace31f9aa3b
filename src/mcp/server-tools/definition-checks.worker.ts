import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { jsonText } from '../../platform/json/exact-json.js';
import { checkedTool } from '../server-records/tool-definition.js';
import { ServerToolRepository, type UncheckedTool } from './server-tool.repository.js';

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
      changed += await this.tools.rewrite(serverId, ofServer.map(rowOf));
    }
    return changed;
  }
}

function rowOf({ name, hash, position, definition: stored }: UncheckedTool) {
  const { definition, invalid } = checkedTool({ ...stored });
  return { name, hash, position, written: jsonText(definition), invalidReason: invalid };
}
