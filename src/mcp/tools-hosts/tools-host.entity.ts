import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A process that runs MCP servers for others, and its address. */
@Entity('tools_hosts')
export class ToolsHost {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'tools_hosts_pk' })
  id!: string;

  /** `host:port` of its internal endpoint. */
  @Column({ type: 'text' })
  address!: string;

  @Column({ type: 'boolean', name: 'is_draining', default: false })
  isDraining!: boolean;

  @Column({ type: 'timestamptz', name: 'seen_at', precision: 3, default: () => 'now()' })
  seenAt!: Date;
}

/** A process of the role `tools` as it has announced itself. */
export type LiveHost = Omit<ToolsHost, 'seenAt'>;
