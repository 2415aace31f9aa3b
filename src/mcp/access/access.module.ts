import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import {
  AccessProfile,
  AccessProfileAgent,
  AccessProfileEntry,
  AccessRefusal,
  ServerAccess,
} from './access.entities.js';
import { InstalledServersModule } from '../installed-servers/installed-servers.module.js';
import { AccessProfileRepository, ProfilesService } from './profiles.service.js';
import {
  AccessMatrixController,
  AgentAccessController,
  AgentToolsController,
  ProfilesController,
  ServerAccessController,
} from './access-and-profiles.controller.js';
import { AccessMatrixRepository, AccessService } from './access.service.js';
import { ServerAccessRepository } from './server-grants.repository.js';
import { ToolAccessService } from './tool-access.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([
      AccessProfile,
      AccessProfileAgent,
      AccessProfileEntry,
      AccessRefusal,
      ServerAccess,
    ]),
    InstalledServersModule,
  ],
  controllers: [
    AccessMatrixController,
    AgentAccessController,
    AgentToolsController,
    ProfilesController,
    ServerAccessController,
  ],
  providers: [
    AccessMatrixRepository,
    AccessProfileRepository,
    { provide: getRepositoryToken(AccessProfile), useExisting: AccessProfileRepository },
    AccessService,
    ProfilesService,
    ServerAccessRepository,
    { provide: getRepositoryToken(ServerAccess), useExisting: ServerAccessRepository },
    ToolAccessService,
  ],
  exports: [ToolAccessService],
})
export class AccessModule {}
