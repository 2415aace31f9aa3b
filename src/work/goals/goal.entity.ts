import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Project } from '../projects/project.entity.js';

/** What issues of a project work towards. */
@Entity('goals')
@Index('goals_of_project', ['projectId', 'createdAt', 'id'])
@Unique('goals_id_and_project', ['id', 'projectId'])
export class Goal {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'goals_pk' })
  id!: string;

  @ForeignKey(() => Project, { name: 'goals_project_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'project_id' })
  projectId!: string;

  @Column({ type: 'text' })
  title!: string;

  @Column({ type: 'text', default: '' })
  description!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
