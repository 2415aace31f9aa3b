import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CatalogEntry } from '../catalog/catalog-entry.js';
import type { EraVerdict } from '../processes/server-description.js';
import type { Verification } from './verification/verification.js';

export const serverStatuses = ['enabled', 'disabled', 'error'] as const;
export type ServerStatus = (typeof serverStatuses)[number];

/** An MCP server that was installed from the catalogue. Its credentials and tools have tables of their own. */
@Entity('installed_servers')
export class InstalledServerEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') name!: string;
  /** Stands before the names of its tools; never changes. */
  @Column('text') slug!: string;
  @Column('text', { name: 'catalog_id' }) catalogId!: string;
  /** The catalogue's entry as it was when the server was installed or upgraded. */
  @Column('jsonb') entry!: CatalogEntry;
  @Column('text') status!: ServerStatus;
  @Column('text', { name: 'status_reason', nullable: true }) statusReason!: string | null;
  @Column('jsonb', { name: 'last_verification', nullable: true })
  lastVerification!: StoredVerification | null;
  /** Of this revision: never kept across credentials. */
  @Column('jsonb', { name: 'era_verdict', nullable: true }) eraVerdict!: EraVerdict | null;
  /** The first listing of its tools is approved as it is; null until then. */
  @Column('timestamptz', { name: 'tools_listed_at', nullable: true }) toolsListedAt!: Date | null;
  /** Grows with credentials and entry: what was begun with an older one is void. */
  @Column('integer') revision!: number;
  @Column({ type: 'timestamptz', name: 'created_at', insert: false }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'updated_at', insert: false }) updatedAt!: Date;
}

/** The last verification with its time, ISO 8601 by the database's clock. */
export type StoredVerification = Verification & { checkedAt: string };
