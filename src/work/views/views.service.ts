import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import type { UserPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import { isForeignKeyViolation, isUniqueViolation } from '../../platform/database/postgres-errors.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import type { Page, PageRequest } from '../../platform/http/page-and-cursor.query.js';
import { NotFound, Problem } from '../../platform/http/problem.js';
import type { SeenProject } from '../projects/projects-members-and-graph-lock.repository.js';
import { requireRole, type Seen, visibilityOf } from '../projects/visibility.js';
import type { CreateViewRequest, UpdateViewRequest } from './view.dto.js';
import { View } from './view.entity.js';

/** The most views of one project that a user owns (contract §5.2). */
const VIEWS_PER_OWNER = 100;

/** The name of the order of the list, which its cursors carry. */
export const BY_NAME = 'name';

const COLUMNS = `v.id, v.project_id AS "projectId", v.owner_id AS "ownerId", v.name, v.query, v.shared,
  v.created_at AS "createdAt", v.updated_at AS "updatedAt"`;

/** 409: another view that is shared in the project, or another one of the owner, has this name. */
class ViewNameTaken extends Problem {
  constructor(name: string, shared: boolean) {
    const owner = shared ? 'The project has a shared view' : 'The owner of the view has one';
    super('name_taken', `${owner} named ${JSON.stringify(name)} already; choose another name.`);
  }
}

/** 409: the user owns as many views of the project as one may. */
class ViewLimit extends Problem {
  constructor() {
    super(
      'view_limit',
      `You have ${VIEWS_PER_OWNER} views of this project, as many as one may have: delete some first.`,
    );
  }
}

/** Beside what TypeORM gives, the statements about views that stay SQL (decision 0053). */
@Injectable()
export class ViewRepository extends Repository<View> {
  constructor(
    @InjectDataSource() source: DataSource,
    private readonly pages: KeysetPagesService,
  ) {
    super(View, source.manager);
  }

  /**
   * SQL: visibility in the same read. Locks the row until the transaction ends. Returns null for an id that is malformed,
   * unknown, or not seen by the caller, which the own views of others never are.
   */
  async lockSeen(caller: UserPrincipal, id: string): Promise<(View & Seen) | null> {
    if (!isUuid(id)) return null;
    const visibility = visibilityOf(caller, 'p', 3);
    const [seen] = await this.query<(View & Seen)[]>(
      `SELECT ${COLUMNS}, ${visibility.rank} AS "callerRank"
       FROM views v JOIN projects p ON p.id = v.project_id ${visibility.membership}
       WHERE v.id = $1 AND (v.shared OR v.owner_id = $2) AND ${visibility.seen} FOR UPDATE OF v`,
      [id, caller.id, ...visibility.parameters],
    );
    return seen ?? null;
  }

  /** SQL: a keyset page, by name without regard to case. */
  list(projectId: string, userId: string, page: PageRequest): Promise<Page<View>> {
    return this.pages.read<View & { folded: string }>(
      {
        columns: `${COLUMNS}, lower(v.name) AS folded`,
        from: 'views v',
        where: 'v.project_id = $1 AND (v.shared OR v.owner_id = $2)',
        parameters: [projectId, userId],
        order: [
          { column: 'lower(v.name)', type: 'text' },
          { column: 'v.id', type: 'uuid' },
        ],
        keyOf: ({ folded, id }) => [folded, id],
      },
      page,
    );
  }
}

/**
 * Keeps views of lists of issues (contract §5.2). They are how people look at issues and change none, so the journal has nothing
 * of them.
 */
@Injectable()
export class ViewsService {
  constructor(
    @InjectRepository(View) private readonly views: ViewRepository,
    private readonly transactions: TransactionsService,
  ) {}

  list(caller: UserPrincipal, project: SeenProject, page: PageRequest): Promise<Page<View>> {
    return this.views.list(project.id, caller.id, page);
  }

  /**
   * Creates a view. The views of one user are counted and created one after another.
   * @param project that the caller sees, and may write in where the view is shared
   */
  create(caller: UserPrincipal, project: SeenProject, request: CreateViewRequest): Promise<View> {
    const { name, query, shared = false } = request;
    const owned = { ownerId: caller.id, projectId: project.id };
    return this.transactions.run(async () => {
      // SQL: a row of another module.
      await this.views.query('SELECT id FROM users WHERE id = $1 FOR NO KEY UPDATE', [caller.id]);
      if ((await this.views.countBy(owned)) >= VIEWS_PER_OWNER) throw new ViewLimit();
      const id = uuidv7();
      await refuseTakenName(name, shared, this.views.insert({ id, ...owned, name, query, shared }));
      return this.views.findOneByOrFail({ id });
    });
  }

  /** A view that is shared no more is its owner's own, also where another Editor changed it. */
  update(caller: UserPrincipal, viewId: string, request: UpdateViewRequest): Promise<View> {
    return this.transactions.run(async () => {
      const before = await this.lockChangeable(caller, viewId, request.shared === true);
      const { name = before.name, query = before.query, shared = before.shared } = request;
      const change = { name, query, shared, updatedAt: () => 'now()' };
      await refuseTakenName(name, shared, this.views.update({ id: before.id }, change));
      return this.views.findOneByOrFail({ id: before.id });
    });
  }

  async delete(caller: UserPrincipal, viewId: string): Promise<void> {
    await this.transactions.run(async () => {
      const { id } = await this.lockChangeable(caller, viewId);
      await this.views.delete({ id });
    });
  }

  /**
   * One's own view is changed by anyone who sees the project; one that is shared, or is to be, by its Editors. That is decided on
   * the locked row: its owner may take a view back while another Editor changes it.
   */
  private async lockChangeable(caller: UserPrincipal, viewId: string, isToBeShared = false): Promise<View> {
    const seen = requireRole(caller, await this.views.lockSeen(caller, viewId), 'Viewer');
    return requireRole(caller, seen, seen.shared || isToBeShared ? 'Editor' : 'Viewer');
  }
}

/** @throws {ViewNameTaken} when the write gives a name that is used */
async function refuseTakenName<Result>(
  name: string,
  shared: boolean,
  write: Promise<Result>,
): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    if (
      isUniqueViolation(error, 'views_own_name_unique') ||
      isUniqueViolation(error, 'views_shared_name_unique')
    )
      throw new ViewNameTaken(name, shared);
    // The project was deleted after it was read.
    if (isForeignKeyViolation(error, 'views_project_fk')) throw new NotFound();
    throw error;
  }
}
