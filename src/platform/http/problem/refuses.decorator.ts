import { ApiExtension } from '@nestjs/swagger';
import type { ProblemCode } from './problem-codes.js';

/** The extension in which the document's builder finds the codes of `Refuses`. */
export const REFUSES_EXTENSION = 'x-awp-refuses';

/** Declares the error codes of a route beyond those of every route of its form; the API tests check responses against them. */
export const Refuses = (...codes: ProblemCode[]) => ApiExtension(REFUSES_EXTENSION, codes);
