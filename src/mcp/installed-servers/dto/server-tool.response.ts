import { ApiProperty } from '@nestjs/swagger';
import { ApproverResponse } from './approver.response.js';
import type { ServerToolRow } from '../tools/server-tools.repository.js';
import { stateOf, toolStates, type ToolState } from '../tools/tool-state.js';

/** A tool of a server. */
export class ServerToolResponse {
  /** @example echo */
  name!: string;
  title!: string | null;
  description!: string | null;
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'JSON Schema of its arguments.' })
  inputSchema!: Record<string, unknown>;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  annotations!: Record<string, unknown> | null;
  /** SHA-256 of the canonical JSON of all that agents are told of it. */
  hash!: string;
  @ApiProperty({
    enum: toolStates,
    enumName: 'ToolState',
    description: 'Agents are given approved tools only.',
  })
  state!: ToolState;
  firstSeenAt!: Date;
  changedAt!: Date | null;
  approvedBy!: ApproverResponse | null;

  static from(row: ServerToolRow): ServerToolResponse {
    const { name, hash, firstSeenAt, changedAt, approvedBy } = row;
    const { title = null, description = null, inputSchema, annotations = null } = row.definition;
    return Object.assign(new ServerToolResponse(), {
      ...{ name, title, description, inputSchema, annotations, hash },
      state: stateOf(row),
      ...{ firstSeenAt, changedAt },
      approvedBy: approvedBy && ApproverResponse.from(approvedBy),
    });
  }
}
