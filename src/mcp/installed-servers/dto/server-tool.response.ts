import { ApiProperty } from '@nestjs/swagger';
import { pick } from '../../../platform/http/pick.js';
import { ApproverResponse } from './approver.response.js';
import type { ServerToolRow } from '../tools/server-tools.repository.js';
import { stateOf, toolStates, type ToolState } from '../tools/tool-state.js';

/** A tool that a server lists or has listed. */
export class ServerToolResponse {
  /** @example echo */
  name!: string;
  title!: string | null;
  description!: string | null;
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'JSON Schema of the arguments.' })
  inputSchema!: Record<string, unknown>;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  annotations!: Record<string, unknown> | null;
  /** SHA-256 of the canonical JSON of everything that agents see of the tool. */
  hash!: string;
  @ApiProperty({
    enum: toolStates,
    enumName: 'ToolState',
    description: 'Agents see approved tools only.',
  })
  state!: ToolState;
  firstSeenAt!: Date;
  changedAt!: Date | null;
  approvedBy!: ApproverResponse | null;

  static from(row: ServerToolRow): ServerToolResponse {
    const { title = null, description = null, inputSchema, annotations = null } = row.definition;
    return {
      name: row.name,
      title,
      description,
      inputSchema,
      annotations,
      hash: row.hash,
      state: stateOf(row),
      ...pick(row, 'firstSeenAt', 'changedAt'),
      approvedBy: row.approvedBy && ApproverResponse.from(row.approvedBy),
    };
  }
}
