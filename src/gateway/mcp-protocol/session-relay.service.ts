import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Subject } from 'rxjs';
import { DataSource } from 'typeorm';
import { Encryption } from '../../platform/encryption/encryption.service.js';
import { SealBroken } from '../../platform/encryption/key-ring.js';
import {
  JournalConnectionClient,
  SESSION_CHANNEL,
} from '../../platform/journal/journal-connection.client.js';
import { jsonText, parseJson, withMarks, withNumbers } from '../../platform/json/exact-json.js';
import type { SessionRequest } from '../calls/exchange.js';

type Loose = Record<string, unknown>;

/** A resource by its server's URI, in the process that serves this agent. */
export interface WatchedResource {
  serverId: string;
  scope: string;
  uri: string;
}

/** A client's response to a question; null where it is an error or no object. */
export interface QuestionAnswer {
  question: string;
  result: Loose | null;
}

/** What a session has to tell the processes in which the rest of it is. */
export interface SessionElsewhere {
  /** The client cancelled a request that this process does not run. */
  cancel(request: SessionRequest): Promise<void>;
  /** The client answered a question that this process did not ask. */
  answer(answer: QuestionAnswer): Promise<void>;
  /** The client opens the stream of notifications here. */
  stream(): Promise<void>;
}

/**
 * What a process that has a session learns of it. Requests of one session reach any process, while its running calls, its open
 * questions and its stream of notifications are each in one. `session` is the name of a session, not its id.
 */
export type SessionNews = { session: string } & (
  | { kind: 'cancelled'; requestId: string | number }
  | ({ kind: 'answered' } & QuestionAnswer)
  /** By the address; null: no longer. */
  | { kind: 'watched'; resources: [address: string, resource: WatchedResource | null][] }
  | { kind: 'level'; level: number }
  /** The session has a stream in the process that asks what the others know of it. */
  | { kind: 'streams' }
  | { kind: 'deleted' }
);

const CONTEXT = 'mcp_session_news';
/** PostgreSQL takes less than 8,000 bytes in one notification. */
const PART_CHARACTERS = 7_500;
/** News whose parts have not all come. They come together, unless the connection is lost between two of them. */
const MOST_INCOMPLETE = 64;
/** More than the subscriptions of a session or an answer take. A client may cancel with an id of a megabyte. */
const MOST_PARTS = 64;

/**
 * Tells the other processes of the database what one of them has learnt of a session. News is sealed, since any user of the
 * database may notify. It is lost while a process has no connection to listen with, which then asks for what still matters.
 */
@Injectable()
export class SessionRelayService implements OnApplicationBootstrap {
  /** What other processes have told. */
  readonly news = new Subject<SessionNews>();
  /** Emits when this process can hear again: other processes may have sent news that it missed. */
  readonly missed = new Subject<void>();
  private readonly log = new Logger(SessionRelayService.name);
  private readonly own = randomUUID();
  private readonly incomplete = new Map<string, Map<number, string>>();

  constructor(
    @InjectDataSource() private readonly source: DataSource,
    private readonly connection: JournalConnectionClient,
    private readonly encryption: Encryption,
  ) {}

  onApplicationBootstrap(): void {
    this.connection.relayed.subscribe((part) => this.take(part));
    this.connection.connected.subscribe(() => this.missed.next());
  }

  /** Resolves once the news is on its way, and never rejects: what a client did stands without it. */
  async tell(news: SessionNews): Promise<void> {
    try {
      // The marks of exact numbers mean nothing in another process.
      const sealed = this.encryption.seal(jsonText(withNumbers(news)), CONTEXT);
      const parts = partsOf(`${this.own} ${randomUUID()}`, sealed);
      if (parts.length > MOST_PARTS) throw new Error(`it would take ${parts.length} notifications`);
      await this.source.query('SELECT pg_notify($1, part) FROM unnest($2::text[]) AS part', [
        SESSION_CHANNEL,
        parts,
      ]);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.log.warn(`Other processes could not be told that a session is ${news.kind}: ${reason}`);
    }
  }

  /** Two connections may bring the same part, while one takes the place of the other. */
  private take(payload: string): void {
    const [from, id, count, at, part] = payload.split(' ');
    const number = Number(count);
    if (from === this.own || !id || part === undefined || !(number <= MOST_PARTS) || !(Number(at) < number))
      return;
    const parts = this.incomplete.get(id) ?? new Map<number, string>();
    parts.set(Number(at), part);
    if (parts.size < number) return this.keep(id, parts);
    this.incomplete.delete(id);
    const news = this.opened(Array.from({ length: number }, (_, each) => parts.get(each)).join(''));
    if (news) this.news.next(news);
  }

  private keep(id: string, parts: Map<number, string>): void {
    this.incomplete.set(id, parts);
    const [oldest] = this.incomplete.keys();
    if (this.incomplete.size > MOST_INCOMPLETE) this.incomplete.delete(oldest!);
  }

  /** Returns null for what no process of this service sealed, and where the key ring cannot be read: nobody would catch an error here. */
  private opened(sealed: string): SessionNews | null {
    try {
      return withMarks(parseJson(this.encryption.open(sealed, CONTEXT))) as SessionNews;
    } catch (error) {
      if (!(error instanceof SealBroken)) this.log.warn(`News of a session cannot be read: ${String(error)}`);
      return null;
    }
  }
}

/** Cuts a sealed text, which has no spaces. */
function partsOf(head: string, sealed: string): string[] {
  const count = Math.ceil(sealed.length / PART_CHARACTERS);
  return Array.from(
    { length: count },
    (_, at) => `${head} ${count} ${at} ${sealed.slice(at * PART_CHARACTERS, (at + 1) * PART_CHARACTERS)}`,
  );
}
