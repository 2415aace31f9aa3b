import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { api } from '../../api/client';
import { Problem } from '../../api/problem';
import { empty, useCreation } from './create-steps';

const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
const router = createRouter({ routeTree: createRootRoute() });
const wrapper = ({ children }: { children: ReactNode }) => (
  <RouterContextProvider router={router as never}>
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  </RouterContextProvider>
);

// Files share a process, and so the client.
afterEach(() => vi.restoreAllMocks());

it('a new issue that was refused is decided anew when it is sent again', async () => {
  const post = vi
    .spyOn(api, 'POST')
    .mockRejectedValue(new Problem(409, 'invalid_transition', 'It is closed.'));
  const nothing = () => undefined;
  const { result } = renderHook(() => useCreation(nothing, nothing), { wrapper });
  for (const _time of [1, 2])
    await act(async () => result.current.create({ ...empty, project: 'PAY', title: 'Ship it' }, []));
  const sent = post.mock.calls.map((call) => (call[1] as { params: { header: object } }).params.header);
  expect(sent).toEqual(Array(2).fill({ 'Idempotency-Key': expect.any(String) }));
  expect(sent[0]).not.toEqual(sent[1]);
});
