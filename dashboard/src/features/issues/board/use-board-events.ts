import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { projectsQuery } from '../../../api/lists';
import { Batches } from '../../../live/batches';
import { issueOf } from '../../../live/event-table';
import type { LiveEvent } from '../../../live/live-event';
import { useLiveEvents } from '../../../live/live-provider';
import { rereadCards } from './board-cards';

/** Has the cards read again that events name: one request for all of a moment, however large the board is. */
export function useBoardEvents(project: string): void {
  const client = useQueryClient();
  const projects = useQuery(projectsQuery).data;
  const projectId = projects?.find(({ id, key }) => id === project || key === project)?.id;
  const batches = useRef<Batches<string> | null>(null);
  useEffect(() => {
    const own = new Batches<string>((ids) => rereadCards(client, ids));
    batches.current = own;
    return () => own.stop();
  }, [client, project]);
  useLiveEvents(
    useCallback(
      (event: LiveEvent) => {
        const id = issueOf(event);
        if (id !== null && event.projectId === projectId) batches.current?.add(id, id);
      },
      [projectId],
    ),
  );
}
