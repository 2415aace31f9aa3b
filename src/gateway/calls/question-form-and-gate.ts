import { actorOf } from '../../platform/authentication/principals-and-roles.js';
import { visibleText } from '../../platform/http/visible-text.js';
import { isJsonObject, isNumber } from '../../platform/json/exact-json.js';
import type { NewGate } from '../../work/gates/gate-opening.service.js';
import type { GateAnswer } from '../../work/gates/gate.entity.js';
import type { AskedCall } from './exchange.js';
import { isCredentialName } from './masked-arguments.js';

/** What a server of 2026-07-28 needs before it finishes a call: the questions by the server's own keys, and its state. */
export interface InputRequests {
  forms: [key: string, form: QuestionForm][];
  requestState: string | undefined;
}

/** The fields of the next request of a call (2026-07-28). */
export interface Retry {
  inputResponses: Record<string, Loose>;
  requestState?: string;
}

const MOST_QUESTIONS = 10;
const LONGEST_STATE = 65_536;

export function needsInput(result: Loose): boolean {
  return result.resultType === 'input_required';
}

/** @throws {QuestionDeclined} where one of them may not be asked */
export function inputRequestsOf({ inputRequests = {}, requestState }: Loose): InputRequests {
  if (!isJsonObject(inputRequests)) throw new QuestionDeclined('its questions are not given by their keys');
  const entries = Object.entries(inputRequests);
  if (entries.length > MOST_QUESTIONS) throw new QuestionDeclined(`there are more than ${MOST_QUESTIONS}`);
  if (typeof requestState === 'string' && requestState.length > LONGEST_STATE)
    throw new QuestionDeclined('the state of the call is too large');
  const forms = entries.map(([key, request]): [string, QuestionForm] => {
    if (key.length > LONGEST_CHOICE) throw new QuestionDeclined('a question has a key that is too long');
    const { method, params } = isJsonObject(request) ? request : {};
    const named = typeof method === 'string' ? method : 'a request without a name';
    if (named !== 'elicitation/create') throw new QuestionDeclined(`${named} is not offered`);
    return [key, questionFormOf(params)];
  });
  return { forms, requestState: typeof requestState === 'string' ? requestState : undefined };
}

/** Returns the next request of a call whose questions are not answered. */
export function declinedRetryOf({ inputRequests = {}, requestState }: Loose): Retry {
  const keys = isJsonObject(inputRequests) ? Object.keys(inputRequests) : [];
  const declined = keys.map((key) => [key, { action: 'decline' }]);
  return retryOf(Object.fromEntries(declined) as Retry['inputResponses'], requestState);
}

/**
 * Returns one form for all questions, so that a person answers them together.
 * @throws {QuestionDeclined} where there are several and one has a key that cannot be the name of a field
 */
export function oneFormOf({ forms }: InputRequests): QuestionForm {
  const [first, ...others] = forms;
  if (first && others.length === 0) return first[1];
  return {
    message: forms.map(([, { message }], at) => `${at + 1}. ${message}`).join('\n\n'),
    schema: {
      type: 'object',
      properties: Object.fromEntries(forms.map(([key, { schema }]) => [visibleName(key), schema])),
      required: forms.map(([key]) => key),
      additionalProperties: false,
    },
  };
}

/** Returns the next request of a call whose questions a person answered together. */
export function answeredRetryOf(keys: string[], answer: GateAnswer | null, requestState: unknown): Retry {
  const fields = (answer && 'fields' in answer && answer.fields) || {};
  const [only, ...others] = keys;
  const contents = only !== undefined && others.length === 0 ? { [only]: fields } : fields;
  const responses = keys.map((key) => [key, { action: 'accept', content: contents[key] ?? {} }]);
  return retryOf(Object.fromEntries(responses) as Retry['inputResponses'], requestState);
}

export function retryOf(inputResponses: Retry['inputResponses'], requestState: unknown): Retry {
  return typeof requestState === 'string' ? { inputResponses, requestState } : { inputResponses };
}

/** A question of a server that is not asked. The message is the end of a sentence that begins with "because". */
export class QuestionDeclined extends Error {}

type Loose = Record<string, unknown>;

const MOST_FIELDS = 30;
const MOST_CHOICES = 100;
const LONGEST_NAME = 64;
const LONGEST_CHOICE = 500;
const LONGEST_TEXT = 1_000;

/** The keywords that MCP allows per type. Others are left out: a `pattern` would run a server's expression here. */
const KEYWORDS: Record<string, readonly string[]> = {
  string: ['minLength', 'maxLength', 'default'],
  number: ['minimum', 'maximum', 'default'],
  integer: ['minimum', 'maximum', 'default'],
  boolean: ['default'],
  array: ['minItems', 'maxItems', 'default'],
};
/** The formats, each with the fewest and the most characters of a text that has it. */
const FORMATS: Record<string, [least: number, most: number]> = {
  email: [3, Infinity],
  uri: [2, Infinity],
  date: [10, 10],
  'date-time': [20, Infinity],
};
/** Pairs of the least and the greatest that a field admits. Those of texts and lists count something. */
const RANGES = [
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minimum', 'maximum'],
] as const;

/**
 * Returns the schema of a form with what MCP allows and nothing else: one level of fields of simple types, whose names
 * and texts are visible.
 * @throws {QuestionDeclined} for another form, one that is too large, one that no answer can satisfy, and one that asks for
 *   a credential
 */
export function formSchemaOf(requested: unknown): Loose {
  if (!isJsonObject(requested) || requested.type !== 'object' || !isJsonObject(requested.properties))
    throw new QuestionDeclined('it is not a form of fields');
  const fields = Object.entries(requested.properties);
  if (fields.length > MOST_FIELDS) throw new QuestionDeclined(`it has more than ${MOST_FIELDS} fields`);
  const names = fields.map(([name]) => name);
  const required = Array.isArray(requested.required) ? requested.required : [];
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [visibleName(name), fieldOf(name, field)])),
    required: names.filter((name) => required.includes(name)),
    additionalProperties: false,
  };
}

function fieldOf(name: string, field: unknown): Loose {
  if (!isJsonObject(field) || typeof field.type !== 'string' || !Object.hasOwn(KEYWORDS, field.type))
    throw new QuestionDeclined(`the field ${name} has no type that a form may have`);
  const { type, title, description } = field;
  const format = typeof field.format === 'string' && Object.hasOwn(FORMATS, field.format) && field.format;
  const limits = limitsOf(field, KEYWORDS[type]!);
  refuseUnsatisfiable(name, type, limits, type === 'string' && format ? FORMATS[format]! : [0, Infinity]);
  if (isCredentialName(name) || (typeof title === 'string' && isCredentialName(title)))
    throw new QuestionDeclined('it asks for a credential, which no form may ask for');
  return {
    type,
    ...(typeof title === 'string' && { title: shortText(title) }),
    ...(typeof description === 'string' && { description: shortText(description) }),
    ...(format && { format }),
    ...limits,
    ...(type === 'string' && choicesOf(field)),
    ...(type === 'array' && { items: itemsOf(name, field.items) }),
  };
}

function limitsOf(field: Loose, keywords: readonly string[]): Loose {
  const given = keywords.filter((keyword) => keyword === 'default' || isNumber(field[keyword]));
  return Object.fromEntries(
    given.flatMap((keyword) => (isPlain(field[keyword]) ? [[keyword, field[keyword]]] : [])),
  );
}

/**
 * Refuses a field that a person could never answer. The check of an answer would also fail on limits that JSON Schema does
 * not know, such as a length of -1.
 * @param lengths the fewest and the most characters that the field's format admits
 */
function refuseUnsatisfiable(name: string, type: string, limits: Loose, lengths: [number, number]): void {
  for (const [least, greatest] of RANGES) {
    const given = [least, greatest].flatMap((keyword) =>
      keyword in limits ? [Number(limits[keyword])] : [],
    );
    const isCount = least !== 'minimum';
    const isLimit = (limit: number) =>
      isCount ? Number.isSafeInteger(limit) && limit >= 0 : Number.isFinite(limit);
    let [from, to] = [Number(limits[least] ?? -Infinity), Number(limits[greatest] ?? Infinity)];
    if (type === 'integer') [from, to] = [Math.ceil(from), Math.floor(to)];
    if (least === 'minLength') [from, to] = [Math.max(from, lengths[0]), Math.min(to, lengths[1])];
    if (!given.every(isLimit) || from > to)
      throw new QuestionDeclined(`no answer can satisfy ${least} and ${greatest} of the field ${name}`);
  }
}

/** A choice is sent back as it is, so one that a person cannot see is refused instead of being changed. */
function choicesOf(field: Loose): Loose {
  const { enum: choices, enumNames } = field;
  if (Array.isArray(choices)) {
    const values = plainChoices(choices);
    // A name that is no text may be an object that cannot become one.
    const named = Array.isArray(enumNames) ? enumNames.slice(0, values.length) : [];
    const names = named.map((name, at) => shortText(typeof name === 'string' ? name : values[at]!));
    return { enum: values, ...(Array.isArray(enumNames) && { enumNames: names }) };
  }
  return Array.isArray(field.oneOf) ? { oneOf: titledChoices(field.oneOf) } : {};
}

function itemsOf(name: string, items: unknown): Loose {
  if (isJsonObject(items) && Array.isArray(items.enum))
    return { type: 'string', enum: plainChoices(items.enum) };
  if (isJsonObject(items) && Array.isArray(items.anyOf)) return { anyOf: titledChoices(items.anyOf) };
  throw new QuestionDeclined(`the field ${name} is a list without choices`);
}

function titledChoices(choices: unknown[]): Loose[] {
  const constants = plainChoices(choices.map((choice) => (isJsonObject(choice) ? choice.const : undefined)));
  return constants.map((constant, at) => {
    const { title } = choices[at] as Loose;
    return { const: constant, title: shortText(typeof title === 'string' ? title : constant) };
  });
}

function plainChoices(choices: unknown[]): string[] {
  if (choices.length === 0 || new Set(choices).size < choices.length)
    throw new QuestionDeclined('it has a field without choices, or with the same choice twice');
  if (choices.length > MOST_CHOICES) throw new QuestionDeclined(`it has more than ${MOST_CHOICES} choices`);
  return choices.map((choice) => {
    if (typeof choice !== 'string' || choice.length > LONGEST_CHOICE || visibleText(choice) !== choice)
      throw new QuestionDeclined('it has a choice that is no text, is too long or cannot be seen');
    return choice;
  });
}

/** Members that no body of a request may have (contract §1.4), so that no answer can have them. */
const REFUSED_IN_BODIES = ['__proto__', 'constructor'];

function visibleName(name: string): string {
  if (REFUSED_IN_BODIES.includes(name)) throw new QuestionDeclined(`no answer can have the field ${name}`);
  if (name === '' || name.length > LONGEST_NAME || visibleText(name) !== name)
    throw new QuestionDeclined('it has a field whose name is too long or cannot be seen');
  return name;
}

function shortText(text: string): string {
  return visibleText(text).slice(0, LONGEST_TEXT);
}

function isPlain(value: unknown): boolean {
  if (Array.isArray(value))
    return value.length <= MOST_CHOICES && value.every((item) => typeof item === 'string');
  return isNumber(value) || ['string', 'boolean'].includes(typeof value);
}

/** A question of a server in form mode, as people and clients may see it. */
export interface QuestionForm {
  message: string;
  schema: Loose;
}

const MOST_BYTES = 32_768;
const LONGEST_MESSAGE = 4_000;

/**
 * Returns what a server asks.
 * @param params of `elicitation/create`
 * @throws {QuestionDeclined}
 */
export function questionFormOf(params: unknown): QuestionForm {
  const { mode = 'form', message, requestedSchema } = (params ?? {}) as Loose;
  if (mode !== 'form') throw new QuestionDeclined('only forms can be asked, and no address can be opened');
  if (typeof message !== 'string' || message.trim() === '') throw new QuestionDeclined('it has no text');
  if (message.length > LONGEST_MESSAGE || Buffer.byteLength(JSON.stringify(params)) > MOST_BYTES)
    throw new QuestionDeclined('it is too large');
  return { message: visibleText(message), schema: formSchemaOf(requestedSchema) };
}

/** Returns the parameters of `elicitation/create` for a client. */
export function paramsOf({ message, schema }: QuestionForm): Loose {
  return { mode: 'form', message, requestedSchema: schema };
}

const LONGEST_TITLE = 200;

/** Returns the gate by which people answer a question that a server asks about a call. */
export function questionGateOf(
  { agent, server, tool, calledFor }: AskedCall,
  { message, schema }: QuestionForm,
): NewGate {
  const [toolName, serverName] = [visibleText(tool), visibleText(server.serverName)];
  const issueId = calledFor?.projectId ? calledFor.issueId : null;
  const title = Array.from(`${serverName} asks: ${message.trim().split('\n', 1)[0]}`);
  return {
    kind: 'question',
    projectId: issueId && calledFor!.projectId,
    issueId,
    agentId: agent.id,
    title: title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE - 1).join('')}…` : title.join(''),
    detail: `The server ${serverName} asks this, not the agent ${agent.name} that calls its tool ${toolName}:\n\n${message}`,
    request: { question: message, schema, serverId: server.serverId, serverName, toolName },
    holds: false,
    openedBy: actorOf(agent),
  };
}
