import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

/** The metadata key: true when body or response always carries a secret, or the name of the body field that does. */
export const CARRIES_SECRET = 'awp:carries-secret';

/** The extension in which the document's builder finds that a route rejects plain HTTP. */
export const CARRIES_SECRET_EXTENSION = 'x-awp-carries-secret';

/** Declares that body or response carries a secret: over plain HTTP the request is rejected before any other check (contract §2). */
export const CarriesSecret = () => declare(true);

/** Declares that the body carries a secret when it has this field: over plain HTTP it is rejected as soon as it is read. */
export const MayCarrySecret = (field: string) => declare(field);

const declare = (when: true | string) =>
  applyDecorators(SetMetadata(CARRIES_SECRET, when), ApiExtension(CARRIES_SECRET_EXTENSION, true));
