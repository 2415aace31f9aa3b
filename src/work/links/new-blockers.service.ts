import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Not, Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { actorOf, type Principal } from '../../platform/authentication/principals-and-roles.js';
import type { FieldError } from '../../platform/http/problem.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import { GivenBackIssuesRepository } from '../issue-status/given-back-issues-and-attempts.repository.js';
import { Project } from '../projects/project.entity.js';
import { IssueLink } from './issue-link.entity.js';
import { IssueLinkRepository } from './issue-link.repository.js';
import { CrossProjectLink, entriesOf, LinkLimit, LINKS_PER_ISSUE } from './links.service.js';

interface End {
  id: string;
  projectId: string;
}

/** A blocker of an issue that is being created. `path` is where the request names it. */
export interface NewBlocker {
  source: End;
  target: End;
  path: string;
}

/** Links new issues to what blocks them, in a few statements whatever their number (contract §5.10). */
@Injectable()
export class NewBlockersService {
  constructor(
    @InjectRepository(IssueLink) private readonly links: IssueLinkRepository,
    @InjectRepository(Project) private readonly projects: Repository<Project>,
    private readonly givenBack: GivenBackIssuesRepository,
    private readonly journal: JournalService,
  ) {}

  /**
   * Rejects blockers with the first of these errors, at each of its places: projects, limit.
   * @throws {CrossProjectLink | LinkLimit}
   */
  async refuse(blockers: readonly NewBlocker[]): Promise<void> {
    const across = await this.acrossABoundary(blockers);
    if (across.length > 0)
      throw new CrossProjectLink(
        undefined,

        placesOf(across, 'is in another project, and one of the two is members-only'),
      );
    const over = await this.overTheLimit(blockers);
    if (over.length > 0)
      throw new LinkLimit(LINKS_PER_ISSUE, placesOf(over, 'would be one link too many of an issue'));
  }

  /**
   * Stores the links. The running transaction creates their targets, with the statuses that these blockers give them. It
   * holds the graph lock and the rows of the sources that existed before, and has asked `refuse`.
   */
  async add(caller: Principal, blockers: readonly NewBlocker[]): Promise<void> {
    if (blockers.length === 0) return;
    const links = blockers.map(({ source, target }) => ({
      source,
      target,
      link: {
        id: uuidv7(),
        sourceIssueId: source.id,
        targetIssueId: target.id,
        linkType: 'Blocks' as const,
      },
    }));
    const stored = links.map(({ link }) => link);
    await this.links.addBlocks(stored, actorOf(caller));
    await this.journal.record(
      ...links.flatMap(({ link, source, target }) => entriesOf('link.created', link, source, target)),
    );
    if (caller.type === 'user')
      await this.givenBack.endWait([...new Set(stored.map(({ sourceIssueId }) => sourceIssueId))]);
  }

  private async acrossABoundary(blockers: readonly NewBlocker[]): Promise<NewBlocker[]> {
    const between = blockers.filter(({ source, target }) => source.projectId !== target.projectId);
    if (between.length === 0) return [];
    const ids = new Set(between.flatMap(({ source, target }) => [source.projectId, target.projectId]));
    const closed = await this.projects.findBy({ id: In([...ids]), visibility: Not('open') });
    const isClosed = new Set(closed.map(({ id }) => id));
    return between.filter(({ source, target }) =>
      [source, target].some(({ projectId }) => isClosed.has(projectId)),
    );
  }

  private async overTheLimit(blockers: readonly NewBlocker[]): Promise<NewBlocker[]> {
    const ends = ({ source, target }: NewBlocker) => [source.id, target.id];
    const counts = await this.links.countsOf([...new Set(blockers.flatMap(ends))]);
    return blockers.filter((blocker) => {
      for (const id of ends(blocker)) counts.set(id, (counts.get(id) ?? 0) + 1);
      return ends(blocker).some((id) => counts.get(id)! > LINKS_PER_ISSUE);
    });
  }
}

function placesOf(blockers: readonly NewBlocker[], message: string): FieldError[] {
  return blockers.map(({ path }) => ({ path, message }));
}
