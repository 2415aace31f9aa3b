import { useQuery } from '@tanstack/react-query';
import { attentionQuery } from '../../../api/lists';
import type { Issue } from '../../../api/types';
import { Card } from '../../../parts/card';
import { MarkedText } from '../../../parts/marked-text';
import { GateForm } from '../../../shared/gates/gate-form';

/** The questions, approvals and budgets of an issue that wait for a person, each with its answer. */
export function Decisions({ issue }: { issue: Issue }) {
  const items = useQuery(attentionQuery).data?.items ?? [];
  return items
    .filter((item) => item.issue?.id === issue.id)
    .map(
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
    );
}
