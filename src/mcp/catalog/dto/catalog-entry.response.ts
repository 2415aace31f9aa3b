import { ApiProperty } from '@nestjs/swagger';
import {
  categories,
  runtimes,
  transports,
  type CatalogEntry,
  type Category,
  type Runtime,
  type Transport,
} from '../catalog-entry.js';
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
  @ApiProperty({ enum: runtimes, description: 'What the host must have.' })
  runtime!: Runtime;
  /** Somebody vetted the entry: `verifiedBy`. */
  verified!: boolean;
  verifiedBy!: string | null;
  /** @example 2026.8.31 */
  version!: string;
  publisher!: string | null;
  homepage!: string | null;
  license!: string | null;
  installInstructions!: string;
  /** Some required variable without default is secret. */
  requiresCredentials!: boolean;
  /** Whether this host can install it now. */
  installable!: boolean;
  /** What is lacking; null when it is installable. */
  installableReason!: string | null;

  static from(entry: CatalogEntry, { installable, reason }: Installability): CatalogEntryResponse {
    return Object.assign(new CatalogEntryResponse(), summaryOf(entry, installable, reason));
  }
}

/** What the list and the detail of an entry both tell. */
export function summaryOf(entry: CatalogEntry, installable: boolean, installableReason: string | null) {
  const { id, name, description, category, transport, runtime, verified, verifiedBy, version } = entry;
  const { publisher, homepage, license, installInstructions } = entry;
  return {
    ...{ id, name, description, category, transport, runtime, verified, verifiedBy, version },
    ...{ publisher, homepage, license, installInstructions },
    requiresCredentials: requiresCredentials(entry),
    installable,
    installableReason,
  };
}
