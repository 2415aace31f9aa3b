import { ApiExtension } from '@nestjs/swagger';
import type { ProblemCode } from './problem-codes.js';

/** Where the document's builder finds the codes of `Refuses`. */
export const REFUSES_EXTENSION = 'x-awp-refuses';

/** Tells the refusals of a route beside those that every route of its form has; the API tests hold answers against them. */
export const Refuses = (...codes: ProblemCode[]) => ApiExtension(REFUSES_EXTENSION, codes);
