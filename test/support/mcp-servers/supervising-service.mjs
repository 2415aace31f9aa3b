// A service that supervises servers, for tests that end it: node supervising-service.mjs SUPERVISOR_MODULE SETTINGS SERVERS
// (SETTINGS and SERVERS as JSON). It prints `ready` once every server has answered. Input stops all servers; SIGTERM is an
// orderly shutdown.
const [supervisorModule, settings, servers] = process.argv.slice(2);
const { ServerSupervisor } = await import(supervisorModule);
const { supervisorSettings } = await import(new URL('supervisor-settings.js', supervisorModule).href);

const hooks = {
  onCrashLimit: () => undefined,
  onListChanged: () => undefined,
  onStartListed: async () => undefined,
};
const supervisor = new ServerSupervisor(supervisorSettings(JSON.parse(settings)), hooks);
const descriptions = JSON.parse(servers);

process.on('SIGTERM', async () => {
  await supervisor.shutdown();
  process.exit(0);
});
process.stdin.on('data', async () => {
  await Promise.all(descriptions.map(({ serverId }) => supervisor.stop(serverId, 'stopped')));
  console.log('stopped');
});
await Promise.all(
  descriptions.map((server) =>
    supervisor.call(server, 'shared', 'tools/call', { name: 'ready', arguments: {} }),
  ),
);
console.log('ready');
