import { asProblem } from './problem';

/** The errors of a refused form: those of its fields beside them, the rest as a whole. */
export function fieldErrors(error: unknown, fields: readonly string[]) {
  const errors = error === null || error === undefined ? [] : asProblem(error).errors;
  const at = (field: string): string | undefined => errors.find(({ path }) => path === field)?.message;
  const refused = error !== null && error !== undefined;
  return { at, elsewhere: refused && !fields.some((field) => at(field) !== undefined) };
}
