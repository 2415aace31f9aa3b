import { McpUnavailable } from '../connection/mcp-errors.js';
import { CallGate, type CallPlace, type GateLimits } from './call-gate.js';

/**
 * Admits calls to servers. A call to a removed server, and every call during shutdown, is refused with the reason;
 * all others pass the gate, which limits how many run at once.
 */
export class CallAdmission {
  private readonly gate: CallGate;
  /**
   * By server id. A server that was removed stays here, so that a call that was permitted earlier cannot start it
   * again.
   */
  private readonly removed = new Map<string, McpUnavailable>();
  private shutdown: McpUnavailable | null = null;

  constructor(limits: GateLimits) {
    this.gate = new CallGate(limits);
  }

  /**
   * Runs `call` once the gate has room for it.
   * @throws {McpUnavailable} when the server is removed, the service shuts down, or the gate stays full
   */
  async run<T>(place: CallPlace, signal: AbortSignal | undefined, call: () => Promise<T>): Promise<T> {
    this.refuseWhereClosed(place.serverId);
    const leave = await this.gate.enter(place, signal);
    try {
      this.refuseWhereClosed(place.serverId); // It may have been closed while the call waited.
      return await call();
    } finally {
      leave();
    }
  }

  /**
   * Takes a place at the gate and returns the function that gives it back; returns null where the call would wait or be
   * refused.
   */
  tryEnter(place: CallPlace): (() => void) | null {
    return this.closedBy(place.serverId) ? null : this.gate.tryEnter(place);
  }

  /** Refuses the calls that wait for this server; later ones are admitted. */
  refuseWaiting(serverId: string, reason: McpUnavailable): void {
    this.gate.refuseWaiting(reason, serverId);
  }

  /** Refuses the calls that wait for this server, and all later ones. */
  closeServer(serverId: string, reason: McpUnavailable): void {
    this.removed.set(serverId, reason);
    this.refuseWaiting(serverId, reason);
  }

  /** Refuses all calls that wait, and all later ones. */
  closeAll(reason: McpUnavailable): void {
    this.shutdown = reason;
    this.gate.refuseWaiting(reason);
  }

  private refuseWhereClosed(serverId: string): void {
    const reason = this.closedBy(serverId);
    if (reason) throw reason;
  }

  private closedBy(serverId: string): McpUnavailable | undefined {
    return this.shutdown ?? this.removed.get(serverId);
  }
}
