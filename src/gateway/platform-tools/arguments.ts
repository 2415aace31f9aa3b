import {
  Allow,
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsBase64,
  IsIn,
  IsInt,
  IsString,
  Matches,
  Max,
  Min,
} from 'class-validator';
import { ValidationFailed } from '../../platform/http/problem.js';
import { IsText } from '../../platform/http/text-and-instant-rules.js';
import { MayBeAbsent, validationPipe } from '../../platform/http/validation.pipe.js';
import { isJsonObject } from '../../platform/json/exact-json.js';
import { type IssueSort, issueSorts } from '../../work/issue-reading/issue-filter-and-order.js';
import { ASSIGNEE, ID_OR_NONE } from '../../work/issue-reading/list-issues-and-activity.query.js';
import { priorities, type Priority, type Status, statuses } from '../../work/issue-status/issue-status.js';

type Loose = Record<string, unknown>;

/**
 * Returns arguments of a platform tool without the optional ones that are null, which models send for everything that
 * they leave out (contract §7.4). Null stays where the schema has it as a value of its own, and where the argument is required.
 */
export function withoutAbsent(given: unknown, schema: Loose): unknown {
  if (Array.isArray(given)) return given.map((item) => withoutAbsent(item, objectIn(schema.items)));
  if (!isJsonObject(given)) return given;
  const properties = objectIn(schema.properties);
  const required = Array.isArray(schema.required) ? schema.required : [];
  const isAbsent = (name: string): boolean =>
    given[name] === null &&
    Object.hasOwn(properties, name) &&
    !required.includes(name) &&
    !takesNull(objectIn(properties[name]));
  const kept = Object.entries(given).filter(([name]) => !isAbsent(name));
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      Object.hasOwn(properties, name) ? withoutAbsent(value, objectIn(properties[name])) : value,
    ]),
  );
}

function takesNull({ type }: Loose): boolean {
  return type === 'null' || (Array.isArray(type) && type.includes('null'));
}

const objectIn = (value: unknown): Loose => (isJsonObject(value) ? value : {});

/** With what a caller of any platform tool shows which leases it holds. */
export class CallerArguments {
  @MayBeAbsent()
  @IsText({ min: 1, max: 64, unit: 'codePoints' })
  worker?: string;

  @MayBeAbsent()
  @IsInt()
  @Min(0)
  leaseToken?: number;
}

/** What a tool waits for; its issue is that of the only live lease where it names none. */
export class ChecksArguments {
  @MayBeAbsent()
  @IsText({ min: 1, max: 2_000, unit: 'codePoints' })
  url?: string;

  @MayBeAbsent()
  @IsIn(['passing', 'merged'])
  until?: 'passing' | 'merged';
}

/** The arguments of a tool that accepts none. */
export class NoArguments {
  // The validator accepts everything for a class without a rule.
  @Allow()
  protected readonly nothing?: never;
}

/** The issue of a tool, which is part of the path of the HTTP route. */
export class IssueArguments {
  @IsString()
  issueId!: string;
}

export class GetIssueArguments extends IssueArguments {
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  descriptionOffset?: number;

  @MayBeAbsent()
  @IsString()
  commentsCursor?: string;

  @MayBeAbsent()
  @IsInt()
  @Min(0)
  linksOffset?: number;
}

/** A link of the issue. */
export class LinkArguments extends IssueArguments {
  @IsString()
  linkId!: string;
}

/** The same with the value of the header `Lease-Token` of the HTTP route. */
export class ChangeIssueArguments extends IssueArguments {
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  leaseToken?: number;
}

/** The parameters of the list of issues that apply to the agent's own issues. */
export class MyIssuesArguments {
  @MayBeAbsent()
  @IsArray()
  @ArrayNotEmpty()
  @IsIn(statuses, { each: true, message: `must be some of ${statuses.join(', ')}` })
  @ArrayUnique({ message: 'must not name a status twice' })
  status?: Status[];

  @IsInt()
  @Min(1)
  @Max(1000)
  limit: number = 50;

  @MayBeAbsent()
  @IsString()
  cursor?: string;
}

/** The parameters of the lists of issues. */
export class ListIssuesArguments extends MyIssuesArguments {
  @MayBeAbsent()
  @IsString()
  projectId?: string;

  @MayBeAbsent()
  @Matches(ASSIGNEE, { message: 'must be the id of an agent or user, `me`, or `none`' })
  assigneeId?: string;

  @MayBeAbsent()
  @IsString()
  goalId?: string;

  @MayBeAbsent()
  @Matches(ID_OR_NONE, { message: 'must be the id of an issue, or `none`' })
  parentId?: string;

  @MayBeAbsent()
  @IsIn(priorities)
  priority?: Priority;

  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(20, { message: 'must have at most 20 labels' })
  @IsString({ each: true })
  labels?: string[];

  @MayBeAbsent()
  @IsText({ min: 1, max: 1000, unit: 'codePoints' })
  q?: string;

  @IsIn(issueSorts)
  sort: IssueSort = '-updatedAt';
}

/** The project of a tool, which is part of the path of the HTTP route. */
export class ProjectArguments {
  @IsString()
  projectId!: string;
}

/** The goal of a tool, which is part of the path of the HTTP route. */
export class GoalArguments {
  @IsString()
  goalId!: string;
}

export class ListAttachmentsArguments extends IssueArguments {
  @IsInt()
  @Min(1)
  @Max(1000)
  limit: number = 100;

  @MayBeAbsent()
  @IsString()
  cursor?: string;
}

export class ReadAttachmentArguments {
  @IsString()
  attachmentId!: string;

  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  offset: number = 0;
}

/** A file of which the content is text or base64, one of the two. */
export class AddAttachmentArguments extends IssueArguments {
  @IsText({ min: 1, max: 1000, unit: 'codePoints' })
  filename!: string;

  @MayBeAbsent()
  @IsString()
  contentType?: string;

  @MayBeAbsent()
  @IsString()
  text?: string;

  @MayBeAbsent()
  @IsBase64()
  base64?: string;
}

/** The issue of a question, and the lease under which it is asked. */
export class AskedIssueArguments {
  @MayBeAbsent()
  @IsString()
  issueId?: string;

  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  leaseToken?: number;
}

export class GateIdArguments {
  @IsString()
  gateId!: string;
}

const pipe = validationPipe();

/**
 * Validates the arguments of a platform tool with the request class of the HTTP route.
 * @throws {ValidationFailed} with one row per error
 */
export async function argumentsAs<T>(type: new () => T, given: unknown): Promise<T> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new ValidationFailed([{ path: 'arguments', message: 'must be a JSON object' }]);
  return (await pipe.transform(given, { type: 'body', metatype: type })) as T;
}
