import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import { whyOf, type Why } from './why.js';
import { WhyRepository } from './why.repository.js';

/** Explains the issues of a list, in one statement whatever their number. */
@Injectable()
export class WhyService {
  constructor(
    private readonly issues: WhyRepository,
    private readonly settings: Settings,
  ) {}

  /** @returns why, by the id of the issue; an issue that was deleted meanwhile is missing */
  async of(ids: string[]): Promise<Map<string, Why>> {
    const facts = await this.issues.facts(ids, this.settings.leaseSeconds);
    return new Map(facts.map((of) => [of.id, whyOf(of)]));
  }
}
