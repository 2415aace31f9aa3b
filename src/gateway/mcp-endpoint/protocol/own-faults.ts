import { Injectable, Logger } from '@nestjs/common';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { isUnavailable } from '../../../platform/database/postgres-errors.js';

/** What clients are told of faults. */
@Injectable()
export class OwnFaults {
  private readonly log = new Logger('McpEndpoint');

  /** Nothing of a fault of our own gets out: neither SQL nor a stack. */
  asProtocolError(fault: unknown, method: string): ProtocolError {
    if (fault instanceof ProtocolError) return fault;
    if (isUnavailable(fault))
      return new ProtocolError(
        ProtocolErrorCode.InternalError,
        'The database does not answer; try again in a moment.',
      );
    this.log.error({ method, fault: fault instanceof Error ? fault.stack : String(fault) });
    return new ProtocolError(
      ProtocolErrorCode.InternalError,
      'Something went wrong on our side; try again, or tell an admin.',
    );
  }
}
