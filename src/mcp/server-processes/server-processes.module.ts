import { Module } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { PackagesModule } from '../packages/packages.module.js';
import { ServerSupervisor } from '../processes/supervision/server-supervisor.js';
import { ServerRecordsModule } from '../server-records/server-records.module.js';
import { ToolsHostsModule } from '../tools-hosts/tools-hosts.module.js';
import { CancellableWorkService, ProcessControlService } from './process-control-and-work.service.js';
import {
  PROCESS_SETTINGS,
  ProcessEventsService,
  processSettings,
  SupervisorLifecycleService,
  supervisorProvider,
} from './supervisor-sandbox-and-sweep.provider.js';

/** The one supervisor of this process, and what starts, stops and replaces server processes through it. */
@Module({
  imports: [PackagesModule, ServerRecordsModule, ToolsHostsModule],
  providers: [
    { provide: PROCESS_SETTINGS, inject: [Settings], useFactory: processSettings },
    supervisorProvider,
    CancellableWorkService,
    ProcessControlService,
    ProcessEventsService,
    SupervisorLifecycleService,
  ],
  exports: [
    PROCESS_SETTINGS,
    ServerSupervisor,
    CancellableWorkService,
    ProcessControlService,
    ProcessEventsService,
  ],
})
export class ServerProcessesModule {}
