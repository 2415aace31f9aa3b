import { eventTypes } from './event-types.js';

/** The families of types. `login.*` stands for every type that begins with `login.`. */
export const eventFamilies = [
  ...new Set(eventTypes.map((type) => `${type.slice(0, type.lastIndexOf('.'))}.*`)),
];

/**
 * Splits and expands a list of types in a query. A parameter that is given twice stays a list within the list, which
 * then fails validation.
 */
export const toEventTypes = ({ value }: { value: unknown }) => {
  if (typeof value !== 'string') return value === undefined ? undefined : [value];
  return value.split(',').flatMap((name) => {
    const named = eventTypes.filter((type) => name.endsWith('.*') && type.startsWith(name.slice(0, -1)));
    return named.length > 0 ? named : [name];
  });
};
