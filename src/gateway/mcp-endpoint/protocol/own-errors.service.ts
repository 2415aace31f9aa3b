import { Injectable, Logger } from '@nestjs/common';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { databaseProblem } from '../../../platform/health/database-problem.js';

/** Turns errors of this service into JSON-RPC errors for clients. */
@Injectable()
export class OwnErrorsService {
  private readonly log = new Logger('McpEndpoint');

  /** An internal error reaches the log only; the client sees neither SQL nor a stack. */
  asProtocolError(fault: unknown, method: string): ProtocolError {
    if (fault instanceof ProtocolError) return fault;
    const problem = databaseProblem(fault);
    if (problem) return new ProtocolError(ProtocolErrorCode.InternalError, problem.detail);
    this.log.error({ method, fault: fault instanceof Error ? fault.stack : String(fault) });
    return new ProtocolError(
      ProtocolErrorCode.InternalError,
      'The service had an internal error. Try again, or report it to an admin.',
    );
  }
}
