import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { AgentQuota } from './agent-quota.entity.js';
import { AgentQuotaRepository, QuotasService } from './quotas.service.js';

/** Bounds what each agent writes per hour. */
@Module({
  imports: [TypeOrmModule.forFeature([AgentQuota])],
  providers: [
    AgentQuotaRepository,
    { provide: getRepositoryToken(AgentQuota), useExisting: AgentQuotaRepository },
    QuotasService,
  ],
  exports: [QuotasService],
})
export class QuotasModule {}
