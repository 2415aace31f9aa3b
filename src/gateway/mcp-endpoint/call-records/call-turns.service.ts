import { Injectable } from '@nestjs/common';
import { ToolCallsRepository } from '../../../mcp/installed-servers/tools/tool-calls.repository.js';
import { TransactionsService } from '../../../platform/database/transactions.service.js';
import { JournalService } from '../../../platform/journal/journal.service.js';
import { UsageSumsRepository } from '../../../work/usage/usage-sums.repository.js';
import type { UsageEntry } from '../../../work/usage/usage-entry.js';
import type { AgentCallRecord } from './agent-call-record.js';
import { CallTurnsRepository } from './call-turns.repository.js';

/**
 * Writes records of tool calls, and with them the summary of each turn (contract §8.2). The first calls of a turn put one
 * entry into the journal, which the timeline of the issue shows with the summary as it is then.
 */
@Injectable()
export class CallTurnsService {
  constructor(
    private readonly calls: ToolCallsRepository,
    private readonly turns: CallTurnsRepository,
    private readonly usage: UsageSumsRepository,
    private readonly journal: JournalService,
    private readonly transactions: TransactionsService,
  ) {}

  async write(records: AgentCallRecord[]): Promise<void> {
    if (records.length === 0) return;
    await this.transactions.run(async () => {
      await this.calls.insert(records);
      const forIssues = records.filter(({ leaseToken }) => leaseToken !== null);
      if (forIssues.length > 0) await this.summarise(forIssues);
      await this.usage.add(countedOf(records));
    });
  }

  private async summarise(records: AgentCallRecord[]): Promise<void> {
    const begun = await this.turns.add(records);
    await this.journal.record(
      ...begun.map(({ issueId, projectId, leaseToken, turn, agentId, agentName }) => ({
        type: 'issue.tools_called' as const,
        subject: { type: 'issue', id: issueId },
        projectId,
        issueId,
        data: { leaseToken, turn },
        actor: { type: 'agent' as const, id: agentId, name: agentName },
      })),
    );
  }
}

/** A refused call was not made. */
function countedOf(records: AgentCallRecord[]): UsageEntry[] {
  return records
    .filter(({ outcome, isCounted }) => outcome !== 'refused' && !isCounted)
    .map(({ agentId, issueId }) => ({ agentId, issueId, toolCalls: 1 }));
}
