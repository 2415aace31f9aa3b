import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

/** Metadata key: true where body or answer always carries a secret, or the body field that makes it so. */
export const CARRIES_SECRET = 'awp:carries-secret';

/** Where the document's builder finds that a route refuses plain HTTP. */
export const CARRIES_SECRET_EXTENSION = 'x-awp-carries-secret';

/** Body or answer carries a secret: refused over plain HTTP before anything else is looked at (spec §2). */
export const CarriesSecret = () => declare(true);

/** The body carries a secret when it has this field: refused over plain HTTP as soon as it is read. */
export const MayCarrySecret = (field: string) => declare(field);

const declare = (when: true | string) =>
  applyDecorators(SetMetadata(CARRIES_SECRET, when), ApiExtension(CARRIES_SECRET_EXTENSION, true));
