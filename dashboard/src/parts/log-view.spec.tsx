import { fireEvent, render, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { cutLine, LogView, matchesIn, readsLikeFailure } from './log-view';

const lines = ['Server is listening', '429 from upstream', 'listening again'].map((text, key) => ({
  key,
  text,
}));

describe('the lines of a log', () => {
  it('are found by a part in any case, and by no words not at all', () => {
    expect(matchesIn(lines, ' LISTEN ')).toEqual([0, 2]);
    expect(matchesIn(lines, ' ')).toEqual([]);
  });

  it('are cut where one is megabytes long', () => {
    const text = cutLine('z'.repeat(1_000_000));
    expect(text.length).toBeLessThan(4_100);
    expect(text).toMatch(/ and 996,000 more characters$/);
  });

  it.each([
    ['[error] no route', true],
    ['Traceback (most recent call last):', true],
    ['0 errors found', false],
    ['listening', false],
  ])('look like a failure by their words: %j is %s', (text, expected) => {
    expect(readsLikeFailure(text)).toBe(expected);
  });
});

describe('LogView', () => {
  it('goes from match to match with Enter, in a circle, and pauses for it', () => {
    const set = vi.fn();
    render(<LogView label="the log" lines={lines} follow={{ on: true, set }} />);
    const field = screen.getByLabelText('Search the log');
    fireEvent.change(field, { target: { value: 'listen' } });
    expect(set).toHaveBeenCalledWith(false);
    expect(screen.getByRole('status').textContent).toBe('1 of 2 lines');
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(screen.getByRole('status').textContent).toBe('2 of 2 lines');
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(screen.getByRole('status').textContent).toBe('1 of 2 lines');
    fireEvent.keyDown(field, { key: 'Enter', shiftKey: true });
    expect(screen.getByRole('status').textContent).toBe('2 of 2 lines');
    fireEvent.change(field, { target: { value: 'nothing like it' } });
    expect(screen.getByRole('status').textContent).toBe('No line');
  });
});
