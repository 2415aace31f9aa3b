import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { Response } from 'express';
import type { DataSource } from 'typeorm';
import type { AttachmentStore } from '../attachments/attachment-store.js';
import type { SeenProject } from '../projects/projects-members-and-graph-lock.repository.js';
import { ProjectExportService } from './project-export.service.js';

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

const project = { id: 'p', key: 'P', name: 'x', description: '' } as SeenProject;

/** A connection to a database with rows without an end. */
function aRunner() {
  let isReleased = false;
  const rows = Array<object>(100).fill({ title: 'x'.repeat(1_000) });
  return {
    isTransactionActive: true,
    startTransaction: () => Promise.resolve(),
    rollbackTransaction: () => Promise.resolve(),
    release: () => Promise.resolve(void (isReleased = true)),
    query: (sql: string) =>
      new Promise((resolve, reject) =>
        setImmediate(() =>
          isReleased ? reject(new Error('released')) : resolve(sql.startsWith('FETCH') ? rows : []),
        ),
      ),
  };
}

/** A response whose reader takes the first bytes and no more, so slowly that nothing else notices. */
const aResponse = () =>
  Object.assign(new Writable({ highWaterMark: 1, write: () => undefined }), {
    setHeader: () => undefined,
  }) as unknown as Response;

it.each(['ndjson', 'tar'] as const)('%s: gives its place to others after 30 minutes', async (form) => {
  const source = { createQueryRunner: aRunner } as unknown as DataSource;
  const exports = new ProjectExportService(source, {} as AttachmentStore);
  const send = () => exports.send(project, form, aResponse()).then(null, (error: Error) => error);
  const both = [send(), send()];
  await expect(exports.send(project, form, aResponse())).rejects.toThrow('At most 2 exports');
  jest.advanceTimersByTime(1_800_000);
  for (const ended of await Promise.all(both))
    expect(ended?.cause).toMatchObject({ message: expect.stringContaining('within 30 minutes') });
  const third = send();
  jest.advanceTimersByTime(1_800_000);
  expect((await third)?.cause).toBeDefined();
});
