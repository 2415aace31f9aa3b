import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../../api/client';
import { keys } from '../../../api/keys';
import { fieldErrors } from '../../../api/problem';
import type { View } from '../../../api/types';
import { useActions } from '../../../keyboard/use-actions';
import { Confirm, FormDialog } from '../../../parts/dialog';
import { Switch, TextField } from '../../../parts/field';
import { Menu, MenuButton, type MenuItem } from '../../../parts/menu';
import { announce, announceRefusal } from '../../../parts/toasts';
import { hasRole, useMe } from '../../../session/me';
import { type ListView, listViewIn, queryOf, shownBy, viewsQuery } from './list-view';

interface ViewsProps {
  project: string;
  shown: ListView;
  onView: (view: ListView) => void;
}

type Open = 'menu' | 'new' | 'edit' | 'delete' | null;

/** The views of a project: opened, kept, changed and deleted from one menu. */
export function Views({ project, shown, onView }: ViewsProps) {
  const me = useMe();
  const [open, setOpen] = useState<Open>(null);
  const views = useQuery(viewsQuery(project)).data ?? [];
  const current = views.find(({ id }) => id === shown.view);
  const isChanged = current !== undefined && queryOf(shownBy(current)) !== queryOf(shown);
  const mayChange = current !== undefined && (!current.shared || hasRole(me, 'Editor'));
  const save = useSaved(project, (view) => onView(shownBy(view)));
  useActions([
    {
      id: 'views',
      name: 'Choose a view of the list',
      icon: 'filter',
      group: 'This screen',
      shortcut: 'v',
      perform: () => setOpen('menu'),
    },
  ]);
  const close = () => setOpen(null);
  const everything = listViewIn({});
  const ofView = (view: View): MenuItem => ({
    id: view.id,
    label: view.name,
    icon: view.shared ? 'access' : 'user',
    note: view.shared ? 'shared' : undefined,
    chosen: view.id === current?.id,
    onSelect: () => onView(shownBy(view)),
  });
  const items: MenuItem[] = [
    {
      id: 'all',
      label: 'All issues',
      icon: 'board',
      chosen: queryOf(shown) === queryOf(everything) && current === undefined,
      onSelect: () => onView(everything),
    },
    ...views.map(ofView),
    {
      id: 'new',
      label: 'Save as a new view …',
      icon: 'plus',
      begins: true,
      onSelect: () => setOpen('new'),
    },
    ...(mayChange && isChanged
      ? [
          {
            id: 'save',
            label: `Save the changes of “${current.name}”`,
            icon: 'check' as const,
            onSelect: () => save.mutate({ view: current, change: { query: queryOf(shown) } }),
          },
        ]
      : []),
    ...(mayChange
      ? [
          {
            id: 'edit',
            label: 'Rename or share …',
            icon: 'settings' as const,
            onSelect: () => setOpen('edit'),
          },
          {
            id: 'delete',
            label: `Delete “${current.name}” …`,
            icon: 'close' as const,
            danger: true,
            onSelect: () => setOpen('delete'),
          },
        ]
      : []),
  ];
  return (
    <>
      <Menu
        label="View"
        open={open === 'menu'}
        onOpenChange={(next) => setOpen((now) => (next ? 'menu' : now === 'menu' ? null : now))}
        trigger={
          <MenuButton>{current ? `View: ${current.name}${isChanged ? ', changed' : ''}` : 'View'}</MenuButton>
        }
        items={items}
      />
      {open === 'new' && (
        <ViewForm project={project} view={null} query={queryOf(shown)} onClose={close} onDone={onView} />
      )}
      {open === 'edit' && current && (
        <ViewForm project={project} view={current} query={current.query} onClose={close} onDone={onView} />
      )}
      {current && (
        <DeleteView
          view={current}
          open={open === 'delete'}
          onClose={close}
          onDone={() => onView({ ...shown, view: null })}
        />
      )}
    </>
  );
}

interface Saved {
  /** Null for a new one. */
  view: View | null;
  change: { name?: string; query?: string; shared?: boolean };
}

/** Keeps a view as it is to be from now on. */
function useSaved(project: string, onDone: (view: View) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ view, change }: Saved) =>
      view === null
        ? bodyOf(
            api.POST('/api/projects/{projectId}/views', {
              params: { path: { projectId: project } },
              body: { name: '', query: '', ...change },
            }),
          )
        : bodyOf(
            api.PUT('/api/projects/views/{viewId}', { params: { path: { viewId: view.id } }, body: change }),
          ),
    onSuccess: async (saved) => {
      await client.invalidateQueries({ queryKey: keys.views });
      announce(`The view ${saved.name} is saved`);
      onDone(saved);
    },
    // A form shows its refusal itself.
    onError: (error, { change }) =>
      change.name === undefined && announceRefusal('The view was not saved', error),
  });
}

interface ViewFormProps {
  project: string;
  view: View | null;
  /** What the view shows. */
  query: string;
  onClose: () => void;
  onDone: (shown: ListView) => void;
}

/** Names a view, and shares it with all who see the project. */
function ViewForm({ project, view, query, onClose, onDone }: ViewFormProps) {
  const mayShare = hasRole(useMe(), 'Editor');
  const [name, setName] = useState(view?.name ?? '');
  const [shared, setShared] = useState(view?.shared ?? false);
  const save = useSaved(project, (saved) => {
    onClose();
    onDone(shownBy(saved));
  });
  const errors = fieldErrors(save.error, ['name']);
  return (
    <FormDialog
      onClose={onClose}
      title={view === null ? 'Save as a new view' : `Change the view ${view.name}`}
      onSubmit={() => save.mutate({ view, change: { name, query, shared } })}
      verb="Save view"
      busy={save.isPending}
      disabled={name.trim() === ''}
      refused="The view was not saved"
      refusal={errors.elsewhere && save.error}
    >
      <TextField
        label="Name"
        hint="What is filtered, and how the list is ordered, grouped and shown, is kept under it."
        required
        autoFocus
        value={name}
        error={errors.at('name')}
        onChange={(event) => setName(event.target.value)}
      />
      {mayShare && (
        <Switch
          label="Shared in the project"
          hint="All who see the project can open it, and Editors can change it."
          checked={shared}
          onChange={setShared}
        />
      )}
    </FormDialog>
  );
}

interface DeleteViewProps {
  view: View;
  open: boolean;
  onClose: () => void;
  onDone: () => void;
}

function DeleteView({ view: { id, name, shared }, open, onClose, onDone }: DeleteViewProps) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api.DELETE('/api/projects/views/{viewId}', { params: { path: { viewId: id } } }),
    onSuccess: async () => {
      onClose();
      announce(`The view ${name} is deleted`);
      onDone();
      await client.invalidateQueries({ queryKey: keys.views });
    },
  });
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={`Delete the view ${name}?`}
      verb="Delete view"
      onConfirm={() => remove.mutate()}
      busy={remove.isPending}
      error={remove.error}
    >
      <p>
        {shared ? 'It is taken from all who see the project. ' : ''}
        No issue changes, and what is on screen stays.
      </p>
    </Confirm>
  );
}
