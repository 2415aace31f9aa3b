import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import { mcp } from '../../session/elevated/elevated-mode';
import { useSignIn } from './queries';

const wrapper = ({ children }: { children: ReactNode }) =>
  createElement(QueryClientProvider, { client: new QueryClient() }, children);

it('a sign-in can be begun again after the browser came back to the page that it had left', async () => {
  vi.spyOn(mcp, 'POST').mockResolvedValue({ data: { authorizationUrl: 'https://id.example.com' } } as never);
  const assign = vi.spyOn(location, 'assign').mockReturnValue();
  const { result } = renderHook(() => useSignIn('a-server', 'default', '/servers'), { wrapper });
  act(() => result.current.mutate());
  await waitFor(() => expect(result.current.isSuccess).toBe(true));
  expect(assign).toHaveBeenCalledWith('https://id.example.com');
  act(() => void dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false })));
  expect(result.current.isSuccess).toBe(true);
  act(() => void dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })));
  await waitFor(() => expect(result.current.isIdle).toBe(true));
});
