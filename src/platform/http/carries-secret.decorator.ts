import { SetMetadata } from '@nestjs/common';

/** Metadata key: true where body or answer always carries a secret, or the body field that makes it so. */
export const CARRIES_SECRET = 'awp:carries-secret';

/** Body or answer carries a secret: refused over plain HTTP before anything else is looked at (spec §2). */
export const CarriesSecret = () => SetMetadata(CARRIES_SECRET, true);

/** The body carries a secret when it has this field: refused over plain HTTP as soon as it is read. */
export const MayCarrySecret = (field: string) => SetMetadata(CARRIES_SECRET, field);
