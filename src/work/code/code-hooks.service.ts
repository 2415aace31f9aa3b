import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { isForeignKeyViolation } from '../../platform/database/postgres-errors.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { Encryption } from '../../platform/encryption/encryption.service.js';
import { NotFound, ValidationFailed } from '../../platform/http/problem.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import type { SeenProject } from '../projects/project-and-graph-lock.repository.js';
import { ProjectsService } from '../projects/projects.service.js';
import { repositoryAddressOf } from './code-addresses-and-keys.js';
import type { SetCodeHookRequest } from './code.dto.js';
import { CodeHook, type CodeProvider, type ShownHook } from './code.entity.js';
import { newSecret } from './delivery-signatures.js';

/** The hooks by which code hosts report on the repositories of a project (contract §5.13). */
@Injectable()
export class CodeHooksService {
  constructor(
    @InjectRepository(CodeHook) private readonly hooks: Repository<CodeHook>,
    private readonly projects: ProjectsService,
    private readonly encryption: Encryption,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  list(project: SeenProject): Promise<CodeHook[]> {
    return this.hooks.find({ where: { projectId: project.id }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /**
   * Sets the repositories of the project's hook of a code host, and makes the hook where there is none. The secret is
   * returned when it is made, and never again.
   * @param project in which the caller is Admin
   * @throws {NotFound} when the project was deleted after it was read
   */
  set(
    project: SeenProject,
    { provider, repositories, rotateSecret }: SetCodeHookRequest,
  ): Promise<ShownHook> {
    const addresses = addressesOf(repositories);
    return this.transactions.run(async () => {
      const of = { projectId: project.id, provider };
      const before = await this.hooks.findOne({ where: of, lock: { mode: 'pessimistic_write' } });
      const id = before?.id ?? uuidv7();
      const secret = before && rotateSecret !== true ? null : newSecret();
      const sealed = secret === null ? before!.sealed : this.encryption.seal(secret, contextOf(id));
      const hook = { id, ...of, repositories: addresses, sealed };
      if (before) await this.hooks.update({ id }, { ...hook, updatedAt: () => 'now()' });
      else await refuseRemovedProject(this.hooks.insert(hook));
      await this.journal.record({
        type: 'code.hook_set',
        subject: { type: 'code_hook', id },
        projectId: project.id,
        data: { provider, repositories: addresses, secretChanged: secret !== null },
      });
      return { ...(await this.hooks.findOneByOrFail({ id })), secret };
    });
  }

  /** Deletes a hook: its code host is refused from then on. What it has reported stays. */
  async delete(caller: Principal, id: string): Promise<void> {
    const hook = isUuid(id) ? await this.hooks.findOneBy({ id }) : null;
    const project = await this.projects.get(caller, hook?.projectId ?? '', 'Admin');
    await this.transactions.run(async () => {
      const { affected } = await this.hooks.delete({ id });
      if (affected !== 1) throw new NotFound();
      await this.journal.record({
        type: 'code.hook_deleted',
        subject: { type: 'code_hook', id },
        projectId: project.id,
        data: { provider: hook!.provider },
      });
    });
  }

  /** Returns the hook of an address with its secret; null where there is no such hook. */
  async find(provider: string, id: string): Promise<(CodeHook & { secret: string }) | null> {
    const hook = isUuid(id) ? await this.hooks.findOneBy({ id, provider: provider as CodeProvider }) : null;
    return hook && { ...hook, secret: this.encryption.open(hook.sealed, contextOf(id)) };
  }
}

/** @throws {NotFound} when the project was deleted after it was read */
async function refuseRemovedProject(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (isForeignKeyViolation(error, 'code_hooks_project_fk')) throw new NotFound();
    throw error;
  }
}

function addressesOf(repositories: string[]): string[] {
  const found = repositories.map(repositoryAddressOf);
  const errors = found.flatMap((address, index) =>
    address === null
      ? [
          {
            path: `repositories[${index}]`,
            message: 'must be an address such as https://github.com/acme/web',
          },
        ]
      : [],
  );
  if (errors.length > 0) throw new ValidationFailed(errors);
  return [...new Set(found as string[])];
}

/** `scripts/keys/sealed-database.mjs` names the same context. */
function contextOf(hookId: string): string {
  return `code_hook|${hookId}|secret`;
}
