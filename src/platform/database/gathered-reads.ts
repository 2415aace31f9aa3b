import { openTransaction } from './database.js';

interface Question<Value> {
  answer: (value: Value | null) => void;
  refuse: (fault: unknown) => void;
}

/**
 * Small reads that every request needs, gathered: what is asked while one statement is on its way is asked all at
 * once in the next. Nothing is remembered: a question is answered only by a statement that began after it was
 * asked, so what was committed before a request counts for it, as if it had read alone.
 */
export class GatheredReads<Value> {
  private waiting = new Map<string, Question<Value>[]>();
  private busy = false;

  /** @param readAll reads outside of any transaction; what it leaves out is answered with null */
  constructor(private readonly readAll: (keys: string[]) => Promise<Map<string, Value>>) {}

  /** @throws what the statement threw; all that were asked in it hear the same */
  read(key: string): Promise<Value | null> {
    return new Promise((answer, refuse) => {
      const questions = this.waiting.get(key);
      if (questions) questions.push({ answer, refuse });
      else this.waiting.set(key, [{ answer, refuse }]);
      if (this.busy) return;
      this.busy = true;
      // What came in with the same turn of the event loop goes along.
      setImmediate(() => void openTransaction.leave(() => this.askAll()));
    });
  }

  private async askAll(): Promise<void> {
    while (this.waiting.size > 0) {
      const asked = this.waiting;
      this.waiting = new Map();
      await this.ask(asked);
    }
    this.busy = false;
  }

  private async ask(asked: Map<string, Question<Value>[]>): Promise<void> {
    try {
      const found = await this.readAll([...asked.keys()]);
      for (const [key, questions] of asked)
        for (const { answer } of questions) answer(found.get(key) ?? null);
    } catch (fault) {
      for (const questions of asked.values()) for (const { refuse } of questions) refuse(fault);
    }
  }
}
