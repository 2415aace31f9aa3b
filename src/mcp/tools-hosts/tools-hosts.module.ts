import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CallStartsService } from './call-starts.service.js';
import { LiveHostsService } from './live-hosts.service.js';
import { ProcessClaimsService } from './process-claims-and-absence.service.js';
import { ToolsHost } from './tools-host.entity.js';
import { InternalKeysService, ToolsHostsClient } from './tools-hosts-and-internal-keys.client.js';

/** How the processes of the roles api and tools find and ask each other. */
@Module({
  imports: [TypeOrmModule.forFeature([ToolsHost])],
  providers: [
    CallStartsService,
    InternalKeysService,
    LiveHostsService,
    ProcessClaimsService,
    ToolsHostsClient,
  ],
  exports: [
    TypeOrmModule,
    CallStartsService,
    InternalKeysService,
    LiveHostsService,
    ProcessClaimsService,
    ToolsHostsClient,
  ],
})
export class ToolsHostsModule {}
