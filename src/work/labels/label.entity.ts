import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { LabelColor } from '../issue-status/issue-row-and-references.js';
import { Issue } from '../issue-status/issue.entity.js';
import { Project } from '../projects/project.entity.js';

/** A word by which the issues of a project are sorted. */
@Entity('labels')
@Index('labels_name_unique', { synchronize: false }) // lower(name)
@Index('labels_by_name', { synchronize: false }) // lower(name)
@Check(
  'labels_color_known',
  `(color = ANY (ARRAY['gray'::text, 'brown'::text, 'red'::text, 'orange'::text, 'yellow'::text, 'green'::text, 'teal'::text, 'cyan'::text, 'blue'::text, 'violet'::text, 'magenta'::text, 'pink'::text]))`,
)
export class Label {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'labels_pk' })
  id!: string;

  @ForeignKey(() => Project, { name: 'labels_project_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'project_id' })
  projectId!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  color!: LabelColor;

  @Column({ type: 'text', default: '' })
  description!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}

/** A label that an issue has. `issues.label_count` is the number of these rows of an issue, at every commit. */
@Entity('issue_labels')
@Index('issue_labels_of_label', ['labelId', 'issueId'])
export class IssueLabel {
  @ForeignKey(() => Issue, { name: 'issue_labels_issue_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'issue_id', primaryKeyConstraintName: 'issue_labels_pk' })
  issueId!: string;

  @ForeignKey(() => Label, { name: 'issue_labels_label_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'label_id', primaryKeyConstraintName: 'issue_labels_pk' })
  labelId!: string;
}
