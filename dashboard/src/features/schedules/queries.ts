import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf, pageOf } from '../../api/client';
import { keys } from '../../api/keys';
import type { Schedule } from '../../api/types';
import { announce } from '../../parts/toasts';

/** The schedules of a project, oldest first; a project has 200 at most. */
export const schedulesQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...keys.schedules, projectId],
    queryFn: async () =>
      (
        await pageOf(
          api.GET('/api/projects/{projectId}/schedules', {
            params: { path: { projectId }, query: { limit: 200 } },
          }),
        )
      ).rows,
  });

/** The next five times of an expression, as the service counts them. */
export const nextTimesQuery = (projectId: string, cron: string, timeZone: string) =>
  queryOptions({
    queryKey: [...keys.schedules, 'times', projectId, cron, timeZone],
    // The answer of one moment is right for a minute: a form is seldom open for longer.
    staleTime: 60_000,
    retry: false,
    queryFn: async ({ signal }): Promise<string[]> => {
      const checked = await bodyOf(
        api.POST('/api/projects/{projectId}/schedules', {
          params: { path: { projectId } },
          body: { name: 'x', cron, timeZone, template: { title: 'x' }, dryRun: true },
          signal,
        }),
      );
      return 'nextTimes' in checked ? checked.nextTimes : [];
    },
  });

type Change = 'run' | 'enable' | 'disable' | 'delete';
const done: Record<Change, string> = {
  run: 'has created an issue',
  enable: 'is enabled',
  disable: 'is disabled',
  delete: 'is deleted',
};

/** Runs, enables, disables or deletes a schedule. */
export function useScheduleChange({ id, name }: Schedule) {
  const client = useQueryClient();
  const place = { params: { path: { scheduleId: id } } };
  return useMutation({
    mutationFn: async (change: Change) => {
      if (change === 'delete') await api.DELETE('/api/projects/schedules/{scheduleId}', place);
      else if (change === 'run') await bodyOf(api.POST('/api/projects/schedules/{scheduleId}/run', place));
      else
        await bodyOf(
          api.PUT('/api/projects/schedules/{scheduleId}', {
            ...place,
            body: { enabled: change === 'enable' },
          }),
        );
    },
    onSuccess: (_, change) => {
      announce(`The schedule ${name} ${done[change]}`);
      return client.invalidateQueries({ queryKey: keys.schedules });
    },
  });
}
