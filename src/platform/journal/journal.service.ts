import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { TransactionsService } from '../database/transactions.service.js';
import type { EventType } from './event-types.js';
import { isAdministrative, NOTIFICATION_CHANNEL } from './journal-connection.client.js';
import { type Actor, currentOrigin, SYSTEM } from './journal-context.js';
import { JournalRepository, type JournalRow } from './journal.repository.js';

/** Counts the journal rows of each type that this process has committed since its start. */
@Injectable()
export class EventCountersService {
  readonly counts = new Map<string, number>();

  add(types: string[]): void {
    for (const type of types) this.counts.set(type, (this.counts.get(type) ?? 0) + 1);
  }
}

/** One change of state. `data` never holds a secret. */
export interface NewJournalEntry {
  type: EventType;
  subject: { type: string; id: string | null };
  projectId?: string | null;
  issueId?: string | null;
  data?: Record<string, unknown>;
  /** Default: the caller of the request, or the system outside of requests. */
  actor?: Actor;
}

/**
 * Writes the journal, the append-only record of every change of state (contract §8). A change and its row are written in
 * one transaction, so that neither exists without the other. Higher layers decide who may read a row.
 */
@Injectable()
export class JournalService {
  constructor(
    private readonly journal: JournalRepository,
    private readonly transactions: TransactionsService,
    private readonly counters: EventCountersService,
  ) {}

  /** Writes the rows in one statement, in the order given, inside the caller's transaction. */
  async record(...entries: NewJournalEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const origin = currentOrigin();
    const rows = entries.map((entry): JournalRow => {
      const actor = entry.actor ?? origin?.actor ?? SYSTEM;
      return {
        id: uuidv7(),
        type: entry.type,
        actor_type: actor.type,
        actor_id: actor.id,
        actor_name: actor.name,
        subject_type: entry.subject.type,
        subject_id: entry.subject.id,
        project_id: entry.projectId ?? null,
        issue_id: entry.issueId ?? null,
        data: entry.data ?? {},
        request_id: origin?.requestId ?? null,
        origin: origin?.from ?? null,
        traceparent: origin?.traceparent ?? null,
      };
    });
    await this.journal.insert(rows);
    this.transactions.afterCommit(() => this.counters.add(entries.map(({ type }) => type)));
    const administrative = new Set(entries.map(({ type }) => type).filter(isAdministrative));
    if (administrative.size > 0) await this.journal.notify(NOTIFICATION_CHANNEL, [...administrative]);
  }
}
