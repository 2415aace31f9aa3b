// The tools of the conformance fixture that ask the client a form by `input_required` (2026-07-28).
import { createRequestStateCodec, inputRequired } from '@modelcontextprotocol/server';

/** The state that a client sends back is signed, as the specification demands of a server. */
const codec = createRequestStateCodec({ key: 'a key of the fixture, which is no secret at all' });
export const requestState = { verify: codec.verify };

const form = (properties) => ({ type: 'object', properties, required: Object.keys(properties) });
const string = { type: 'string' };
const text = (value) => ({ content: [{ type: 'text', text: value }] });

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
  for (const [name, call] of Object.entries(tools))
    server.registerTool(name, { description: `The scenario's ${name}` }, call);
}
