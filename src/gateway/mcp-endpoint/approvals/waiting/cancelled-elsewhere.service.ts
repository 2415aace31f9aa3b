import { Injectable } from '@nestjs/common';
import { actorOf, type AgentPrincipal } from '../../../../platform/auth/principal.js';
import { GatesRepository } from '../../../../work/gates/gates.repository.js';
import { cancelKeyOf, type SessionRequest } from '../../calls/session-request.js';
import { ApprovalPhasesRepository } from '../approval-phases.repository.js';
import { ApprovalParkingService } from './approval-parking.service.js';

/** Cancels calls that wait for a person in another process, where this one got the client's notifications/cancelled. */
@Injectable()
export class CancelledElsewhereService {
  constructor(
    private readonly approvals: ApprovalPhasesRepository,
    private readonly gates: GatesRepository,
    private readonly parking: ApprovalParkingService,
  ) {}

  /** Withdraws the gate of a call, unless another request waits for the same one. The process that has the call sees that it is closed. */
  async cancel(agent: AgentPrincipal, request: SessionRequest): Promise<void> {
    const gateId = await this.approvals.gateOfRequest(cancelKeyOf(request));
    const gate = gateId && (await this.gates.read(gateId));
    if (!gate || (await this.approvals.isPolled(gate.id))) return;
    await this.parking.withdraw(gate, actorOf(agent));
  }
}
