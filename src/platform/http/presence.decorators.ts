import { ValidateIf } from 'class-validator';

/**
 * The field may be left out, which leaves it as it is. `null` is still checked by the other decorators:
 * class-validator's own `IsOptional` would let it pass.
 */
export const MayBeAbsent = () => ValidateIf((_, value) => value !== undefined);

/** The field may be left out (leaves it as it is) or be `null` (clears it). */
export const MayBeNull = () => ValidateIf((_, value) => value !== undefined && value !== null);
