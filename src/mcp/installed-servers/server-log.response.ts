import { ApiProperty } from '@nestjs/swagger';
import { pick } from '../../platform/http/pick.js';
import type { ProcessLogLine } from '../running/server-logs.service.js';

export class LogLineResponse {
  @ApiProperty({ type: 'string', format: 'date-time' })
  at!: string;
  /** @example "Server is listening" */
  text!: string;

  /**
   * The service process that read the line.
   * @example "work-1:4711"
   */
  process!: string;
  /**
   * The credential set with which the server ran.
   * @example default
   */
  credentialSet!: string;

  static from(line: ProcessLogLine): LogLineResponse {
    return pick(line, 'at', 'text', 'process', 'credentialSet');
  }
}

/** The last lines that a server wrote to stderr. */
export class ServerLogResponse {
  /** Oldest first. */
  @ApiProperty({ type: [LogLineResponse] })
  lines!: LogLineResponse[];

  static from(lines: readonly ProcessLogLine[]): ServerLogResponse {
    return { lines: lines.map(LogLineResponse.from) };
  }
}
