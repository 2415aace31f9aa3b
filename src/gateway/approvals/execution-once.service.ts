import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { storableText } from '../../mcp/server-records/server-text.js';
import type { CallEnd } from '../../mcp/server-tools/tool-call.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { NotFound } from '../../platform/http/problem.js';
import { ExactNumber } from '../../platform/json/exact-number.js';
import { GateClosingService } from '../../work/gates/gate-closing.service.js';
import type { GateRow } from '../../work/gates/gate.repository.js';
import { SealedArgumentsService } from '../../work/gates/sealed-arguments.service.js';
import { ToolApprovalRepository } from './tool-approval.repository.js';
import { ToolApproval } from './tool-approval.entity.js';

type Loose = Record<string, unknown>;

/** The largest result in bytes that is kept for the agent. */
const MOST_BYTES = 262_144;

/** Returns a result in a form that the database accepts: cut where it is too large, without NUL and lone surrogates. */
export function storedResult(result: Loose): Loose {
  const stored = storable(result) as Loose;
  return Buffer.byteLength(JSON.stringify(stored)) > MOST_BYTES ? cut(stored) : stored;
}

function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [storableText(name), storable(item)]),
  );
}

/** Keeps the beginning of the texts: half a picture or half of structured content is of no use. */
function cut({ content, isError }: Loose): Loose {
  const texts = (Array.isArray(content) ? (content as Loose[]) : [])
    .map(({ text }) => text)
    .filter((text) => typeof text === 'string');
  // A character has at most 6 bytes in JSON.
  const text = storableText(texts.join('\n').slice(0, Math.floor(MOST_BYTES / 6) - 100));
  const note = `The result was larger than ${MOST_BYTES / 1024} KiB: this is the beginning of its text.`;
  return {
    content: [
      { type: 'text', text },
      { type: 'text', text: note },
    ],
    ...(isError === true && { isError }),
  };
}

type Gate = Pick<GateRow, 'id' | 'kind' | 'projectId' | 'issueId'>;

/** Begins and ends the execution of approved calls, each once (contract §5.7). */
@Injectable()
export class ExecutionOnceService {
  private readonly log = new Logger(ExecutionOnceService.name);
  /** The calls that this process executes. */
  private readonly running = new Set<string>();

  constructor(
    @InjectRepository(ToolApproval) private readonly approvals: ToolApprovalRepository,
    private readonly args: SealedArgumentsService,
    private readonly closing: GateClosingService,
    private readonly transactions: TransactionsService,
  ) {}

  /** Claims a call for this process, before anything is sent. @returns false when it is not, or no longer, to execute */
  async begin(gateId: string, from: 'waiting' | 'approved'): Promise<boolean> {
    const isClaimed = await this.approvals.claim(gateId, from);
    if (isClaimed) this.running.add(gateId);
    return isClaimed;
  }

  /**
   * Stores how a call ended, and releases its issue. What cannot be stored becomes `unknown` after a while.
   * @param result kept for the agent; null where only its caller gets it
   * @param isDelivered whether a caller gets it
   */
  async end(
    gate: Gate,
    { outcome }: Pick<CallEnd, 'outcome'>,
    result: object | null,
    isDelivered = result === null,
  ): Promise<void> {
    this.running.delete(gate.id);
    const stored = result && storedResult({ ...result });
    try {
      await this.transactions.run(async () => {
        if (!(await this.closing.complete(gate, outcome, stored))) return;
        await this.approvals.finish(gate.id, isDelivered);
        await this.args.delete(gate.id);
      });
    } catch (error) {
      // The issue was deleted, and its gate with it.
      if (error instanceof NotFound) return;
      const reason = error instanceof Error ? error.message : String(error);
      this.log.error(`The end of the approved call of gate ${gate.id} could not be stored: ${reason}`);
    }
  }

  /** Returns the gates of the calls that this process executes. */
  runningHere(): string[] {
    return [...this.running];
  }
}
