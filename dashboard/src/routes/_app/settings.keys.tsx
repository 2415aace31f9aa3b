import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { api, bodyOf, pageOf } from '../../api/client';
import { keys } from '../../api/keys';
import { ApiKeys } from '../../parts/api-keys';
import { rolesUpTo, useMe } from '../../session/me';

export const Route = createFileRoute('/_app/settings/keys')({ component: OwnKeys });

const ownKeysQuery = queryOptions({
  queryKey: [...keys.apiKeys, 'own'],
  queryFn: async () => (await pageOf(api.GET('/api/auth/keys'))).rows,
});

/** The person's own keys, by which their scripts call the API as them. */
function OwnKeys() {
  const me = useMe();
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: keys.apiKeys });
  return (
    <ApiKeys
      title="Your API keys"
      keys={useQuery(ownKeysQuery)}
      empty="A key lets a script call the API as you. This dashboard does not need one."
      consequence="Your session in this browser stays."
      roles={rolesUpTo(me)}
      create={async (body) => {
        const key = await bodyOf(api.POST('/api/auth/keys', { body }));
        await refresh();
        return key;
      }}
      revoke={async ({ id: keyId }) => {
        await api.DELETE('/api/auth/keys/{keyId}', { params: { path: { keyId } } });
        await refresh();
      }}
    />
  );
}
