import { ValidateIf } from 'class-validator';

/**
 * Allows a field to be left out, which keeps its value. The other decorators still check `null`, which
 * class-validator's own `IsOptional` would accept.
 */
export const MayBeAbsent = () => ValidateIf((_, value) => value !== undefined);

/** Allows a field to be left out, which keeps its value, or to be `null`, which clears it. */
export const MayBeNull = () => ValidateIf((_, value) => value !== undefined && value !== null);
