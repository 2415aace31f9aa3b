import { isJsonObject } from '../../../../platform/json/exact-number.js';

type Loose = Record<string, unknown>;

/**
 * Returns arguments of a platform tool without the optional ones that are null, which models send for everything that
 * they leave out (contract §7.4). Null stays where the schema has it as a value of its own, and where the argument is required.
 */
export function withoutAbsent(given: unknown, schema: Loose): unknown {
  if (Array.isArray(given)) return given.map((item) => withoutAbsent(item, objectIn(schema.items)));
  if (!isJsonObject(given)) return given;
  const properties = objectIn(schema.properties);
  const required = Array.isArray(schema.required) ? schema.required : [];
  const isAbsent = (name: string): boolean =>
    given[name] === null &&
    Object.hasOwn(properties, name) &&
    !required.includes(name) &&
    !takesNull(objectIn(properties[name]));
  const kept = Object.entries(given).filter(([name]) => !isAbsent(name));
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      Object.hasOwn(properties, name) ? withoutAbsent(value, objectIn(properties[name])) : value,
    ]),
  );
}

function takesNull({ type }: Loose): boolean {
  return type === 'null' || (Array.isArray(type) && type.includes('null'));
}

const objectIn = (value: unknown): Loose => (isJsonObject(value) ? value : {});
