import { visibleText } from '../../../mcp/installed-servers/tools/visible-text.js';
import { formSchemaOf } from './form-schema.js';
import { QuestionDeclined } from './question-declined.js';

type Loose = Record<string, unknown>;

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
