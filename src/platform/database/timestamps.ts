import { types, type CustomTypesConfig } from 'pg';

const { TIMESTAMPTZ } = types.builtins;
const parseAny: (text: string) => Date = types.getTypeParser(TIMESTAMPTZ);
const UTC = '+00';
const SPACE_AFTER_DATE = 10;

/** Returns the time that PostgreSQL has written as text, as the parser of node-postgres does. */
export function timestampIn(text: string): Date {
  const isLikeIso = text.endsWith(UTC) && text[SPACE_AFTER_DATE] === ' ';
  if (!isLikeIso) return parseAny(text);
  return new Date(`${text.slice(0, SPACE_AFTER_DATE)}T${text.slice(SPACE_AFTER_DATE + 1, -UTC.length)}Z`);
}

/** The parsers of node-postgres, but a faster one of times: they took a tenth of the processor time of a list. */
export const TYPES: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === TIMESTAMPTZ && format !== 'binary'
      ? timestampIn
      : types.getTypeParser(oid, format as 'text')) as typeof types.getTypeParser,
};
