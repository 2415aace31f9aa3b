import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { anIssue, aProject, type Issue } from '../../support/builders.js';
import type { Answer } from '../../support/answer.js';
import type { Caller } from '../../support/caller.js';
import { asEditor } from '../../support/callers.js';
import { refused } from '../../support/refusal.js';
import { useService, type Service } from '../../support/service.js';
import {
  attachmentsOf,
  BOUNDARY,
  untilNothingIsLeft,
  file,
  form,
  send,
  type Attachment,
  type Part,
} from './attachments.forms.js';

const ROUNDS = process.env['TEST_SIZE'] === 'full' ? 1_000 : 4;
const LIMIT_MS = 60_000 + ROUNDS * 2_000;

const service = useService();
let processes: [Service, Service];
let editor: Caller;
let issue: Issue;
beforeAll(async () => {
  processes = [service, await service.second()];
  editor = await asEditor(service);
  issue = await anIssue(editor, await aProject(editor));
});

const upload = (part: Part, key: string, at: Service = service) => {
  const { rawBody, headers } = form(part);
  return send(editor.at(at), issue, { rawBody, headers: { ...headers, 'idempotency-key': key } });
};
const replayed = ({ headers }: Answer<unknown>) => headers['idempotency-replayed'] === 'true';
const filesNamed = async (filename: string) =>
  (await editor.get<Attachment[]>(attachmentsOf(issue))).body.filter((one) => one.filename === filename);

describe('an upload that is sent again with its Idempotency-Key', () => {
  it('returns the first attachment again, also as a form with another boundary', async () => {
    const [key, filename] = [randomUUID(), randomUUID()];
    const part = file('once', { filename });
    const first = await upload(part, key);
    const other = 'a-longer-boundary-of-another-client';
    const { rawBody } = form(part);
    const again = await send(editor, issue, {
      rawBody: Buffer.from(String(rawBody).replaceAll(BOUNDARY, other)),
      headers: { 'content-type': `multipart/form-data; boundary=${other}`, 'idempotency-key': key },
    });
    expect([first.status, replayed(first)]).toEqual([201, false]);
    expect(again).toMatchObject({
      status: 201,
      body: first.body,
      headers: { location: first.body.downloadUrl },
    });
    expect(replayed(again)).toBe(true);
    expect(await filesNamed(filename)).toEqual([first.body]);
    await untilNothingIsLeft(service);
  });

  it.each<[string, Part]>([
    ['other bytes of the same size', file('two', { filename: 'a.txt' })],
    ['another name of the same length', file('one', { filename: 'b.txt' })],
    ['another content type', file('one', { filename: 'a.txt', type: 'text/plane' })],
  ])('is 422 with %s', async (_, part) => {
    const key = randomUUID();
    const first = await upload(file('one', { filename: 'a.txt' }), key);
    expect(await upload(part, key)).toMatchObject(refused(422, 'idempotency_key_reused'));
    expect(replayed(await upload(file('one', { filename: 'a.txt' }), key))).toBe(true);
    expect(first.status).toBe(201);
    await untilNothingIsLeft(service);
  });

  it('is a new request after a form that was refused', async () => {
    const key = randomUUID();
    const refusal = await upload(file('x', { name: 'wrong' }), key);
    expect(refusal).toMatchObject(refused(400, 'validation_failed', 'wrong'));
    expect((await upload(file('x'), key)).status).toBe(201);
  });

  it(
    `has one effect in ${ROUNDS} rounds with two processes, whether the response is lost or both come at once`,
    async () => {
      for (let n = 0; n < ROUNDS; n += 1) {
        const [key, filename] = [randomUUID(), randomUUID()];
        const part = file(`round ${n}`, { filename });
        const order = n % 2 === 0 ? processes : processes.toReversed();
        const atOnce = n % 3 === 0 ? await Promise.all(order.map((at) => upload(part, key, at))) : [];
        const [first] = atOnce.length > 0 ? atOnce : [await upload(part, key, order[0])];
        const again = await upload(part, key, order[1]);
        for (const answer of [...atOnce, first!])
          if (answer.status !== 201) expect(answer).toMatchObject(refused(409, 'idempotency_key_in_use'));
        expect([again.status, replayed(again)]).toEqual([201, true]);
        const { body } = await editor.get<Attachment[]>(`${attachmentsOf(issue)}?limit=1000`);
        const made = body.filter((one) => one.filename === filename);
        expect(made).toEqual([again.body]);
        await editor.delete(`/api/projects/attachments/${again.body.id}`);
      }
      await untilNothingIsLeft(service);
    },
    LIMIT_MS,
  );
});
