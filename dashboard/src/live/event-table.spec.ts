import { describe, expect, it } from 'vitest';
import { keys } from '../api/keys';
import { affectedBy, type LiveEvent } from './event-table';

const event = (type: string) =>
  ({ type, subject: { type: 'issue', id: 'id' }, data: {} }) as unknown as LiveEvent;

describe('affectedBy', () => {
  it.each(['issue.updated', 'issue.status_changed', 'link.created', 'gate.opened', 'comment.created'])(
    'leaves boards to themselves on %s: they read again the cards that the event names',
    (type) => {
      const boards = affectedBy(event(type)).filter((key) =>
        key.every((part, at) => part === keys.boards[at]),
      );
      expect(boards).toEqual([]);
    },
  );

  it('makes whole boards stale when an agent or a project changes', () => {
    for (const type of ['agent.updated', 'project.updated'])
      expect(affectedBy(event(type))).toContainEqual(keys.issues);
  });
});
