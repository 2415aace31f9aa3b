import { SetMetadata } from '@nestjs/common';

/** Metadata key: the handler reads the body itself, as a stream. */
export const READS_OWN_BODY = 'awp:reads-own-body';

/** For uploads and JSON-RPC: the rules on JSON bodies do not apply to this route. */
export const ReadsOwnBody = () => SetMetadata(READS_OWN_BODY, true);
