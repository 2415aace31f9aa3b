import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsString,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { ValidationFailed } from '../../platform/http/problem.js';
import { IsText } from '../../platform/http/text-and-instant-rules.js';
import { MayBeAbsent, toWholeNumber } from '../../platform/http/validation.pipe.js';
import { ReportsUsageRequest } from '../../work/usage/usage.dto.js';

/** The statuses that an agent may finish an issue with. */
const finishStatuses = ['Resolved', 'PendingReview', 'Open'] as const;
type FinishStatus = (typeof finishStatuses)[number];

class EndRequest {
  @ApiProperty({ type: 'integer', example: 1, description: 'The token of the lease.' })
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  token!: number;

  /**
   * Why the work ends in this way. It stands in the issue's timeline.
   * @example "The worker is being restarted."
   */
  @MayBeAbsent()
  @IsText({ min: 1, max: 1000, unit: 'codePoints' })
  reason?: string;
}

export class ReleaseRequest extends EndRequest {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 86_400,
    required: false,
    description: 'For how long this agent does not get the issue again.',
  })
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(86_400)
  retryAfterSeconds?: number;
}

export class FinishRequest extends IntersectionType(EndRequest, ReportsUsageRequest) {
  @ApiProperty({
    enum: finishStatuses,
    example: 'Resolved',
    description:
      'Resolved: done. PendingReview: a person has to look. Open: given back, which counts an attempt.',
  })
  @IsIn(finishStatuses)
  status!: FinishStatus;

  /**
   * A comment that is written with the finish.
   * @example "All of it is in the changelog now."
   */
  @MayBeAbsent()
  @IsText({ min: 1, max: 65_536, unit: 'bytes' })
  comment?: string;

  @ApiProperty({
    type: [String],
    required: false,
    description: 'Attachments of this issue that belong to the result.',
  })
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(100)
  @ArrayUnique()
  @IsString({ each: true })
  attachmentIds?: string[];
}

export class HeartbeatQuery {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 25,
    default: 0,
    required: false,
    description: 'Seconds to wait for something to start or to stop; at most a third of the lease.',
  })
  @Transform(toWholeNumber)
  @IsInt()
  @Min(0)
  @Max(25)
  wait: number = 0;
}

export class TurnRequest extends ReportsUsageRequest {
  /**
   * Id or key of the issue that the worker is about to continue.
   * @example DOCS-1
   */
  @MayBeAbsent()
  @IsString()
  issueId?: string;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'The token of the lease, which the turn renews.',
  })
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  token?: number;

  /**
   * The `toolsVersion` of an earlier turn. While it is the present one, `tools` is `unchanged`.
   * @example 47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU
   */
  @MayBeAbsent()
  @IsString()
  toolsVersion?: string;
}

export class NamedLeaseRequest {
  /**
   * Id or key of the issue. The response names the issue in the same way.
   * @example DOCS-1
   */
  @IsString()
  issueId!: string;

  @ApiProperty({ type: 'integer' })
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  token!: number;
}

/** The leases of a worker, and how much more it can take. */
export class WorkRequest {
  @ApiProperty({
    type: [NamedLeaseRequest],
    required: false,
    description: 'The leases that this worker holds; they are renewed.',
  })
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(1000)
  @ValidateNested({ each: true })
  @Type(() => NamedLeaseRequest)
  leases?: NamedLeaseRequest[];

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 1000,
    required: false,
    example: 1,
    description: 'Free slots of this worker now; absent: no limit of its own.',
  })
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(1000)
  capacity?: number;
}

export class HeartbeatRequest extends IntersectionType(WorkRequest, ReportsUsageRequest) {
  /**
   * The name of this worker among those of the agent, the same after a restart. With it the response lists all leases of
   * the worker in `work`.
   * @example writer-1
   */
  @MayBeAbsent()
  @IsText({ min: 1, max: 64, unit: 'codePoints' })
  worker?: string;

  /**
   * This process among those that work under the name, new at each start. While another one has sent a heartbeat within
   * `LEASE_SECONDS` the response is 409 `worker_taken`; only with `worker`.
   * @example 8f14e45f-ceea-467f-a0e6-7b2c3a5d1c11
   */
  @MayBeAbsent()
  @IsText({ min: 1, max: 64, unit: 'codePoints' })
  instance?: string;

  /** Whether this process supersedes another one of the name and gets its leases with new tokens; only with `instance`. */
  @MayBeAbsent()
  @IsBoolean()
  takeOver?: boolean;

  /**
   * Why the worker takes no more work until a person has acted; only with `worker`.
   * @example The agent ended with code 1.
   */
  @MayBeAbsent()
  @IsText({ min: 1, max: 1000, unit: 'codePoints' })
  failing?: string;
}

/** Only the worker that reported a failure ends it, so it has to have a name. */
const FAILING = { path: 'failing', message: 'needs the name of the worker, in worker' };

/** A process is one of those that want the same name. */
const INSTANCE = { path: 'instance', message: 'needs the name of the worker, in worker' };

/** Without a name of its own a process is the same as the one that it takes over. */
const TAKE_OVER = { path: 'takeOver', message: 'needs the name of the process, in instance' };

/** @throws {ValidationFailed} for what needs the name of a worker, or of a process, that the request does not have */
export function refuseWithoutNames({ worker, instance, failing, takeOver }: HeartbeatRequest): void {
  const errors = [
    ...(failing !== undefined && worker === undefined ? [FAILING] : []),
    ...(instance !== undefined && worker === undefined ? [INSTANCE] : []),
    ...(takeOver !== undefined && instance === undefined ? [TAKE_OVER] : []),
  ];
  if (errors.length > 0) throw new ValidationFailed(errors);
}
