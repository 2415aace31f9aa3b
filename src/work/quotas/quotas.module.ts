import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AgentQuota } from './agent-quota.entity.js';
import { QuotasRepository, QuotasService } from './quotas.service.js';

/** Bounds what each agent writes per hour. */
@Module({
  imports: [TypeOrmModule.forFeature([AgentQuota])],
  providers: [QuotasRepository, QuotasService],
  exports: [TypeOrmModule, QuotasService],
})
export class QuotasModule {}
