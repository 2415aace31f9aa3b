import { expect } from '@jest/globals';
import type { AttachmentResponse } from '../../../src/work/attachments/attachment.dto.js';
import type { Answer, RequestOptions } from '../../support/answer.js';
import type { Caller } from '../../support/caller.js';
import type { Service } from '../../support/service.js';
import { until } from '../../support/until.js';
import type { Refusal, Wire } from '../../support/wire.js';
import { keptOf } from './attachments.stores.js';

export type Attachment = Wire<AttachmentResponse>;
type Identified = { id: string };

export const BOUNDARY = 'test-boundary-7f3a';
export const FORM = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };

/** One part of a form. `head` contains its raw header lines. */
export interface Part {
  head: string;
  bytes?: Buffer | string;
}

/** Makes a part with a file. Its name is sent as browsers send it: in UTF-8, with quotes and line ends escaped. */
export function file(
  bytes: Buffer | string = 'abc',
  { name = 'file', filename = 'notes.txt', type = 'text/plain' } = {},
): Part {
  const sent = filename.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
  return {
    head: `Content-Disposition: form-data; name="${name}"; filename="${sent}"\r\nContent-Type: ${type}`,
    bytes,
  };
}

export const field = (name: string, value = 'x'): Part => ({
  head: `Content-Disposition: form-data; name="${name}"`,
  bytes: value,
});

/** Makes a whole form by hand, so that it can be one that no client library makes. */
export function form(...parts: Part[]): RequestOptions {
  return {
    rawBody: Buffer.concat([...parts.map(partBytes), Buffer.from(`--${BOUNDARY}--\r\n`)]),
    headers: FORM,
  };
}

export function partBytes({ head, bytes = '' }: Part): Buffer {
  return Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\n${head}\r\n\r\n`),
    Buffer.from(bytes),
    Buffer.from('\r\n'),
  ]);
}

export const attachmentsOf = ({ id }: Identified) => `/api/projects/issues/${id}/attachments`;
export const pathOf = ({ id }: Identified) => `/api/projects/attachments/${id}`;

export const send = <Body = Attachment>(
  caller: Caller,
  issue: Identified,
  options: RequestOptions,
): Promise<Answer<Body>> => caller.request<Body>('POST', attachmentsOf(issue), options);

/** Uploads a file and returns the attachment. Throws the whole response when it was rejected. */
export async function anAttachment(
  caller: Caller,
  issue: Identified,
  part: Part = file(),
): Promise<Attachment> {
  const { status, body, text } = await send(caller, issue, form(part));
  if (status !== 201) throw new Error(`The upload gave ${status}: ${text}`);
  return body;
}

export async function expectUploadRefused(
  answer: Promise<Answer<unknown>>,
  status: number,
  code: string,
  path?: string,
): Promise<void> {
  const { status: given, body } = await answer;
  const { code: said, errors } = (body ?? {}) as Partial<Refusal>;
  expect({ status: given, code: said }).toEqual({ status, code });
  if (path !== undefined) expect(errors?.map((error) => error.path)).toEqual([path]);
}

/** Returns what the service logged as errors. */
export const errorsIn = ({ log }: Service) =>
  log.split('\n').filter((line) => line.includes('"level":"error"'));

/** Returns the ids of all files in the service's store. */
export const storedFiles = (service: Service): Promise<string[]> => keptOf(service).ids();

/** Waits until the service receives one more file than `before`. */
export const untilOneMoreRuns = (service: Service, before: number) =>
  until(async () => (await runningUploads(service)) > before);

export const runningUploads = async (service: Service): Promise<number> =>
  (await service.sql('SELECT 1 FROM attachment_leftovers WHERE is_upload')).length;

/** Expects that each attachment has its file, and that no other file and no entry of a running upload exists. */
export async function expectNothingLeft(service: Service): Promise<void> {
  const rows = await service.sql<Identified>('SELECT id FROM attachments ORDER BY id');
  expect(await storedFiles(service)).toEqual(rows.map(({ id }) => id).toSorted());
  expect(await service.sql('SELECT * FROM attachment_leftovers')).toEqual([]);
}

/** Waits until that holds, for work that the service does after the client has gone. */
export async function untilNothingIsLeft(service: Service): Promise<void> {
  await until(async () => (await service.sql('SELECT 1 FROM attachment_leftovers')).length === 0, 60);
  await expectNothingLeft(service);
}
