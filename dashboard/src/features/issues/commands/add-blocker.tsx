import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/client';
import { keys } from '../../../api/keys';
import { Chooser } from '../../../parts/chooser';
import type { Option } from '../../../parts/chooser-option';
import { issueStatuses } from '../../../parts/status';
import { announce, announceRefusal } from '../../../parts/toasts';
import type { Known } from '../changes';
import { blockersQuery, type Blocker } from './queries';

interface AddBlockerProps {
  issue: Known;
  open: boolean;
  onClose: () => void;
}

/** Makes an issue wait for another: found by words of its title, or by its whole key. */
export function AddBlocker({ issue, open, onClose }: AddBlockerProps) {
  const client = useQueryClient();
  const [query, setQuery] = useState('');
  const found = useQuery({
    ...blockersQuery(issue.projectId, query),
    enabled: open,
    placeholderData: keepPreviousData,
  });
  const add = useMutation({
    mutationFn: (targetIssueId: string) =>
      api.POST('/api/projects/issues/{issueId}/links', {
        params: { path: { issueId: issue.id } },
        body: { targetIssueId, linkType: 'BlockedBy' },
      }),
    onSuccess: (_, target) => announce(`${issue.key} waits for ${target}`),
    onError: (error) => announceRefusal('The blocker was not added', error),
    onSettled: () => client.invalidateQueries({ queryKey: keys.issues }),
  });
  const options = (found.data ?? []).filter(({ id }) => id !== issue.id).map(optionOf);
  return (
    <Chooser
      open={open}
      onClose={onClose}
      label={`Add a blocker to ${issue.key}`}
      placeholder="Words of the title, or a key like PAY-12"
      none={found.isFetching ? 'Searching …' : 'No unfinished issue has these words.'}
      optionsFor={() => options}
      onQuery={setQuery}
      onChoose={({ id }) => add.mutate(id)}
    />
  );
}

const optionOf = ({ key, title, status }: Blocker): Option => ({
  id: key,
  label: `${key} ${title}`,
  icon: issueStatuses[status].icon,
});
