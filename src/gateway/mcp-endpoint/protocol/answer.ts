import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import type { Exchange } from '../calls/exchange.js';

type Loose = Record<string, unknown>;

/** Handles one method of MCP. @throws {ProtocolError} */
export type Answer = (agent: AgentPrincipal, params: Loose, exchange: Exchange) => Promise<Loose>;
