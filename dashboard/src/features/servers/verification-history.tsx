import { useQuery } from '@tanstack/react-query';
import type { Server, VerificationRecord } from '../../api/types';
import { Card } from '../../parts/card';
import { Loaded } from '../../parts/skeleton';
import { LogTable } from '../../parts/log-table';
import { MarkedText } from '../../parts/marked-text';
import { Pill } from '../../parts/status';
import { verificationsQuery } from '../../shared/mcp/queries';
import { VerificationView } from '../../shared/mcp/verification-view';
import styles from './verify-tab.module.css';

/** The verifications before the last one; each opens to its steps. */
export function VerificationHistory({ server }: { server: Server }) {
  const history = useQuery(verificationsQuery(server.id));
  return (
    <Loaded query={history} what="Earlier verifications">
      {(all) => {
        const earlier = all.slice(1);
        if (earlier.length === 0) return null;
        return (
          <Card title="Earlier verifications" count={earlier.length} flush>
            <LogTable
              label="Earlier verifications"
              columns={['Result', 'By', 'Took', 'Details']}
              rows={earlier}
              keyOf={({ at }) => at}
              timeOf={({ at }) => at}
              nameOf={() => 'the verification'}
              cells={(one) => <Cells one={one} />}
              details={(one) => <VerificationView verification={one} remote={server.transport !== 'stdio'} />}
            />
          </Card>
        );
      }}
    </Loaded>
  );
}

function Cells({ one: { status, by, latencyMs, details } }: { one: VerificationRecord }) {
  return (
    <>
      <td data-label="Result">
        <Pill tone={status === 'ok' ? 'resolved' : 'danger'} icon={status === 'ok' ? 'resolved' : 'error'}>
          {status === 'ok' ? 'Passed' : 'Failed'}
        </Pill>
      </td>
      <td data-label="By">{by?.name ?? <span className="soft">Not recorded</span>}</td>
      <td data-label="Took" className={styles.took}>
        {latencyMs} ms
      </td>
      <td data-label="Details" className={styles.details}>
        <MarkedText text={details} />
      </td>
    </>
  );
}
