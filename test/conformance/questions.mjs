// The tools of the conformance fixture that ask the client a form: in the old era while they run, in 2026-07-28 by
// `input_required`.
import { createRequestStateCodec, fromJsonSchema, inputRequired } from '@modelcontextprotocol/server';

/** The state that a client sends back is signed, as the specification demands of a server. */
const codec = createRequestStateCodec({ key: 'a key of the fixture, which is no secret at all' });
export const requestState = { verify: codec.verify };

const form = (properties, required = Object.keys(properties)) => ({ type: 'object', properties, required });
const string = { type: 'string' };
const text = (value) => ({ content: [{ type: 'text', text: value }] });

const PERSON = form({
  username: { type: 'string', description: "User's response" },
  email: { type: 'string', description: "User's email address" },
});
const DEFAULTS = form(
  {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
  [],
);
const options = ['option1', 'option2', 'option3'];
const titled = (word) =>
  ['First', 'Second', 'Third'].map((title, at) => ({ const: `value${at + 1}`, title: `${title} ${word}` }));
const ENUMS = form(
  {
    untitledSingle: { type: 'string', enum: options },
    titledSingle: { type: 'string', oneOf: titled('Option') },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
    titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
  },
  [],
);

async function asked(mcpReq, message, requestedSchema, words) {
  const { action, content = {} } = await mcpReq.elicitInput({ mode: 'form', message, requestedSchema });
  return text(`${words(action)}${JSON.stringify(content)}`);
}

const completed = (action) => `Elicitation completed: action=${action}, content=`;
const ask = (key, message, properties) => ({
  [key]: {
    method: 'elicitation/create',
    params: { mode: 'form', message, requestedSchema: form(properties) },
  },
});
const accepted = ({ inputResponses = {} }, key) => inputResponses[key]?.content;
const NAME = ask('user_name', 'What is your name?', { name: string });
const CONFIRM = ask('confirm', 'Please confirm', { ok: { type: 'boolean' } });

const tools = {
  test_elicitation_sep1034_defaults: ({ mcpReq }) => asked(mcpReq, 'Who is it?', DEFAULTS, completed),
  test_elicitation_sep1330_enums: ({ mcpReq }) => asked(mcpReq, 'Which ones?', ENUMS, completed),
  test_input_required_result_elicitation: ({ mcpReq }) => {
    const given = accepted(mcpReq, 'user_name');
    return given ? text(`Hello, ${given.name}!`) : inputRequired({ inputRequests: NAME });
  },
  test_input_required_result_request_state: confirmed,
  test_input_required_result_tampered_state: confirmed,
  test_input_required_result_multi_round: async ({ mcpReq }) => {
    if (accepted(mcpReq, 'step2')) return text('Both steps are done.');
    const step = accepted(mcpReq, 'step1') ? 2 : 1;
    const inputRequests =
      step === 1
        ? ask('step1', 'Step 1: What is your name?', { name: string })
        : ask('step2', 'Step 2: What is your favorite color?', { color: string });
    return inputRequired({ inputRequests, requestState: await codec.mint({ step }) });
  },
};

async function confirmed({ mcpReq }) {
  if (accepted(mcpReq, 'confirm') && mcpReq.requestState()?.step === 1) return text('state-ok');
  return inputRequired({ inputRequests: CONFIRM, requestState: await codec.mint({ step: 1 }) });
}

export function registerQuestions(server) {
  const inputSchema = fromJsonSchema(form({ message: string }));
  server.registerTool('test_elicitation', { description: 'Asks', inputSchema }, ({ message }, { mcpReq }) =>
    asked(mcpReq, message, PERSON, (action) => `User response: action=${action}, content=`),
  );
  for (const [name, call] of Object.entries(tools))
    server.registerTool(name, { description: `The scenario's ${name}` }, call);
}
