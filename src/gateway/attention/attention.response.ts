import { ApiProperty } from '@nestjs/swagger';
import { type Role, roles, type UserPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { type Action, choicesOf, textOf } from './attention-texts-and-actions.js';
import {
  type AttentionKind,
  attentionKinds,
  severities,
  type Severity,
  type Tab,
  TAB_OF,
  tabs,
} from './attention-kinds.js';
import type { AttentionPage, CauseRow } from './attention.service.js';
import type { SnoozeOutcome } from './snoozes.service.js';

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
  /** Whether it is answered by the fields of a form, which the gate has (contract §5.7). */
  form!: boolean;
}

/** Questions with the same words and options, for people of the same role. */
export class AttentionGroupResponse {
  /** @example 5d41402a-bc4b-2a76-b971-9d911017c592 */
  id!: string;
  @ApiProperty({
    type: 'integer',
    description: 'The questions of the group that the caller sees, on all pages.',
  })
  items!: number;
  @ApiProperty({ type: 'integer', description: 'The agents that ask them.' })
  agents!: number;
}

export class AttentionBlocksResponse {
  @ApiProperty({ type: 'integer', description: 'Issues that wait for it, directly or through others.' })
  issues!: number;
  @ApiProperty({ type: 'integer', description: 'The agents of those that have nothing else to do.' })
  agents!: number;
}

/**
 * The items of a cause, by who reads them. Requests that share a statement share its causes, and making the 100 items of a
 * page takes as long as writing their JSON.
 */
const made = new WeakMap<CauseRow, Map<string, AttentionItemResponse>>();

/** One cause that needs a person. */
export class AttentionItemResponse {
  /** @example review:0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05 */
  id!: string;
  @ApiProperty({ enum: attentionKinds, enumName: 'AttentionKind' })
  kind!: AttentionKind;
  @ApiProperty({ enum: tabs, enumName: 'AttentionTab' })
  tab!: Tab;
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
  @ApiProperty({ type: AttentionNameResponse, nullable: true })
  schedule!: AttentionNameResponse | null;
  @ApiProperty({ type: AttentionGateResponse, nullable: true })
  gate!: AttentionGateResponse | null;
  /** The id of the gate whose answer ends the cause. */
  gateId!: string | null;
  /** The whole question; null for what is no question. */
  question!: string | null;
  /** The answers to choose from, in their order. */
  options!: string[];
  @ApiProperty({
    type: AttentionGroupResponse,
    nullable: true,
    description: 'null where no other question is equal.',
  })
  group!: AttentionGroupResponse | null;
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  snoozedUntil!: string | null;
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
    const { id, role, sessionId } = caller;
    const reader = `${id} ${role} ${sessionId !== null}`;
    const items = made.get(cause) ?? new Map<string, AttentionItemResponse>();
    made.set(cause, items);
    const item = items.get(reader) ?? AttentionItemResponse.make(cause, caller);
    items.set(reader, item);
    return item;
  }

  private static make(cause: CauseRow, caller: UserPrincipal): AttentionItemResponse {
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
      schedule,
      issues,
      agents,
      equals,
      group,
      until,
    } = cause;
    const isQuestion = gate?.kind === 'question';
    return {
      id,
      kind,
      tab: TAB_OF[kind],
      ...textOf(cause),
      since,
      severity: severities[severity]!,
      project,
      issue: issue && { id: issue.id, key: issue.key, title: issue.title },
      agent: agent && { id: agent.id, name: agent.name },
      server: server && { id: server.id, name: server.name },
      webhook: webhook && { id: webhook.id, name: webhook.url },
      schedule: schedule && { id: schedule.id, name: schedule.name },
      gate: gate && { id: gate.id, kind: gate.kind, form: gate.form },
      gateId: gate?.id ?? null,
      question: isQuestion ? (gate.detail ?? gate.title) : null,
      options: isQuestion ? gate.options : [],
      group: equals && { id: group!, ...equals },
      snoozedUntil: until,
      blocks: { issues, agents },
      ...choicesOf(cause, caller),
    };
  }
}

/** How many items each tab has, on all pages. */
export class AttentionTabsResponse {
  @ApiProperty({ type: 'integer' })
  decide!: number;
  @ApiProperty({ type: 'integer' })
  review!: number;
  @ApiProperty({ type: 'integer' })
  broken!: number;
  @ApiProperty({ type: 'integer', description: 'The three tabs together.' })
  all!: number;
  @ApiProperty({ type: 'integer', description: 'What the caller has snoozed, which is in no tab.' })
  snoozed!: number;

  static from(counts: Record<AttentionKind, number>, snoozed: number): AttentionTabsResponse {
    const of = (tab: Tab) =>
      attentionKinds.filter((kind) => TAB_OF[kind] === tab).reduce((sum, kind) => sum + counts[kind], 0);
    const [decide, review, broken] = [of('decide'), of('review'), of('broken')];
    return { decide, review, broken, all: decide + review + broken, snoozed };
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
  @ApiProperty({ type: AttentionTabsResponse })
  tabs!: AttentionTabsResponse;

  static from(
    rows: CauseRow[],
    { counts: found, snoozed }: Pick<AttentionPage, 'counts' | 'snoozed'>,
    caller: UserPrincipal,
  ): AttentionResponse {
    const none = Object.fromEntries(attentionKinds.map((kind) => [kind, 0])) as Record<AttentionKind, number>;
    const counts = { ...none, ...found };
    return {
      items: rows.map((row) => AttentionItemResponse.from(row, caller)),
      counts,
      tabs: AttentionTabsResponse.from(counts, snoozed),
    };
  }
}

/** What became of the items of a request. */
export class SnoozeResponse implements SnoozeOutcome {
  /**
   * Those that are now as asked.
   * @example ["review:0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05"]
   */
  changed!: string[];
  /**
   * Those that the caller does not see, or that are gone.
   * @example ["question:0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a08"]
   */
  unknown!: string[];
}
