import { Readable } from 'node:stream';
import { extract } from 'tar-stream';
import type { ImportResponse } from '../../../../src/work/imports/import.dto.js';
import type { Issue } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { until } from '../../../support/until.js';
import type { Wire } from '../../../support/wire.js';

export type Imported = Wire<ImportResponse>;
type Identified = { id: string };
/** A line of an export. */
export type Line = Record<string, unknown>;

export const send = (
  caller: Caller,
  project: Identified,
  text: string,
  query = '',
  type = 'application/x-ndjson',
) =>
  caller.post<Imported>(`/api/projects/${project.id}/imports${query}`, undefined, {
    rawBody: text,
    headers: { 'content-type': type },
  });

export async function report(caller: Caller, { projectId, id }: Imported): Promise<Imported> {
  return (await caller.get<Imported>(`/api/projects/${projectId}/imports/${id}`)).body;
}

/** Imports a file and waits for the end. */
export async function imported(
  caller: Caller,
  project: Identified,
  text: string,
  query = '',
): Promise<Imported> {
  const started = await send(caller, project, text, query);
  if (started.status !== 202) throw new Error(started.text);
  return ended(caller, started.body);
}

export function ended(caller: Caller, started: Imported): Promise<Imported> {
  return until(async () => {
    const now = await report(caller, started);
    return now.finishedAt === null ? null : now;
  });
}

export async function exported(caller: Caller, project: Identified): Promise<string> {
  const answer = await caller.get(`/api/projects/${project.id}/export`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.text;
}

/** The files of a tar by name. */
export async function filesOf(archive: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for await (const entry of Readable.from([archive]).pipe(extract())) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    files.set(entry.header.name, Buffer.concat(chunks));
  }
  return files;
}

export const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);

/** A key names the project, and an import makes schedules disabled. */
const OF_THE_PROJECT = new Set(['key', 'enabled']);

/** What two exports must have in common: everything but the names of the project, files, and the clock. */
export function canonical(text: string): Line[] {
  return linesOf(text)
    .filter(({ kind }) => kind !== 'project' && kind !== 'attachment' && kind !== 'end')
    .map((line) => Object.fromEntries(Object.entries(line).filter(([name]) => !OF_THE_PROJECT.has(name))));
}

export const issuesIn = async (caller: Caller, project: Identified) =>
  (await caller.get<Issue[]>(`/api/projects/${project.id}/issues?sort=createdAt&limit=1000`)).body;
