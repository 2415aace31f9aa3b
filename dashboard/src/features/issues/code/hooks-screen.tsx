import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../../api/client';
import { keys } from '../../../api/keys';
import { asProblem } from '../../../api/problem';
import type { CodeHook, NewCodeHook } from '../../../api/types';
import { Button } from '../../../parts/button';
import { Card } from '../../../parts/card';
import { Confirm, Dialog, FormDialog } from '../../../parts/dialog';
import { SelectField, TextArea } from '../../../parts/field';
import { Empty, Loaded } from '../../../parts/notice';
import { ShownOnce, Snippet } from '../../../parts/snippet';
import { Table } from '../../../parts/table';
import { Ago } from '../../../parts/time';
import { announce } from '../../../parts/toasts';
import { hasRole, useMe } from '../../../session/me';

type Provider = CodeHook['provider'];

const names: Record<Provider, string> = { github: 'GitHub', gitlab: 'GitLab', gitea: 'Gitea' };
const providers = Object.keys(names) as Provider[];

/** Where the address and the secret belong at each code host, and what to choose there. */
const places: Record<Provider, { where: string; events: string }> = {
  github: {
    where: 'Settings, Webhooks, Add webhook: Payload URL and Secret, with the content type application/json.',
    events: 'Pushes, Pull requests, Statuses, Check runs, Check suites and Workflow runs.',
  },
  gitlab: {
    where: 'Settings, Webhooks, Add new webhook: URL and Signing token, or Secret token where there is none.',
    events: 'Push events, Merge request events and Pipeline events.',
  },
  gitea: {
    where:
      'Settings, Webhooks, Add webhook, Gitea: Target URL and Secret, with the content type application/json.',
    events: 'Push, Pull request, Pull request synchronized, Statuses and Workflow runs.',
  },
};

/** What is open over the hooks. */
type Open = { kind: 'set'; hook: CodeHook | null } | { kind: 'delete'; hook: CodeHook } | null;

/** How code hosts report on the repositories of a project; Admins change it. */
export function HooksScreen({ projectId }: { projectId: string }) {
  const hooks = useQuery({
    queryKey: [...keys.codeHooks, projectId],
    queryFn: () =>
      bodyOf(api.GET('/api/projects/{projectId}/code-hooks', { params: { path: { projectId } } })),
  });
  const editable = hasRole(useMe(), 'Admin');
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const free = providers.filter((provider) => !hooks.data?.some((hook) => hook.provider === provider));
  const button = editable && free.length > 0 && (
    <Button small icon="plus" onClick={() => setOpen({ kind: 'set', hook: null })}>
      Connect a code host
    </Button>
  );
  return (
    <>
      <Loaded query={hooks} what="The code hosts">
        {(all) =>
          all.length === 0 ? (
            <Empty icon="link" title="No code host is connected" actions={button}>
              GitHub, GitLab or Gitea then report the branches, pull requests and checks that name an issue of
              this project.
            </Empty>
          ) : (
            <Card title="Code hosts" count={all.length} actions={button} flush>
              <Table label="Code hosts" columns={['Code host', 'Repositories', 'Last delivery', '']}>
                {all.map((hook) => (
                  <Row key={hook.id} hook={hook} editable={editable} onOpen={setOpen} />
                ))}
              </Table>
            </Card>
          )
        }
      </Loaded>
      {open?.kind === 'set' && <SetHook projectId={projectId} hook={open.hook} free={free} onClose={close} />}
      {open?.kind === 'delete' && <DeleteHook hook={open.hook} onClose={close} />}
    </>
  );
}

function Row({
  hook,
  editable,
  onOpen,
}: {
  hook: CodeHook;
  editable: boolean;
  onOpen: (open: Open) => void;
}) {
  const { provider, repositories, lastDeliveryAt } = hook;
  return (
    <tr>
      <td data-label="Code host">{names[provider]}</td>
      <td data-label="Repositories" className="soft">
        {repositories.length === 0 ? 'None' : repositories.join(', ')}
      </td>
      <td data-label="Last delivery" className="soft">
        {lastDeliveryAt === null ? 'Never' : <Ago iso={lastDeliveryAt} />}
      </td>
      <td>
        {editable && (
          <span className="row">
            <Button
              small
              aria-label={`Edit ${names[provider]}`}
              onClick={() => onOpen({ kind: 'set', hook })}
            >
              Edit
            </Button>
            <Button
              small
              look="danger"
              aria-label={`Disconnect ${names[provider]}`}
              onClick={() => onOpen({ kind: 'delete', hook })}
            >
              Disconnect
            </Button>
          </span>
        )}
      </td>
    </tr>
  );
}

interface SetHookProps {
  projectId: string;
  /** Null for a new one. */
  hook: CodeHook | null;
  /** The code hosts that are not connected. */
  free: readonly Provider[];
  onClose: () => void;
}

/** Sets the repositories of a hook; a secret that is made by that is shown once, with where it belongs. */
function SetHook({ projectId, hook, free, onClose }: SetHookProps) {
  const client = useQueryClient();
  const [provider, setProvider] = useState<Provider>(hook?.provider ?? free[0]!);
  const [lines, setLines] = useState(hook?.repositories.join('\n') ?? '');
  const [rotateSecret, setRotate] = useState(false);
  const repositories = lines.split(/\s+/).filter((line) => line !== '');
  const save = useMutation({
    mutationFn: () =>
      bodyOf(
        api.PUT('/api/projects/{projectId}/code-hooks', {
          params: { path: { projectId } },
          body: { provider, repositories, rotateSecret },
        }),
      ),
    onSuccess: async ({ secret }) => {
      await client.invalidateQueries({ queryKey: keys.codeHooks });
      if (secret !== null) return;
      announce(`${names[provider]} is changed`);
      onClose();
    },
  });
  if (save.data?.secret) return <NewSecret hook={save.data} onClose={onClose} />;
  const wrong = save.isError
    ? asProblem(save.error).errors.find(({ path }) => path.startsWith('repositories'))
    : null;
  return (
    <FormDialog
      onClose={onClose}
      title={hook ? `Edit ${names[provider]}` : 'Connect a code host'}
      onSubmit={() => save.mutate()}
      verb={hook ? 'Save' : 'Connect'}
      busy={save.isPending}
      refused="The code host was not saved"
      refusal={save.isError && !wrong && save.error}
    >
      {hook === null && (
        <SelectField
          label="Code host"
          value={provider}
          onChange={({ target }) => setProvider(target.value as Provider)}
        >
          {free.map((one) => (
            <option key={one} value={one}>
              {names[one]}
            </option>
          ))}
        </SelectField>
      )}
      <TextArea
        label="Repositories"
        hint="The address of one per line, such as https://github.com/acme/web."
        rows={4}
        autoFocus
        value={lines}
        error={wrong ? `${repositoryOf(wrong.path, repositories)} ${wrong.message}` : undefined}
        onChange={({ target }) => setLines(target.value)}
      />
      {hook && (
        <label className="row">
          <input
            type="checkbox"
            checked={rotateSecret}
            onChange={({ target }) => setRotate(target.checked)}
          />
          Make a new secret; the present one is refused at once
        </label>
      )}
    </FormDialog>
  );
}

/** The repository that a path such as `repositories[1]` names. */
function repositoryOf(path: string, repositories: readonly string[]): string {
  return repositories[Number(/\d+/.exec(path)?.[0])] ?? 'One of them';
}

function NewSecret({ hook, onClose }: { hook: NewCodeHook; onClose: () => void }) {
  const { where, events } = places[hook.provider];
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Set up the webhook at ${names[hook.provider]}`}
      footer={<Button onClick={onClose}>Done</Button>}
    >
      <p>{where}</p>
      <Snippet title="Address" text={`${window.location.origin}${hook.path}`} />
      <ShownOnce what="secret" secret={hook.secret ?? ''}>
        It is not shown again. A lost secret is replaced by a new one.
      </ShownOnce>
      <p>Choose the events {events}</p>
    </Dialog>
  );
}

function DeleteHook({ hook: { id, provider }, onClose }: { hook: CodeHook; onClose: () => void }) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api.DELETE('/api/projects/code-hooks/{hookId}', { params: { path: { hookId: id } } }),
    onSuccess: async () => {
      onClose();
      announce(`${names[provider]} is disconnected`);
      await client.invalidateQueries({ queryKey: keys.codeHooks });
    },
  });
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Disconnect ${names[provider]}?`}
      verb="Disconnect"
      onConfirm={() => remove.mutate()}
      busy={remove.isPending}
      error={remove.error}
    >
      <p>Its deliveries are refused from now on. What it has reported stays, and does not change any more.</p>
    </Confirm>
  );
}
