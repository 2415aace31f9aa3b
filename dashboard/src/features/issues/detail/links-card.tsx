import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link as RouterLink } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../api/client';
import { keys } from '../../../api/keys';
import type { FoundIssue } from '../../../api/lists';
import type { Issue, Link } from '../../../api/types';
import { Button, IconButton } from '../../../parts/button';
import { Card, Rows } from '../../../parts/card';
import { FormDialog } from '../../../parts/dialog';
import { SelectField } from '../../../parts/field';
import { StatusIcon } from '../../../parts/status';
import { announceRefusal } from '../../../parts/toasts';
import { IssuesField } from '../commands/blocker-chooser';
import styles from './links-card.module.css';

const words = {
  Blocks: 'Blocks',
  BlockedBy: 'Blocked by',
  RelatedTo: 'Related to',
  DuplicateOf: 'Duplicate of',
} as const;

/** The links of an issue, in both directions; people who may edit add and remove them here. */
export function LinksCard({ issue, editable }: { issue: Issue; editable: boolean }) {
  const [adding, setAdding] = useState(false);
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: ({ id }: Link) =>
      api.DELETE('/api/projects/links/{linkId}', { params: { path: { linkId: id } } }),
    onError: (error) => announceRefusal('The link was not removed', error),
    onSettled: () => client.invalidateQueries({ queryKey: keys.issues }),
  });
  const add = editable && (
    <Button look="quiet" small icon="plus" onClick={() => setAdding(true)}>
      Add
    </Button>
  );
  return (
    <Card title="Links" count={issue.links.length} actions={add} flush>
      {issue.links.length === 0 && (
        <p className={styles.none}>This issue blocks nothing and waits for nothing.</p>
      )}
      <Rows>
        {issue.links.map((link) => (
          <li key={link.id}>
            <StatusIcon status={link.target.status} />
            <span className={styles.word}>{words[link.linkType]}</span>
            <span className={styles.key}>{link.target.key}</span>
            <RouterLink to="/i/$key" params={{ key: link.target.key }} className={styles.title}>
              {link.target.title}
            </RouterLink>
            {editable && (
              <span className={styles.end}>
                <IconButton
                  icon="close"
                  label={`Remove the link to ${link.target.key}`}
                  small
                  onClick={() => remove.mutate(link)}
                />
              </span>
            )}
          </li>
        ))}
      </Rows>
      {adding && <AddLink issue={issue} onClose={() => setAdding(false)} />}
    </Card>
  );
}

function AddLink({ issue, onClose }: { issue: Issue; onClose: () => void }) {
  const client = useQueryClient();
  const [linkType, setLinkType] = useState<keyof typeof words>('BlockedBy');
  const [targets, setTargets] = useState<readonly FoundIssue[]>([]);
  const [target] = targets;
  const add = useMutation({
    mutationFn: ({ id }: FoundIssue) =>
      api.POST('/api/projects/issues/{issueId}/links', {
        params: { path: { issueId: issue.id } },
        body: { targetIssueId: id, linkType },
      }),
    onSuccess: async () => {
      onClose();
      await client.invalidateQueries({ queryKey: keys.issues });
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title={`Link ${issue.key}`}
      onSubmit={() => target && add.mutate(target)}
      verb="Add link"
      busy={add.isPending}
      disabled={target === undefined}
      refusal={add.error}
      refused="The link was not added"
    >
      <SelectField
        label="This issue is"
        value={linkType}
        onChange={(event) => setLinkType(event.target.value as keyof typeof words)}
      >
        <option value="BlockedBy">blocked by</option>
        <option value="Blocks">blocking</option>
        <option value="RelatedTo">related to</option>
        <option value="DuplicateOf">a duplicate of</option>
      </SelectField>
      <IssuesField
        label="Issue"
        projectId={issue.projectId}
        except={[issue.id]}
        finished
        most={1}
        issues={targets}
        onChange={setTargets}
      />
    </FormDialog>
  );
}
