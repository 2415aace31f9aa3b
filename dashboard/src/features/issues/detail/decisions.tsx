import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, bodyOf } from '../../../api/client';
import { keys } from '../../../api/keys';
import { attentionQuery, causesIn } from '../../../api/lists';
import type { AttentionItem, Issue } from '../../../api/types';
import { Card } from '../../../parts/card';
import { MarkedText } from '../../../parts/marked-text';
import { AnsweredMeanwhile } from '../../../shared/gates/answered-meanwhile';
import { GateForm } from '../../../shared/gates/gate-form';

/** The questions, approvals and budgets of an issue that wait for a person, each with its answer. */
export function Decisions({ issue }: { issue: Issue }) {
  const decisions = useDecisionsOf(issue);
  return (
    <>
      <AnsweredMeanwhile
        present={new Set(decisions.flatMap(({ gate }) => (gate ? [gate.id] : [])))}
        issueId={issue.id}
      />
      {decisions.map(
        (item) =>
          item.gate && (
            <Card key={item.id} title="Needs a decision">
              <div className="stack">
                <h3>
                  <MarkedText text={item.title} />
                </h3>
                <GateForm item={item} gateId={item.gate.id} />
              </div>
            </Card>
          ),
      )}
    </>
  );
}

/** Causes of the project are read page by page until those of all open gates of the issue are there. */
function useDecisionsOf(issue: Issue): AttentionItem[] {
  const query = { issueId: issue.id, state: 'open' } as const;
  const gates = useQuery({
    queryKey: [...keys.attention, 'gates', issue.id],
    queryFn: () => bodyOf(api.GET('/api/projects/gates', { params: { query } })),
  }).data;
  const open = gates?.length ?? 0;
  const causes = useInfiniteQuery({ ...attentionQuery(issue.projectId), enabled: open > 0 });
  const decisions = causesIn(causes.data).filter((item) => item.gate !== null && item.issue?.id === issue.id);
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = causes;
  const isMissing = decisions.length < open && hasNextPage && !isFetchingNextPage && !isError;
  useEffect(() => {
    if (isMissing) void fetchNextPage();
  }, [isMissing, fetchNextPage]);
  return open === 0 ? [] : decisions;
}
