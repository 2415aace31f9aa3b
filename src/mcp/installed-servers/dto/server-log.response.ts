import { ApiProperty } from '@nestjs/swagger';
import { pick } from '../../../platform/http/pick.js';
import type { LogLine } from '../../processes/supervision/stderr-ring.js';

export class LogLineResponse {
  @ApiProperty({ type: 'string', format: 'date-time' })
  at!: string;
  /** @example "Server is listening" */
  text!: string;

  static from(line: LogLine): LogLineResponse {
    return pick(line, 'at', 'text');
  }
}

/** The last lines that a server wrote to stderr. */
export class ServerLogResponse {
  /** Oldest first. */
  @ApiProperty({ type: [LogLineResponse] })
  lines!: LogLineResponse[];

  static from(lines: readonly LogLine[]): ServerLogResponse {
    return { lines: lines.map(LogLineResponse.from) };
  }
}
