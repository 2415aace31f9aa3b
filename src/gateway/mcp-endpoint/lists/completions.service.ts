import { Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import type { Exchange } from '../calls/exchange.js';
import { notYours } from '../calls/refused-call.js';
import { PromptsService } from './prompts.service.js';
import { ResourcesService } from './resources.service.js';
import { ServerRequestsService } from './server-requests.service.js';

type Loose = Record<string, unknown>;

/** Completes arguments of prompts and resource templates by a request to their server. */
@Injectable()
export class CompletionsService {
  constructor(
    private readonly prompts: PromptsService,
    private readonly resources: ResourcesService,
    private readonly requests: ServerRequestsService,
  ) {}

  async complete(agent: AgentPrincipal, params: Loose, exchange: Exchange): Promise<Loose> {
    const ref = (params.ref ?? {}) as Loose;
    const { server, own } = await this.find(agent, ref);
    return this.requests.pass(agent, server, 'completion/complete', { ...params, ref: own }, exchange);
  }

  private async find(agent: AgentPrincipal, ref: Loose) {
    if (ref.type === 'ref/prompt') {
      const { server, name } = await this.prompts.find(agent, ref.name);
      return { server, own: { ...ref, name } };
    }
    if (ref.type !== 'ref/resource')
      throw notYours(ref.type, 'A completion refers to ref/prompt or ref/resource.');
    const { server, uri } = await this.resources.find(agent, ref.uri);
    return { server, own: { ...ref, uri } };
  }
}
