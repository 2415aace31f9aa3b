import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import { act, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { api } from '../../api/client';
import { keys } from '../../api/keys';
import { Problem } from '../../api/problem';
import { PlanScreen } from './plan-screen';

const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
const router = createRouter({ routeTree: createRootRoute() });
const wrapper = ({ children }: { children: ReactNode }) => (
  <RouterContextProvider router={router as never}>
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  </RouterContextProvider>
);

// Files share a process, and so the client.
afterEach(() => vi.restoreAllMocks());

it('a plan that was refused is decided anew when it is sent again', async () => {
  client.setQueryData(keys.me, { id: 'ada' });
  client.setQueryData(keys.agents, []);
  const preview = { issues: [{ ref: '1', status: 'Open' }], critical: [], order: [] };
  const post = vi.spyOn(api, 'POST').mockResolvedValueOnce({ data: preview } as never);
  render(<PlanScreen project="PAY" />, { wrapper });
  fireEvent.change(screen.getByLabelText('Plan'), { target: { value: '- Build' } });
  fireEvent.click(screen.getByText('Check plan'));
  const create = await screen.findByText('Create 1 issue');
  post.mockRejectedValue(new Problem(409, 'invalid_transition', 'The parent is closed.'));
  for (const _time of [1, 2]) await act(async () => fireEvent.click(create));
  const [, ...sent] = post.mock.calls.map(
    (call) => (call[1] as unknown as { params: { header?: object } }).params.header,
  );
  expect(sent).toEqual(Array(2).fill({ 'Idempotency-Key': expect.any(String) }));
  expect(sent[0]).not.toEqual(sent[1]);
});
