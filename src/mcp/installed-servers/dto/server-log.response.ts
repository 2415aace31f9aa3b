import { ApiProperty } from '@nestjs/swagger';
import type { LogLine } from '../../processes/stderr-ring.js';

export class LogLineResponse {
  @ApiProperty({ type: 'string', format: 'date-time' })
  at!: string;
  /** @example "Server is listening" */
  text!: string;

  static from({ at, text }: LogLine): LogLineResponse {
    return Object.assign(new LogLineResponse(), { at, text });
  }
}

/** The last stderr of a server. */
export class ServerLogResponse {
  /** Oldest first. */
  @ApiProperty({ type: [LogLineResponse] })
  lines!: LogLineResponse[];

  static from(lines: readonly LogLine[]): ServerLogResponse {
    return Object.assign(new ServerLogResponse(), { lines: lines.map(LogLineResponse.from) });
  }
}
