import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsString, Max, Min } from 'class-validator';
import { type Role, roles, type UserPrincipal } from '../../platform/authentication/principal.js';
import { MOST_ROWS } from '../../platform/http/page-and-cursor.query.js';
import { MayBeAbsent, toWholeNumber } from '../../platform/http/validation.pipe.js';
import { type Action, choicesOf, textOf } from './attention-item.js';
import { type AttentionKind, attentionKinds, severities, type Severity } from './attention-kinds.js';
import type { AttentionPage, CauseRow } from './attention.repository.js';

export class AttentionQuery {
  /**
   * Id or key of a project: only what belongs to it.
   * @example DOCS
   */
  @MayBeAbsent()
  @IsString()
  projectId?: string;

  /** The maximum number of items. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MOST_ROWS, default: 100, required: false })
  @Transform(toWholeNumber)
  @IsInt()
  @Min(1)
  @Max(MOST_ROWS)
  limit: number = 100;

  /** The cursor from the `Link` header of the previous response. */
  @MayBeAbsent()
  @IsString()
  cursor?: string;
}

/** A call that the caller may make unchanged. */
export class AttentionActionResponse implements Action {
  /** @example "Verify again" */
  label!: string;
  @ApiProperty({ enum: ['POST', 'PUT'] })
  method!: Action['method'];
  /** @example /api/mcp/installed/0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a07/verify */
  path!: string;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  body!: Record<string, unknown> | null;
  @ApiProperty({ description: 'Whether a caller with a session needs a key of elevated mode for it.' })
  elevated!: boolean;
}

/** An object that an item is about. */
export class AttentionNameResponse {
  id!: string;
  name!: string;
}

export class AttentionProjectResponse extends AttentionNameResponse {
  /** @example DOCS */
  key!: string;
}

export class AttentionIssueResponse {
  id!: string;
  /** @example DOCS-12 */
  key!: string;
  title!: string;
}

export class AttentionGateResponse {
  id!: string;
  /** @example question */
  kind!: string;
}

export class AttentionBlocksResponse {
  @ApiProperty({ type: 'integer', description: 'Issues that wait for it, directly or through others.' })
  issues!: number;
  @ApiProperty({ type: 'integer', description: 'The agents of those that have nothing else to do.' })
  agents!: number;
}

/** One cause that needs a person. */
export class AttentionItemResponse {
  /** @example review:0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05 */
  id!: string;
  @ApiProperty({ enum: attentionKinds, enumName: 'AttentionKind' })
  kind!: AttentionKind;
  /** @example "DOCS-12 waits for a review: Write the release notes" */
  title!: string;
  /** @example "Look at the work, then resolve the issue or send it back." */
  detail!: string;
  @ApiProperty({ type: 'string', format: 'date-time' })
  since!: string;
  @ApiProperty({ enum: severities, enumName: 'Severity' })
  severity!: Severity;
  @ApiProperty({ type: AttentionProjectResponse, nullable: true })
  project!: AttentionProjectResponse | null;
  @ApiProperty({ type: AttentionIssueResponse, nullable: true })
  issue!: AttentionIssueResponse | null;
  @ApiProperty({ type: AttentionNameResponse, nullable: true })
  agent!: AttentionNameResponse | null;
  @ApiProperty({ type: AttentionNameResponse, nullable: true })
  server!: AttentionNameResponse | null;
  @ApiProperty({
    type: AttentionNameResponse,
    nullable: true,
    description: 'A webhook; its name is its address.',
  })
  webhook!: AttentionNameResponse | null;
  @ApiProperty({ type: AttentionGateResponse, nullable: true })
  gate!: AttentionGateResponse | null;
  blocks!: AttentionBlocksResponse;
  @ApiProperty({
    type: AttentionActionResponse,
    nullable: true,
    description: 'The recommended call; null where a person has to read first, or the caller may not.',
  })
  action!: AttentionActionResponse | null;
  @ApiProperty({ type: [AttentionActionResponse], description: 'Other calls that the caller may make.' })
  alternatives!: AttentionActionResponse[];
  @ApiProperty({ enum: roles, description: 'The least role that may act.' })
  needsRole!: Role;

  static from(cause: CauseRow, caller: UserPrincipal): AttentionItemResponse {
    const {
      key: id,
      kind,
      since,
      severity,
      project,
      issue,
      agent,
      server,
      gate,
      webhook,
      issues,
      agents,
    } = cause;
    return {
      id,
      kind,
      ...textOf(cause),
      since,
      severity: severities[severity]!,
      project,
      issue: issue && { id: issue.id, key: issue.key, title: issue.title },
      agent: agent && { id: agent.id, name: agent.name },
      server: server && { id: server.id, name: server.name },
      webhook: webhook && { id: webhook.id, name: webhook.url },
      gate: gate && { id: gate.id, kind: gate.kind },
      blocks: { issues, agents },
      ...choicesOf(cause, caller),
    };
  }
}

/** What needs a person. */
export class AttentionResponse {
  @ApiProperty({ type: [AttentionItemResponse] })
  items!: AttentionItemResponse[];
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'How many items of each kind there are on all pages; a kind without items has 0.',
    example: { review: 2, stuck: 1 },
  })
  counts!: Record<AttentionKind, number>;

  static from(rows: CauseRow[], found: AttentionPage['counts'], caller: UserPrincipal): AttentionResponse {
    const none = Object.fromEntries(attentionKinds.map((kind) => [kind, 0])) as Record<AttentionKind, number>;
    return {
      items: rows.map((row) => AttentionItemResponse.from(row, caller)),
      counts: { ...none, ...found },
    };
  }
}
