import { listeningSettings } from './listening.js';

/**
 * Returns the command-line settings of the server. Errors of single statements stay out of its log: the service causes
 * them daily (it inserts and translates the violation) and reports them itself, and their text can hold a secret.
 */
export function serverSettings(
  clusterDir: string,
  port: number,
  overrides: Record<string, string>,
): string[] {
  const settings: Record<string, string> = {
    ...listeningSettings(clusterDir),
    port: String(port),
    max_connections: '200',
    shared_buffers: '128MB',
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    log_destination: 'stderr',
    logging_collector: 'off',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    // The default of 4 is tuned for spinning disks: it makes the planner sort thousands of rows instead of following
    // an index to the first fifty.
    random_page_cost: '1.1',
    // Parallel queries share memory in /dev/shm, of which a container has 64 MB; the service's queries are short.
    max_parallel_workers_per_gather: '0',
    ...overrides,
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
