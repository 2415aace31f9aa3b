import { fireEvent, render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { LongText } from './timeline';

describe('LongText', () => {
  it('shows the beginning of a long text, and all of it to a person who asks', () => {
    render(<LongText text={`The agent wrote more than 2 MiB. ${'# '.repeat(3000)}the end`} />);
    expect(document.body.textContent).toContain('The agent wrote more than 2 MiB.');
    expect(document.body.textContent).not.toContain('the end');
    fireEvent.click(screen.getByRole('button', { name: /^Show all 6,0\d\d characters$/ }));
    expect(document.body.textContent).toContain('the end');
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('shows the first lines of a text of many short ones', () => {
    render(<LongText text={'ok\n\n'.repeat(100)} />);
    expect(document.body.textContent?.split('ok').length).toBeLessThan(20);
    screen.getByRole('button', { name: 'Show all 400 characters' });
  });

  it('shows a text of usual length as it is', () => {
    render(<LongText text="Done." />);
    expect(screen.queryByRole('button')).toBeNull();
  });
});
