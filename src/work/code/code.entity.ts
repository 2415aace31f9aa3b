import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Issue } from '../issue-status/issue.entity.js';
import { Project } from '../projects/project.entity.js';

/** The code hosts whose deliveries are understood (contract §5.13). */
export const codeProviders = ['github', 'gitlab', 'gitea'] as const;
export type CodeProvider = (typeof codeProviders)[number];

export const codeKinds = ['branch', 'commit', 'pull_request'] as const;
export type CodeKind = (typeof codeKinds)[number];

export const codeStates = ['open', 'draft', 'merged', 'closed'] as const;
export type CodeState = (typeof codeStates)[number];

/** What the checks of the newest commit say together; `none` where none was reported. */
export const checkStates = ['pending', 'passing', 'failing', 'none'] as const;
export type CheckState = (typeof checkStates)[number];

/** The address and the secret by which a code host reports on some repositories of a project. */
@Entity('code_hooks')
@Unique('code_hooks_provider_unique', ['projectId', 'provider'])
@Check('code_hooks_provider_known', `(provider = ANY (ARRAY['github'::text, 'gitlab'::text, 'gitea'::text]))`)
export class CodeHook {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'code_hooks_pk' })
  id!: string;

  @ForeignKey(() => Project, { name: 'code_hooks_project_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'project_id' })
  projectId!: string;

  @Column({ type: 'text' })
  provider!: CodeProvider;

  /** Their addresses in lower case, without a slash at the end. */
  @Column({ type: 'text', array: true })
  repositories!: string[];

  @Column({ type: 'text' })
  sealed!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;

  /** The last delivery with a good signature. */
  @Column({ type: 'timestamptz', name: 'last_delivery_at', precision: 3, nullable: true })
  lastDeliveryAt!: Date | null;
}

/** A hook with its secret where it has just been made. */
export type ShownHook = CodeHook & { secret: string | null };

/** A delivery that was processed, so that its repetition changes nothing. */
@Entity('code_deliveries')
@Index('code_deliveries_by_age', ['receivedAt'])
export class CodeDelivery {
  @ForeignKey(() => CodeHook, { name: 'code_deliveries_hook_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'hook_id', primaryKeyConstraintName: 'code_deliveries_pk' })
  hookId!: string;

  @PrimaryColumn({ type: 'text', name: 'delivery_id', primaryKeyConstraintName: 'code_deliveries_pk' })
  deliveryId!: string;

  @Column({ type: 'timestamptz', name: 'received_at', precision: 3, default: () => 'now()' })
  receivedAt!: Date;
}

/** A branch, commit or pull request, with one row per project. */
@Entity('code_items')
@Unique('code_items_url_unique', ['projectId', 'url'])
@Index('code_items_by_head', ['projectId', 'repository', 'headSha'])
@Index('code_items_by_change', ['updatedAt'])
@Check('code_items_kind_known', `(kind = ANY (ARRAY['branch'::text, 'commit'::text, 'pull_request'::text]))`)
@Check(
  'code_items_state_known',
  `(state = ANY (ARRAY['open'::text, 'draft'::text, 'merged'::text, 'closed'::text]))`,
)
@Check(
  'code_items_checks_known',
  `(checks = ANY (ARRAY['pending'::text, 'passing'::text, 'failing'::text, 'none'::text]))`,
)
export class CodeItem {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'code_items_pk' })
  id!: string;

  @ForeignKey(() => Project, { name: 'code_items_project_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'project_id' })
  projectId!: string;

  @Column({ type: 'text' })
  kind!: CodeKind;

  @Column({ type: 'text' })
  url!: string;

  /** The address of its repository, in lower case. */
  @Column({ type: 'text' })
  repository!: string;

  @Column({ type: 'text' })
  title!: string;

  @Column({ type: 'text', default: 'open' })
  state!: CodeState;

  /** Computed from `code_checks` of its head. */
  @Column({ type: 'text', default: 'none' })
  checks!: CheckState;

  @Column({ type: 'text', nullable: true })
  author!: string | null;

  /** The commit whose checks count; null until a delivery names it. */
  @Column({ type: 'text', name: 'head_sha', nullable: true })
  headSha!: string | null;

  /** When the code host last changed it, by its own clock: an older delivery that arrives later changes nothing. */
  @Column({ type: 'timestamptz', name: 'source_at', precision: 3, nullable: true })
  sourceAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}

/** A branch, commit or pull request that belongs to an issue. `issues.has_code` says that an issue has, or had, such a row. */
@Entity('code_links')
@Unique('code_links_once', ['issueId', 'itemId'])
@Index('code_links_of_item', ['itemId', 'issueId'])
export class CodeLink {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'code_links_pk' })
  id!: string;

  @ForeignKey(() => Issue, { name: 'code_links_issue_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'issue_id' })
  issueId!: string;

  @ForeignKey(() => CodeItem, { name: 'code_links_item_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'item_id' })
  itemId!: string;

  /** Whether someone who may write made it, so that gates and counts look at it. */
  @Column({ type: 'boolean' })
  counts!: boolean;

  @Column({ type: 'text', name: 'created_by_type' })
  createdByType!: 'user' | 'agent' | 'system';

  @Column({ type: 'uuid', name: 'created_by_id', nullable: true })
  createdById!: string | null;

  @Column({ type: 'text', name: 'created_by_name' })
  createdByName!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}

/** The last report about one check of a commit. */
@Entity('code_checks')
@Index('code_checks_by_age', ['receivedAt'])
@Check('code_checks_state_known', `(state = ANY (ARRAY['pending'::text, 'passing'::text, 'failing'::text]))`)
export class CodeCheck {
  @ForeignKey(() => Project, { name: 'code_checks_project_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'project_id', primaryKeyConstraintName: 'code_checks_pk' })
  projectId!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'code_checks_pk' })
  repository!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'code_checks_pk' })
  sha!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'code_checks_pk' })
  name!: string;

  @Column({ type: 'text' })
  state!: Exclude<CheckState, 'none'>;

  /** When the code host changed it, by its own clock. */
  @Column({ type: 'timestamptz', precision: 3 })
  at!: Date;

  @Column({ type: 'timestamptz', name: 'received_at', precision: 3, default: () => 'now()' })
  receivedAt!: Date;
}
