import { AggregatorRegistry, Counter, Gauge, type MetricObject, Registry } from 'prom-client';
import type { ProcessState } from '../processes/parent-channel.js';

/**
 * Returns the metrics of several processes as one text of Prometheus (contract §8.1). Each series has the label `process`, so none is
 * added to another: a process that ends takes its counters with it, as one that is started again does.
 * @param answers the metrics of each process, with that label
 */
export async function textOfAll(
  answers: readonly MetricObject[][],
  processes: readonly ProcessState[],
): Promise<string> {
  // By default a registry of several processes leaves out what cannot be added, such as the start of each.
  const whole = answers.map((metrics) => metrics.map((metric) => ({ ...metric, aggregator: 'first' })));
  const texts = [AggregatorRegistry.aggregate(whole), registryOf(processes)].map((one) => one.metrics());
  return (await Promise.all(texts)).join('');
}

function registryOf(processes: readonly ProcessState[]): Registry {
  const registry = new Registry();
  const registers = [registry];
  const ready = new Gauge({
    name: 'awp_process_ready',
    help: 'Whether a process of the start is ready: 0 while it starts, or finishes what it has.',
    labelNames: ['process', 'kind'],
    registers,
  });
  const restarts = new Counter({
    name: 'awp_process_restarts_total',
    help: 'How often a process of the start was started again because it had ended.',
    labelNames: ['process'],
    registers,
  });
  for (const { name, kind, state, restarts: count } of processes) {
    ready.set({ process: name, kind }, state === 'ready' ? 1 : 0);
    restarts.inc({ process: name }, count);
  }
  return registry;
}
