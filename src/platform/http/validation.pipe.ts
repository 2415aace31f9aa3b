import { type ArgumentMetadata, type Type, type ValidationError, ValidationPipe } from '@nestjs/common';
import { ValidateIf } from 'class-validator';
import { type FieldError, ValidationFailed } from './problem.js';
import { textErrorsIn } from './text-and-instant-rules.js';

/**
 * Allows a field to be left out, which keeps its value. The other decorators still check `null`, which
 * class-validator's own `IsOptional` would accept.
 */
export const MayBeAbsent = () => ValidateIf((_, value) => value !== undefined);

/** Allows a field to be left out, which keeps its value, or to be `null`, which clears it. */
export const MayBeNull = () => ValidateIf((_, value) => value !== undefined && value !== null);

/** Converts `true` and `false`; any other value stays a string and fails validation. */
export const toBoolean = ({ value }: { value: unknown }) =>
  value === 'true' ? true : value === 'false' ? false : value;

/** Converts a whole number; any other value stays a string and fails validation. */
export const toWholeNumber = ({ value }: { value: unknown }) =>
  typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;

/** Validates bodies and queries against their classes: unknown fields are rejected, and every error has its path. */
export function validationPipe(): ValidationPipe {
  return new StrictPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    // The value stays in the service: whether it is there decides the sentence.
    validationError: { target: false, value: true },
    exceptionFactory: (errors) => new ValidationFailed(errors.flatMap((error) => errorsOf(error, ''))),
  });
}

class StrictPipe extends ValidationPipe {
  /** Classes that accept an empty body or query: most requests have one, and need no second validation. */
  private readonly fitEmpty = new Set<Type>();

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if ((metadata.type !== 'body' && metadata.type !== 'query') || !metadata.metatype)
      return super.transform(value, metadata);
    const names = Object.keys(value ?? {});
    refuseInherited(names);
    refuseUnstorable(value);
    refuseListsInLists(value ?? {});
    if (names.length > 0) return super.transform(value, metadata);
    if (this.fitEmpty.has(metadata.metatype)) return new metadata.metatype();
    const made: unknown = await super.transform(value, metadata);
    this.fitEmpty.add(metadata.metatype);
    return made;
  }
}

/** Rejects fields that class-transformer would drop before validation: members of every object, and `prototype`. */
function refuseInherited(names: string[]): void {
  const inherited = names.filter((name) => name === 'prototype' || name in Object.prototype);
  if (inherited.length > 0)
    throw new ValidationFailed(inherited.map((path) => ({ path, message: 'is not known here' })));
}

/** Rejects lists in lists: no field takes them, and class-validator takes an empty one for a valid object. */
function refuseListsInLists(body: object): void {
  const errors = Object.entries(body).flatMap(([name, items]: [string, unknown]) =>
    Array.isArray(items)
      ? items.flatMap((item, at) =>
          Array.isArray(item) ? [{ path: `${name}[${at}]`, message: 'must not be a list' }] : [],
        )
      : [],
  );
  if (errors.length > 0) throw new ValidationFailed(errors);
}

/** Rejects text that no field accepts (contract §1.4), also in fields without a rule for text. */
function refuseUnstorable(value: unknown): void {
  const errors = textErrorsIn(value);
  if (errors.length > 0) throw new ValidationFailed(errors);
}

function errorsOf(error: ValidationError, parent: string): FieldError[] {
  const isIndex = /^\d+$/.test(error.property);
  const path = isIndex
    ? `${parent}[${error.property}]`
    : parent
      ? `${parent}.${error.property}`
      : error.property;
  const message = messageOf(error);
  const own = message === null ? [] : [{ path, message }];
  return [...own, ...(error.children ?? []).flatMap((child) => errorsOf(child, path))];
}

/** The rules that mean nothing to a value of the wrong type, so its type is named before them (contract §1.3). */
const RANGES = new Set(['min', 'max', 'minDate', 'minLength', 'maxLength', 'arrayMaxSize', 'arrayUnique']);

/** Returns the sentence of the first rule that a value breaks, and null where only its members break some. */
function messageOf({ property, value, constraints }: ValidationError): string | null {
  const broken = Object.entries(constraints ?? {});
  const [rule, text] = broken.find(([name]) => !RANGES.has(name)) ?? broken[0] ?? [];
  if (rule === undefined || text === undefined) return null;
  if (rule === 'whitelistValidation') return 'is not known here';
  return value === undefined ? 'is required' : sentence(rule, text, property);
}

/** Removes the property's name, with which class-validator starts its sentences: the path contains it already. */
function sentence(rule: string, text: string, property: string): string {
  if (rule === 'isInt') return 'must be a whole number';
  return text.startsWith(`${property} `) ? text.slice(property.length + 1) : text;
}
