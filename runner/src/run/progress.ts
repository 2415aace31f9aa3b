import type { Heartbeat } from 'agent-work-platform-client/worker';
import { printable } from './run-log.js';
import type { RunState } from './run-state.js';

/** Shows what happens, as lines for people or as JSON lines for programs. */
export class Progress {
  private readonly shown = new Map<string, string>();

  /** @param attached also shows what agents put out */
  constructor(
    private readonly asJson = false,
    readonly attached = false,
  ) {}

  say(agent: string, text: string, fields: Record<string, unknown> = {}): void {
    const at = new Date().toISOString();
    // The text may be that of the service.
    const line = printable(`${at.slice(11, 19)} ${agent} ${text}`);
    process.stdout.write(`${this.asJson ? JSON.stringify({ at, agent, text, ...fields }) : line}\n`);
  }

  /** One line for each step of a run: its status, and the turn that it is in. */
  run({ agent, key, status, turns, reason, token }: RunState): void {
    const text = `${key} ${status === 'running' ? `turn ${turns}` : status}${reason ? `: ${reason}` : ''}`;
    if (this.isNew(`${agent}/${key}`, text)) this.say(agent, text, { key, status, turns, reason, token });
  }

  suspended(agent: string, suspended: Heartbeat['suspended']): void {
    const text = suspended ? `gets no work: ${suspended.reason}. ${suspended.detail ?? ''}`.trim() : '';
    if (this.isNew(agent, text)) this.say(agent, text || 'gets work again');
  }

  private isNew(what: string, text: string): boolean {
    const isNew = (this.shown.get(what) ?? '') !== text;
    this.shown.set(what, text);
    return isNew;
  }
}
