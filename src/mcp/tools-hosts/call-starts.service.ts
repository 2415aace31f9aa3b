import { Injectable } from '@nestjs/common';
import type { CallOptions } from '../processes/supervision/supervisor-settings.js';

/**
 * What must hold at the moment at which a call is sent, as data: the process that sends the call looks at that moment,
 * which may be another one than the process that took the call. What is in it is up to the rule.
 */
export type CallStart = Readonly<Record<string, unknown>>;

/** Looks, at the moment of sending, whether a call may begin. It belongs to a layer above. */
export interface CallStartRule {
  /** Returns a function that calls `send` while the call may begin, and rejects where it may not. */
  beginOf(start: CallStart): (send: () => void) => Promise<void>;
  /** Returns a refusal of `beginOf` as data; null for any other error. */
  refusalOf(error: unknown): unknown;
  errorOf(refusal: unknown): Error;
}

/** Holds the rule by which calls begin. The layer above gives it. */
@Injectable()
export class CallStartsService {
  private given: CallStartRule | null = null;

  set rule(rule: CallStartRule) {
    this.given = rule;
  }

  get rule(): CallStartRule {
    if (!this.given) throw new Error('No rule says when a call may begin.');
    return this.given;
  }
}

/** One process of one server; `scopeOf` returns the scope. */
export interface CallTarget {
  serverId: string;
  scope: string;
  /** The revision that the caller has just read, if any: a process of it is called without reading the row again. */
  revision?: string;
}

/** The options of a call, of which what must hold at its begin is data. */
export type ServerCallOptions = Omit<CallOptions, 'begin'> & { start?: CallStart };
