import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/client';
import { issueKey } from '../../../api/keys';
import type { Issue } from '../../../api/types';
import { Button } from '../../../parts/button';
import { TextArea } from '../../../parts/field';
import { Key } from '../../../parts/keys';
import { ProblemNotice } from '../../../parts/notice';
import { useDraft } from '../../../session/draft';

/** Writes a comment. The text stays in the field until the service has it, whatever happens to the screen or the session. */
export function CommentForm({ issue }: { issue: Issue }) {
  const client = useQueryClient();
  const { value: content, set: setContent, discard } = useDraft(`comment ${issue.id}`, '');
  const send = useMutation({
    mutationFn: () =>
      api.POST('/api/projects/issues/{issueId}/comments', {
        params: { path: { issueId: issue.id } },
        body: { content },
      }),
    onSuccess: async () => {
      discard();
      await client.invalidateQueries({ queryKey: issueKey(issue.id) });
    },
  });
  const submit = () => content.trim() !== '' && send.mutate();
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextArea
        label="Comment"
        placeholder="A running agent reads it at its next turn."
        value={content}
        onChange={(event) => setContent(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
        }}
      />
      {send.isError && <ProblemNotice title="The comment was not saved" error={send.error} />}
      <div className="row">
        <Button look="primary" type="submit" busy={send.isPending} disabled={content.trim() === ''}>
          Comment
        </Button>
        <Key>Ctrl</Key>
        <Key>Enter</Key>
      </div>
    </form>
  );
}
