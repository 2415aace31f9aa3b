import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey } from '../../api/types';
import { Button } from '../button';
import { Card } from '../card';
import { Empty } from '../empty';
import { ProblemNotice } from '../notice';
import { Skeleton } from '../skeleton';
import type { KeyChanges } from './key-changes';
import { KeyTable } from './key-table';
import { NewKey } from './new-key';
import { RevokeKey } from './revoke-key';

interface ApiKeysProps extends KeyChanges {
  title: string;
  keys: UseQueryResult<ApiKey[]>;
  /** What an empty list means. */
  empty: string;
}

/** Keys without their secrets: list, create with the secret shown once, revoke. */
export function ApiKeys({ title, keys, empty, create, revoke, consequence, roles }: ApiKeysProps) {
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const newKey = (
    <Button small icon="plus" onClick={() => setCreating(true)}>
      New key
    </Button>
  );
  if (keys.isPending) return <Skeleton rows={2} label="Loading keys" />;
  if (keys.isLoadingError)
    return (
      <ProblemNotice
        title="The keys cannot be shown"
        error={keys.error}
        onRetry={() => void keys.refetch()}
      />
    );
  return (
    <>
      <Card title={title} count={keys.data.length} actions={newKey} flush>
        {keys.data.length === 0 ? (
          <Empty icon="access" title="No keys">
            {empty}
          </Empty>
        ) : (
          <KeyTable keys={keys.data} onRevoke={setRevoking} roles={roles !== undefined} />
        )}
      </Card>
      {creating && <NewKey create={create} roles={roles} onClose={() => setCreating(false)} />}
      {revoking && (
        <RevokeKey
          apiKey={revoking}
          revoke={revoke}
          consequence={consequence}
          onClose={() => setRevoking(null)}
        />
      )}
    </>
  );
}
