import type { ServerContext } from '@modelcontextprotocol/server';

/** Passes the progress of a server on to the agent that asked for it, and knows when all of it is on its way. */
export class ProgressRelay {
  /** Absent where the agent gave no progress token. */
  readonly onProgress?: (progress: Record<string, unknown>) => void;
  private readonly sending: Promise<void>[] = [];

  constructor(context: ServerContext) {
    const progressToken = context.mcpReq._meta?.progressToken;
    if (progressToken === undefined) return;
    this.onProgress = ({ progress, total, message }) => {
      const params = { progress, total, message, progressToken };
      const sent = context.mcpReq.notify({ method: 'notifications/progress', params });
      // An agent that has gone away misses its progress; the result tells the rest.
      this.sending.push(sent.catch(() => undefined));
    };
  }

  /** A result must not overtake its own progress: many clients drop what comes after it. */
  async sent(): Promise<void> {
    await Promise.all(this.sending);
  }
}
