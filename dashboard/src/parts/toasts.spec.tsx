import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { announce, announceRefusal, Toasts, toastStore } from './toasts';

beforeEach(() => {
  vi.useFakeTimers();
  render(<Toasts />);
});
afterEach(() => {
  act(toastStore.dismissAll);
  vi.useRealTimers();
});

const say = (title: string) => act(() => announce(title));
const refuse = (title: string) => act(() => announceRefusal(title, new Error('It failed')));
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));
const region = () => screen.getByRole('region', { name: 'Notifications' });

describe('Toasts', () => {
  it('announces a success politely and a refusal at once, neither as a dialog', () => {
    say('PAY-1 is now resolved');
    refuse('PAY-2 stays open');
    expect(screen.getByRole('status').textContent).toContain('PAY-1');
    expect(screen.getByRole('alert').textContent).toContain('PAY-2');
    expect(screen.queryByRole('dialog') ?? screen.queryByRole('alertdialog')).toBeNull();
  });

  it('removes a success after five seconds and keeps a refusal', () => {
    say('Saved');
    refuse('Not saved');
    pass(5_000);
    expect(region().textContent).not.toContain('Saved');
    expect(region().textContent).toContain('Not saved');
  });

  it('offers to take a change back for longer, and once', () => {
    const undo = vi.fn();
    act(() => announce('10 assigned to juno', undefined, { label: 'Undo', perform: undo }));
    pass(11_000);
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(undo).toHaveBeenCalledTimes(1);
    expect(region().textContent).toBe('');
    act(() => announce('10 assigned to juno', undefined, { label: 'Undo', perform: undo }));
    pass(12_000);
    expect(region().textContent).toBe('');
  });

  it('shows several reasons of a refusal, a line each', () => {
    act(() => announceRefusal('2 of 3 were not changed', 'PAY-1: one\nPAY-2: two'));
    expect(screen.getByRole('alert').textContent).toContain('PAY-1: one\nPAY-2: two');
  });

  it('keeps a message while the pointer is over it', () => {
    say('Saved');
    fireEvent.pointerEnter(region());
    pass(60_000);
    expect(region().textContent).toContain('Saved');
    fireEvent.pointerLeave(region());
    pass(5_000);
    expect(region().textContent).toBe('');
  });

  it('shows at most three messages, and drops a success before a refusal', () => {
    refuse('Refused');
    for (const title of ['One', 'Two', 'Three']) say(title);
    expect(screen.getAllByRole('button', { name: 'Dismiss' })).toHaveLength(3);
    expect(region().textContent).toContain('Refused');
    expect(region().textContent).not.toContain('One');
  });

  it('gives the focus back when a message is dismissed', () => {
    const outside = document.body.appendChild(document.createElement('button'));
    outside.focus();
    refuse('Refused');
    const dismiss = screen.getByRole('button', { name: 'Dismiss' });
    act(() => dismiss.focus());
    fireEvent.click(dismiss);
    expect(document.activeElement).toBe(outside);
    outside.remove();
  });
});
