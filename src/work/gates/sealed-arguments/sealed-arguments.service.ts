import { Injectable } from '@nestjs/common';
import { Encryption } from '../../../platform/encryption/encryption.service.js';
import { SealBroken } from '../../../platform/encryption/key-ring.errors.js';
import { jsonText, parseJson } from '../../../platform/json/exact-json.js';
import { SealedArgumentsRepository } from './sealed-arguments.repository.js';

type Given = Readonly<Record<string, unknown>>;

/** The arguments of a call that waits for an approval. */
export interface CallArguments {
  /** As people see them: credentials masked, invisible characters made visible. */
  shown: Given;
  /** As the agent sent them. */
  exact: Given;
}

/** The largest sealed value that a page of gates shows; a single gate shows any. */
export const SHOWN_IN_LISTS = 8_192;

/** Seals the arguments of calls while they wait for an approval (contract §5.7). */
@Injectable()
export class SealedArgumentsService {
  constructor(
    private readonly repository: SealedArgumentsRepository,
    private readonly encryption: Encryption,
  ) {}

  put(gateId: string, given: CallArguments): Promise<void> {
    return this.repository.put(gateId, this.encryption.seal(jsonText(given), contextOf(gateId)));
  }

  /** Returns the arguments as the agent sent them; null once they were deleted. @throws {SealBroken} */
  async exact(gateId: string): Promise<Given | null> {
    const sealed = (await this.repository.find([gateId], Number.MAX_SAFE_INTEGER)).get(gateId);
    return sealed === undefined ? null : this.open(gateId, sealed).exact;
  }

  /**
   * Returns the arguments of these gates, as people see them or as the agent sent them; a value that the key ring cannot
   * open is absent.
   */
  async read(gateIds: string[], form: keyof CallArguments): Promise<Map<string, Given>> {
    const most = gateIds.length === 1 ? Number.MAX_SAFE_INTEGER : SHOWN_IN_LISTS;
    const found = new Map<string, Given>();
    for (const [id, sealed] of await this.repository.find(gateIds, most))
      try {
        found.set(id, this.open(id, sealed)[form]);
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error;
      }
    return found;
  }

  private open(gateId: string, sealed: string): CallArguments {
    return parseJson(this.encryption.open(sealed, contextOf(gateId))) as CallArguments;
  }
}

/** `scripts/keys/sealed-database.mjs` names the same context. */
function contextOf(gateId: string): string {
  return `gate|${gateId}|arguments`;
}
