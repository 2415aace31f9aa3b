import { ApiProperty } from '@nestjs/swagger';
import type { FoundRuntime, MissingRuntime, RuntimeReport } from '../runtime-report.js';

/** One runtime; one that is not there is `{detected: false}` alone. */
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
    if (!runtime.detected) return Object.assign(new RuntimeResponse(), { detected: false });
    const { version, path } = runtime;
    return Object.assign(new RuntimeResponse(), { detected: true, version, path });
  }
}

/** What this host has to run servers with. */
export class RuntimeReportResponse {
  /** The Node that runs the service, and the servers that need Node. */
  node!: RuntimeResponse;
  python!: RuntimeResponse;
  pipx!: RuntimeResponse;

  static from({ node, python, pipx }: RuntimeReport): RuntimeReportResponse {
    const runtimes = {
      node: RuntimeResponse.from(node),
      python: RuntimeResponse.from(python),
      pipx: RuntimeResponse.from(pipx),
    };
    return Object.assign(new RuntimeReportResponse(), runtimes);
  }
}
