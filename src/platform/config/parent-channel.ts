import type { Part } from './process-roles-and-plan.js';

/** One process of the start, as `GET /api/info` and `npm run doctor` show it. */
export interface ProcessState {
  name: string;
  kind: 'api' | 'host';
  pid: number;
  /** starting: it does not take its part yet; ready; ending: it finishes what it has. */
  state: 'starting' | 'ready' | 'ending';
  /** ISO 8601, when it was started. */
  since: string;
  /** How often a process of this name was started again because it had ended. */
  restarts: number;
}

/** The credentials of the first Owner, which the supervisor shows once; a part that a setting gave is null. */
export interface FirstOwner {
  email: string;
  password: string | null;
  apiKey: string | null;
}

/** What a process of the start may be asked for; `catalog`: to read the catalogue again. */
export type Question = 'metrics' | 'readiness' | 'catalog';

/** What the supervisor sends to a process of the start. */
export type FromParent =
  /** The database can be reached, but may not be migrated. The process may create what it does not use yet. */
  | { awp: 'database'; databaseUrl: string }
  /** The process may use the database. This comes alone where the supervisor has nothing to wait for. */
  | { awp: 'go'; databaseUrl: string }
  | { awp: 'ask'; id: number; what: Question }
  | { awp: 'answer'; id: number; body: unknown }
  | { awp: 'state'; processes: ProcessState[] }
  | { awp: 'end'; reason: string; drainMs: number };

/** What a process of the start sends to its supervisor. */
export type ToParent =
  /** It listens from now on: what is sent to a process of Node's cluster before that is lost. */
  | { awp: 'hello' }
  /** The database is migrated, and the key ring and the Owner are there: the others may go on. */
  | { awp: 'prepared' }
  /** `address` is empty where it answers no requests. */
  | { awp: 'ready'; address: string; port: number; sandbox: string; owner: FirstOwner | null }
  /** Asks for the answers of all processes of the start, or for what one was asked. */
  | { awp: 'ask'; id: number; what: Question }
  | { awp: 'answer'; id: number; body: unknown };

/** How long a process waits for the answers of the others. A scrape of Prometheus waits for 10 s by default. */
const ANSWER_MS = 3_000;

/**
 * The channel of a process to the supervisor that started it. The supervisor alone decides when the process ends: Ctrl-C and
 * a terminal that closes reach all processes of the start at once, and the one with the MCP servers has to be the last.
 */
export class ParentChannel {
  /** As the supervisor last said. */
  processes: ProcessState[] = [];
  private readonly waiting = new Map<number, (body: unknown) => void>();
  private readonly answers = new Map<Question, () => Promise<unknown>>();
  private next = 0;
  private readonly told: Promise<string>;
  private readonly mayUse: Promise<void>;
  private end: ((reason: string, drainMs: number) => void) | null = null;
  private takeDatabase: (url: string) => void = () => undefined;
  private allowUse: () => void = () => undefined;

  constructor(readonly part: Part) {
    // It may come before anything waits for it.
    this.told = new Promise((resolve) => (this.takeDatabase = resolve));
    this.mayUse = new Promise((resolve) => (this.allowUse = resolve));
    process.on('message', (message: FromParent) => this.take(message));
    // Also while this process starts: it would take its part, and nothing would ever end it.
    process.once('disconnect', () => this.endBecause('the process that started it is gone', 0));
    this.send({ awp: 'hello' });
  }

  /** Resolves when the database can be reached, with its address. */
  database(): Promise<string> {
    return this.told;
  }

  /** Resolves when this process may use the database. */
  go(): Promise<void> {
    return this.mayUse;
  }

  /** Calls `end` when the supervisor says so, and when it is gone. */
  onEnd(end: (reason: string, drainMs: number) => void): void {
    this.end = end;
  }

  /** Says how this process answers a question of the supervisor. */
  answerTo(what: Question, answer: () => Promise<unknown>): void {
    this.answers.set(what, answer);
  }

  /** Returns what every process of the start answers, this one too; those that do not answer in time are left out. */
  askAll(what: Question): Promise<unknown[]> {
    const id = (this.next += 1);
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle([]), ANSWER_MS);
      const settle = (body: unknown) => {
        clearTimeout(timer);
        this.waiting.delete(id);
        resolve(body as unknown[]);
      };
      this.waiting.set(id, settle);
      this.send({ awp: 'ask', id, what });
    });
  }

  send(message: ToParent): void {
    // Without a supervisor this process ends anyway.
    if (process.connected) process.send!(message, undefined, undefined, () => undefined);
  }

  private take(message: FromParent): void {
    switch (message.awp) {
      case 'database':
        return this.takeDatabase(message.databaseUrl);
      case 'go':
        this.takeDatabase(message.databaseUrl);
        return this.allowUse();
      case 'end':
        return this.endBecause(message.reason, message.drainMs);
      case 'state':
        this.processes = message.processes;
        return;
      case 'answer':
        return this.waiting.get(message.id)?.(message.body);
      case 'ask':
        return void this.answer(message.id, message.what);
    }
  }

  private endBecause(reason: string, drainMs: number): void {
    // A process that has not begun has nothing to finish.
    if (this.end) this.end(reason, drainMs);
    else process.exit(0);
  }

  private async answer(id: number, what: Question): Promise<void> {
    const answering = this.answers.get(what)?.();
    // A process that cannot answer, because it starts or the database is away, is left out.
    const body = await answering?.catch(() => null);
    this.send({ awp: 'answer', id, body: body ?? null });
  }
}

const PART = '--part=';

/** The arguments that make a process of `dist/src/main.js` this part of a start. */
export function argumentsOf(part: Part): string[] {
  return [`${PART}${JSON.stringify(part)}`];
}

/** Returns whether a supervisor started this process. It is also what ends it. */
export function isPartOfStart(): boolean {
  return process.argv.some((argument) => argument.startsWith(PART));
}

/** Returns the channel to the supervisor, or null in a process that a person or a service manager started. */
export function openParentChannel(given: readonly string[] = process.argv): ParentChannel | null {
  const part = given.find((argument) => argument.startsWith(PART));
  if (part === undefined || !process.send) return null;
  // The supervisor was gone before this process could listen for that.
  if (!process.connected) process.exit(0);
  return new ParentChannel(JSON.parse(part.slice(PART.length)) as Part);
}
