import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aProject, anIssue } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { anonymous, asAgent, asEditor } from '../../support/callers.js';
import { canary, refuseLeaks } from '../../support/canary.js';
import { OtlpCollector, type CollectedSpan } from '../../support/otlp-collector.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { sendHeartbeat } from '../gateway/heartbeat-requests.js';
import { grant, installed, type Installed } from '../gateway/mcp-setting.js';
import { modern, session, type WireAnswer } from '../gateway/wire-call.js';
import { LocalCatalog } from '../mcp/local-catalog.js';

const CLIENT = 'b7ad6b7169203331';
const collectorKey = canary('the key of the collector');
/** What a user sends; nothing of it may reach the collector. */
const hidden = `hidden${randomBytes(8).toString('hex')}`;
const catalog = new LocalCatalog().stdio('offering', ['all-features.mjs'], {
  variables: [{ name: 'SECRET', isRequired: true, isSecret: true }],
});
const collector = await OtlpCollector.start();
const service = useService({
  settings: {
    CATALOG_DIRS: catalog.folder,
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: `x-key=${collectorKey}`,
    OTEL_SERVICE_NAME: 'the service under test',
  },
});
afterAll(async () => {
  await collector.stop();
  catalog.remove();
});

let agent: Caller;
let offering: Installed;
beforeAll(async () => {
  agent = await asAgent(service);
  offering = await installed(service, 'offering', {
    envValues: { SECRET: canary('the secret of the server') },
  });
  await grant(service, offering, agent);
});

let traces = 0;
/** Returns the id of a new trace, and the header that a client sends with it. */
function aTrace() {
  traces += 1;
  const id = traces.toString(16).padStart(32, 'a');
  return { id, traceparent: `00-${id}-${CLIENT}-01` };
}

/** Waits for the span of the request, which ends last, and returns all spans of the trace. */
async function spansOf(traceId: string): Promise<CollectedSpan[]> {
  const ofTrace = () => collector.spans.filter((span) => span.traceId === traceId);
  await until(() => ofTrace().some(({ kind }) => kind === 2));
  return ofTrace();
}
function only(spans: CollectedSpan[], name: string): CollectedSpan {
  const found = spans.filter((span) => span.name === name);
  const names = spans.map((span) => span.name).join(', ');
  if (found.length !== 1) throw new Error(`${found.length} spans ${name} of ${names}`);
  return found[0]!;
}
/** Returns the `_meta` that reached the server, whose tool `meta` returns it. */
function metaIn({ message }: WireAnswer): unknown {
  const { content } = message.result as unknown as { content: { text: string }[] };
  return JSON.parse(content[0]!.text);
}

type Call = (params: Record<string, unknown>, headers?: Record<string, string>) => Promise<WireAnswer>;
const eras: [string, Call][] = [
  ['2026-07-28', (params, headers) => modern(agent, 'tools/call', params, headers)],
  ['a session', async (params, headers) => (await session(agent)).request('tools/call', params, headers)],
];

describe.each(eras)('a tool call of %s', (_, call) => {
  const [trace, header, meta] = [aTrace(), aTrace(), aTrace()];
  let name: string;
  let answer: WireAnswer;
  let answerWithMeta: WireAnswer;
  beforeAll(async () => {
    name = `${offering.slug}__meta`;
    answer = await call({ name, arguments: {} }, { traceparent: trace.traceparent });
    const params = { name, arguments: {}, _meta: { traceparent: meta.traceparent } };
    answerWithMeta = await call(params, { traceparent: header.traceparent });
  });

  it('is one trace from the span of the client to the database and to the server', async () => {
    const spans = await spansOf(trace.id);
    const request = only(spans, 'POST /mcp');
    expect(request).toMatchObject({
      parentSpanId: CLIENT,
      kind: 2,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/mcp',
        'http.response.status_code': 200,
        'awp.caller': `agent:${agent.id}`,
      },
    });
    expect(only(spans, 'call_rights')).toMatchObject({ parentSpanId: request.spanId, kind: 3 });
    const made = only(spans, `tools/call ${name}`);
    expect(made).toMatchObject({
      parentSpanId: request.spanId,
      attributes: { 'awp.server': offering.slug, 'gen_ai.tool.name': 'meta', 'awp.outcome': 'ok' },
    });
    const sent = only(spans, `${offering.slug} tools/call`);
    expect(sent).toMatchObject({ parentSpanId: made.spanId, kind: 3 });
    expect(metaIn(answer)).toMatchObject({ traceparent: `00-${trace.id}-${sent.spanId}-01` });
  });

  it('continues the trace of _meta, which is nearer than that of the header', async () => {
    const request = only(await spansOf(header.id), 'POST /mcp');
    const made = await until(() => collector.named(`tools/call ${name}`, meta.id)[0]);
    expect(made).toMatchObject({ parentSpanId: CLIENT, links: [{ spanId: request.spanId }] });
    expect(metaIn(answerWithMeta)).toEqual(
      expect.objectContaining({ traceparent: expect.stringMatching(`^00-${meta.id}-`) }),
    );
  });
});

describe('a trace', () => {
  const failing = aTrace();
  const { id, traceparent } = aTrace();
  beforeAll(async () => {
    const editor = await asEditor(service);
    await anIssue(editor, await aProject(editor), { assignedAgentId: agent.id });
    await sendHeartbeat(agent);
    const fails = { name: `${offering.slug}__fails`, arguments: {} };
    await modern(agent, 'tools/call', fails, { traceparent: failing.traceparent });
    const headers = { traceparent, cookie: `x=${hidden}`, 'user-agent': hidden };
    await agent.get(`/api/agents/${hidden}?q=${hidden}`, { headers });
    await agent.get(`/api/projects/issues?search=${hidden}`, { headers });
    await agent.post('/api/agents/me/heartbeat', { worker: hidden }, { headers });
    await anonymous(service).get('/api/agents', {
      headers: { ...headers, authorization: `Bearer ${hidden}` },
    });
    const unknown = { name: `${offering.slug}__${hidden}`, arguments: {} };
    await modern(agent, 'tools/call', unknown, { traceparent });
    const given = {
      name: `${offering.slug}__meta`,
      arguments: { [hidden]: hidden },
      _meta: { [hidden]: hidden, tracestate: `x=${hidden}` },
    };
    expect((await modern(agent, 'tools/call', given, { traceparent })).text).toContain(hidden);
  });

  it('shows a heartbeat with its transaction and what it handed out', async () => {
    const beat = await until(() =>
      collector.named('heartbeat').find(({ attributes }) => attributes['awp.agent.id'] === agent.id),
    );
    expect(beat.attributes).toMatchObject({ 'awp.issues.picked_up': 1 });
    const inside = collector.spans.filter(({ parentSpanId }) => parentSpanId === beat.spanId);
    expect(inside.map(({ name }) => name)).toContain('transaction');
    expect(collector.resource).toMatchObject({ 'service.name': 'the service under test' });
  });

  it('shows how a call failed', async () => {
    const failed = only(await spansOf(failing.id), `tools/call ${offering.slug}__fails`);
    expect(failed).toMatchObject({ status: 2, attributes: { 'error.type': 'tool_error' } });
  });

  it('has no part of an address, a header, a body, an argument, a result, a key or an unknown name', async () => {
    await until(() => collector.named('POST /mcp', id).length === 2);
    expect(collector.text.includes(hidden)).toBe(false);
    expect(collector.text.includes(agent.key!)).toBe(false);
    expect(collector.headers.at(-1)).toMatchObject({ 'x-key': collectorKey });
    refuseLeaks();
  });

  it('waits for a collector that does not respond, while requests do not', async () => {
    collector.isHeld = true;
    const before = collector.headers.length;
    await agent.get('/api/info');
    await until(() => collector.headers.length > before);
    for (let n = 0; n < 20; n += 1) expect((await agent.get('/api/info')).status).toBe(200);
    expect(collector.headers).toHaveLength(before + 1);
    collector.release();
    await until(() => collector.headers.length > before + 1);
  });
});
