import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean } from 'class-validator';
import { pick } from '../../platform/http/pick.js';
import { toBoolean } from '../../platform/http/validation.pipe.js';
import type { FoundRuntime, MissingRuntime, RuntimeReport } from './runtime.service.js';

/** One runtime; a runtime that this host lacks is `{detected: false}` alone. */
export class RuntimeResponse {
  detected!: boolean;
  @ApiProperty({
    required: false,
    description: 'Without a leading v; absent when not detected.',
    example: '20.20.2',
  })
  version?: string;
  @ApiProperty({ required: false, description: 'Absent when not detected.', example: '/usr/bin/node' })
  path?: string;

  static from(runtime: FoundRuntime | MissingRuntime): RuntimeResponse {
    return runtime.detected ? pick(runtime, 'detected', 'version', 'path') : { detected: false };
  }
}

/** The runtimes of this host that servers can use. */
export class RuntimeReportResponse {
  /** The Node that runs the service and every server that needs Node. */
  node!: RuntimeResponse;
  python!: RuntimeResponse;
  pipx!: RuntimeResponse;

  static from({ node, python, pipx }: RuntimeReport): RuntimeReportResponse {
    return {
      node: RuntimeResponse.from(node),
      python: RuntimeResponse.from(python),
      pipx: RuntimeResponse.from(pipx),
    };
  }
}

export class GetRuntimeQuery {
  /** Probes the host again instead of returning a report of the last 30 seconds. */
  @ApiProperty({ type: 'boolean', default: false, required: false })
  @Transform(toBoolean)
  @IsBoolean({ message: 'refresh must be true or false' })
  refresh: boolean = false;
}
