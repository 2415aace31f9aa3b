import { act, render } from '@testing-library/react';
import { useRef } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { useSteps } from './use-steps';

function Board({ columns }: { columns: string[][] }) {
  const board = useRef<HTMLDivElement>(null);
  useSteps(board);
  return (
    <>
      <button>Elsewhere</button>
      <div ref={board}>
        {columns.map((keys, index) => (
          <ul key={index}>
            {keys.map((key) => (
              <li key={key} data-issue={key}>
                <a href="/">{key}</a>
              </li>
            ))}
          </ul>
        ))}
      </div>
      <div role="dialog">
        <button>In a dialog</button>
      </div>
    </>
  );
}

const focused = () => document.activeElement?.textContent;
const later = () => act(() => vi.advanceTimersByTime(1));
beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

it('a card that moves to another column keeps the focus', () => {
  const { getByText, rerender } = render(<Board columns={[['a', 'b'], ['c']]} />);
  act(() => getByText('b').focus());
  rerender(<Board columns={[['a'], ['c', 'b']]} />);
  expect(focused()).toBe('b');
});

it('a card that moves while a dialog has the focus gets it back from there', () => {
  const { getByText, rerender } = render(<Board columns={[['a', 'b'], ['c']]} />);
  act(() => getByText('b').focus());
  act(() => getByText('In a dialog').focus());
  rerender(<Board columns={[['a'], ['c', 'b']]} />);
  expect(focused()).toBe('In a dialog');
  act(() => getByText('In a dialog').blur());
  later();
  expect(focused()).toBe('b');
});

it('the row after one that is gone gets the focus, and no row where the person had left them', () => {
  const { getByText, rerender } = render(<Board columns={[['a', 'b', 'c']]} />);
  act(() => getByText('b').focus());
  rerender(<Board columns={[['a', 'c']]} />);
  expect(focused()).toBe('c');
  act(() => getByText('Elsewhere').focus());
  act(() => getByText('Elsewhere').blur());
  rerender(<Board columns={[['a']]} />);
  later();
  expect(document.activeElement).toBe(document.body);
});
