import { Logger, type Provider } from '@nestjs/common';
import { ServerSupervisor } from '../../processes/server-supervisor.js';
import type { SupervisorSettings } from '../../processes/supervisor-settings.js';
import { ProcessNews } from './process-news.js';
import { PROCESS_SETTINGS } from './process-settings.js';

const log = new Logger('McpServers');

/** The one `ServerSupervisor` of the process. */
export const supervisorProvider: Provider = {
  provide: ServerSupervisor,
  inject: [PROCESS_SETTINGS, ProcessNews],
  useFactory: (settings: SupervisorSettings, news: ProcessNews) =>
    new ServerSupervisor(settings, {
      onCrashLimit: (serverId, reason) => news.crashLimit.next({ serverId, reason }),
      onListChanged: (serverId, what) => news.listChanged.next({ serverId, what }),
      onResourceUpdated: (serverId, scope, uri) => news.resourceUpdated.next({ serverId, scope, uri }),
      log: (serverId, message) => log.warn(`${serverId}: ${message}`),
    }),
};
