import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { keys } from '../api/keys';
import { draftsOf, useDraft } from './draft';

/** What a form of this person shows. Each call is a new screen. */
function formOf(userId: string, form: string, start = '') {
  const client = new QueryClient();
  client.setQueryData(keys.me, { id: userId });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  return renderHook(({ of }: { of: string }) => useDraft(of, start), { wrapper, initialProps: { of: form } });
}

beforeEach(() => sessionStorage.clear());

describe('a draft', () => {
  it('is there again after a change of screen, for the same person and form only', () => {
    const { result, unmount } = formOf('ada', 'comment 1');
    act(() => result.current.set('half a sen'));
    unmount();
    expect(formOf('ada', 'comment 1').result.current.value).toBe('half a sen');
    expect(formOf('ada', 'comment 2').result.current.value).toBe('');
    expect(formOf('ben', 'comment 1').result.current.value).toBe('');
  });

  it('is that of the present object when the same form is about another one', () => {
    const { result, rerender } = formOf('ada', 'comment 1');
    act(() => result.current.set('one'));
    rerender({ of: 'comment 2' });
    expect(result.current.value).toBe('');
    act(() => result.current.set('two'));
    rerender({ of: 'comment 1' });
    expect(result.current.value).toBe('one');
  });

  it('is gone once it was sent, and where the form is as it began', () => {
    const { result } = formOf('ada', 'gate 7', 'start');
    act(() => result.current.set('typed'));
    expect(draftsOf('ada', 'gate')).toEqual(['7']);
    act(() => result.current.set('start'));
    expect(draftsOf('ada', 'gate')).toEqual([]);
    act(() => result.current.set('typed'));
    act(() => result.current.discard());
    expect([result.current.value, draftsOf('ada', 'gate')]).toEqual(['start', []]);
  });

  it('that is no draft of this form is ignored', () => {
    sessionStorage.setItem('draft ada comment 1', '{broken');
    expect(formOf('ada', 'comment 1').result.current.value).toBe('');
  });
});
