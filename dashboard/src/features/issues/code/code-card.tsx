import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../../api/client';
import { issueKey, keys } from '../../../api/keys';
import { fieldErrors } from '../../../api/problem';
import type { Code, Issue } from '../../../api/types';
import { Button, IconButton } from '../../../parts/button';
import { Card, Rows } from '../../../parts/card';
import { FormDialog } from '../../../parts/dialog';
import { TextField } from '../../../parts/field';
import type { IconName } from '../../../parts/icon';
import { ProblemNotice } from '../../../parts/notice';
import { Ink, Pill, Tag, type Tone } from '../../../parts/status';
import { announceRefusal } from '../../../parts/toasts';
import styles from '../detail/links-card.module.css';

const codeQuery = (issue: Issue) => ({
  queryKey: [...issueKey(issue.id), 'code'],
  queryFn: () =>
    bodyOf(api.GET('/api/projects/issues/{issueId}/code', { params: { path: { issueId: issue.id } } })),
});

interface Sign {
  word: string;
  tone: Tone;
  icon: IconName;
}

const states: Record<Code['state'], Sign> = {
  open: { word: 'Open', tone: 'open', icon: 'open' },
  draft: { word: 'Draft', tone: 'plain', icon: 'open' },
  merged: { word: 'Merged', tone: 'resolved', icon: 'resolved' },
  closed: { word: 'Closed', tone: 'closed', icon: 'closed' },
};

const checks: Record<Code['checks'], Sign | null> = {
  passing: { word: 'Checks pass', tone: 'resolved', icon: 'check' },
  failing: { word: 'Checks fail', tone: 'danger', icon: 'error' },
  pending: { word: 'Checks run', tone: 'progress', icon: 'progress' },
  none: null,
};

const kinds: Record<Code['kind'], string> = {
  pull_request: 'Pull request',
  branch: 'Branch',
  commit: 'Commit',
};

/** The branches, commits and pull requests of an issue with their checks; people who may edit add and remove them here. */
export function CodeCard({ issue, editable }: { issue: Issue; editable: boolean }) {
  const code = useQuery(codeQuery(issue));
  const [adding, setAdding] = useState(false);
  const add = editable && (
    <Button look="quiet" small icon="plus" aria-label="Add code" onClick={() => setAdding(true)}>
      Add
    </Button>
  );
  return (
    <Card title="Code" count={code.data?.length ?? 0} actions={add} flush>
      {code.isLoadingError && (
        <ProblemNotice
          title="The code cannot be shown"
          error={code.error}
          onRetry={() => void code.refetch()}
        />
      )}
      {code.data?.length === 0 && (
        <p className={styles.none}>
          No branch or pull request. One that names {issue.key} appears here once its code host is connected.
        </p>
      )}
      {issue.status === 'WaitingOnDependency' && <Awaited issue={issue} editable={editable} />}
      <Rows>
        {code.data?.map((one) => (
          <CodeRow key={one.id} code={one} editable={editable} />
        ))}
      </Rows>
      {adding && <AddCode issue={issue} onClose={() => setAdding(false)} />}
    </Card>
  );
}

/** The checks that the issue waits for; a person may let it go on without them. */
function Awaited({ issue, editable }: { issue: Issue; editable: boolean }) {
  const client = useQueryClient();
  const query = { issueId: issue.id, state: 'open', kind: 'checks' } as const;
  const gates = useQuery({
    queryKey: [...keys.openIssues, 'checks', issue.id],
    queryFn: () => bodyOf(api.GET('/api/projects/gates', { params: { query } })),
  });
  const withdraw = useMutation({
    mutationFn: (gateId: string) =>
      api.POST('/api/projects/gates/{gateId}/withdraw', { params: { path: { gateId } } }),
    onError: (error) => announceRefusal('The issue still waits', error),
    onSettled: () => client.invalidateQueries({ queryKey: keys.issues }),
  });
  return gates.data?.map(({ id, request }) => (
    <p key={id} className={styles.none}>
      The issue waits until {request['until'] === 'merged' ? 'they are merged' : 'their checks pass'}.{' '}
      {editable && (
        <Button small busy={withdraw.isPending} onClick={() => withdraw.mutate(id)}>
          Stop waiting
        </Button>
      )}
    </p>
  ));
}

function CodeRow({ code, editable }: { code: Code; editable: boolean }) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api.DELETE('/api/projects/code/{codeId}', { params: { path: { codeId: code.id } } }),
    onError: (error) => announceRefusal('The code was not removed', error),
    onSettled: () => client.invalidateQueries({ queryKey: keys.issues }),
  });
  const { kind, url, title, counts } = code;
  const state = states[code.state];
  const result = checks[code.checks];
  return (
    <li>
      <Ink tone={state.tone} icon={state.icon} />
      <span className={styles.word}>
        {kinds[kind]}
        {kind !== 'commit' && (
          <span className={code.state === 'open' ? 'sr-only' : undefined}>, {state.word.toLowerCase()}</span>
        )}
      </span>
      <a href={url} target="_blank" rel="noreferrer noopener" className={styles.title}>
        {title}
        <span className="sr-only"> (opens another page)</span>
      </a>
      <span className={styles.end}>
        {result && (
          <Pill tone={result.tone} icon={result.icon}>
            {result.word}
          </Pill>
        )}
        {!counts && <Tag>By an outsider</Tag>}
        {editable && (
          <IconButton icon="close" label={`Remove ${title}`} small onClick={() => remove.mutate()} />
        )}
      </span>
    </li>
  );
}

function AddCode({ issue, onClose }: { issue: Issue; onClose: () => void }) {
  const client = useQueryClient();
  const [url, setUrl] = useState('');
  const add = useMutation({
    mutationFn: () =>
      api.POST('/api/projects/issues/{issueId}/code', {
        params: { path: { issueId: issue.id } },
        body: { url: url.trim() },
      }),
    onSuccess: async () => {
      onClose();
      await client.invalidateQueries({ queryKey: keys.issues });
    },
  });
  const { at, elsewhere } = fieldErrors(add.error, ['url']);
  return (
    <FormDialog
      onClose={onClose}
      title={`Add code to ${issue.key}`}
      onSubmit={() => add.mutate()}
      verb="Add code"
      busy={add.isPending}
      disabled={url.trim() === ''}
      refused="The code was not added"
      refusal={elsewhere && add.error}
    >
      <TextField
        label="Address"
        hint="Of a pull request, branch or commit at GitHub, GitLab or Gitea."
        type="url"
        required
        autoFocus
        value={url}
        error={at('url')}
        onChange={({ target }) => setUrl(target.value)}
      />
    </FormDialog>
  );
}
