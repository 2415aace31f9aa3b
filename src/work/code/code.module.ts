import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IssueStatusModule } from '../issue-status/issue-status.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import {
  CodeDeliveriesService,
  DeliveryOrderService,
  DeliveryRateService,
  KnownDeliveriesRepository,
} from './code-deliveries.service.js';
import { CodeHooksService } from './code-hooks-and-signatures.service.js';
import { CodeChangesService, CodeLinksService } from './code-links.service.js';
import { CodeController, CodeDeliveriesController } from './code.controller.js';
import { CodeCheck, CodeDelivery, CodeHook, CodeItem, CodeLink } from './code.entity.js';
import { CodeRepository } from './code.repository.js';
import { DeliveryApplicationService } from './delivery-application.service.js';

/**
 * Branches, commits and pull requests of issues, and the deliveries by which code hosts report on them (contract §5.13).
 * Gates of kind checks are in `work/gates`, which registers itself with `CodeChangesService`.
 */
@Module({
  imports: [
    TypeOrmModule.forFeature([CodeCheck, CodeDelivery, CodeHook, CodeItem, CodeLink]),
    IssueStatusModule,
    ProjectsModule,
  ],
  controllers: [CodeController, CodeDeliveriesController],
  providers: [
    CodeChangesService,
    CodeDeliveriesService,
    CodeHooksService,
    CodeLinksService,
    CodeRepository,
    DeliveryApplicationService,
    DeliveryOrderService,
    DeliveryRateService,
    KnownDeliveriesRepository,
  ],
  exports: [CodeChangesService, CodeLinksService, CodeRepository],
})
export class CodeModule {}
