import { withNumbers } from '../../../platform/json/exact-json.js';

type Loose = Record<string, unknown>;

/** The answer for the server where the client gives none. */
const CANCELLED = { action: 'cancel' };

/** The questions that the client of a session has been asked and has not answered. */
export class ClientQuestions {
  private readonly open = new Map<string, (answer: Loose) => void>();
  private asked = 0;

  /**
   * Asks the client, and returns its answer. A client that responds with an error answers nothing.
   * @param send writes the request with this id into the stream of its call; false where the client has left
   */
  async ask(send: (id: string) => boolean, over: AbortSignal): Promise<Loose> {
    if (over.aborted) return CANCELLED;
    const id = `question-${(this.asked += 1)}`;
    const answer = new Promise<Loose>((resolve) => {
      this.open.set(id, resolve);
      over.addEventListener('abort', () => resolve(CANCELLED), { once: true });
    });
    if (!send(id)) this.open.get(id)?.(CANCELLED);
    return answer.finally(() => this.open.delete(id));
  }

  /** Takes the response of the client to a question. @param message any message of the client */
  take(message: unknown): void {
    const { id, method, result } = (message ?? {}) as { id?: unknown; method?: unknown; result?: unknown };
    if (method !== undefined || typeof id !== 'string') return;
    this.open.get(id)?.(
      typeof result === 'object' && result !== null ? withNumbers(result as Loose) : CANCELLED,
    );
  }
}
