import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { announce, announceRefusal, Toasts, toastStore } from '../parts/toasts';
import { setSingleKeys } from '../theme/preferences';
import { ActionRegistry, Registry, useActions, useKeyboard } from './use-actions';

function Page({ perform, children }: { perform: () => void; children?: React.ReactNode }) {
  useKeyboard();
  useActions([{ id: 'new', name: 'New issue', icon: 'plus', group: 'Create', shortcut: 'c', perform }]);
  return children;
}

function show(children?: React.ReactNode) {
  const perform = vi.fn();
  render(
    <Registry value={new ActionRegistry()}>
      <Page perform={perform}>{children}</Page>
    </Registry>,
  );
  return perform;
}

describe('the keyboard', () => {
  afterEach(() => setSingleKeys(true));

  it('performs the action of a key', () => {
    const perform = show();
    fireEvent.keyDown(document.body, { key: 'c' });
    expect(perform).toHaveBeenCalledOnce();
  });

  it('leaves keys to the field that someone types in', () => {
    const perform = show(<input aria-label="Title" />);
    fireEvent.keyDown(screen.getByLabelText('Title'), { key: 'c' });
    expect(perform).not.toHaveBeenCalled();
  });

  it('leaves keys to an open dialog', () => {
    const perform = show(<div role="dialog" />);
    fireEvent.keyDown(document.body, { key: 'c' });
    expect(perform).not.toHaveBeenCalled();
  });

  it('performs the action of a key while messages are shown', () => {
    const perform = show(<Toasts />);
    act(() => announce('PAY-1 is now resolved'));
    act(() => announceRefusal('PAY-2 stays open', new Error('It has a dependent')));
    fireEvent.keyDown(document.body, { key: 'c' });
    fireEvent.keyDown(screen.getAllByRole('button', { name: 'Dismiss' })[0]!, { key: 'c' });
    expect(perform).toHaveBeenCalledTimes(2);
    act(toastStore.dismissAll);
  });

  it('performs nothing by single keys when they are turned off', () => {
    const perform = show();
    setSingleKeys(false);
    fireEvent.keyDown(document.body, { key: 'c' });
    expect(perform).not.toHaveBeenCalled();
  });
});
