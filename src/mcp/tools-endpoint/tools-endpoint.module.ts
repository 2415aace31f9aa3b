import { Module } from '@nestjs/common';
import { InstalledServersModule } from '../installed-servers/installed-servers.module.js';
import { PackagesModule } from '../packages/packages.module.js';
import { AnnouncementWorker, ToolsEndpointWorker } from './tools-endpoint-and-announcement.worker.js';
import { HostEventsWorker, HostOperationsService, HostsWiringService } from './host-operations.service.js';

/** What a process of the role tools does for the others, and what those hear of it. */
@Module({
  imports: [InstalledServersModule, PackagesModule],
  providers: [
    AnnouncementWorker,
    HostEventsWorker,
    HostOperationsService,
    HostsWiringService,
    ToolsEndpointWorker,
  ],
})
export class ToolsEndpointModule {}
