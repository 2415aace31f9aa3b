import { Injectable } from '@nestjs/common';
import { NotFound, type Problem } from '../../platform/http/problem.js';
import { ServiceStopping } from '../server-records/server-records.errors.js';

interface Running {
  abort: AbortController;
  settled: Promise<void>;
}

const ignore = (): void => undefined;

/**
 * Keeps track of running work for servers outside the database: verifications, fetches and calls. Work registers before
 * it reads the server's row. The removal of a server commits first, then ends all registered work and waits for it, so
 * that nothing of a removed server is started or written afterwards.
 */
@Injectable()
export class CancellableWorkService {
  private readonly running = new Map<string, Set<Running>>();

  /** @param work settles soon after its signal fires and throws the reason of the signal */
  async run<T>(serverId: string, work: (ended: AbortSignal) => Promise<T>): Promise<T> {
    const abort = new AbortController();
    const result = work(abort.signal);
    // The caller of `run` receives an error; `settled` reports the end only.
    const mine: Running = { abort, settled: result.then(ignore, ignore) };
    const others = this.running.get(serverId) ?? new Set();
    this.running.set(serverId, others.add(mine));
    try {
      return await result;
    } finally {
      others.delete(mine);
      if (others.size === 0) this.running.delete(serverId);
    }
  }

  /** Ends all work of a server that was removed; resolves when it has settled. */
  async end(serverId: string): Promise<void> {
    await endAll([...(this.running.get(serverId) ?? [])], new NotFound());
  }

  /** Ends the work of every server because the service is shutting down. */
  async endAll(): Promise<void> {
    await endAll(
      [...this.running.values()].flatMap((running) => [...running]),
      new ServiceStopping(),
    );
  }
}

async function endAll(running: Running[], refusal: Problem): Promise<void> {
  for (const { abort } of running) abort.abort(refusal);
  await Promise.all(running.map(({ settled }) => settled));
}
