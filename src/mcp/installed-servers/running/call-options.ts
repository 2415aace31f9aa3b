import type { CallOptions } from '../../processes/supervision/supervisor-hooks.js';
import type { CallStart } from './call-starts.service.js';

/** One process of one server; `scopeOf` returns the scope. */
export interface CallTarget {
  serverId: string;
  scope: string;
  /** The revision that the caller has just read, if any: a process of it is called without reading the row again. */
  revision?: string;
}

/** The options of a call, of which what must hold at its begin is data. */
export type ServerCallOptions = Omit<CallOptions, 'begin'> & { start?: CallStart };
