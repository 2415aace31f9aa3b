import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What issues of a project work towards. */
@Entity('goals')
export class GoalEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { name: 'project_id' }) projectId!: string;
  @Column('text') title!: string;
  @Column('text') description!: string;
  @Column({ type: 'timestamptz', name: 'created_at', insert: false }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'updated_at', insert: false }) updatedAt!: Date;
}
