import { ApiProperty } from '@nestjs/swagger';
import { pick } from '../../../platform/http/pick.js';
import { transports, type CatalogEntry, type Transport } from '../../catalog/catalog-entry.js';
import { missingVariables } from '../../catalog/variable-value.js';
import { serverStatuses, type ServerStatus } from '../installed-server-row.js';
import type { InstalledServerRow } from '../installed-server-row.js';
import { isUpdate } from '../upgrade/is-update.js';
import { ServerLimitsResponse } from './server-limits.response.js';
import { LastVerificationResponse } from './verification.response.js';

/** An installed server with the catalogue's present entry for it; null where the catalogue has none. */
export interface ServerWithCatalogEntry {
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
   * The prefix of its tools' names.
   * @example everything-refer
   */
  slug!: string;
  /** @example everything */
  catalogId!: string;
  @ApiProperty({ enum: transports })
  transport!: Transport;
  @ApiProperty({ enum: serverStatuses })
  status!: ServerStatus;
  /** Why the server is in error; null otherwise. */
  statusReason!: string | null;
  lastVerification!: LastVerificationResponse | null;
  @ApiProperty({ type: [String], description: 'Names of the variables that have a value.' })
  configuredEnv!: string[];
  @ApiProperty({ type: [String], description: 'Names of the required variables that have no value.' })
  missingEnv!: string[];
  limits!: ServerLimitsResponse;
  /** @example 2026.8.31 */
  catalogVersion!: string;
  /** Whether the catalogue has another version, which POST …/upgrade installs. */
  updateAvailable!: boolean;
  createdAt!: Date;
  updatedAt!: Date;

  static from({ row, inCatalog }: ServerWithCatalogEntry): InstalledServerResponse {
    const { entry, lastVerification, configuredEnv } = row;
    return {
      ...pick(row, 'id', 'name', 'slug', 'catalogId'),
      transport: entry.transport,
      ...pick(row, 'status', 'statusReason'),
      lastVerification: lastVerification && LastVerificationResponse.ofServer(lastVerification),
      configuredEnv,
      missingEnv: missingVariables(entry, configuredEnv),
      limits: ServerLimitsResponse.of(row.limits),
      catalogVersion: entry.version,
      updateAvailable: inCatalog !== null && isUpdate(entry, inCatalog),
      ...pick(row, 'createdAt', 'updatedAt'),
    };
  }
}
