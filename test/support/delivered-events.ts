import { expect } from '@jest/globals';
import type { ReconnectingReader } from './reconnecting-reader.js';
import type { Service } from './service.js';
import { until } from './until.js';

interface Written {
  id: string;
  type: string;
  subject_id: string;
}

/**
 * Stops the reader, which began after the project was created, once it has read everything. It must have received every
 * row of the project's journal once and in order.
 * @returns a function that returns the subjects of the rows of one type
 */
export async function expectAllDelivered(
  reader: ReconnectingReader,
  service: Service,
  project: { id: string },
): Promise<(type: string) => string[]> {
  const written = await service.sql<Written>(
    `SELECT id, type, subject_id FROM journal WHERE project_id = $1 AND type NOT LIKE 'project.%' ORDER BY position`,
    [project.id],
  );
  const received = () =>
    reader.events.filter(({ projectId, type }) => projectId === project.id && !type.startsWith('project.'));
  // The comparison shows which events are missing.
  await until(() => received().length >= written.length, 60).catch(() => undefined);
  await reader.stop();
  expect(received().map(({ id }) => id)).toEqual(written.map(({ id }) => id));
  return (type) => written.filter((row) => row.type === type).map(({ subject_id }) => subject_id);
}
