import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { api } from '../../api/client';
import { keys } from '../../api/keys';
import type { Schedule } from '../../api/types';
import { ScheduleForm } from './schedule-form';

// Files share a process, and so the client.
afterEach(() => vi.restoreAllMocks());

const template = { title: 'Report', description: '', priority: 'none', assignedAgentId: null, labels: [] };

/** Opens the form of a schedule with this template; what it saves is answered. */
function opened(more: object) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(keys.agents, [{ id: 'juno', name: 'juno' }]);
  client.setQueryData([...keys.labels, 'p'], []);
  vi.spyOn(api, 'POST').mockResolvedValue({ data: { nextTimes: [] } } as never);
  const put = vi.spyOn(api, 'PUT').mockResolvedValue({ data: {} } as never);
  const timing = { name: 'Daily', cron: '0 9 * * *', timeZone: 'UTC', policy: 'skip' };
  const schedule = { id: 's', ...timing, template: { ...template, ...more } } as unknown as Schedule;
  render(
    <QueryClientProvider client={client}>
      <ScheduleForm projectId="p" schedule={schedule} onClose={() => undefined} />
    </QueryClientProvider>,
  );
  return async () => {
    await act(async () => fireEvent.click(screen.getByText('Save schedule')));
    return (put.mock.calls.at(-1) as unknown as [string, { body: { template: object } }])[1].body.template;
  };
}

it('names a retired agent, so that a schedule can be taken from it', async () => {
  const save = opened({ assignedAgentId: 'gone' });
  const field = screen.getByLabelText<HTMLSelectElement>('Assign to');
  expect(field.selectedOptions[0]?.text).toBe('A retired agent');
  expect(await save()).toMatchObject({ assignedAgentId: 'gone' });
  fireEvent.change(field, { target: { value: '' } });
  expect(await save()).toMatchObject({ assignedAgentId: null });
});
