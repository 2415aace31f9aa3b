import type { GateAnswer } from '../../work/gates/gate.entity.js';
import { QuestionDeclined, type QuestionForm, questionFormOf } from './question-form.js';

type Loose = Record<string, unknown>;

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
  const entries = Object.entries(inputRequests as Loose);
  if (entries.length > MOST_QUESTIONS) throw new QuestionDeclined(`there are more than ${MOST_QUESTIONS}`);
  if (typeof requestState === 'string' && requestState.length > LONGEST_STATE)
    throw new QuestionDeclined('the state of the call is too large');
  const forms = entries.map(([key, request]): [string, QuestionForm] => {
    const { method, params } = request as Loose;
    if (method !== 'elicitation/create') throw new QuestionDeclined(`${String(method)} is not offered`);
    return [key, questionFormOf(params)];
  });
  return { forms, requestState: typeof requestState === 'string' ? requestState : undefined };
}

/** Returns the next request of a call whose questions are not answered. */
export function declinedRetryOf({ inputRequests = {}, requestState }: Loose): Retry {
  const declined = Object.keys(inputRequests as Loose).map((key) => [key, { action: 'decline' }]);
  return retryOf(Object.fromEntries(declined) as Retry['inputResponses'], requestState);
}

/** Returns one form for all questions, so that a person answers them together. */
export function oneFormOf({ forms }: InputRequests): QuestionForm {
  const [first, ...others] = forms;
  if (first && others.length === 0) return first[1];
  return {
    message: forms.map(([, { message }], at) => `${at + 1}. ${message}`).join('\n\n'),
    schema: {
      type: 'object',
      properties: Object.fromEntries(forms.map(([key, { schema }]) => [key, schema])),
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
