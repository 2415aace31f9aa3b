import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { isForeignKeyViolation } from '../../platform/database/postgres-errors.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { Encryption } from '../../platform/encryption/encryption.service.js';
import { NotFound, ValidationFailed } from '../../platform/http/problem.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import type { SeenProject } from '../projects/projects-members-and-graph-lock.repository.js';
import { ProjectsService } from '../projects/projects.service.js';
import { CodeHook, type CodeProvider, type ShownHook } from './code.entity.js';
import { repositoryAddressOf } from './code-addresses-and-keys.js';
import type { SetCodeHookRequest } from './code.dto.js';

/** How a code host proves that a delivery is its own, and names it. */
export interface DeliveryProof {
  /** One of several deliveries of the same event has the same id. */
  deliveryId: string | null;
  event: string | null;
  isSignedWith: (secret: string, body: Buffer) => boolean;
}

/** The form of a signing token of GitLab; GitHub and Gitea take any text. */
const SECRET_PREFIX = 'whsec_';

/** How far the time of a signed delivery of GitLab may be from now, as Standard Webhooks recommend. */
const TOLERANCE_SECONDS = 300;

export function newSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(32).toString('base64')}`;
}

/** Reads the documented headers of each code host; `isSignedWith` compares in constant time. */
export const proofs: Record<CodeProvider, (headers: IncomingHttpHeaders) => DeliveryProof> = {
  github: (headers) => ({
    deliveryId: textOf(headers['x-github-delivery']),
    event: textOf(headers['x-github-event']),
    isSignedWith: (secret, body) =>
      isSame(textOf(headers['x-hub-signature-256']), `sha256=${hmac(secret, body).toString('hex')}`),
  }),
  gitea: (headers) => ({
    deliveryId: textOf(headers['x-gitea-delivery']),
    event: textOf(headers['x-gitea-event']),
    isSignedWith: (secret, body) =>
      isSame(textOf(headers['x-gitea-signature']), hmac(secret, body).toString('hex')),
  }),
  // A retry has the Idempotency-Key of the first try from GitLab 17.4 on, and a new X-Gitlab-Event-UUID.
  gitlab: (headers) => ({
    deliveryId:
      textOf(headers['webhook-id']) ??
      textOf(headers['idempotency-key']) ??
      textOf(headers['x-gitlab-event-uuid']),
    event: textOf(headers['x-gitlab-event']),
    isSignedWith: (secret, body) =>
      headers['webhook-signature'] === undefined
        ? isSame(textOf(headers['x-gitlab-token']), secret)
        : isSignedByStandard(headers, secret, body),
  }),
};

/** Standard Webhooks: the HMAC of `id.timestamp.body`, in base64, one of several versions separated by spaces. */
function isSignedByStandard(headers: IncomingHttpHeaders, secret: string, body: Buffer): boolean {
  const timestamp = textOf(headers['webhook-timestamp']) ?? '';
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  const signed = Buffer.concat([Buffer.from(`${textOf(headers['webhook-id'])}.${timestamp}.`), body]);
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const expected = `v1,${hmac(key, signed).toString('base64')}`;
  const given = (textOf(headers['webhook-signature']) ?? '').split(' ').slice(0, 10);
  const fits = given.filter((one) => isSame(one, expected)).length > 0;
  return fits && age <= TOLERANCE_SECONDS;
}

function hmac(secret: string | Buffer, body: Buffer): Buffer {
  return createHmac('sha256', secret).update(body).digest();
}

/** Hashes make both sides equally long, so that the time of the comparison shows nothing of the expected text. */
function isSame(given: string | null, expected: string): boolean {
  const [one, other] = [given ?? '', expected].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(one!, other!) && given !== null;
}

function textOf(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && header !== '' ? header : null;
}

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
