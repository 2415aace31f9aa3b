import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { setSingleKeys } from '../theme/preferences';
import { ActionRegistry } from './registry';
import { Registry, useActions } from './use-actions';
import { useKeyboard } from './use-keyboard';

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

  it('performs nothing by single keys when they are turned off', () => {
    const perform = show();
    setSingleKeys(false);
    fireEvent.keyDown(document.body, { key: 'c' });
    expect(perform).not.toHaveBeenCalled();
  });
});
