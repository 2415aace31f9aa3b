// A server whose tool `deploy` asks a question before it answers: node elicits.mjs legacy|modern. In the old era it sends
// elicitation/create while the call runs, in 2026-07-28 it returns input_required and is called again. The argument `ask`
// replaces the parameters of the question; the result is what came back.
import { send, serve, text } from './minimal-server.mjs';

const FORM = {
  type: 'object',
  properties: {
    branch: { type: 'string', title: 'Branch', enum: ['main', 'next'] },
    times: { type: 'integer', minimum: 1, maximum: 9, default: 1 },
  },
  required: ['branch'],
};
const question = { message: 'Which branch?', requestedSchema: FORM };
const waiting = new Map();
let asked = 0;
let calls = 0;

function askClient(ask) {
  const id = `ask-${(asked += 1)}`;
  const answer = new Promise((resolve) => waiting.set(id, resolve));
  send({ id, method: 'elicitation/create', params: { ...question, ...ask } });
  return answer;
}

const legacy = {
  calls: {
    deploy: async ({ ask } = {}) => {
      const { result, error } = await askClient(ask);
      return text(result ?? { error: error.message });
    },
    /** Never ends. */
    hang: (_, { params: { _meta } }) =>
      void send({
        method: 'notifications/progress',
        params: { progressToken: _meta.progressToken, progress: 1 },
      }),
  },
  onMessage: ({ id, method, ...response }) => {
    if (method === undefined) waiting.get(id)?.(response);
  },
};

const complete = (result) => ({ resultType: 'complete', ...result });
const listed = (result) => complete({ ...result, ttlMs: 0, cacheScope: 'private' });
const modern = {
  calls: {
    count: () => complete(text({ calls })),
    deploy: ({ ask, also, again }, { params: { inputResponses, requestState } }) => {
      calls += 1;
      if (inputResponses && (!again || requestState === 'state 2'))
        return complete(text({ inputResponses, requestState }));
      const request = { method: 'elicitation/create', params: { ...question, ...ask } };
      return {
        resultType: 'input_required',
        inputRequests: also ? { where: request, who: also } : { where: request },
        requestState: inputResponses ? 'state 2' : 'state 1',
      };
    },
  },
  further: {
    'server/discover': () =>
      listed({
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {} },
        serverInfo: { name: 'elicits', version: '1.0.0' },
      }),
    'tools/list': () =>
      listed({ tools: ['deploy', 'count'].map((name) => ({ name, inputSchema: { type: 'object' } })) }),
  },
};

serve(process.argv[2] === 'modern' ? modern : legacy);
