import type { CatalogEntry } from '../catalog/catalog-entry.js';
import type { EraVerdict } from '../processes/server-description.js';
import type { ServerLimits } from '../processes/server-limits.js';
import type { VerificationRecord } from './verification/verification.js';

export const serverStatuses = ['enabled', 'disabled', 'error'] as const;
export type ServerStatus = (typeof serverStatuses)[number];

/**
 * The last verification with its time, ISO 8601 by the database's clock. `stale` is set when values of the server change
 * afterwards. One of an earlier version of the service has no steps, and does not say who started it.
 */
export type StoredVerification = Omit<VerificationRecord, 'phases' | 'at' | 'by'> &
  Partial<VerificationRecord> & { checkedAt: string; stale?: true };

/** An MCP server that was installed from the catalogue. Its credentials and tools have tables of their own. */
export interface InstalledServerRow {
  id: string;
  name: string;
  /** The prefix of its tools' names; it never changes. */
  slug: string;
  catalogId: string;
  /** The catalogue's entry as it was when the server was installed or upgraded. */
  entry: CatalogEntry;
  status: ServerStatus;
  statusReason: string | null;
  lastVerification: StoredVerification | null;
  /** The protocol era that this revision was found to speak; it is not kept across credentials. */
  eraVerdict: EraVerdict | null;
  /** In place of those of the entry and of the service. */
  limits: ServerLimits;
  /** When its tools were first listed, and approved as they were; null until then. */
  toolsListedAt: Date | null;
  /** Grows with credentials, limits and entry. Work that began with an older revision is void. */
  revision: number;
  createdAt: Date;
  updatedAt: Date;
  /** The names of the variables that have a value. */
  configuredEnv: string[];
}
