import { expect } from '@jest/globals';
import type { Following } from './following.js';
import type { Service } from './service.js';
import { until } from './until.js';

interface Written {
  id: string;
  type: string;
  subject_id: string;
}

/**
 * Ends the reader, who came after the project was made, once it has read all; it must have been told every row of the
 * project's journal, once and in order.
 * @returns the ids of what was written, by type
 */
export async function expectAllTold(
  reader: Following,
  service: Service,
  project: { id: string },
): Promise<(type: string) => string[]> {
  const written = await service.sql<Written>(
    `SELECT id, type, subject_id FROM journal WHERE project_id = $1 AND type NOT LIKE 'project.%' ORDER BY position`,
    [project.id],
  );
  const told = () =>
    reader.events.filter(({ projectId, type }) => projectId === project.id && !type.startsWith('project.'));
  await until(() => told().length >= written.length, 60);
  await reader.stop();
  expect(told().map(({ id }) => id)).toEqual(written.map(({ id }) => id));
  return (type) => written.filter((row) => row.type === type).map(({ subject_id }) => subject_id);
}
