import type { Manifest } from './chart.js';

interface Probe {
  httpGet: { path: string; port: string; scheme: string };
}
interface Container {
  name: string;
  image: string;
  command?: string[];
  ports?: { name: string; containerPort: number }[];
  env?: { name: string; value?: string; valueFrom?: unknown }[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  securityContext: { readOnlyRootFilesystem: boolean; capabilities: { drop: string[] } };
  volumeMounts?: { name: string; mountPath: string }[];
}
interface Pod {
  containers: Container[];
  volumes?: { name: string; [source: string]: unknown }[];
  securityContext: { runAsUser: number };
  affinity?: unknown;
}

/** Returns the pods of all workloads, with the name of each. */
export function podsOf(manifests: Manifest[]): { name: string; pod: Pod; claims: string[] }[] {
  return manifests.flatMap(({ kind, metadata: { name }, spec }) => {
    const part = (spec ?? {}) as {
      template?: { spec: Pod };
      jobTemplate?: { spec: { template: { spec: Pod } } };
      volumeClaimTemplates?: { metadata: { name: string } }[];
    };
    const pod = (kind === 'Pod' ? spec : (part.jobTemplate?.spec ?? part).template?.spec) as Pod | undefined;
    const claims = (part.volumeClaimTemplates ?? []).map(({ metadata }) => metadata.name);
    return pod ? [{ name: `${kind} ${name}`, pod, claims }] : [];
  });
}
export const containersOf = (manifests: Manifest[]) => podsOf(manifests).flatMap(({ pod }) => pod.containers);
/** Returns the object of this kind whose name ends so, or undefined. */
export const named = (manifests: Manifest[], kind: string, end = '') =>
  manifests.find((one) => one.kind === kind && one.metadata.name.endsWith(end))!;
export const variablesOf = ({ env = [] }: Container) =>
  Object.fromEntries(env.map(({ name, value }) => [name, value]));
