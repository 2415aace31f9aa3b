import { cutToBytes, storableText } from '../../platform/http/text-and-instant-rules.js';
import { isJsonObject, isNumber } from '../../platform/json/exact-json.js';

type Loose = Record<string, unknown>;

/** Collects what is wrong with a definition, and what was changed so that strict clients accept it. */
export class Findings {
  readonly errors: string[] = [];
  readonly repairs: string[] = [];

  error(path: string, expected: string): undefined {
    this.errors.push(`${path} ${expected}`);
    return undefined;
  }
}

/** Checks a value and returns it, changed where that changes no meaning; undefined where the member is left out. */
export type Rule = (value: unknown, path: string, findings: Findings) => unknown;

const ofType =
  (type: 'string' | 'boolean', expected: string): Rule =>
  (value, path, findings) =>
    typeof value === type ? value : findings.error(path, expected);

export const text = ofType('string', 'must be text');
export const flag = ofType('boolean', 'must be true or false');
export const number: Rule = (value, path, findings) =>
  isNumber(value) && Number.isFinite(Number(value))
    ? value
    : findings.error(path, 'must be a number that clients can read');

export const oneOf =
  (...values: string[]): Rule =>
  (value, path, findings) =>
    values.includes(value as string) ? value : findings.error(path, `must be ${values.join(', ')}`);

export const listOf =
  (rule: Rule): Rule =>
  (value, path, findings) =>
    Array.isArray(value)
      ? value.map((item, at) => rule(item, `${path}[${at}]`, findings))
      : findings.error(path, 'must be a list');

/** An object of any members. An empty list counts as an empty object, because PHP writes it so. */
export const object: Rule = (value, path, findings) => {
  const given = emptyAsObject(value);
  return isJsonObject(given) ? given : findings.error(path, 'must be an object');
};

/** The same rule for a member without which every client can do: an invalid value is left out. */
export const orLeftOut =
  (rule: Rule): Rule =>
  (value, path, findings) => {
    const own = new Findings();
    const checked = rule(value, path, own);
    if (own.errors.length === 0) return checked;
    findings.repairs.push(`${path} was left out, because ${own.errors[0]}.`);
    return undefined;
  };

/**
 * An object whose known members follow rules. One that is null counts as absent (contract §7.4); other members stay as
 * they are, and the order stays.
 * @param needed the members that must be there
 */
export const members =
  (rules: Readonly<Record<string, Rule>>, ...needed: string[]): Rule =>
  (value, path, findings) => {
    const given = object(value, path, findings);
    if (!isJsonObject(given)) return undefined;
    for (const name of needed)
      if ((given[name] ?? null) === null) findings.error(joined(path, name), 'is missing');
    const checked = Object.entries(given).map(([name, item]) => {
      if (!Object.hasOwn(rules, name)) return [name, item];
      return [name, item === null ? undefined : rules[name]!(item, joined(path, name), findings)];
    });
    return Object.fromEntries(checked.filter(([, item]) => item !== undefined)) as Loose;
  };

const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

export function emptyAsObject(value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? {} : value;
}

const icon = members(
  { src: text, mimeType: text, sizes: listOf(text), theme: oneOf('light', 'dark') },
  'src',
);
export const icons = orLeftOut(listOf(icon));
export const meta = orLeftOut(object);

/** What an Admin should know about something that a server lists. */
export interface DefinitionWarning {
  /** The name or URI of what is concerned, or the place of an entry without one, such as `tools[3]`. */
  subject: string;
  message: string;
}

/** Each verification is stored with its warnings. */
const MOST_WARNINGS = 100;
const LONGEST_BYTES = 500;

/** Collects warnings, the first ones whole and the number of the others. */
export class WarningList {
  private readonly warnings: DefinitionWarning[] = [];
  private more = 0;

  add(subject: string, message: string): void {
    if (this.warnings.length >= MOST_WARNINGS) this.more += 1;
    else this.warnings.push({ subject: short(subject), message: short(message) });
  }

  all(): DefinitionWarning[] {
    if (this.more === 0) return this.warnings;
    return [...this.warnings, { subject: '…', message: `There are ${this.more} further warnings.` }];
  }
}

const short = (said: string): string => cutToBytes(storableText(said), LONGEST_BYTES);
