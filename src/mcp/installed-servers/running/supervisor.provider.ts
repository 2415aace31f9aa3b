import { Logger, type Provider } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import { ServerSupervisor } from '../../processes/supervision/server-supervisor.js';
import type { SupervisorSettings } from '../../processes/supervision/supervisor-settings.js';
import { ProcessClaimsService } from '../hosts/process-claims.service.js';
import { ProcessEventsService } from './process-events.service.js';
import { PROCESS_SETTINGS } from './process-settings.js';

const log = new Logger('McpServers');

/** Provides the one `ServerSupervisor` of the process. */
export const supervisorProvider: Provider = {
  provide: ServerSupervisor,
  inject: [PROCESS_SETTINGS, ProcessEventsService, ProcessClaimsService, Settings],
  useFactory: (
    settings: SupervisorSettings,
    processEvents: ProcessEventsService,
    claims: ProcessClaimsService,
    { role }: Settings,
  ) =>
    new ServerSupervisor(settings, {
      ...(role === 'tools' && {
        onStarting: (serverId, scope, signal) => claims.take({ serverId, scope }, signal),
      }),
      onCrashLimit: (serverId, reason, credentialSetId) =>
        processEvents.crashLimit.next({ serverId, credentialSetId, reason }),
      onStartListed: (server, tools) => processEvents.compare(server, tools),
      onStarted: (serverId) => processEvents.started.next({ serverId }),
      onListChanged: (serverId, what) => processEvents.listChanged.next({ serverId, what }),
      onResourceUpdated: (serverId, scope, uri) =>
        processEvents.resourceUpdated.next({ serverId, scope, uri }),
      log: (serverId, message) => log.warn(`Server ${serverId}: ${message}`),
    }),
};
