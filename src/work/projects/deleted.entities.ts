import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { ProjectVisibility } from './project.entity.js';

/** The project that was deleted under this id; a trigger writes it. */
@Entity('deleted_projects')
@Check('deleted_projects_visibility_known', `(visibility = ANY (ARRAY['open'::text, 'members'::text]))`)
export class DeletedProject {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'deleted_projects_pk' })
  id!: string;

  @Column({ type: 'text' })
  visibility!: ProjectVisibility;

  @Column({ type: 'uuid', name: 'member_ids', array: true })
  memberIds!: string[];

  @Column({ type: 'timestamptz', name: 'deleted_at', precision: 3, default: () => 'now()' })
  deletedAt!: Date;
}

/** The issue that was deleted under this id; a trigger writes it. */
@Entity('deleted_issues')
export class DeletedIssue {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'deleted_issues_pk' })
  id!: string;

  @Column({ type: 'uuid', name: 'project_id' })
  projectId!: string;
}
