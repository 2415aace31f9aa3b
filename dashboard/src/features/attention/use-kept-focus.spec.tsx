import { render } from '@testing-library/react';
import { useRef } from 'react';
import { describe, expect, it } from 'vitest';
import { useKeptFocus } from './inbox';

function Rows({ ids }: { ids: readonly string[] }) {
  const list = useRef<HTMLUListElement>(null);
  const keepFocus = useKeptFocus(list, ids);
  return (
    <>
      <button>Elsewhere</button>
      <ul ref={list} onFocus={keepFocus}>
        {ids.map((id) => (
          <li key={id} data-cause={id} tabIndex={-1}>
            <button>Answer {id}</button>
          </li>
        ))}
      </ul>
    </>
  );
}

const focused = () =>
  document.activeElement?.getAttribute('data-cause') ?? document.activeElement?.textContent;
const show = (...ids: string[]) => {
  const { rerender, getByText } = render(<Rows ids={ids} />);
  return {
    focus: (words: string) => getByText(words, { exact: true }).focus(),
    become: (...now: string[]) => rerender(<Rows ids={now} />),
  };
};

describe('useKeptFocus', () => {
  it('gives the focus to the row that follows when the one that had it is gone', () => {
    const { focus, become } = show('a', 'b', 'c');
    focus('Answer b');
    become('a', 'c');
    expect(focused()).toBe('c');
  });

  it('gives it to the last row when nothing follows', () => {
    const { focus, become } = show('a', 'b');
    focus('Answer b');
    become('a');
    expect(focused()).toBe('a');
  });

  it('leaves it alone when another row is gone, and where it has moved on', () => {
    const { focus, become } = show('a', 'b', 'c');
    focus('Answer b');
    become('b', 'c');
    expect(focused()).toBe('Answer b');
    focus('Elsewhere');
    become('c');
    expect(focused()).toBe('Elsewhere');
  });
});
