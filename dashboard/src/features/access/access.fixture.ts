import type { AccessMatrix, Profile } from '../../api/types';
import { indexOf } from '../../shared/mcp/effective-access';
import { edited, type Edits, type Extent, type Grant, noEdits, type Place } from './grants';

const byGrant = {
  granted: true,
  ask: null,
  approverRole: 'Editor',
  credentialSet: 'default',
  source: 'grant',
} as const;
export const writers: Profile = {
  id: 'w',
  name: 'Writers',
  version: 1,
  agentIds: ['b', 'c'],
  entries: [
    { serverId: 't', tools: ['post'], ask: 'writes', credentialSet: 'team' },
    { serverId: 's', tools: ['read'], ask: null, credentialSet: 'default' },
  ],
  createdAt: '2026-11-01T00:00:00Z',
  updatedAt: '2026-11-01T00:00:00Z',
};
export const matrix: AccessMatrix = {
  agents: [
    { id: 'a', name: 'Backend coder', disabled: false },
    { id: 'b', name: 'Triage', disabled: false },
    { id: 'c', name: 'Docs editor', disabled: true },
  ],
  servers: [
    { id: 's', name: 'GitHub', status: 'enabled', tools: 22 },
    { id: 't', name: 'Slack', status: 'error', tools: null },
  ],
  profiles: [],
  cells: [
    { agentId: 'a', serverId: 's', tools: ['read', 'search'], ...byGrant },
    { agentId: 'b', serverId: 's', tools: null, ...byGrant },
    { agentId: 'c', serverId: 's', tools: null, ...byGrant, granted: false },
  ],
};
export const index = indexOf(matrix, [writers]);
export const grant = (
  has: Extent,
  ask: Grant['ask'] = null,
  approver: Grant['approver'] = 'Editor',
  set = 'default',
): Grant => ({ has, ask, approver, set });
export const at = (id: string, serverId: string): Place => ({
  of: id === 'w' ? 'profile' : 'agent',
  id,
  serverId,
});
export type Change = [string, string, Extent, Grant['ask']?, Grant['approver']?, string?];
export const edit = (...all: Change[]): Edits =>
  all.reduce(
    (edits, [id, serverId, ...rest]) => edited(index, edits, at(id, serverId), grant(...rest)),
    noEdits,
  );
