import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunState } from './run-state.js';

type Suspended = { reason: string; detail?: string | null } | null | undefined;

/** Shows what happens, as lines for people or as JSON lines for programs. */
export class Progress {
  private readonly shown = new Map<string, string>();

  constructor(
    private readonly asJson: boolean,
    private readonly root: string,
  ) {}

  say(agent: string, text: string, fields: Record<string, unknown> = {}): void {
    const at = new Date().toISOString();
    const line = this.asJson
      ? JSON.stringify({ at, agent, text, ...fields })
      : `${at.slice(11, 19)} ${agent} ${text}`;
    process.stdout.write(`${line}\n`);
  }

  /** One line for each step of a run: its status, and the turn that it is in. */
  run({ agent, key, title, status, turns, reason, token }: RunState): void {
    const text = `${key} ${status === 'running' ? `turn ${turns}` : status}${reason ? `: ${reason}` : ''}`;
    if (this.shown.get(`${agent}/${key}`) === text) return;
    this.shown.set(`${agent}/${key}`, text);
    this.say(agent, text, { key, title, status, turns, reason, token });
  }

  suspended(agent: string, suspended: Suspended): void {
    const text = suspended ? `gets no work: ${suspended.reason}. ${suspended.detail ?? ''}`.trim() : '';
    const before = this.shown.get(agent) ?? '';
    this.shown.set(agent, text);
    if (text !== before) this.say(agent, text || 'gets work again');
  }

  /** Marks an agent as failing, also for `ps` in another terminal. */
  failing(agent: string, text: string): void {
    this.say(agent, `is failing: ${text}`, { failing: true });
    try {
      writeFileSync(join(this.root, agent, '.failing'), text);
    } catch {
      // The disk is full: the line above says it.
    }
  }
}
