import { ApiProperty } from '@nestjs/swagger';
import { transports, type CatalogEntry, type Transport } from '../../catalog/catalog-entry.js';
import { missingVariables } from '../../catalog/variable-value.js';
import { serverStatuses, type ServerStatus } from '../installed-server.entity.js';
import type { InstalledServerRow } from '../installed-servers.repository.js';
import { isUpdate } from '../upgrade/is-update.js';
import { LastVerificationResponse } from './verification.response.js';

/** An installed server as it is told, with the catalogue's present entry of its id. */
export interface ToldServer {
  row: InstalledServerRow;
  inCatalog: CatalogEntry | null;
}

/** A server that was installed from the catalogue. */
export class InstalledServerResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06 */
  id!: string;
  /** @example "Everything (reference)" */
  name!: string;
  /**
   * Stands before the names of its tools.
   * @example everything-refer
   */
  slug!: string;
  /** @example everything */
  catalogId!: string;
  @ApiProperty({ enum: transports })
  transport!: Transport;
  @ApiProperty({ enum: serverStatuses })
  status!: ServerStatus;
  /** Why it is in error. */
  statusReason!: string | null;
  lastVerification!: LastVerificationResponse | null;
  @ApiProperty({ type: [String], description: 'Names of the variables that have a value.' })
  configuredEnv!: string[];
  @ApiProperty({ type: [String], description: 'Names of the required variables that have none.' })
  missingEnv!: string[];
  /** @example 2026.8.31 */
  catalogVersion!: string;
  /** The catalogue has another version: POST …/upgrade. */
  updateAvailable!: boolean;
  createdAt!: Date;
  updatedAt!: Date;

  static from(told: ToldServer): InstalledServerResponse {
    return Object.assign(new InstalledServerResponse(), fieldsOf(told));
  }
}

/** The fields of every answer that holds an installed server. */
export function fieldsOf({ row, inCatalog }: ToldServer): InstalledServerResponse {
  const { id, name, slug, catalogId, entry, status, statusReason, configuredEnv, createdAt, updatedAt } = row;
  return {
    ...{ id, name, slug, catalogId, transport: entry.transport, status, statusReason },
    lastVerification: row.lastVerification && LastVerificationResponse.of(row.lastVerification),
    configuredEnv,
    missingEnv: missingVariables(entry, configuredEnv),
    catalogVersion: entry.version,
    updateAvailable: inCatalog !== null && isUpdate(entry, inCatalog),
    ...{ createdAt, updatedAt },
  };
}
