import type { AuditEntry } from '../../api/types';
import type { Names } from './names';
import { say, type Sentence } from './say';
import { sentencesOfGates } from './sentences-of-gates';
import { sentencesOfPeople } from './sentences-of-people';
import { sentencesOfServers } from './sentences-of-servers';
import { sentencesOfWork } from './sentences-of-work';

const sentences = {
  ...sentencesOfWork,
  ...sentencesOfGates,
  ...sentencesOfPeople,
  ...sentencesOfServers,
};

/** What an entry says, as one sentence after the name of who did it. A type that is newer than this page names itself. */
export function sentenceOf(entry: AuditEntry, names: Names): Sentence {
  return sentences[entry.type]?.({ entry, names }) ?? say`Did ${entry.type}`;
}

/** Whether an entry says that something was not allowed or did not work. */
export function isRefusal({ type }: Pick<AuditEntry, 'type'>): boolean {
  return type === 'access.refused' || type === 'login.failed' || type === 'mcp.server.failed';
}
