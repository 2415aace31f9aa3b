import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CallIssuesRepository } from './call-issues.repository.js';

/** Calls that begin within so short a time share one question; in milliseconds. */
const SHARED_MS = 2;

/** For which issue a call is made. Asked when the call begins, in one statement for all that begin just then. */
@Injectable()
export class CallIssues {
  private readonly asking = new Set<string>();
  private answer: Promise<Map<string, string>> | null = null;

  constructor(private readonly repository: CallIssuesRepository) {}

  /** null where the agent's leases do not tell one, or the database does not answer; never rejects. */
  async issueOf(agentId: string): Promise<string | null> {
    this.asking.add(agentId);
    this.answer ??= this.ask();
    return (await this.answer).get(agentId) ?? null;
  }

  private async ask(): Promise<Map<string, string>> {
    await pause(SHARED_MS);
    const agentIds = [...this.asking];
    this.asking.clear();
    this.answer = null;
    return this.repository.findIssuesOf(agentIds).catch(() => new Map<string, string>());
  }
}
