import { Link } from '@tanstack/react-router';
import type { AuditEntry } from '../../api/types';
import { Fact, Facts } from '../../parts/card';
import { CopyButton } from '../../parts/copy-button';
import { MarkedText } from '../../parts/marked-text';
import { fullTime } from '../../parts/time';
import styles from './entry-details.module.css';

/** Everything that the log holds of an entry. */
export function EntryDetails({ entry }: { entry: AuditEntry }) {
  const { at, subject, issueId, data, requestId, origin } = entry;
  return (
    <div className={styles.details}>
      <Facts>
        <Fact name="When">
          <time dateTime={at}>{fullTime(at)}</time>
        </Fact>
        <Fact name="About">
          {subject.type} {subject.id !== null && <code>{subject.id}</code>}
        </Fact>
        {issueId !== null && (
          <Fact name="Issue">
            <Link to="/i/$key" params={{ key: issueId }} className="link">
              Open the issue
            </Link>
          </Fact>
        )}
        <Fact name="Request">
          {requestId === null ? (
            'None; the service did it by itself'
          ) : (
            <span className="row">
              <code>{requestId}</code>
              <CopyButton text={requestId} label="Copy the request id" />
            </span>
          )}
        </Fact>
        {origin !== null && <Fact name="From">{origin}</Fact>}
      </Facts>
      {Object.keys(data).length > 0 && (
        <pre className={styles.data} tabIndex={0} role="region" aria-label="Data">
          <MarkedText text={JSON.stringify(data, null, 2)} />
        </pre>
      )}
    </div>
  );
}
