import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '../../mcp/access/access.module.js';
import { ServerToolsModule } from '../../mcp/server-tools/server-tools.module.js';
import { LeasesModule } from '../../work/leases/leases.module.js';
import { UsageModule } from '../../work/usage/usage.module.js';
import { CallRecordsService, RecordBatchesWorker } from './call-records.service.js';
import { CallRightsRepository } from './call-rights-and-only-lease.repository.js';
import { CallDecisionsService, CallRightsService } from './call-rights-and-decisions.service.js';
import { IssueCallTurn } from './issue-call-turn.entity.js';
import { CallTurnsRepository, CallTurnsService } from './call-turns.service.js';
import { LeaseStandingsRepository, LostLeasesService } from './lease-standings-and-refusals.service.js';

/** What a call of a tool needs before and after it: the right, the record, and its lease. */
@Module({
  imports: [
    TypeOrmModule.forFeature([IssueCallTurn]),
    AccessModule,
    LeasesModule,
    ServerToolsModule,
    UsageModule,
  ],
  providers: [
    CallDecisionsService,
    CallRecordsService,
    CallRightsRepository,
    CallRightsService,
    CallTurnsRepository,
    CallTurnsService,
    LeaseStandingsRepository,
    LostLeasesService,
    RecordBatchesWorker,
  ],
  exports: [
    CallDecisionsService,
    CallRecordsService,
    CallRightsService,
    LeaseStandingsRepository,
    LostLeasesService,
  ],
})
export class CallsModule {}
