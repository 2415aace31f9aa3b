import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Raw, Repository } from 'typeorm';
import { Encryption } from '../../platform/encryption/encryption.service.js';
import { SealBroken } from '../../platform/encryption/key-ring.js';
import { jsonText, parseJson } from '../../platform/json/exact-json.js';
import { GateArguments } from './gate.entity.js';

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
    @InjectRepository(GateArguments) private readonly sealed: Repository<GateArguments>,
    private readonly encryption: Encryption,
  ) {}

  async put(gateId: string, given: CallArguments): Promise<void> {
    const sealed = this.encryption.seal(jsonText(given), contextOf(gateId));
    await this.sealed.insert({ gateId, sealed });
  }

  async delete(gateId: string): Promise<void> {
    await this.sealed.delete({ gateId });
  }

  /** SQL: deletes by the rows of another table. Deletes the arguments of calls that wait no more: not approved, or executed. */
  async deleteUnneeded(): Promise<void> {
    await this.sealed.query(
      `DELETE FROM gate_arguments a USING gates g
       WHERE g.id = a.gate_id AND g.state <> 'open'
         AND (g.outcome IS NOT NULL OR g.state <> 'answered' OR g.answer ->> 'decision' = 'deny')`,
    );
  }

  /** Returns the arguments as the agent sent them; null once they were deleted. @throws {SealBroken} */
  async exact(gateId: string): Promise<Given | null> {
    const sealed = (await this.find([gateId], Number.MAX_SAFE_INTEGER)).get(gateId);
    return sealed === undefined ? null : this.open(gateId, sealed).exact;
  }

  /**
   * Returns the arguments of these gates, as people see them or as the agent sent them; a value that the key ring cannot
   * open is absent.
   */
  async read(gateIds: string[], form: keyof CallArguments): Promise<Map<string, Given>> {
    const most = gateIds.length === 1 ? Number.MAX_SAFE_INTEGER : SHOWN_IN_LISTS;
    const found = new Map<string, Given>();
    for (const [id, sealed] of await this.find(gateIds, most))
      try {
        found.set(id, this.open(id, sealed)[form]);
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error;
      }
    return found;
  }

  /** Returns the sealed arguments of these gates, by gate. @param most bytes of a value; larger ones are left out */
  private async find(gateIds: string[], most: number): Promise<Map<string, string>> {
    if (gateIds.length === 0) return new Map();
    const rows = await this.sealed.find({
      select: { gateId: true, sealed: true },
      where: {
        gateId: In(gateIds),
        sealed: Raw((column) => `octet_length(${column}) <= CAST(:most AS bigint)`, { most }),
      },
    });
    return new Map(rows.map(({ gateId, sealed }) => [gateId, sealed]));
  }

  private open(gateId: string, sealed: string): CallArguments {
    return parseJson(this.encryption.open(sealed, contextOf(gateId))) as CallArguments;
  }
}

/** `scripts/keys/sealed-database.mjs` names the same context. */
function contextOf(gateId: string): string {
  return `gate|${gateId}|arguments`;
}
