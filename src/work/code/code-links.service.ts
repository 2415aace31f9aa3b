import { Injectable } from '@nestjs/common';
import { Forbidden } from '../../platform/authentication/authentication.errors.js';
import { actorOf, type Principal } from '../../platform/authentication/principals-and-roles.js';
import { NotFound, Problem, ValidationFailed } from '../../platform/http/problem.js';
import { JournalService, type NewJournalEntry } from '../../platform/journal/journal.service.js';
import { requireAssigned } from '../issue-status/issue-access.service.js';
import type { SeenIssue } from '../issue-status/issue.repository.js';
import { StatusChangesService } from '../issue-status/status-changes.service.js';
import { requireRole } from '../projects/visibility.js';
import { codeAddressOf } from './code-addresses-and-keys.js';
import { CODE_PER_ISSUE, type CodeRow, CodeRepository, type PlacedCode } from './code.repository.js';

/** What has happened to the code of an issue whose row the running transaction holds. */
export interface CodeChange {
  issueId: string;
  /** The links whose pull request has just been merged or closed. */
  ended: string[];
  /** The link that was removed. */
  removed: string | null;
}

type ChangeHandler = (change: CodeChange) => Promise<void>;

/**
 * Says to a module above, which registers itself at start, that the code of an issue has changed. It is called in the
 * transaction of the change, under the lock of the issue.
 */
@Injectable()
export class CodeChangesService {
  private handler: ChangeHandler = () => Promise.resolve();

  whenChanged(handler: ChangeHandler): void {
    this.handler = handler;
  }

  changed(change: CodeChange): Promise<void> {
    return this.handler(change);
  }
}

/** 409: the issue has as many branches, commits and pull requests as it may have. */
class CodeLimit extends Problem {
  constructor() {
    super(
      'link_limit',
      `An issue has at most ${CODE_PER_ISSUE} branches, commits and pull requests; remove some first.`,
    );
  }
}

/** Links branches, commits and pull requests to issues for people and agents (contract §5.13). */
@Injectable()
export class CodeLinksService {
  constructor(
    private readonly code: CodeRepository,
    private readonly changes: CodeChangesService,
    private readonly statusChanges: StatusChangesService,
    private readonly journal: JournalService,
  ) {}

  /** @param issue that the caller sees */
  list(issue: { id: string }): Promise<CodeRow[]> {
    return this.code.ofIssue(issue.id);
  }

  /**
   * Links what an address names. A link that is there already is returned, and counts from then on where only a text of a
   * delivery made it.
   * @param issue that the caller sees and may write in
   * @throws {NotYours} for an agent on an issue of others
   */
  add(caller: Principal, issue: SeenIssue, given: string): Promise<CodeRow> {
    const address = codeAddressOf(given);
    if (!address)
      throw new ValidationFailed([
        {
          path: 'url',
          message: 'must be the address of a branch, commit or pull request of GitHub, GitLab or Gitea',
        },
      ]);
    const { kind, url, repository, title } = address;
    return this.statusChanges.withIssueLock(
      issue.id,
      { movesOthers: false },
      async ({ projectId, ...locked }) => {
        if (caller.type === 'agent') requireAssigned(caller.id, locked);
        await this.code.addItem({ projectId, kind, url, repository, title });
        await this.code.lockItem(projectId, url);
        const isChanged = await this.code.link(issue.id, projectId, url, true, actorOf(caller));
        if (isChanged === null) throw new CodeLimit();
        const link = (await this.code.linksOf(projectId, repository, [url], [])).find(
          ({ issueId }) => issueId === issue.id,
        )!;
        if (isChanged) {
          await this.journal.record(entryOf('code.linked', link));
          await this.changes.changed({ issueId: issue.id, ended: [], removed: null });
        }
        return link;
      },
    );
  }

  /** An agent removes what it linked itself. @throws {NotFound} for a link that the caller does not see */
  async remove(caller: Principal, id: string): Promise<void> {
    const seen = requireRole(caller, await this.code.findSeen(caller, id), 'Editor');
    if (caller.type === 'agent' && seen.createdById !== caller.id)
      throw new Forbidden('An agent removes only the links that it made.');
    await this.statusChanges.withIssueLock(seen.issueId, { movesOthers: false }, async () => {
      if (!(await this.code.unlink(id))) throw new NotFound();
      await this.journal.record(entryOf('code.unlinked', seen));
      await this.changes.changed({ issueId: seen.issueId, ended: [], removed: id });
    });
  }
}

/** What the journal records of a link. A title may be deleted at its code host, so it is not part of it. */
export function entryOf(
  type: 'code.linked' | 'code.updated' | 'code.unlinked',
  { id, issueId, projectId, kind, url, state, checks }: PlacedCode,
): NewJournalEntry {
  return {
    type,
    subject: { type: 'code', id },
    projectId,
    issueId,
    data: { codeId: id, kind, url, state, checks },
  };
}
