import type { ToolCall } from '../../api/types';
import { Fact, Facts } from '../../parts/card';
import { MarkedText } from '../../parts/marked-text';
import { fullTime } from '../../parts/time';
import styles from './calls.module.css';
import { reasonOfCall } from './outcomes';

/** Everything that the record of a call holds. Values of arguments and results are not recorded. */
export function CallDetails({ call }: { call: ToolCall }) {
  const { at, argumentShape, argumentsHash, resultBytes, leaseToken, server } = call;
  const names = Object.entries(argumentShape);
  return (
    <div className={styles.details}>
      <Facts>
        <Fact name="When">
          <time dateTime={at}>{fullTime(at)}</time>
        </Fact>
        <Fact name="Ended">{reasonOfCall(call)}</Fact>
        <Fact name="Server">
          <MarkedText text={server.name} />
        </Fact>
        <Fact name="Arguments">
          {names.length === 0 ? (
            <span className="soft">None</span>
          ) : (
            <MarkedText text={names.map(([name, type]) => `${name}: ${type}`).join(', ')} />
          )}
        </Fact>
        {argumentsHash !== null && (
          <Fact name="Their hash">
            <code>{argumentsHash}</code>
          </Fact>
        )}
        <Fact name="Result">
          {resultBytes === null ? <span className="soft">None</span> : `${resultBytes} bytes`}
        </Fact>
        <Fact name="Lease">
          {leaseToken === null ? <span className="soft">Without a lease</span> : `Number ${leaseToken}`}
        </Fact>
      </Facts>
    </div>
  );
}
