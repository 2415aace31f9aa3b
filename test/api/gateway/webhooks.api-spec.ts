import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { aProject, anIssue, createdBy, type Issue } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { anonymous, asAdmin, asAgent, asEditor } from '../../support/callers.js';
import { notFound, refused } from '../../support/refusal.js';
import { startService, type Service } from '../../support/service.js';
import { until } from '../../support/until.js';
import { isSignedWith, WebhookTarget } from '../../support/webhook-target.js';

interface Made {
  id: string;
  secret: string;
}
interface Delivery {
  id: string;
  eventId: string;
  type: string;
  status: string;
  attempts: { status: number | null; error: string | null }[];
  nextAttemptAt: string | null;
}

const targets = await Promise.all(Array.from({ length: 5 }, () => WebhookTarget.start()));
const [sound, failing, hanging, redirecting, moody] = targets as [
  WebhookTarget,
  WebhookTarget,
  WebhookTarget,
  WebhookTarget,
  WebhookTarget,
];
/** No process listens there: no system assigns this port by itself. */
const down = '127.0.0.7:62082';
failing.answer = (_, response) => void response.writeHead(500).end('no');
hanging.answer = () => undefined;
redirecting.answer = (_, response) =>
  void response.writeHead(307, { location: 'http://127.0.0.1:22/inner' }).end();

let service: Service;
let admin: Caller;
let editor: Caller;
beforeAll(async () => {
  const hosts = [...targets.map(({ host }) => host), down].join(',');
  service = await startService({ ownProcess: true, settings: { OUTBOUND_ALLOWED_HOSTS: hosts } });
  [admin, editor] = [await asAdmin(service), await asEditor(service)];
});
afterAll(async () => {
  await service.remove();
  for (const target of targets) await target.stop();
});

const aWebhook = (url: string, fields: object = {}) =>
  createdBy<Made>(admin, '/api/webhooks', { url, ...fields });
const log = async ({ id }: Made) => (await admin.get<Delivery[]>(`/api/webhooks/${id}/deliveries`)).body;
const remove = ({ id }: Made) => admin.delete(`/api/webhooks/${id}`);
const change = (issue: Issue, title: string) => editor.put(`/api/projects/issues/${issue.id}`, { title });
/** Retries come after seconds, then hours. This makes them due at once. */
const hurry = () =>
  service.sql(`UPDATE graphile_worker._private_jobs SET run_at = now() WHERE locked_at IS NULL`);

describe('/api/webhooks', () => {
  it('creates, lists, changes and deletes webhooks, and returns the secret once', async () => {
    const answer = await admin.post<Made>('/api/webhooks', { url: sound.url, eventTypes: ['goal.*'] });
    expect(answer).toMatchObject({
      status: 201,
      headers: { location: `/api/webhooks/${answer.body.id}` },
      body: { url: sound.url, eventTypes: ['goal.*'], projectId: null, disabled: false, description: '' },
    });
    expect(answer.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { secret, ...row } = answer.body;
    const path = `/api/webhooks/${row.id}`;
    expect((await admin.get(path)).body).toEqual(row);
    expect((await admin.get<Made[]>('/api/webhooks')).text).not.toContain(secret);
    const changed = await admin.put(path, { description: 'changed', eventTypes: null, disabled: true });
    expect(changed.body).toMatchObject({
      description: 'changed',
      eventTypes: null,
      disabled: true,
      url: sound.url,
    });
    expect((await admin.delete(path)).status).toBe(204);
    expect(await admin.get(path)).toMatchObject(notFound);
    const stored = await service.sql<{ sealed: string }>('SELECT sealed FROM webhook_secrets');
    expect(JSON.stringify(stored)).not.toContain(secret);
  });

  it('is limited to Admins', async () => {
    expect(await anonymous(service).get('/api/webhooks')).toMatchObject(refused(401, 'unauthenticated'));
    for (const caller of [editor, await asAgent(service)])
      expect(await caller.post('/api/webhooks', { url: sound.url })).toMatchObject(refused(403, 'forbidden'));
    const path = `/api/webhooks/${randomUUID()}`;
    expect(await admin.get(path)).toMatchObject(notFound);
    expect(await admin.put(path, {})).toMatchObject(notFound);
    expect(await admin.delete(path)).toMatchObject(notFound);
    expect(await admin.post(`${path}/rotate-secret`)).toMatchObject(notFound);
    expect(await admin.get(`${path}/deliveries`)).toMatchObject(notFound);
    expect(await admin.post(`${path}/deliveries/x/redeliver`)).toMatchObject(notFound);
  });

  it.each<[string, object]>([
    ['url', { url: 'ftp://example.com/x' }],
    ['url', { url: 'http://user:secret@example.com/x' }],
    ['url', {}],
    ['eventTypes', { url: sound.url, eventTypes: ['issue.invented'] }],
    ['projectId', { url: sound.url, projectId: randomUUID() }],
    ['secret', { url: sound.url, secret: 'mine' }],
  ])('rejects an invalid %s', async (path, body) => {
    expect(await admin.post('/api/webhooks', body)).toMatchObject(refused(400, 'validation_failed', path));
  });
});

describe('a delivery', () => {
  it('is a signed event that passes the filters of the webhook', async () => {
    const [wanted, other] = [await aProject(editor), await aProject(editor)];
    const webhook = await aWebhook(sound.url, { projectId: wanted.id, eventTypes: ['issue.created'] });
    const [issue, unwanted] = [await anIssue(editor, wanted), await anIssue(editor, other)];
    await change(issue, 'not wanted either');
    await until(() => sound.of(issue.id).length > 0);
    const [received] = sound.of(issue.id);
    expect(received!.event).toMatchObject({
      type: 'issue.created',
      projectId: wanted.id,
      subject: { id: issue.id },
    });
    expect(received!.headers['webhook-id']).toBe(received!.event.id);
    expect(isSignedWith(webhook.secret, received!)).toBe(true);
    expect(
      isSignedWith(webhook.secret, { ...received!, body: received!.body.replace('created', 'deleted') }),
    ).toBe(false);
    const last = await anIssue(editor, wanted);
    await until(() => sound.of(last.id).length > 0);
    expect(sound.of(unwanted.id)).toEqual([]);
    expect(sound.of(issue.id)).toHaveLength(1);
    await until(async () => (await log(webhook)).every(({ status }) => status === 'succeeded'));
    expect(await log(webhook)).toMatchObject([
      {
        type: 'issue.created',
        status: 'succeeded',
        attempts: [{ status: 200, error: null }],
        nextAttemptAt: null,
      },
      { status: 'succeeded' },
    ]);
    await remove(webhook);
  });

  it('is signed with both secrets after a rotation', async () => {
    const project = await aProject(editor);
    const webhook = await aWebhook(sound.url, { projectId: project.id });
    const { body } = await admin.post<Made>(`/api/webhooks/${webhook.id}/rotate-secret`);
    expect(body.secret).not.toBe(webhook.secret);
    const issue = await anIssue(editor, project);
    await until(() => sound.of(issue.id).length > 0);
    const [received] = sound.of(issue.id);
    expect([webhook.secret, body.secret].map((one) => isSignedWith(one, received!))).toEqual([true, true]);
    await remove(webhook);
  });

  it('continues the trace of the request that caused the event', async () => {
    const project = await aProject(editor);
    const webhook = await aWebhook(sound.url, { projectId: project.id });
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const traceparent = `00-${trace}-00f067aa0ba902b7-01`;
    const made = await editor.post<Issue>(
      `/api/projects/${project.id}/issues`,
      { title: 'traced' },
      { headers: { traceparent } },
    );
    await until(() => sound.of(made.body.id).length > 0);
    expect(sound.of(made.body.id)[0]!.headers['traceparent']).toMatch(
      new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`),
    );
    expect(service.log).toContain(`"traceId":"${trace}"`);
    await remove(webhook);
  });
});

describe('the address of a webhook', () => {
  it.each([
    ...['http://127.0.0.1:8081/', 'http://localhost:8081/x', 'http://[::1]/'],
    ...['https://10.0.0.1/', 'http://169.254.169.254/latest'],
  ])('is refused where no delivery may go: %s', async (url) => {
    const webhook = await aWebhook(sound.url);
    for (const answer of [
      await admin.post('/api/webhooks', { url }),
      await admin.put(`/api/webhooks/${webhook.id}`, { url }),
    ])
      expect(answer).toMatchObject({
        status: 400,
        body: {
          code: 'validation_failed',
          errors: [{ path: 'url', message: expect.stringContaining('OUTBOUND_ALLOWED_HOSTS') }],
        },
      });
    expect((await admin.get(`/api/webhooks/${webhook.id}`)).body).toMatchObject({ url: sound.url });
    await remove(webhook);
  });

  it('is accepted where its name cannot be resolved yet', async () => {
    await remove(await aWebhook('https://not-yet.invalid/hook'));
  });
});

describe('a failing target', () => {
  it('delays no other target, and has its errors in the delivery log', async () => {
    const project = await aProject(editor);
    const urls = [failing.url, hanging.url, redirecting.url, `http://${down}/`, sound.url];
    const withErrors = await Promise.all(urls.map((url) => aWebhook(url, { projectId: project.id })));
    // A name may lead to a private address only after the webhook was made.
    await service.sql(`UPDATE webhooks SET url = 'http://127.0.0.1:8081/' WHERE id = $1`, [
      withErrors.at(-1)!.id,
    ]);
    const webhook = await aWebhook(sound.url, { projectId: project.id });
    const issues = await Promise.all(Array.from({ length: 8 }, () => anIssue(editor, project)));
    await until(() => issues.every(({ id }) => sound.of(id).length > 0), 14);
    const errorsOf = async (one: Made) => (await log(one)).flatMap(({ attempts }) => attempts);
    const [responded500, _hanging, redirects, isDown, inner] = withErrors as [Made, Made, Made, Made, Made];
    const outcomes = [
      [responded500, { status: 500, error: 'The target responded with 500.' }],
      [redirects, { status: null, error: expect.stringContaining('redirect') }],
      [isDown, { status: null, error: expect.stringContaining('could not be reached') }],
      [inner, { status: null, error: expect.stringContaining('OUTBOUND_ALLOWED_HOSTS') }],
    ] as const;
    for (const [one, outcome] of outcomes) {
      const [first] = await until(async () => {
        const all = await errorsOf(one);
        return all.length > 0 ? all : null;
      });
      expect(first).toMatchObject(outcome);
      expect((await log(one))[0]).toMatchObject({ status: 'pending', nextAttemptAt: expect.any(String) });
    }
    for (const one of [...withErrors, webhook]) await remove(one);
  });

  it('receives every event in the order of its issue once it accepts them', async () => {
    const project = await aProject(editor);
    let refusing = true;
    moody.answer = (_, response) => void response.writeHead(refusing ? 503 : 204).end();
    const webhook = await aWebhook(moody.url, { projectId: project.id, eventTypes: ['issue.*'] });
    const issues = [await anIssue(editor, project), await anIssue(editor, project)];
    for (let at = 0; at < 6; at += 1) for (const issue of issues) await change(issue, `title ${at}`);
    for (let tries = 1; tries <= 3; tries += 1) {
      await until(async () => {
        await hurry();
        return issues.every(({ id }) => moody.of(id).length >= tries);
      });
      // While the first event of an issue is not accepted, no later one of it is sent.
      for (const { id } of issues) expect(new Set(moody.of(id).map(({ event }) => event.id)).size).toBe(1);
    }
    refusing = false;
    const titles = (id: string) =>
      moody
        .of(id)
        .filter(({ event }) => event.type === 'issue.updated')
        .map(({ event }) => (event.data['title'] as { new: string }).new);
    await until(async () => {
      await hurry();
      return issues.every(({ id }) => titles(id).length === 6);
    });
    for (const { id } of issues) expect(titles(id)).toEqual([0, 1, 2, 3, 4, 5].map((at) => `title ${at}`));
    await remove(webhook);
  });

  it('is sent nothing while its webhook is disabled, nor afterwards what was pending then', async () => {
    const project = await aProject(editor);
    moody.answer = (_, response) => void response.writeHead(503).end();
    const [webhook, beside] = [
      await aWebhook(moody.url, { projectId: project.id }),
      await aWebhook(sound.url, { projectId: project.id }),
    ];
    const issue = await anIssue(editor, project);
    await until(async () => (await log(webhook))[0]?.attempts.length);
    await admin.put(`/api/webhooks/${webhook.id}`, { disabled: true });
    const tries = moody.of(issue.id).length;
    await change(issue, 'sent to the other one only');
    await until(() => sound.of(issue.id).length === 2);
    await until(async () => {
      await hurry();
      return (await log(webhook))[0]?.status === 'failed';
    });
    const deliveries = await log(webhook);
    expect(deliveries).toHaveLength(1);
    expect(deliveries[0]!.attempts.at(-1)).toMatchObject({ status: null, error: 'The webhook is disabled.' });
    expect(moody.of(issue.id)).toHaveLength(tries);
    for (const one of [webhook, beside]) await remove(one);
  });

  it('keeps no delivery pending that nothing sends, where it is disabled and the only one', async () => {
    const project = await aProject(editor);
    moody.answer = (_, response) => void response.writeHead(503).end();
    const webhook = await aWebhook(moody.url, { projectId: project.id });
    const others = (await admin.get<Made[]>('/api/webhooks')).body.filter(({ id }) => id !== webhook.id);
    expect(others).toEqual([]);
    await anIssue(editor, project);
    const [delivery] = await until(async () => {
      const all = await log(webhook);
      return all[0]?.attempts.length ? all : null;
    });
    const path = `/api/webhooks/${webhook.id}`;
    await admin.put(path, { disabled: true });
    const ended = { status: 'failed', nextAttemptAt: null };
    expect(await log(webhook)).toMatchObject([ended]);
    const again = () => admin.post(`${path}/deliveries/${delivery!.id}/redeliver`);
    expect(await again()).toMatchObject({ status: 409, body: { code: 'webhook_disabled' } });
    expect(await log(webhook)).toMatchObject([ended]);
    await admin.put(path, { disabled: false });
    expect(await again()).toMatchObject({ status: 200 });
    await remove(webhook);
  });

  it('is sent an event again from the delivery log', async () => {
    const project = await aProject(editor);
    moody.answer = (_, response) => void response.end();
    const webhook = await aWebhook(moody.url, { projectId: project.id });
    const issue = await anIssue(editor, project);
    const [delivery] = await until(async () => {
      const all = await log(webhook);
      return all[0]?.status === 'succeeded' ? all : null;
    });
    const path = `/api/webhooks/${webhook.id}/deliveries/${delivery!.id}/redeliver`;
    expect(await admin.post(path)).toMatchObject({
      status: 200,
      body: { id: delivery!.id, status: 'pending' },
    });
    await until(() => moody.of(issue.id).length === 2);
    const ids = moody.of(issue.id).map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual([delivery!.eventId, delivery!.eventId]);
    await remove(webhook);
  });
});

describe('many events of one issue', () => {
  it('are sent one after the other by one job, and what comes later by another', async () => {
    const project = await aProject(editor);
    const held: ServerResponse[] = [];
    moody.answer = (_, response) => void held.push(response);
    const webhook = await aWebhook(moody.url, { projectId: project.id });
    const issue = await anIssue(editor, project);
    await until(() => held.length === 1);
    for (let at = 0; at < 12; at += 1) await change(issue, `title ${at}`);
    await until(async () => (await log(webhook)).length === 13);
    const jobs = async () =>
      (
        await service.sql<{ made: number }>(
          `SELECT pg_sequence_last_value(pg_get_serial_sequence('graphile_worker._private_jobs', 'id'))::int AS made`,
        )
      )[0]!.made;
    const before = await jobs();
    moody.answer = (_, response) => void response.end();
    held[0]!.end();
    await until(async () => (await log(webhook)).every(({ status }) => status === 'succeeded'));
    expect(moody.of(issue.id).map(({ event }) => event.id)).toEqual(
      (await log(webhook)).map(({ eventId }) => eventId),
    );
    await change(issue, 'the last title');
    await until(() => moody.of(issue.id).length === 14);
    // One for the last title, and up to two where the twelve take longer than the turn of a job.
    expect((await jobs()) - before).toBeLessThanOrEqual(4);
    await remove(webhook);
  });
});

describe('a delivery that is made while the one before it ends', () => {
  it('is sent too: the end waits for the feed, and so began before it', async () => {
    const project = await aProject(editor);
    const held: ServerResponse[] = [];
    moody.answer = (_, response) => void held.push(response);
    const webhook = await aWebhook(moody.url, { projectId: project.id });
    const issue = await anIssue(editor, project);
    await until(() => held.length === 1);
    await change(issue, 'the next event');
    await until(async () => (await log(webhook)).length === 2);
    moody.answer = (_, response) => void response.end();
    await service.sql('BEGIN');
    await service.sql('SELECT id FROM webhooks ORDER BY id FOR NO KEY UPDATE');
    held[0]!.end();
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    await until(async () => (await service.sql(waiting)).length > 0);
    await service.sql(
      'UPDATE webhook_deliveries SET next_attempt_at = clock_timestamp() WHERE webhook_id = $1 AND tries = 0',
      [webhook.id],
    );
    await service.sql('COMMIT');
    await until(() => moody.of(issue.id).length === 2);
    await remove(webhook);
  });
});

describe('a process', () => {
  it('leaves no event unsent when one ends while it feeds', async () => {
    const project = await aProject(editor);
    moody.answer = (_, response) => void response.end();
    const webhook = await aWebhook(moody.url, { projectId: project.id });
    const first = await anIssue(editor, project);
    await until(() => moody.of(first.id).length === 1);
    await service.sql('BEGIN');
    await service.sql('SELECT * FROM webhook_feed FOR UPDATE');
    const issue = await anIssue(editor, project);
    // Long enough for the service to see the new row, and that the feed is locked.
    await pause(1_000);
    expect(moody.of(issue.id)).toEqual([]);
    await service.sql('ROLLBACK');
    await until(() => moody.of(issue.id).length === 1);
    await remove(webhook);
  });
});

describe('an address that is gone', () => {
  interface Item {
    id: string;
    kind: string;
    title: string;
    alternatives: { path: string; body: object }[];
  }
  const attention = async ({ id }: Made) =>
    (await admin.get<{ items: Item[] }>('/api/attention')).body.items.find(
      (item) => item.id === `webhook_disabled:${id}`,
    );
  const stateOf = async ({ id }: Made) => (await admin.get<object>(`/api/webhooks/${id}`)).body;
  const answering = (status: number) => (_: unknown, response: ServerResponse) =>
    void response.writeHead(status).end();
  const statuses = async (webhook: Made) => new Set((await log(webhook)).map(({ status }) => status));
  const notFoundSince = async ({ id }: Made) =>
    (
      await service.sql<{ since: Date | null }>(
        `SELECT not_found_since AS since FROM webhooks WHERE id = $1`,
        [id],
      )
    )[0]!.since;

  it('gets nothing more after one 410, while others get everything, until a person enables it', async () => {
    const project = await aProject(editor);
    moody.answer = answering(503);
    const webhook = await aWebhook(moody.url, { projectId: project.id, eventTypes: ['issue.*'] });
    const other = await aWebhook(sound.url, { projectId: project.id, eventTypes: ['issue.*'] });
    const issues = await Promise.all(Array.from({ length: 6 }, () => anIssue(editor, project)));
    for (const issue of issues) await change(issue, 'waits behind the first event');
    await until(async () => (await log(webhook)).length === 12);
    expect(await statuses(webhook)).toEqual(new Set(['pending']));
    moody.answer = answering(410);
    await until(async () => {
      await hurry();
      return !(await statuses(webhook)).has('pending');
    });
    expect(await stateOf(webhook)).toMatchObject({ disabled: true, disabledReason: 'gone' });
    expect(await statuses(webhook)).toEqual(new Set(['failed']));
    const lastTries = (await log(webhook)).map(({ attempts }) => attempts.at(-1)!.error);
    expect(lastTries).toContain('The target responded with 410.');
    expect(lastTries.filter((error) => error?.startsWith('Not sent: another delivery'))).not.toEqual([]);
    await until(() => issues.every(({ id }) => sound.of(id).length === 2));
    expect(await attention(webhook)).toMatchObject({
      title: `Nothing is sent to the webhook at ${moody.host} any more`,
      webhook: { id: webhook.id, name: moody.url },
      alternatives: [{ path: `/api/webhooks/${webhook.id}`, body: { disabled: false } }],
    });
    const audit = await admin.get(`/api/audit?type=webhook.updated&subjectId=${webhook.id}`);
    expect(audit.body).toMatchObject([
      { actor: { type: 'system' }, data: { disabled: true, disabledReason: 'gone' } },
    ]);

    const received = moody.received.length;
    await anIssue(editor, project);
    moody.answer = answering(204);
    const { alternatives } = (await attention(webhook))!;
    await admin.put(alternatives[0]!.path, alternatives[0]!.body);
    expect(await attention(webhook)).toBeUndefined();
    expect(await stateOf(webhook)).toMatchObject({ disabled: false, disabledReason: null });
    const later = await anIssue(editor, project);
    await until(() => moody.of(later.id).length > 0);
    expect(moody.received.length).toBe(received + 1);
    for (const one of [webhook, other]) await remove(one);
  });

  it('leaves a delivery ended that fails in its own way while another learns that it is gone', async () => {
    const project = await aProject(editor);
    // Without another webhook the service would stop sending, and end what it has under way without an outcome.
    const other = await aWebhook(sound.url, { eventTypes: ['goal.*'] });
    const held: ServerResponse[] = [];
    moody.answer = (_, response) => void held.push(response);
    const webhook = await aWebhook(moody.url, { projectId: project.id });
    // Issues in one queue are sent one after the other.
    await until(async () => {
      if (held.length < 2) await anIssue(editor, project);
      return held.length >= 2;
    });
    held[0]!.writeHead(410).end();
    await until(async () => ((await stateOf(webhook)) as { disabled: boolean }).disabled);
    for (const response of held.slice(1)) response.writeHead(500).end();
    const late = await until(async () =>
      (await log(webhook)).find(({ attempts }) => attempts.some(({ status }) => status === 500)),
    );
    expect(late).toMatchObject({ status: 'failed', nextAttemptAt: null });
    for (const one of [webhook, other]) await remove(one);
  });

  it('is also one that answers nothing but 404 for a day', async () => {
    const project = await aProject(editor);
    moody.answer = answering(404);
    const webhook = await aWebhook(moody.url, { projectId: project.id, eventTypes: ['issue.*'] });
    const issue = await anIssue(editor, project);
    await until(() => notFoundSince(webhook));
    // Another answer begins anew: the address is there.
    moody.answer = answering(500);
    await until(async () => {
      await hurry();
      return (await notFoundSince(webhook)) === null;
    });
    moody.answer = answering(404);
    await until(async () => {
      await hurry();
      return notFoundSince(webhook);
    });
    expect(await stateOf(webhook)).toMatchObject({ disabled: false, disabledReason: null });
    await service.sql(`UPDATE webhooks SET not_found_since = now() - interval '24 hours' WHERE id = $1`, [
      webhook.id,
    ]);
    await until(async () => {
      await hurry();
      return (await statuses(webhook)).has('failed');
    });
    expect(await stateOf(webhook)).toMatchObject({ disabled: true, disabledReason: 'not_found' });
    expect(await attention(webhook)).toBeDefined();
    expect(new Set(moody.of(issue.id).map(({ event }) => event.id)).size).toBe(1);
    await remove(webhook);
  });

  it('says nothing about the address that a person has given it meanwhile', async () => {
    const project = await aProject(editor);
    const asked: ServerResponse[] = [];
    moody.answer = (_, response) => void asked.push(response);
    const webhook = await aWebhook(moody.url, { projectId: project.id, eventTypes: ['issue.*'] });
    const issue = await anIssue(editor, project);
    await until(() => asked.length > 0);
    await admin.put(`/api/webhooks/${webhook.id}`, { url: sound.url });
    answering(410)(null, asked[0]!);
    await until(async () => (await log(webhook))[0]?.attempts.length);
    expect(await stateOf(webhook)).toMatchObject({ disabled: false, disabledReason: null });
    await until(async () => {
      await hurry();
      return sound.of(issue.id).length > 0;
    });
    await remove(webhook);
  });
});

describe('a webhook that is enabled again', () => {
  it('is not sent what happened while it was disabled, also where no other webhook was enabled', async () => {
    const project = await aProject(editor);
    moody.answer = (_, response) => void response.end();
    const webhook = await aWebhook(moody.url, { projectId: project.id });
    await admin.put(`/api/webhooks/${webhook.id}`, { disabled: true });
    const meanwhile = await anIssue(editor, project);
    await admin.put(`/api/webhooks/${webhook.id}`, { disabled: false });
    const later = await anIssue(editor, project);
    await until(() => moody.of(later.id).length > 0);
    expect(moody.of(meanwhile.id)).toEqual([]);
    await remove(webhook);
  });
});

// Last: the service is killed, and need not start again.
describe('two processes', () => {
  it('send each event once, and take over the deliveries of a killed one', async () => {
    const other = await service.second({}, { ownProcess: false });
    const project = await aProject(editor);
    const held: ServerResponse[] = [];
    moody.answer = (_, response) => void held.push(response);
    const webhook = await aWebhook(moody.url, { projectId: project.id });
    const issues = await Promise.all(Array.from({ length: 6 }, () => anIssue(editor, project)));
    // By chance all six can be in one of the webhook's queues, where they are sent one after the other.
    await until(() => held.length > 0);
    await service.kill();
    moody.answer = (_, response) => void response.end();
    for (const response of held) response.end();
    const there = admin.at(other);
    await until(async () => {
      const { body } = await there.get<Delivery[]>(`/api/webhooks/${webhook.id}/deliveries`);
      return body.length === issues.length && body.every(({ status }) => status === 'succeeded');
    }, 60);
    for (const { id } of issues) expect(moody.of(id).length).toBeGreaterThan(0);
    const more = await anIssue(editor.at(other), project);
    await until(() => moody.of(more.id).length > 0);
    expect(moody.of(more.id)).toHaveLength(1);
  }, 180_000);
});
