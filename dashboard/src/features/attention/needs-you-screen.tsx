import { useQuery } from '@tanstack/react-query';
import { attentionQuery } from '../../api/lists';
import { Card } from '../../parts/card';
import { Empty } from '../../parts/empty';
import { ProblemNotice } from '../../parts/notice';
import { Skeleton } from '../../parts/skeleton';
import { Cause } from './cause';

/** What only a person can do: one row per cause, what holds up most first. */
export function NeedsYouScreen() {
  const attention = useQuery(attentionQuery);
  if (attention.isLoadingError)
    return (
      <ProblemNotice
        title="What needs you cannot be shown"
        error={attention.error}
        onRetry={() => void attention.refetch()}
      />
    );
  if (!attention.data) return <Skeleton rows={4} label="Loading what needs you" />;
  const { items, counts } = attention.data;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (items.length === 0)
    return (
      <Card title="Decisions" flush>
        <Empty icon="resolved" title="Nothing needs you">
          Work that waits for a person’s decision appears here as soon as an agent asks for it.
        </Empty>
      </Card>
    );
  return (
    <Card title="Decisions" count={total} flush>
      <ul>
        {items.map((item) => (
          <Cause key={item.id} item={item} />
        ))}
      </ul>
    </Card>
  );
}
