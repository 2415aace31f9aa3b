import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { LeaseFinish } from '../issue-status/issue-lease.entities.js';
import { IssueStatusModule } from '../issue-status/issue-status.module.js';
import {
  IssueLeasesService,
  LeaseCheckService,
} from './lease-token-checks-renewals-heartbeat-interval.service.js';
import { LeaseFinishesService, LeaseFinishRepository } from './lease-finishes.service.js';
import { McpLeasesRepository, McpLeasesService } from './mcp-leases.service.js';
import { PickUpsRepository, PickUpsService } from './pick-ups.service.js';

/** Leases of issues: picked up, held, checked and finished (contract §7). */
@Module({
  imports: [TypeOrmModule.forFeature([LeaseFinish]), IssueStatusModule],
  providers: [
    { provide: getRepositoryToken(LeaseFinish), useClass: LeaseFinishRepository },
    McpLeasesRepository,
    McpLeasesService,
    IssueLeasesService,
    LeaseCheckService,
    LeaseFinishesService,
    PickUpsRepository,
    PickUpsService,
  ],
  exports: [
    getRepositoryToken(LeaseFinish),
    McpLeasesRepository,
    McpLeasesService,
    IssueLeasesService,
    LeaseCheckService,
    LeaseFinishesService,
    PickUpsService,
  ],
})
export class LeasesModule {}
