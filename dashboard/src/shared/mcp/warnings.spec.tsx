import { render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { Warnings } from './verification-view';

const warning = (at: number) => ({
  subject: `tool_${at}`,
  message: `Its schema ${at} has anyOf at its root.`,
});

describe('the warnings of a verification', () => {
  it('name each definition with what its maker should know', () => {
    const { getByText, container } = render(<Warnings of={[warning(1), warning(2)]} />);
    expect(getByText('What to tell the maker of the server')).toBeDefined();
    expect(container.querySelectorAll('li')[1]?.textContent).toBe(
      'tool_2 Its schema 2 has anyOf at its root.',
    );
    expect(container.querySelector('details')).toBeNull();
  });

  it('are five at first, and the others behind their number', () => {
    const { getByText, container } = render(
      <Warnings of={Array.from({ length: 9 }, (_, at) => warning(at))} />,
    );
    expect(getByText('4 more')).toBeDefined();
    expect(container.querySelectorAll('details li')).toHaveLength(4);
    expect(container.querySelectorAll('li')).toHaveLength(9);
  });

  it('take no room where there are none', () => {
    expect(render(<Warnings of={[]} />).container.innerHTML).toBe('');
  });
});
