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
function opened(more: object, labels: readonly object[] | null = []) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(keys.agents, [{ id: 'juno', name: 'juno' }]);
  if (labels) client.setQueryData([...keys.labels, 'p'], labels);
  vi.spyOn(api, 'POST').mockResolvedValue({ data: { nextTimes: [] } } as never);
  vi.spyOn(api, 'GET').mockReturnValue(new Promise(() => undefined) as never);
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

const comma = { id: 'l1', name: 'docs, tests', color: 'red' };

it.each(['l1', 'Docs, tests'])('keeps a label whose name has a comma: %s', async (label) => {
  const save = opened({ labels: [label] }, [comma]);
  expect(screen.getByText('docs, tests')).toBeTruthy();
  expect(await save()).toMatchObject({ labels: ['l1'] });
});

it('leaves out a deleted label, with which the service would refuse the schedule', async () => {
  expect(await opened({ labels: ['deleted', 'l1'] }, [comma])()).toMatchObject({ labels: ['l1'] });
});

it('leaves all labels while those of the project are not known', async () => {
  expect(await opened({ labels: ['deleted', 'l1'] }, null)()).toMatchObject({ labels: ['deleted', 'l1'] });
});
