import { SetMetadata } from '@nestjs/common';

/** The metadata key of handlers whose body keeps the digits of its numbers. */
export const KEEPS_DIGITS = 'awp:keeps-digits';

/**
 * Gives the handler strings with marks in place of numbers that JavaScript would change, since the validation copies
 * objects. The handler passes its data on through `withNumbers`.
 */
export const KeepsDigits = () => SetMetadata(KEEPS_DIGITS, true);
