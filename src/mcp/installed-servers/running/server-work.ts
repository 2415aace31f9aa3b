import { Injectable } from '@nestjs/common';
import { NotFound, type Problem } from '../../../platform/http/problem.js';
import { ServiceStopping } from '../installed-servers.errors.js';

/**
 * Work outside the database that is under way for a server: a verification, a fetch, a call. It registers
 * before it reads the server's row; whoever removes the server commits first, then ends all that is
 * registered and waits for it. So nothing of a removed server is started, or written, after that.
 */
@Injectable()
export class ServerWork {
  private readonly running = new Map<string, Set<Running>>();

  /** @param work is told by its signal when it is to end, with the refusal to be thrown as the reason; it settles soon after */
  async run<T>(serverId: string, work: (ended: AbortSignal) => Promise<T>): Promise<T> {
    const abort = new AbortController();
    const result = work(abort.signal);
    const mine: Running = { abort, settled: result.then(nothing, nothing) };
    const others = this.running.get(serverId) ?? new Set();
    this.running.set(serverId, others.add(mine));
    try {
      return await result;
    } finally {
      others.delete(mine);
      if (others.size === 0) this.running.delete(serverId);
    }
  }

  /** The server is gone: ends everything of it; resolves when nothing of it is left. */
  async end(serverId: string): Promise<void> {
    await endAll([...(this.running.get(serverId) ?? [])], new NotFound());
  }

  /** The service is shutting down: ends everything of every server. */
  async endAll(): Promise<void> {
    await endAll(
      [...this.running.values()].flatMap((running) => [...running]),
      new ServiceStopping(),
    );
  }
}

interface Running {
  abort: AbortController;
  settled: Promise<void>;
}

async function endAll(running: Running[], refusal: Problem): Promise<void> {
  for (const { abort } of running) abort.abort(refusal);
  await Promise.all(running.map(({ settled }) => settled));
}

const nothing = (): void => undefined;
