import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { S3Server } from '../../support/s3-server.js';
import { useService, type Service } from '../../support/service.js';

/** Where a service keeps its attachments, seen from behind. */
export interface Kept {
  /** Ids of all whose bytes are there. */
  ids(): Promise<string[]>;
  /** The file with the bytes. */
  fileOf(id: string): string;
}

export const STORES = ['disk', 's3'] as const;
export type StoreKind = (typeof STORES)[number];

const objectStores = new WeakMap<Service, S3Server>();

/** A service that keeps attachments in a store of this kind; with S3, on a server of its own. */
export function useServiceWith(kind: StoreKind, settings: Record<string, string> = {}): Service {
  if (kind === 'disk') return useService({ settings });
  const all = { ...settings };
  const server = new S3Server();
  beforeAll(async () => {
    Object.assign(all, (await server.start()).settings);
  });
  const service = useService({ settings: all });
  objectStores.set(service, server);
  afterAll(() => server.remove());
  return service;
}

export function keptOf(service: Service): Kept {
  const server = objectStores.get(service);
  if (server) return { ids: () => server.objects(), fileOf: (id) => server.fileOf(id) };
  const folder = () => join(service.dataDir, 'attachments');
  return {
    ids: async () => (await readdir(folder()).catch(() => [])).toSorted(),
    fileOf: (id) => join(folder(), id),
  };
}
