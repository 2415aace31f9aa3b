import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from '../../platform/authentication/authentication.entities.js';
import { Project } from '../projects/project.entity.js';

/** What a person has chosen to see of a list of issues, under a name (contract §5.2). */
@Entity('views')
@Index('views_own_name_unique', { synchronize: false }) // lower(name), WHERE NOT shared
@Index('views_shared_name_unique', { synchronize: false }) // lower(name), WHERE shared
@Index('views_of_owner', ['ownerId', 'projectId'])
export class View {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'views_pk' })
  id!: string;

  @ForeignKey(() => Project, { name: 'views_project_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'project_id' })
  projectId!: string;

  @ForeignKey(() => User, { name: 'views_owner_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'owner_id' })
  ownerId!: string;

  @Column({ type: 'text' })
  name!: string;

  /** The search string of the address of a list, without the question mark. */
  @Column({ type: 'text' })
  query!: string;

  @Column({ type: 'boolean' })
  shared!: boolean;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
