import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { ContextSlot } from '../concurrency/queues-semaphores-and-context-slots.js';
import { TransactionsService } from '../database/transactions.service.js';
import type { EventType } from './event-types.js';
import { isAdministrative, NOTIFICATION_CHANNEL } from './journal-connection.client.js';
import { JournalRepository, type JournalRow } from './journal-rows-and-months.repository.js';

/** Who did something, as every record shows it (contract §5.1). `name` is the name at that time. */
export interface Actor {
  type: 'user' | 'agent' | 'system';
  id: string | null;
  name: string;
}

export const SYSTEM: Actor = { type: 'system', id: null, name: 'system' };

/** Where a change of state comes from. There is one per request, and none for the service's own work. */
export interface Origin {
  requestId: string;
  /** W3C Trace Context of the caller, if it sent one. */
  traceparent: string | null;
  /** The client's address. */
  from: string | null;
  /** Set by the guard once the caller is known. */
  actor: Actor;
}

const current = new ContextSlot<Origin>();

/** Runs `work` with this origin. */
export function withOrigin<T>(origin: Origin, work: () => T): T {
  return current.run(origin, work);
}

/** Returns the origin of the current request, or null outside of requests. */
export function currentOrigin(): Origin | null {
  return current.get() ?? null;
}

/** Runs `work` outside of the current request, for what the service does on its own later on. */
export function withoutOrigin<T>(work: () => T): T {
  return current.exit(work);
}

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
