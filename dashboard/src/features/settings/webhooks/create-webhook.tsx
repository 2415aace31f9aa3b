import { useQuery } from '@tanstack/react-query';
import { fieldErrors } from '../../../api/field-errors';
import { projectsQuery } from '../../../api/lists';
import { Button } from '../../../parts/button';
import { Dialog } from '../../../parts/dialog';
import { SelectField, TextField } from '../../../parts/field';
import { ProblemNotice } from '../../../parts/notice';
import { ShownOnce } from '../../../parts/shown-once';
import { useDraft } from '../../../session/draft';
import { useCreateWebhook, type NewWebhookFields } from './changes';

const empty: NewWebhookFields = { url: '', description: '', eventTypes: '', projectId: '' };

/** Creates a webhook, then shows the secret that signs what it sends, once. */
export function CreateWebhook({ onClose }: { onClose: () => void }) {
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
    <Dialog
      open
      onClose={onClose}
      title="New webhook"
      onSubmit={() => create.mutate(fields, { onSuccess: discard })}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={create.isPending}>
            Create webhook
          </Button>
        </>
      }
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
      {errors.elsewhere && <ProblemNotice title="The webhook was not created" error={create.error} />}
    </Dialog>
  );
}
