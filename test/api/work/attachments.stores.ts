import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { S3Server } from '../../support/s3-server.js';
import { useService, type Service, type ServiceOptions } from '../../support/service.js';

/** The store of a service's attachments, accessed without the service. */
export interface Kept {
  /** Returns the ids of all attachments whose bytes exist. */
  ids(): Promise<string[]>;
  /** Returns the path of the file with the bytes. */
  fileOf(id: string): string;
}

export const STORES = ['disk', 's3'] as const;
export type StoreKind = (typeof STORES)[number];

const objectStores = new WeakMap<Service, S3Server>();

/** Starts a service with a store of this kind. An S3 store has a server of its own. */
export function useServiceWith(
  kind: StoreKind,
  { settings = {}, ownProcess }: Pick<ServiceOptions, 'settings' | 'ownProcess'> = {},
): Service {
  if (kind === 'disk') return useService({ settings, ownProcess });
  const all = { ...settings };
  const server = new S3Server();
  beforeAll(async () => {
    Object.assign(all, (await server.start()).settings);
  });
  const service = useService({ settings: all, ownProcess });
  objectStores.set(service, server);
  afterAll(() => server.remove());
  return service;
}

export function keptOf(service: Service): Kept {
  const server = objectStores.get(service);
  if (server) return { ids: () => server.objects(), fileOf: (id) => server.fileOf(id) };
  const folder = () => join(service.dataDir, 'attachments');
  return {
    ids: async () =>
      (await readdir(folder()).catch(() => [])).filter((name) => name !== '.store-id').toSorted(),
    fileOf: (id) => join(folder(), id),
  };
}
