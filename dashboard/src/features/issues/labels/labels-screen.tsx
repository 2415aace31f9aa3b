import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf } from '../../../api/client';
import { keys } from '../../../api/keys';
import { labelsQuery } from '../../../api/lists';
import { fieldErrors } from '../../../api/problem';
import type { Label, LabelColor } from '../../../api/types';
import { useActions } from '../../../keyboard/use-actions';
import { Button } from '../../../parts/button';
import { Card } from '../../../parts/card';
import { Confirm, FormDialog } from '../../../parts/dialog';
import { TextArea, TextField } from '../../../parts/field';
import { Empty, Loaded } from '../../../parts/notice';
import { Table } from '../../../parts/table';
import { announce } from '../../../parts/toasts';
import { LabelChip, LabelDot } from '../../../parts/status';
import { hasRole, useMe } from '../../../session/me';
import styles from './labels.module.css';

/** In the order of the palette. */
const labelColors = [
  'gray',
  'brown',
  'red',
  'orange',
  'yellow',
  'green',
  'teal',
  'cyan',
  'blue',
  'violet',
  'magenta',
  'pink',
] as const satisfies LabelColor[];

interface LabelsScreenProps {
  /** The key of the project. */
  project: string;
  projectId: string;
}

/** What is open over the labels: the form of a new one or of one of them, or the question before one is deleted. */
type Open = { kind: 'new' } | { kind: 'edit' | 'delete'; label: Label } | null;

/** The labels of a project: their names, colours and what they mean. Editors change them. */
export function LabelsScreen({ project, projectId }: LabelsScreenProps) {
  // No event says how many issues have a label, so it is counted whenever the screen opens.
  const labels = useQuery({ ...labelsQuery(projectId), refetchOnMount: 'always' });
  const editable = hasRole(useMe(), 'Editor');
  const [open, setOpen] = useState<Open>(null);
  const create = () => setOpen({ kind: 'new' });
  const close = () => setOpen(null);
  useActions([
    {
      id: 'create-label',
      name: 'New label',
      icon: 'plus',
      group: 'Create',
      available: editable,
      perform: create,
    },
  ]);
  const button = editable && (
    <Button small icon="plus" onClick={create}>
      New label
    </Button>
  );
  return (
    <>
      <Loaded query={labels} what="The labels">
        {(all) =>
          all.length === 0 ? (
            <Empty icon="tag" title="No labels yet" actions={button}>
              A label says in a word what kind of work an issue is. Lists and the board are narrowed by it.
            </Empty>
          ) : (
            <Card title="Labels" count={all.length} actions={button} flush>
              <Table
                label="Labels"
                columns={['Label', 'Description', 'Unresolved issues', '']}
                numbers={['Unresolved issues']}
              >
                {all.map((label) => (
                  <Row key={label.id} label={label} project={project} editable={editable} onOpen={setOpen} />
                ))}
              </Table>
            </Card>
          )
        }
      </Loaded>
      {open?.kind === 'new' && <LabelForm projectId={projectId} label={null} onClose={close} />}
      {open?.kind === 'edit' && <LabelForm projectId={projectId} label={open.label} onClose={close} />}
      {open?.kind === 'delete' && <DeleteLabel label={open.label} onClose={close} />}
    </>
  );
}

interface RowProps {
  label: Label;
  project: string;
  editable: boolean;
  onOpen: (open: Open) => void;
}

function Row({ label, project, editable, onOpen }: RowProps) {
  const { id, name, description, issues } = label;
  return (
    <tr>
      <td data-label="Label">
        <LabelChip label={label} />
      </td>
      <td data-label="Description" className="soft">
        {description}
      </td>
      <td data-label="Unresolved issues" data-number="">
        <Link to="/p/$key/list" params={{ key: project }} search={{ label: id }} className="link">
          {issues}
          <span className="sr-only"> with the label {name}</span>
        </Link>
      </td>
      <td>
        {editable && (
          <span className="row">
            <Button small aria-label={`Edit ${name}`} onClick={() => onOpen({ kind: 'edit', label })}>
              Edit
            </Button>
            <Button
              small
              look="danger"
              aria-label={`Delete ${name}`}
              onClick={() => onOpen({ kind: 'delete', label })}
            >
              Delete
            </Button>
          </span>
        )}
      </td>
    </tr>
  );
}

interface LabelFormProps {
  projectId: string;
  /** Null for a new one. */
  label: Label | null;
  onClose: () => void;
}

function LabelForm({ projectId, label, onClose }: LabelFormProps) {
  const client = useQueryClient();
  const [fields, setFields] = useState({
    name: label?.name ?? '',
    color: label?.color ?? ('gray' as LabelColor),
    description: label?.description ?? '',
  });
  const save = useMutation({
    mutationFn: () =>
      bodyOf(
        label === null
          ? api.POST('/api/projects/{projectId}/labels', { params: { path: { projectId } }, body: fields })
          : api.PUT('/api/projects/labels/{labelId}', {
              params: { path: { labelId: label.id } },
              body: fields,
            }),
      ),
    onSuccess: async ({ name }) => {
      onClose();
      announce(label === null ? `The label ${name} is created` : `The label ${name} is changed`);
      await refresh(client);
    },
  });
  const { at, elsewhere } = fieldErrors(save.error, ['name', 'color', 'description']);
  return (
    <FormDialog
      onClose={onClose}
      title={label === null ? 'New label' : `Edit ${label.name}`}
      onSubmit={() => save.mutate()}
      verb={label === null ? 'Create label' : 'Save label'}
      busy={save.isPending}
      refused="The label was not saved"
      refusal={elsewhere && save.error}
    >
      <TextField
        label="Name"
        required
        autoFocus
        value={fields.name}
        error={at('name')}
        onChange={({ target }) => setFields({ ...fields, name: target.value })}
      />
      <Colors value={fields.color} onChange={(color) => setFields({ ...fields, color })} />
      <TextArea
        label="Description"
        hint="What issues with it have in common."
        rows={2}
        value={fields.description}
        error={at('description')}
        onChange={({ target }) => setFields({ ...fields, description: target.value })}
      />
    </FormDialog>
  );
}

/** The colours of the palette, each with its name: a group of radio buttons, so that arrow keys choose. */
function Colors({ value, onChange }: { value: LabelColor; onChange: (color: LabelColor) => void }) {
  return (
    <fieldset>
      <legend className={styles.legend}>Colour</legend>
      <div className={styles.colors}>
        {labelColors.map((color) => (
          <label key={color} className={styles.color}>
            <input
              type="radio"
              name="color"
              value={color}
              checked={color === value}
              onChange={() => onChange(color)}
            />
            <LabelDot color={color} />
            {color}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function DeleteLabel({ label: { id, name, issues }, onClose }: { label: Label; onClose: () => void }) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api.DELETE('/api/projects/labels/{labelId}', { params: { path: { labelId: id } } }),
    onSuccess: async () => {
      onClose();
      announce(`The label ${name} is deleted`);
      await refresh(client);
    },
  });
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Delete the label ${name}?`}
      verb="Delete label"
      onConfirm={() => remove.mutate()}
      busy={remove.isPending}
      error={remove.error}
    >
      <p>
        {issues === 0
          ? 'No unresolved issue has it.'
          : `It is taken off ${issues === 1 ? '1 unresolved issue' : `${issues} unresolved issues`}, which stay.`}{' '}
        This cannot be undone.
      </p>
    </Confirm>
  );
}

/** Issues show the names and colours of their labels. */
async function refresh(client: ReturnType<typeof useQueryClient>): Promise<void> {
  await Promise.all([keys.labels, keys.issues].map((queryKey) => client.invalidateQueries({ queryKey })));
}
