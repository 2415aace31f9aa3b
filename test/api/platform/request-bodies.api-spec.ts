import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { someKey } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { anonymous, asEditor } from '../../support/callers.js';
import { refused } from '../../support/refusal.js';
import { until } from '../../support/until.js';
import { useService } from '../../support/service.js';

const service = useService();
let editor: Caller;
beforeAll(async () => {
  editor = await asEditor(service);
});

const post = (
  rawBody: string | Buffer,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) => editor.post('/api/projects', undefined, { rawBody, headers });
const project = (fields: object = {}) => ({ key: someKey(), name: 'A project', ...fields });

describe('a body that is not JSON', () => {
  it.each(['{', '{"name":', "{'name':1}", 'NaN', '{"a":1}}', '\ufeff{}', '\u0000'])(
    'is malformed: %j',
    async (body) => {
      expect(await post(body)).toMatchObject(refused(400, 'malformed_json'));
    },
  );

  it('is malformed when it is not UTF-8', async () => {
    expect(await post(Buffer.from('{"name":"\xff\xfe"}', 'latin1'))).toMatchObject(
      refused(400, 'malformed_json'),
    );
  });

  it.each(['[]', '"text"', '1', 'null', 'true'])('is rejected when it is not an object: %s', async (body) => {
    expect(await post(body)).toMatchObject(refused(400, 'validation_failed', ''));
  });
});

describe('a body that is too large', () => {
  it('is rejected with its path when it is deeper than 32 levels', async () => {
    const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    const deep = await post(nested(33));
    expect(deep).toMatchObject(refused(400, 'validation_failed'));
    expect(deep.body['errors']).toEqual([
      { path: expect.stringMatching(/^a(\[0\])+$/), message: expect.stringContaining('32') },
    ]);
    expect(await post(nested(5_000))).toMatchObject(refused(400, 'validation_failed'));
    // 32 levels are read; the error is then about the unknown field. (Lists in lists are refused for themselves.)
    const objects = `${'{"a":'.repeat(32)}1${'}'.repeat(32)}`;
    expect((await post(objects)).body['errors']).toContainEqual({ path: 'a', message: expect.any(String) });
    expect(await post(`{"a":${objects}}`)).toMatchObject(
      refused(400, 'validation_failed', Array(32).fill('a').join('.')),
    );
  });

  it('is rejected with more than 1,000 fields in an object, also where no key is needed', async () => {
    const fields = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`k${at}`, 1]));
    for (const [path, body] of [
      ['', fields],
      ['email', { email: fields, password: 'x' }],
    ] as const) {
      const answer = await anonymous(service).post('/api/auth/login', body);
      expect(answer).toMatchObject(refused(400, 'validation_failed', path));
      expect(answer.text).toContain('at most 1000 fields, not 60000');
    }
  });

  it('is accepted up to 1 MiB and rejected beyond, however it is sent', async () => {
    const ofBytes = (bytes: number) => {
      const text = JSON.stringify({ name: '' });
      return text.replace('""', `"${'x'.repeat(bytes - text.length)}"`);
    };
    expect(await post(ofBytes(1_048_576))).toMatchObject(refused(400, 'validation_failed'));
    expect(await post(ofBytes(1_048_577))).toMatchObject(refused(413, 'payload_too_large'));
  });

  it('is rejected beyond 1 MiB when its length is not announced', async () => {
    const chunks = Readable.from(Array.from({ length: 40 }, () => Buffer.alloc(32_768, 'x')));
    const options = { rawBody: chunks, headers: { 'content-type': 'application/json' } };
    expect(await editor.post('/api/projects', undefined, options)).toMatchObject(
      refused(413, 'payload_too_large'),
    );
  });

  it.each([
    ['announced', (size: number) => `Content-Length: ${size}`],
    ['not announced', () => 'Transfer-Encoding: chunked'],
  ])(
    'is answered for a client that sends all of it before it reads, with a length that is %s',
    async (_, of) => {
      const size = 8 * 1024 * 1024;
      const body = Buffer.alloc(size, 'x');
      const sent = of(size).startsWith('C') ? [body] : [`${size.toString(16)}\r\n`, body, '\r\n0\r\n\r\n'];
      const first = 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
      const said = await sendThenRead([
        `POST /api/projects HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${editor.key}\r\n`,
        `Content-Type: application/json\r\n${of(size)}\r\n\r\n`,
        ...sent,
        first,
      ]);
      expect(said).toMatch(/^HTTP\/1.1 413 /);
      expect(said).toContain('"code":"payload_too_large"');
      // The rest was dropped, so the connection serves the next request.
      expect(said).toMatch(/HTTP\/1.1 200 OK[^]*\{"status":"ok"\}$/);
    },
  );
});

it('a body of more than 64 MiB is answered before its end', async () => {
  const { hostname, port } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined); // The service may end the connection while this writes.
  let said = '';
  socket.on('data', (chunk) => (said += String(chunk)));
  const part = Buffer.alloc(1024 * 1024, 'x');
  socket.write(
    `POST /api/projects HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${editor.key}\r\nContent-Type: application/json\r\nContent-Length: ${200 * part.length}\r\n\r\n`,
  );
  for (let sent = 0; sent < 66; sent += 1) await new Promise((done) => socket.write(part, done));
  await until(() => said.includes('payload_too_large'));
  expect(said).toMatch(/^HTTP\/1.1 413 /);
  socket.destroy();
});

/** Sends everything before it reads anything, as the clients of some languages do, and returns all that came back. */
async function sendThenRead(parts: (string | Buffer)[]): Promise<string> {
  const { hostname, port } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.pause();
  for (const part of parts) await new Promise((done) => socket.write(part, done));
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

describe('a body of another type', () => {
  it.each([
    ['form-urlencoded', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['plain text', { 'content-type': 'text/plain' }],
    ['JSON in another charset', { 'content-type': 'application/json; charset=latin1' }],
    ['JSON in UTF-16', { 'content-type': 'application/json; charset=utf-16' }],
    ['a relative of JSON', { 'content-type': 'application/merge-patch+json' }],
    ['multipart', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['no type at all', {}],
    ['what is no type', { 'content-type': 'json' }],
  ])('is a 415: %s', async (_, headers: Record<string, string>) => {
    expect(await post(JSON.stringify(project()), headers)).toMatchObject(
      refused(415, 'unsupported_media_type'),
    );
  });

  it.each(['gzip', 'br', 'deflate', 'gzip, identity'])(
    'is a 415 where it is compressed: %s',
    async (encoding) => {
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
      expect(await post(gzipSync(JSON.stringify(project())), headers)).toMatchObject(
        refused(415, 'unsupported_media_type'),
      );
    },
  );

  it.each(['application/json; charset=UTF-8', 'Application/JSON;charset="utf-8"'])(
    'is taken as %s',
    async (type) => {
      expect((await post(JSON.stringify(project()), { 'content-type': type })).status).toBe(201);
    },
  );
});

describe('a key that reaches the prototype', () => {
  it.each(['{"__proto__":{"role":"Owner"}}', '{"constructor":{}}', '{"\\u005f_proto__":1}'])(
    'is refused: %s',
    async (body) => {
      expect(await post(body)).toMatchObject(
        refused(400, 'validation_failed', body.includes('con') ? 'constructor' : '__proto__'),
      );
    },
  );

  it('is rejected with its path at any depth', async () => {
    expect(await post('{"entries":[{"a":{"__proto__":1}}]}')).toMatchObject(
      refused(400, 'validation_failed', 'entries[0].a.__proto__'),
    );
  });
});

describe('text', () => {
  it.each([
    ['NUL', '\u0000'],
    ['a lone high surrogate', '\ud800'],
    ['a lone low surrogate', '\udc00'],
  ])('with %s is rejected with its path', async (_, character) => {
    const answer = await post(JSON.stringify(project({ description: `a${character}b` })));
    expect(answer).toMatchObject(refused(400, 'validation_failed', 'description'));
    expect(await post(JSON.stringify(project({ name: `a${character}b` })))).toMatchObject(
      refused(400, 'validation_failed', 'name'),
    );
  });

  it('is returned byte for byte', async () => {
    const description = ' \t\r\n😀 e\u0301 \u202e \ufeff "\\ \u2028';
    const made = await editor.post('/api/projects', project({ description }));
    expect((await editor.get(`/api/projects/${made.body.id}`)).body.description).toBe(description);
  });

  it('is counted in code points when it is a name, after it was trimmed', async () => {
    const named = async (name: string) => await editor.post('/api/projects', project({ name }));
    expect((await named('😀'.repeat(200))).status).toBe(201);
    expect(await named('😀'.repeat(201))).toMatchObject(refused(400, 'validation_failed', 'name'));
    expect(await named(' \t ')).toMatchObject(refused(400, 'validation_failed', 'name'));
    expect((await named('  both ends ')).body.name).toBe('both ends');
  });

  it('is counted in bytes when it is a description', async () => {
    const described = async (description: string) =>
      await editor.post('/api/projects', project({ description }));
    expect((await described('é'.repeat(32_768))).status).toBe(201);
    expect(await described('é'.repeat(32_768) + 'x')).toMatchObject(
      refused(400, 'validation_failed', 'description'),
    );
  });
});

describe('the fields of a body', () => {
  it('are rejected when they are unknown, each with its path', async () => {
    const answer = await editor.post('/api/projects', project({ nmae: 'x', id: 'y' }));
    expect(answer).toMatchObject(refused(400, 'validation_failed'));
    expect(answer.body['errors']).toHaveLength(2);
  });

  it('are all checked: every error is reported at once', async () => {
    expect(await editor.post('/api/projects', { key: 'lower', visibility: 'secret' })).toMatchObject(
      refused(400, 'validation_failed'),
    );
    const { body } = await editor.post<{ errors: { path: string }[] }>('/api/projects', {
      key: 'lower',
      visibility: 'secret',
    });
    expect(body.errors.map(({ path }) => path).toSorted()).toEqual(['key', 'name', 'visibility']);
  });

  it.each([1, true, null, {}, [], ['x']])('must have their type: %j is not a name', async (name) => {
    expect(await editor.post('/api/projects', project({ name }))).toMatchObject(
      refused(400, 'validation_failed', 'name'),
    );
  });
});

describe('an action without a body', () => {
  const path = '/api/auth/keys/01a1fc2c-4690-71ec-b875-d2220cb6115f';

  it('accepts no body and an empty one', async () => {
    expect(await editor.delete(path)).toMatchObject(refused(404, 'not_found'));
    expect(await editor.delete(path, { body: {} })).toMatchObject(refused(404, 'not_found'));
  });

  it('rejects fields', async () => {
    expect(await editor.delete(path, { body: { force: true } })).toMatchObject(
      refused(400, 'validation_failed', 'force'),
    );
  });
});
