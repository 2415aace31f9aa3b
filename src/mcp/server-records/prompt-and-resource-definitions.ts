import { z } from 'zod';
import { isNumber } from '../../platform/json/exact-json.js';
import {
  Findings,
  flag,
  icons,
  listOf,
  members,
  meta,
  number,
  oneOf,
  orLeftOut,
  text,
  type WarningList,
} from './definition-rules-and-warnings.js';

type Loose = Record<string, unknown>;

/** The lists that are requested from servers beside their tools: their method, and the member of the result that has the items. */
export const LIST_METHODS = {
  prompts: { method: 'prompts/list', member: 'prompts' },
  resources: { method: 'resources/list', member: 'resources' },
  templates: { method: 'resources/templates/list', member: 'resourceTemplates' },
} as const;

export type ListKind = keyof typeof LIST_METHODS;

const argument = members({ name: text, description: text, required: flag }, 'name');
const prompt = members(
  { name: text, title: text, description: text, arguments: listOf(argument), icons, _meta: meta },
  'name',
);

const TIME = z.iso.datetime({ offset: true });
const annotations = orLeftOut(
  members({
    audience: listOf(oneOf('user', 'assistant')),
    priority: (value, path, findings) =>
      isNumber(value) && Number(value) >= 0 && Number(value) <= 1
        ? value
        : findings.error(path, 'must be a number from 0 to 1'),
    lastModified: (value, path, findings) =>
      TIME.safeParse(value).success ? value : findings.error(path, 'must be a time of ISO 8601'),
  }),
);
const described = {
  name: text,
  title: text,
  description: text,
  mimeType: text,
  annotations,
  icons,
  _meta: meta,
};
const RULES = {
  prompts: { rule: prompt, subject: 'name', noun: 'prompt' },
  resources: {
    rule: members({ ...described, uri: text, size: orLeftOut(number) }, 'uri', 'name'),
    subject: 'uri',
    noun: 'resource',
  },
  templates: {
    rule: members({ ...described, uriTemplate: text }, 'uriTemplate', 'name'),
    subject: 'uriTemplate',
    noun: 'resource template',
  },
} as const;

/**
 * Returns the prompts, resources or templates of a listing that strict clients accept, repaired where that changes no
 * meaning: one odd entry would void the whole list for them (contract §7.4).
 */
export function offersOf(kind: ListKind, entries: readonly unknown[], warnings?: WarningList): Loose[] {
  const { rule, subject, noun } = RULES[kind];
  return entries.flatMap((entry, at) => {
    const findings = new Findings();
    const checked = rule(entry, '', findings) as Loose | undefined;
    const name = String(checked?.[subject] ?? `${kind}[${at}]`);
    const [error] = findings.errors;
    if (error !== undefined)
      warnings?.add(name, `The ${noun} is withheld from agents, because ${error.trim()}.`);
    else
      for (const repair of findings.repairs)
        warnings?.add(name, `The definition of the ${noun} was repaired: ${repair}`);
    return error === undefined && checked ? [checked] : [];
  });
}
