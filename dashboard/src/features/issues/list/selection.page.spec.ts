import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Known } from '../sending';
import { useSelection } from './selection';

const rows = [...'abcdef'].map((id) => ({ id }) as Known);
const row = (id: string) => rows.find((one) => one.id === id)!;

function selection() {
  const { result } = renderHook(() => useSelection(true));
  return {
    toggle: (id: string) => act(() => result.current!.toggle(row(id))),
    extend: (id: string) => act(() => result.current!.extend(row(id), rows)),
    replace: (ids: string) => act(() => result.current!.replace([...ids].map(row))),
    chosen: () => [...result.current!.chosen.keys()].toSorted().join(''),
  };
}

it('a range reaches from the issue that was chosen last to this one, in either direction', () => {
  const { toggle, extend, chosen } = selection();
  toggle('c');
  extend('e');
  expect(chosen()).toBe('cde');
  extend('a');
  expect(chosen()).toBe('abc');
});

it('a range that becomes shorter gives back what it took, and keeps what was chosen before', () => {
  const { toggle, extend, chosen } = selection();
  toggle('a');
  toggle('c');
  extend('f');
  extend('d');
  expect(chosen()).toBe('acd');
});

it('a range begins at its own issue where none was chosen, or the one that was is gone', () => {
  const { extend, replace, chosen } = selection();
  extend('b');
  expect(chosen()).toBe('b');
  replace('cd');
  extend('f');
  expect(chosen()).toBe('cdf');
});

it('those who may not change issues choose none', () => {
  expect(renderHook(() => useSelection(false)).result.current).toBeNull();
});
