import { Column, Entity, PrimaryColumn } from 'typeorm';
import { whole } from '../database/whole.js';

/** How many passwords were wrong, by address or account; rate-limiter-flexible writes it. */
@Entity('login_failures')
export class LoginFailure {
  @PrimaryColumn({ type: 'varchar', length: 255, primaryKeyConstraintName: 'login_failures_pk' })
  key!: string;

  @Column({ type: 'integer', default: 0 })
  points!: number;

  @Column({ ...whole, nullable: true })
  expire!: number | null;
}
