import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf, pageOf } from '../../../api/client';
import { keys } from '../../../api/keys';
import { projectsQuery } from '../../../api/lists';
import { fieldErrors } from '../../../api/problem';
import type { Webhook } from '../../../api/types';
import { useActions } from '../../../keyboard/use-actions';
import { Button } from '../../../parts/button';
import { Card } from '../../../parts/card';
import { Dialog, FormDialog } from '../../../parts/dialog';
import { SelectField, TextField } from '../../../parts/field';
import { Empty, Loaded } from '../../../parts/notice';
import { ShownOnce } from '../../../parts/snippet';
import { Pill } from '../../../parts/status';
import { Table } from '../../../parts/table';
import { useDraft } from '../../../session/draft';
import styles from './webhooks.module.css';

const webhooksQuery = queryOptions({
  queryKey: [...keys.webhooks, 'list'],
  queryFn: async () => (await pageOf(api.GET('/api/webhooks'))).rows,
});

interface NewWebhookFields {
  url: string;
  description: string;
  /** Types or areas, separated by commas or spaces; empty for all. */
  eventTypes: string;
  /** Empty for all projects. */
  projectId: string;
}

/** The types of a field in which people write them; null, which means all, where there are none. */
export function typesOf(text: string): string[] | null {
  const types = [...new Set(text.split(/[\s,]+/u).filter(Boolean))];
  return types.length === 0 ? null : types;
}

function useCreateWebhook() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ url, description, eventTypes, projectId }: NewWebhookFields) =>
      bodyOf(
        api.POST('/api/webhooks', {
          body: { url, description, eventTypes: typesOf(eventTypes), projectId: projectId || null },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.webhooks }),
    // The response holds the secret; it is forgotten with the dialog.
    gcTime: 0,
  });
}

const empty: NewWebhookFields = { url: '', description: '', eventTypes: '', projectId: '' };

/** Creates a webhook, then shows the secret that signs what it sends, once. */
function CreateWebhook({ onClose }: { onClose: () => void }) {
  const create = useCreateWebhook();
  if (create.data)
    return (
      <Dialog
        open
        onClose={onClose}
        title="The webhook is created"
        footer={<Button onClick={onClose}>Done</Button>}
      >
        <ShownOnce what="secret" secret={create.data.secret}>
          It is not shown again. The receiver checks signatures with it, as Standard Webhooks describes.
        </ShownOnce>
      </Dialog>
    );
  return <WebhookForm create={create} onClose={onClose} />;
}

interface WebhookFormProps {
  create: ReturnType<typeof useCreateWebhook>;
  onClose: () => void;
}

function WebhookForm({ create, onClose }: WebhookFormProps) {
  const projects = useQuery(projectsQuery).data ?? [];
  const { value: fields, set: setFields, discard } = useDraft('webhook', empty);
  const set = (part: Partial<NewWebhookFields>) => setFields({ ...fields, ...part });
  const errors = fieldErrors(create.error, Object.keys(empty));
  return (
    <FormDialog
      onClose={onClose}
      title="New webhook"
      onSubmit={() => create.mutate(fields, { onSuccess: discard })}
      verb="Create webhook"
      busy={create.isPending}
      refused="The webhook was not created"
      refusal={errors.elsewhere && create.error}
    >
      <TextField
        label="Address"
        hint="A public https address. Redirects are not followed."
        type="url"
        required
        autoFocus
        value={fields.url}
        error={errors.at('url')}
        onChange={(event) => set({ url: event.target.value })}
      />
      <TextField
        label="Description"
        hint="What it is for. May be left empty."
        value={fields.description}
        error={errors.at('description')}
        onChange={(event) => set({ description: event.target.value })}
      />
      <TextField
        label="Event types"
        hint="Types or areas, separated by commas: issue.*, login.failed. Left empty: all."
        value={fields.eventTypes}
        error={errors.at('eventTypes')}
        onChange={(event) => set({ eventTypes: event.target.value })}
      />
      <SelectField
        label="Of"
        value={fields.projectId}
        error={errors.at('projectId')}
        onChange={(event) => set({ projectId: event.target.value })}
      >
        <option value="">All projects</option>
        {projects.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </FormDialog>
  );
}

/** Where events are sent; Admins only. */
export function WebhooksScreen() {
  const webhooks = useQuery(webhooksQuery);
  const [creating, setCreating] = useState(false);
  const create = () => setCreating(true);
  useActions([{ id: 'create-webhook', name: 'New webhook', icon: 'link', group: 'Create', perform: create }]);
  return (
    <>
      <Loaded query={webhooks} what="The webhooks">
        {(all) => (
          <Card
            title="Webhooks"
            count={all.length}
            actions={
              <Button small icon="plus" onClick={create}>
                New webhook
              </Button>
            }
            flush
          >
            {all.length === 0 ? (
              <Empty icon="link" title="No webhooks">
                A webhook sends events to an address of yours, signed, and tries again when it does not
                respond.
              </Empty>
            ) : (
              <WebhookTable webhooks={all} />
            )}
          </Card>
        )}
      </Loaded>
      {creating && <CreateWebhook onClose={() => setCreating(false)} />}
    </>
  );
}

function WebhookTable({ webhooks }: { webhooks: readonly Webhook[] }) {
  const projects = useQuery(projectsQuery).data ?? [];
  return (
    <Table label="Webhooks" columns={['Address', 'State', 'Sends', 'Of']}>
      {webhooks.map(({ id, url, description, disabled, eventTypes, projectId }) => (
        <tr key={id}>
          <td>
            <Link to="/settings/webhooks/$id" params={{ id }} className={styles.address}>
              {url}
            </Link>
            {description !== '' && <span className="soft small">{description}</span>}
          </td>
          <td data-label="State">
            <WebhookPill disabled={disabled} />
          </td>
          <td data-label="Sends" className="soft">
            {eventTypes === null ? 'Every type' : eventTypes.join(', ')}
          </td>
          <td data-label="Of" className="soft">
            {projectId === null
              ? 'All projects'
              : (projects.find((project) => project.id === projectId)?.name ?? 'One project')}
          </td>
        </tr>
      ))}
    </Table>
  );
}

export function WebhookPill({ disabled }: { disabled: boolean }) {
  return disabled ? (
    <Pill tone="disabled" icon="disabled">
      Disabled
    </Pill>
  ) : (
    <Pill tone="enabled" icon="enabled">
      Enabled
    </Pill>
  );
}
