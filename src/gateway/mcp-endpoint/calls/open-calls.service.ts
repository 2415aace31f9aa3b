import { Injectable } from '@nestjs/common';
import { toolFailure } from './tool-result.js';

type Loose = Record<string, unknown>;

const RESTARTING = 'the service is restarting; the call may have been done; check before repeating it';

/** Gives every open tool call a result before a shutdown closes its connection: many clients wait for one without end. */
@Injectable()
export class OpenCallsService {
  private readonly open = new Set<(result: Loose) => void>();

  /** Returns the result of the call, or that of a restart, whichever comes first. */
  async run(call: Promise<Loose>): Promise<Loose> {
    let answer!: (result: Loose) => void;
    const interrupted = new Promise<Loose>((resolve) => (answer = resolve));
    this.open.add(answer);
    try {
      return await Promise.race([call, interrupted]);
    } finally {
      this.open.delete(answer);
    }
  }

  /** Answers all open calls. They go on until their servers are ended. */
  answerAll(): void {
    for (const answer of this.open) answer(toolFailure(RESTARTING));
  }
}
