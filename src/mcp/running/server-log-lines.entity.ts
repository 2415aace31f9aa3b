import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { ServerLogLine } from '../processes/supervision/stderr-ring.js';
import { InstalledServer } from '../server-records/server-records.entities.js';

/** Lines that a server wrote to its standard error. */
@Entity('server_log_lines')
@Index('server_log_lines_of_server', { synchronize: false }) // DESC
export class ServerLogLines {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'server_log_lines_pk',
  })
  id!: string;

  @ForeignKey(() => InstalledServer, { name: 'server_log_lines_server_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'server_id' })
  serverId!: string;

  @Column({ type: 'text' })
  process!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  at!: Date;

  @Column({ type: 'json' })
  lines!: ServerLogLine[];
}

/** Lines of one server that one service process read. */
export type LogBatch = Pick<ServerLogLines, 'serverId' | 'lines'>;
