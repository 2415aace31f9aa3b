import { useQuery } from '@tanstack/react-query';
import { agentsQuery, projectsQuery, usersQuery } from '../../api/lists';

/** Names of what entries refer to by id; null for what is gone or has no list. */
export interface Names {
  agent: (id: unknown) => string | null;
  user: (id: unknown) => string | null;
  project: (id: unknown) => string | null;
}

/** Names out of three lists that are read once, so that no row needs a request. */
export function useNames(): Names {
  const agents = useQuery(agentsQuery).data ?? [];
  const users = useQuery(usersQuery).data ?? [];
  const projects = useQuery(projectsQuery).data ?? [];
  const nameIn = (rows: readonly { id: string; name: string }[]) => (id: unknown) =>
    rows.find((row) => row.id === id)?.name ?? null;
  return { agent: nameIn(agents), user: nameIn(users), project: nameIn(projects) };
}
