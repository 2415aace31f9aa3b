import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type CarriedAnswer, Gate, type IssueAnswer } from '../../work/gates/gate.entity.js';
import { GateRepository } from '../../work/gates/gate.repository.js';
import type { NamedLease } from '../../work/issue-status/issue-lease.repository.js';

/**
 * Carries the answers of people to workers (contract §7.1). An answer is repeated until a request has named the token of
 * its lease: then the worker has the response that handed the issue out, and this one.
 */
@Injectable()
export class CarriedAnswersService {
  constructor(@InjectRepository(Gate) private readonly answers: GateRepository) {}

  /**
   * @param pickedUp the issues that this response hands out
   * @param named the tokens that the request names, as `issueId token`; null where it names none
   */
  async take(
    pickedUp: string[],
    renewed: readonly NamedLease[],
    named: ReadonlySet<string> | null,
  ): Promise<IssueAnswer[]> {
    const answers = await this.answers.undelivered([...renewed.map(({ issueId }) => issueId), ...pickedUp]);
    const known = renewed.filter(({ issueId, token }) => named?.has(`${issueId} ${token}`));
    const carried = answers.filter((answer) => known.some(({ issueId }) => issueId === answer.issueId));
    await this.answers.markDelivered(carried.map(({ gateId }) => gateId));
    return answers;
  }

  /** For a turn without an issue, which carries answers on gates without one, each once. */
  async takeAlone(agentId: string): Promise<CarriedAnswer[]> {
    const answers = await this.answers.undeliveredOf(agentId);
    await this.answers.markDelivered(answers.map(({ gateId }) => gateId));
    return answers;
  }

  /** For a turn on an issue. Only one that carries the token of the lease surely comes from a worker that has it. */
  async takeOnTurn(issueId: string, token: number | null): Promise<IssueAnswer[]> {
    const named = token === null ? null : new Set([`${issueId} ${token}`]);
    return this.take([], [{ issueId, token: token ?? 0 }], named);
  }
}
