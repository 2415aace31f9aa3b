import { useInfiniteQuery } from '@tanstack/react-query';
import type { Delivery } from '../../../api/types';
import { Button } from '../../../parts/button';
import { Card } from '../../../parts/card';
import { Empty } from '../../../parts/empty';
import { ProblemNotice } from '../../../parts/notice';
import { Skeleton } from '../../../parts/skeleton';
import { Pill } from '../../../parts/status';
import { Table } from '../../../parts/table';
import { Ago } from '../../../parts/time';
import { useRedeliver } from './changes';
import { deliveryWords } from './delivery-words';
import { deliveriesQuery } from './queries';

/** The delivery log, newest first as far as it is loaded: the service pages it from the oldest. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const log = useInfiniteQuery(deliveriesQuery(webhookId));
  if (log.isPending) return <Skeleton rows={3} label="Loading deliveries" />;
  if (log.isLoadingError)
    return (
      <ProblemNotice
        title="The deliveries cannot be shown"
        error={log.error}
        onRetry={() => void log.refetch()}
      />
    );
  const deliveries = log.data.pages.flatMap(({ rows }) => rows).toReversed();
  return (
    <Card
      title="Deliveries"
      actions={
        <>
          {log.hasNextPage && (
            <Button small busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
              Load newer
            </Button>
          )}
          <Button small icon="refresh" busy={log.isRefetching} onClick={() => void log.refetch()}>
            Refresh
          </Button>
        </>
      }
      flush
    >
      {deliveries.length === 0 ? (
        <Empty icon="clock" title="Nothing was sent yet">
          Deliveries appear here when an event of the chosen types happens.
        </Empty>
      ) : (
        <Table label="Deliveries" columns={['Event', 'Result', 'Last try', 'Happened', '']}>
          {deliveries.map((delivery) => (
            <Row key={delivery.id} delivery={delivery} />
          ))}
        </Table>
      )}
    </Card>
  );
}

function Row({ delivery }: { delivery: Delivery }) {
  const { word, tone, icon, reason } = deliveryWords(delivery);
  const redeliver = useRedeliver(delivery);
  return (
    <tr>
      <td>
        <code>{delivery.type}</code>
      </td>
      <td data-label="Result">
        <Pill tone={tone} icon={icon}>
          {word}
        </Pill>
      </td>
      <td data-label="Last try" className="soft">
        {reason}
      </td>
      <td data-label="Happened" className="soft">
        <Ago iso={delivery.createdAt} />
      </td>
      <td>
        <Button
          small
          busy={redeliver.isPending}
          aria-label={`Send ${delivery.type} again`}
          onClick={() => redeliver.mutate()}
        >
          Send again
        </Button>
      </td>
    </tr>
  );
}
