import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { Status } from '../issue-status/issue-status.js';
import { User } from '../../platform/authentication/authentication.entities.js';
import { Project } from '../projects/project.entity.js';

/** The formats that an import may have (contract §5.12). */
export const importFormats = ['awp', 'beads', 'github', 'linear', 'jira'] as const;
export type ImportFormat = (typeof importFormats)[number];

export const importStates = ['queued', 'running', 'completed', 'failed'] as const;
export type ImportState = (typeof importStates)[number];

/** The most rows of a report; `skipped` counts the others too. */
export const MOST_ERRORS = 1_000;

/** What an import could not take over as it is, and the line of the file that it is in: 0 where that is an archive itself. */
export interface ImportError {
  line: number;
  message: string;
}

/**
 * An import into a project (contract §5.12). Its file is read once per pass. `pass` and `position` say how many records of the
 * present pass are done, and change in the transaction that writes what is in them. `claim` names the process that works on it.
 */
@Entity('imports')
@Index('imports_of_project', ['projectId', 'createdAt', 'id'])
@Index('imports_unfinished', ['createdAt'], {
  where: `(state = ANY (ARRAY['queued'::text, 'running'::text]))`,
})
@Check(
  'imports_state_known',
  `(state = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text]))`,
)
export class Import {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'imports_pk' })
  id!: string;

  @ForeignKey(() => Project, { name: 'imports_project_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'project_id' })
  projectId!: string;

  @Column({ type: 'text' })
  format!: ImportFormat;

  @Column({ type: 'text', default: 'queued' })
  state!: ImportState;

  @ForeignKey(() => User, { name: 'imports_user_fk', onDelete: 'RESTRICT' })
  @Column({ type: 'uuid', name: 'started_by_id' })
  startedById!: string;

  @Column({ type: 'text', name: 'started_by_name' })
  startedByName!: string;

  /** How many objects the file has; null before it has been read once. */
  @Column({ type: 'integer', nullable: true })
  total!: number | null;

  @Column({ type: 'integer', default: 0 })
  done!: number;

  @Column({ type: 'integer', default: 0 })
  created!: number;

  @Column({ type: 'integer', default: 0 })
  updated!: number;

  @Column({ type: 'integer', default: 0 })
  skipped!: number;

  @Column({ type: 'jsonb', default: [] as never })
  errors!: ImportError[];

  /** How often the file has something that no field of this service can hold, by what it is. */
  @Column({ type: 'jsonb', default: {} as never })
  ignored!: Record<string, number>;

  /** Why it failed. */
  @Column({ type: 'text', nullable: true })
  failure!: string | null;

  @Column({ type: 'smallint', default: 0 })
  pass!: number;

  @Column({ type: 'integer', default: 0 })
  position!: number;

  /** How often a process has begun since the last progress. */
  @Column({ type: 'smallint', default: 0 })
  attempts!: number;

  @Column({ type: 'uuid', nullable: true })
  claim!: string | null;

  @Column({ type: 'timestamptz', name: 'claimed_until', precision: 3, nullable: true })
  claimedUntil!: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'finished_at', precision: 3, nullable: true })
  finishedAt!: Date | null;
}

export type ImportedKind = 'goal' | 'issue' | 'comment';

/** Which row an object of another system has become. The row may have been deleted since. */
@Entity('imported_objects')
@Unique('imported_objects_object_unique', ['objectId'])
@Check('imported_objects_late_whole', `((late_line IS NULL) = (late_status IS NULL))`)
@Check('imported_objects_kind_known', `(kind = ANY (ARRAY['goal'::text, 'issue'::text, 'comment'::text]))`)
export class ImportedObject {
  @ForeignKey(() => Project, { name: 'imported_objects_project_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'project_id', primaryKeyConstraintName: 'imported_objects_pk' })
  projectId!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'imported_objects_pk' })
  kind!: ImportedKind;

  @PrimaryColumn({ type: 'text', name: 'external_id', primaryKeyConstraintName: 'imported_objects_pk' })
  externalId!: string;

  @Column({ type: 'uuid', name: 'object_id' })
  objectId!: string;

  /** Of what the source said when it was last written, so that an object that has not changed there stays as it is here. */
  @Column({ type: 'text' })
  digest!: string;

  /** The import that wrote it last. */
  @Column({ type: 'uuid', name: 'import_id' })
  importId!: string;

  /** Whether that import has made it, too. */
  @Column({ type: 'boolean', name: 'is_made' })
  isMade!: boolean;

  @Column({ type: 'timestamptz', name: 'imported_at', precision: 3, default: () => 'now()' })
  importedAt!: Date;

  /** Of what the source said last of whose part an issue is; null where it said nothing. */
  @Column({ type: 'text', nullable: true })
  place!: string | null;

  /** Where the file says how an issue ends that could not end yet; null for any other object. */
  @Column({ type: 'integer', name: 'late_line', nullable: true })
  lateLine!: number | null;

  /** The status that it is to have then. */
  @Column({ type: 'text', name: 'late_status', nullable: true })
  lateStatus!: Status | null;
}

/** A row that an object of another system has become. */
export interface KnownObject {
  externalId: string;
  objectId: string;
  /** Empty for an object that no import has written. */
  digest: string;
  importId: string | null;
  isMade: boolean;
  /** The status of an issue; null for anything else. */
  status: string | null;
  /** Of what the source said last of whose part an issue is; null where it said nothing. */
  place: string | null;
  /** The status at its source of an issue that could not end yet. */
  lateStatus: Status | null;
}

/** An issue that was written without the status that it has at its source. */
export interface LateIssue {
  externalId: string;
  objectId: string;
  line: number;
  status: Status;
  digest: string;
}

/** What is stored of an object that was written. */
export interface WrittenObject {
  kind: ImportedKind;
  externalId: string;
  objectId: string;
  digest: string;
  isMade: boolean;
  /** How an issue ends that cannot end yet. */
  late?: { line: number; status: Status };
}
