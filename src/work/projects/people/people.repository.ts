import { Injectable } from '@nestjs/common';
import type { Role } from '../../../platform/auth/roles.js';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { readKeysetPage } from '../../../platform/database/keyset.js';
import type { Page, PageRequest } from '../../../platform/http/pages/page.js';
import { roleOfUser, seenByUser } from '../visibility.js';

export interface PersonRow {
  id: string;
  name: string;
  role: Role;
}

@Injectable()
export class PeopleRepository {
  constructor(private readonly database: DatabaseService) {}

  /** The users who are not disabled, by name. @param projectId of a project that they must see; null for all */
  list(projectId: string | null, page: PageRequest): Promise<Page<PersonRow>> {
    const inProject = projectId !== null;
    return readKeysetPage<PersonRow>(
      this.database,
      {
        columns: `u.id, u.name, ${inProject ? roleOfUser('p', 'u') : 'u.role'} AS role`,
        from: `users u ${inProject ? 'JOIN projects p ON p.id = $1' : ''}`,
        where: `u.disabled_at IS NULL ${inProject ? `AND ${seenByUser('p', 'u.id')}` : ''}`,
        parameters: inProject ? [projectId] : [],
        order: [
          { column: 'u.name', type: 'text' },
          { column: 'u.id', type: 'uuid' },
        ],
        keyOf: ({ id, name }) => [name, id],
      },
      page,
    );
  }
}
