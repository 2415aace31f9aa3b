import { SetMetadata } from '@nestjs/common';

/** The metadata key of handlers that read the body themselves, as a stream. */
export const READS_OWN_BODY = 'awp:reads-own-body';

/** Exempts a route from the rules on JSON bodies: for uploads and JSON-RPC. */
export const ReadsOwnBody = () => SetMetadata(READS_OWN_BODY, true);
