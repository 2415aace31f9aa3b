import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsObject, IsString } from 'class-validator';
import { pick } from '../../platform/http/pick.js';
import { MayBeAbsent } from '../../platform/http/validation.pipe.js';
import type { Actor } from '../../platform/journal/journal.service.js';
import { isJsonObject } from '../../platform/json/exact-json.js';
import type { ToolDefinition } from '../server-records/tool-definition.js';
import {
  approvedTextOf,
  type ServerToolRow,
  stateOf,
  type ToolState,
  toolStates,
} from './server-tool.repository.js';

export class CallToolRequest {
  /** The arguments, as the tool's input schema describes them. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: { message: 'Hello' } })
  @MayBeAbsent()
  @IsObject({ message: 'must be an object' })
  arguments?: Record<string, unknown>;
}

export class ApproveToolsRequest {
  /**
   * Names of the tools to approve. Default: all tools that are not approved.
   * @example ["echo"]
   */
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(2000)
  @IsString({ each: true })
  names?: string[];
  /**
   * The hash of each of `names` that the caller has read. Where a tool has another one by now, nothing is approved.
   * @example ["6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b"]
   */
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(2000)
  @IsString({ each: true })
  hashes?: string[];
}

/** The person or service that approved a tool. */
export class ApproverResponse {
  @ApiProperty({ enum: ['user', 'agent', 'system'] })
  type!: Actor['type'];
  id!: string | null;
  /** @example "Ada Lovelace" */
  name!: string;

  static from(actor: Actor): ApproverResponse {
    return pick(actor, 'type', 'id', 'name');
  }
}

/** The result of a tool call, with the server's own secrets masked. */
export class ToolResultResponse {
  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'MCP content blocks.',
    example: [{ type: 'text', text: 'Hello' }],
  })
  content!: Record<string, unknown>[];
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  structuredContent!: Record<string, unknown> | null;
  /** Whether the tool failed or the server sent no response. */
  isError!: boolean;

  static from({ content, structuredContent = null, isError }: Record<string, unknown>): ToolResultResponse {
    return {
      content: Array.isArray(content) ? content : [],
      structuredContent: structuredContent as Record<string, unknown> | null,
      isError: isError === true,
    };
  }
}

/** The text of a tool as it was approved. */
export class ApprovedToolResponse {
  title!: string | null;
  description!: string | null;
  @ApiProperty({ type: 'object', additionalProperties: true })
  inputSchema!: Record<string, unknown>;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  annotations!: Record<string, unknown> | null;

  /** @returns null unless the tool has changed and its approved text is known */
  static of(row: ServerToolRow): ApprovedToolResponse | null {
    if (stateOf(row) !== 'changed') return null;
    const known = approvedTextOf(row);
    return known ? textOf(known) : null;
  }
}

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
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'For an invalid tool why agents do not get it; otherwise null.',
    example: null,
  })
  reason!: string | null;
  firstSeenAt!: Date;
  changedAt!: Date | null;
  approvedBy!: ApproverResponse | null;
  @ApiProperty({
    type: ApprovedToolResponse,
    nullable: true,
    description: 'For a changed tool the text that was approved, where it is known; otherwise null.',
  })
  approved!: ApprovedToolResponse | null;

  static from(row: ServerToolRow): ServerToolResponse {
    return {
      name: row.name,
      ...textOf(row.definition),
      hash: row.hash,
      state: stateOf(row),
      reason: stateOf(row) === 'invalid' ? row.invalidReason : null,
      ...pick(row, 'firstSeenAt', 'changedAt'),
      approvedBy: row.approvedBy && ApproverResponse.from(row.approvedBy),
      approved: ApprovedToolResponse.of(row),
    };
  }
}

function textOf(definition: ToolDefinition): ApprovedToolResponse {
  const { title, description, inputSchema, annotations } = definition;
  return {
    title: textOrNull(title),
    description: textOrNull(description),
    inputSchema: isJsonObject(inputSchema) ? inputSchema : {},
    annotations: isJsonObject(annotations) ? annotations : null,
  };
}

/** A member of an invalid definition may be of any type. */
function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
