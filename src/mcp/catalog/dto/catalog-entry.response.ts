import { ApiProperty } from '@nestjs/swagger';
import { pick } from '../../../platform/http/pick.js';
import {
  categories,
  runtimes,
  transports,
  type CatalogEntry,
  type Category,
  type Runtime,
  type Transport,
} from '../catalog-entry.js';
import { credentialCheckOf } from '../credential-check.js';
import { requiresCredentials, type Installability } from '../installability.js';

/** A server that can be installed. */
export class CatalogEntryResponse {
  /** @example memory */
  id!: string;
  /** @example Memory */
  name!: string;
  description!: string;
  @ApiProperty({ enum: categories })
  category!: Category;
  @ApiProperty({ enum: transports })
  transport!: Transport;
  @ApiProperty({ enum: runtimes, description: 'The runtime that the host must have.' })
  runtime!: Runtime;
  /** Whether the entry has been reviewed; `verifiedBy` names the reviewer. */
  verified!: boolean;
  verifiedBy!: string | null;
  /** @example 2026.8.31 */
  version!: string;
  publisher!: string | null;
  homepage!: string | null;
  license!: string | null;
  installInstructions!: string;
  /** Whether a required variable without a default is secret. */
  requiresCredentials!: boolean;
  /**
   * What a verification proves about the credentials; null when the server reads none.
   * @example "Verify calls get_me, which fails with a wrong credential."
   */
  credentialCheck!: string | null;
  /** Whether this host can install the server now. */
  installable!: boolean;
  /** Why it cannot be installed; null when it can. */
  installableReason!: string | null;

  static from(entry: CatalogEntry, { installable, reason }: Installability): CatalogEntryResponse {
    return {
      ...pick(entry, 'id', 'name', 'description', 'category', 'transport', 'runtime'),
      ...pick(entry, 'verified', 'verifiedBy', 'version', 'publisher', 'homepage', 'license'),
      installInstructions: entry.installInstructions,
      requiresCredentials: requiresCredentials(entry),
      credentialCheck: credentialCheckOf(entry),
      installable,
      installableReason: reason,
    };
  }
}
