import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsIn } from 'class-validator';
import { pick } from '../../platform/http/pick.js';
import { IsText } from '../../platform/http/text-and-instant-rules.js';
import { MayBeAbsent } from '../../platform/http/validation.pipe.js';
import { LinkAuthorResponse } from '../links/link.dto.js';
import { LONGEST_URL } from './code-addresses-and-keys.js';
import {
  type CheckState,
  checkStates,
  type CodeHook,
  type CodeKind,
  codeKinds,
  type CodeProvider,
  codeProviders,
  type CodeState,
  codeStates,
  type ShownHook,
} from './code.entity.js';
import type { CodeRow } from './code.repository.js';

/** The most repositories of a hook (contract §5.13). */
const REPOSITORIES_PER_HOOK = 100;

export class AddCodeRequest {
  /**
   * The address of a branch, commit or pull request.
   * @example "https://github.com/acme/web/pull/12"
   */
  @IsText({ min: 1, max: LONGEST_URL, unit: 'codePoints' })
  url!: string;
}

/** A branch, commit or pull request of an issue. */
export class CodeResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a21 */
  id!: string;
  issueId!: string;
  @ApiProperty({ enum: codeKinds, enumName: 'CodeKind' })
  kind!: CodeKind;
  /** @example "https://github.com/acme/web/pull/12" */
  url!: string;
  /** @example "Write the release notes" */
  title!: string;
  @ApiProperty({ enum: codeStates, enumName: 'CodeState' })
  state!: CodeState;
  @ApiProperty({
    enum: checkStates,
    enumName: 'CheckState',
    description: 'Those of its newest commit together.',
  })
  checks!: CheckState;
  /** @example ada */
  author!: string | null;
  @ApiProperty({
    description: 'Whether gates and counts look at it: not where only a text of an outsider names the issue.',
  })
  counts!: boolean;
  @ApiProperty({ type: LinkAuthorResponse })
  createdBy!: LinkAuthorResponse;
  createdAt!: Date;
  updatedAt!: Date;

  static from(row: CodeRow): CodeResponse {
    return {
      ...pick(row, 'id', 'issueId', 'kind', 'url', 'title', 'state', 'checks', 'author', 'counts'),
      createdBy: { type: row.createdByType, id: row.createdById, name: row.createdByName },
      ...pick(row, 'createdAt', 'updatedAt'),
    };
  }
}

export class SetCodeHookRequest {
  @ApiProperty({ enum: codeProviders, enumName: 'CodeProvider', example: 'github' })
  @IsIn(codeProviders)
  provider!: CodeProvider;

  /**
   * The addresses of the repositories that it may report on, at most 100.
   * @example ["https://github.com/acme/web"]
   */
  @ApiProperty({ type: [String], maxItems: REPOSITORIES_PER_HOOK })
  @IsArray()
  @ArrayMaxSize(REPOSITORIES_PER_HOOK)
  @IsText({ min: 1, max: LONGEST_URL, unit: 'codePoints' }, { each: true })
  repositories!: string[];

  /** Makes a new secret: the former one is refused from then on. */
  @MayBeAbsent()
  @IsBoolean()
  rotateSecret?: boolean;
}

/** The hook by which a code host reports on repositories of a project. */
export class CodeHookResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a22 */
  id!: string;
  projectId!: string;
  @ApiProperty({ enum: codeProviders, enumName: 'CodeProvider' })
  provider!: CodeProvider;
  /** @example ["https://github.com/acme/web"] */
  repositories!: string[];
  /**
   * The path of the address to give to the code host.
   * @example /api/hooks/github/0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a22
   */
  path!: string;
  createdAt!: Date;
  updatedAt!: Date;
  @ApiProperty({
    type: Date,
    nullable: true,
    description: 'When the last delivery with a good signature came.',
  })
  lastDeliveryAt!: Date | null;

  static from(hook: CodeHook): CodeHookResponse {
    return {
      ...pick(hook, 'id', 'projectId', 'provider', 'repositories'),
      path: `/api/hooks/${hook.provider}/${hook.id}`,
      ...pick(hook, 'createdAt', 'updatedAt', 'lastDeliveryAt'),
    };
  }
}

/** A hook that was set. */
export class SetCodeHookResponse extends CodeHookResponse {
  /**
   * The secret, where it was made by this request. It is never returned again.
   * @example whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=
   */
  secret!: string | null;

  static override from(hook: ShownHook): SetCodeHookResponse {
    return { ...CodeHookResponse.from(hook), secret: hook.secret };
  }
}

const outcomes = ['accepted', 'replayed', 'ignored'] as const;

export class CodeDeliveryResponse {
  @ApiProperty({ enum: outcomes })
  outcome!: (typeof outcomes)[number];
  /** Why nothing was changed. */
  detail!: string | null;
}
