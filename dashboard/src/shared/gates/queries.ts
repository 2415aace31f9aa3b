import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { keys } from '../../api/keys';

/** A gate with what was asked; the arguments of a call are null for Viewers. */
export const gateQuery = (gateId: string) =>
  queryOptions({
    queryKey: [...keys.attention, 'gate', gateId],
    queryFn: () => bodyOf(api.GET('/api/projects/gates/{gateId}', { params: { path: { gateId } } })),
  });
